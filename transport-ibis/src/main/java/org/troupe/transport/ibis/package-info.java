/** Frames of active objects over the Ibis Portability Layer. */
package org.troupe.transport.ibis;
