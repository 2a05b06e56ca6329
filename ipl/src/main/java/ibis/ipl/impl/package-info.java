/** What programs use of the classes behind the interfaces of the layer. */
@NullMarked
package ibis.ipl.impl;

import org.jspecify.annotations.NullMarked;
