package org.troupe.transport.ibis;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.links.Link;

/** The serving end of a call lane: its thread reads each request and may serve it itself. */
final class LaneServer implements Exchange {

  /*
   * There is one exchange at a time, because the caller sends nothing before it has read the reply: so this object is
   * that exchange, again and again. The reply is written by the thread that serves: this one, or later another, maybe a
   * virtual one. The monitor is held while it writes. The reader takes it too, but has a frame to read only when the
   * caller has got the reply before.
   */
  private static final System.Logger LOG = System.getLogger(LaneServer.class.getPackageName());

  private final Link link;
  private final LinkEndpoint endpoint;
  private final FrameInput input;
  private final FrameOutput output; // under this
  private boolean owed; // whether the caller waits for a reply; under this

  LaneServer(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.endpoint = endpoint;
    this.input = new FrameInput(link, CallLane.BUFFER_BYTES, endpoint.receiveBudget());
    this.output = new FrameOutput(link, CallLane.BUFFER_BYTES);
  }

  FrameInput input() {
    return input;
  }

  /** Serves until the link has ended: that is thrown. */
  void serve(IncomingLinks.Incoming incoming) throws IOException {
    for (var frame = FrameInput.NO_FRAME; ; ) {
      frame = input.read(frame);
      begin(frame);
      endpoint.received(frame, this, incoming);
      boolean _ = Thread.interrupted(); // whatever was served here has left, it must not end us
    }
  }

  private synchronized void begin(Frame frame) throws BadFrameException {
    if (frame == null || owed) {
      throw new BadFrameException(
          frame == null
              ? "the end of an exchange came from the side that began it"
              : "a frame came on a call lane before the reply to the one before");
    }
    owed = true;
  }

  @Override
  public synchronized boolean reply(Frame reply) {
    if (!owed) {
      return false;
    }
    owed = false;
    boolean interrupted = Thread.interrupted(); // meant for what was served, not for the lane
    boolean replied = false;
    try {
      if (reply == null) {
        output.putNothing();
      } else {
        output.put(reply);
      }
      output.flush();
      replied = true;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a caller has left before its reply: {0}", e.getMessage());
    } finally {
      if (!replied) {
        link.close(); // for whatever reason: or the caller would wait for ever
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return replied;
  }
}
