/** Our implementation of the layer: instances, registries, ports and messages. */
package ibis.ipl.internal;
