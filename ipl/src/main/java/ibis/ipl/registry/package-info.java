/** For registries of the program's own, which {@code ibis.registry.implementation} names. */
@NullMarked
package ibis.ipl.registry;

import org.jspecify.annotations.NullMarked;
