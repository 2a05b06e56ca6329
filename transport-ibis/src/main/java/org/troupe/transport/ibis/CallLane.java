package org.troupe.transport.ibis;

import java.io.IOException;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.links.Link;

/** The calling end of a link on which one caller at a time sends a frame and reads its reply. */
class CallLane {

  /** Frames with small arguments fit; those of other calls go straight from and to their arrays. */
  static final int BUFFER_BYTES = 16 * 1024;

  /** Of the thread, which has read it when it comes again: others may have the lane by then. */
  private static final ThreadLocal<Frame> LAST_REPLY =
      ThreadLocal.withInitial(() -> FrameInput.NO_FRAME);

  final Link link;
  final FrameInput input;
  private final FrameOutput output;
  private final IncomingLinks.Incoming incoming;
  private boolean used; // since the sweeper looked

  CallLane(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.output = new FrameOutput(link, BUFFER_BYTES);
    this.input = new FrameInput(link, BUFFER_BYTES, endpoint.receiveBudget());
    this.incoming = endpoint.links().toPeer(link, input);
  }

  /** Waits for the reply; {@code null} if it comes another way. After an exception, no more use. */
  Frame exchange(Frame frame) throws IOException {
    write(frame);
    Frame reply = input.read(LAST_REPLY.get());
    if (reply != null && reply.body().length == 0) {
      LAST_REPLY.set(reply);
    }
    return reply;
  }

  final void write(Frame frame) throws IOException {
    output.put(frame);
    output.flush();
  }

  /** Does what a lane has a thread of its own for; returns when the lane has ended. */
  void tend() {}

  /** Notes that somebody has used it. Guarded, as the next, by the lock of {@link CallLanes}. */
  final void used() {
    used = true;
  }

  /** Says whether somebody has used it since this was last asked. */
  final boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  final void close() {
    link.close();
    incoming.close();
  }
}
