package org.troupe.transport.ibis;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Caller;
import org.troupe.links.Link;

/** A call lane for virtual callers: a platform thread reads the replies and completes the calls. */
final class ReaderLane extends CallLane {

  /*
   * Why virtual callers do not read their replies. A read blocks the carrier for as long as the called
   * method runs. Two such callers would block all carriers of a small machine, possibly those that must
   * serve a nested call of that method. A virtual caller therefore writes the request, which does not
   * block for long, and parks. The reader thread costs one thread switch more than a platform caller
   * has: over TCP a call takes 2.3 bare round trips (./troupe bench ibis, row null-call-tcp-virtual,
   * 6805926, 2026-11-21), against 4.1 over the shared link.
   *
   * Invariants. At most one caller is set, from begin to its reply or failure. Whichever of writer and
   * reader takes the caller reports the outcome, so each call ends exactly once.
   */

  private final CallLanes<ReaderLane> lanes;
  private final Object writing = new Object();
  private @Nullable Caller caller; // waits for the reply, or null; under this

  ReaderLane(Link link, LinkEndpoint endpoint, CallLanes<ReaderLane> lanes) {
    super(link, endpoint);
    this.lanes = lanes;
  }

  /** Sends a frame. The caller is completed by the reader thread, unless this method throws. */
  void begin(Frame frame, Caller itsCaller) throws IOException {
    synchronized (writing) { // the reply, and the next caller, may arrive before the write returns
      synchronized (this) {
        caller = itsCaller;
      }
      try {
        write(frame);
      } catch (IOException | RuntimeException | Error e) {
        lanes.drop(this);
        if (takeCaller() != null) { // otherwise the reader has failed the caller already
          throw e;
        }
      }
    }
  }

  private synchronized @Nullable Caller takeCaller() {
    Caller taken = caller;
    caller = null;
    return taken;
  }

  @Override
  void tend() {
    var why = new IOException("the reader of the lane failed");
    try {
      readReplies();
    } catch (IOException e) {
      LinkEndpoint.ended(link, e);
      why = e;
    } finally {
      lanes.drop(this);
      Caller last = takeCaller();
      if (last != null) {
        last.broke(why);
      }
    }
  }

  private void readReplies() throws IOException {
    for (var spare = FrameInput.NO_FRAME; ; ) {
      Frame reply = input.read(spare);
      if (reply != null) {
        spare = reply;
      }
      Caller waiting = takeCaller();
      if (waiting == null) {
        throw new BadFrameException("a reply came on a call lane without a waiting caller");
      }
      lanes.giveBack(this); // before the caller wakes up and makes its next call
      waiting.ended(reply);
    }
  }
}
