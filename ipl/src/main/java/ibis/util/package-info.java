/** Small helpers that programs for the Ibis Portability Layer use. */
@NullMarked
package ibis.util;

import org.jspecify.annotations.NullMarked;
