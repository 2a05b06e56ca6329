/**
 * Published classes that programs of version 2.3 use from the reference implementation: {@code
 * Location}.
 *
 * <p>Parsing is delegated to {@code ibis.ipl.internal.base}. New programs need only {@code
 * ibis.ipl}.
 */
@NullMarked
package ibis.ipl.impl;

import org.jspecify.annotations.NullMarked;
