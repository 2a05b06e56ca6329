/**
 * The Ibis Portability Layer: pools of instances, and one-way messages between their ports.
 *
 * <p>{@link ibis.ipl.IbisFactory} makes an {@link ibis.ipl.Ibis}, which joins a pool and makes
 * ports. A {@link ibis.ipl.SendPort} connects to {@link ibis.ipl.ReceivePort}s of the same {@link
 * ibis.ipl.PortType} and writes messages to them; the {@link ibis.ipl.Registry} knows who is in the
 * pool. Programs written for version 2.3 of the layer compile and run unchanged.
 */
@NullMarked
package ibis.ipl;

import org.jspecify.annotations.NullMarked;
