/**
 * Published helpers for programs of the Ibis Portability Layer: typed properties, stopwatches, a
 * thread pool, addresses of this host.
 *
 * <p>The classes are independent of one another and of the layer, which itself uses {@code IPUtils}
 * and {@code TypedProperties}.
 */
@NullMarked
package ibis.util;

import org.jspecify.annotations.NullMarked;
