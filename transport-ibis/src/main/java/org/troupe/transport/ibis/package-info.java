/**
 * The default transport: frames of active objects over {@code org.troupe.links}, or over the ports
 * of another implementation of the Ibis Portability Layer.
 *
 * <p>{@code IbisTransport} opens a {@code LinkEndpoint}, unless the system property {@code
 * ibis.implementation} names an implementation other than ours; then it opens a {@code
 * PortsEndpoint}. A peer is reached in two ways. All frames in one direction share one link, which
 * a {@code LinkConnection} writes and a {@code FrameReader} reads. A call whose caller waits takes
 * a {@code CallLane}, a link of its own for a request and its reply, so that no thread is changed
 * between stub and method; {@code LaneServer} is its other end. Read {@code LinkConnection} first
 * for sending and {@code FrameReader} for receiving.
 *
 * <p>{@code FrameOutput} and {@code FrameInput} hold the format of a frame. {@code ReceiveBudget}
 * and {@code IncomingLinks} bound what a hostile or broken peer can cost. The package knows nothing
 * of calls and objects: headers and bodies are opaque.
 */
@NullMarked
package org.troupe.transport.ibis;

import org.jspecify.annotations.NullMarked;
