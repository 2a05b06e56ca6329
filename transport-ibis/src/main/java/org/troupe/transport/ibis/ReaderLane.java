package org.troupe.transport.ibis;

import java.io.IOException;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Caller;
import org.troupe.links.Link;

/** A lane for callers that do not read: a thread of its own reads the replies for them. */
final class ReaderLane extends CallLane {

  /*
   * A virtual caller that read its reply would keep a carrier while it waits, for as long as the method called takes;
   * two of them would keep all carriers of a small machine, perhaps from serving the very call that the method makes
   * in its turn. So it writes the request, which goes at once, and sleeps as virtual threads do. That is one switch of
   * threads more than a platform thread has: over tcp, 2 times a bare round trip, against 5 by way of the shared links.
   */

  private final CallLanes<ReaderLane> lanes;
  private final Object writing = new Object();
  private Caller caller; // the one who waits, or null; under this

  ReaderLane(Link link, LinkEndpoint endpoint, CallLanes<ReaderLane> lanes) {
    super(link, endpoint);
    this.lanes = lanes;
  }

  /** Sends a frame; the caller is told the end, unless this throws. */
  void begin(Frame frame, Caller itsCaller) throws IOException {
    synchronized (writing) { // the reply, and the next caller, may be here before the write returns
      synchronized (this) {
        caller = itsCaller;
      }
      try {
        write(frame);
      } catch (IOException | RuntimeException | Error e) {
        lanes.drop(this);
        if (takeCaller() != null) { // else the reader has noticed too, and told it
          throw e;
        }
      }
    }
  }

  private synchronized Caller takeCaller() {
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
      Caller told = takeCaller();
      if (told == null) {
        throw new BadFrameException("a reply came on a call lane where nobody waits for one");
      }
      lanes.giveBack(this); // before the caller wakes up, and makes the next call
      told.ended(reply);
    }
  }
}
