package org.troupe.transport.ibis;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.links.Link;

/** The calling end of a link on which one caller at a time sends a frame and reads its reply. */
class CallLane {

  /**
   * Holds frames with small arguments; larger ones are copied from and to their arrays directly.
   */
  static final int BUFFER_BYTES = 16 * 1024;

  /**
   * The last reply that this thread has read, whose header is reused. It belongs to the thread and
   * not to the lane, as another thread may hold the lane before the reply is processed.
   */
  private static final ThreadLocal<Frame> LAST_REPLY =
      ThreadLocal.withInitial(() -> FrameInput.NO_FRAME);

  final Link link;
  final FrameInput input;
  private final FrameOutput output;
  private final IncomingLinks.Incoming incoming;
  private boolean used; // since the last sweep

  CallLane(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.output = new FrameOutput(link, BUFFER_BYTES);
    this.input = new FrameInput(link, BUFFER_BYTES, endpoint.receiveBudget());
    this.incoming = endpoint.links().toPeer(link, input);
  }

  /**
   * Sends a frame and blocks until the reply. Returns {@code null} if the reply comes over the
   * frames link. After an exception the lane must not be used again.
   */
  @Nullable Frame exchange(Frame frame) throws IOException {
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

  /** Runs the lane's own thread, if its kind has one; returns when the lane has ended. */
  void tend() {}

  /** Marks the lane as used. Guarded by the lock of {@link CallLanes}. */
  final void used() {
    used = true;
  }

  /** Returns whether it was used since the last call. Guarded by the lock of {@link CallLanes}. */
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
