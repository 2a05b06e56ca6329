/**
 * The base class of registries that programs supply themselves; the property {@code
 * ibis.registry.implementation} names the class.
 *
 * <p>The registries of {@code ibis.ipl.internal.registry} extend the same {@code Registry}; {@code
 * ControlPolicy} decides at the server which instances may join.
 */
@NullMarked
package ibis.ipl.registry;

import org.jspecify.annotations.NullMarked;
