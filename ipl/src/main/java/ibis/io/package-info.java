/** What programs use of the serialization below the Ibis Portability Layer. */
@NullMarked
package ibis.io;

import org.jspecify.annotations.NullMarked;
