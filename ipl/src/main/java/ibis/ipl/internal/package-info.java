/** Our implementation of the layer: instances, registries, ports and messages. */
@NullMarked
package ibis.ipl.internal;

import org.jspecify.annotations.NullMarked;
