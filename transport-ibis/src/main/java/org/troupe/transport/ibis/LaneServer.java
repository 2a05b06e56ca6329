package org.troupe.transport.ibis;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.links.Link;

/** The serving end of a call lane; its thread reads each request and may serve it directly. */
final class LaneServer implements Exchange {

  /*
   * One exchange at a time. The caller sends no request before it has read the reply to the previous
   * one, so this object serves as the exchange of every request in turn. The thread that serves the
   * request writes the reply: this thread or, later, another one, possibly virtual. It holds the monitor
   * while it writes. The reader takes the monitor, too, but only after it has read the next request,
   * which the caller sends after it has received the reply.
   */
  private static final System.Logger LOG = System.getLogger(LaneServer.class.getPackageName());

  private final Link link;
  private final LinkEndpoint endpoint;
  private final FrameInput input;
  private final FrameOutput output; // under this
  private boolean awaitsReply; // the caller has sent a request; under this

  LaneServer(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.endpoint = endpoint;
    this.input = new FrameInput(link, CallLane.BUFFER_BYTES, endpoint.receiveBudget());
    this.output = new FrameOutput(link, CallLane.BUFFER_BYTES);
  }

  FrameInput input() {
    return input;
  }

  /** Reads and dispatches requests until the link ends, which throws the exception. */
  void serve(IncomingLinks.Incoming incoming) throws IOException {
    for (var frame = FrameInput.NO_FRAME; ; ) {
      frame = begun(input.read(frame));
      endpoint.received(frame, this, incoming);
      boolean _ =
          Thread.interrupted(); // an interrupt of the served method must not end this thread
    }
  }

  /** Returns the request, whose exchange has begun. */
  private synchronized Frame begun(@Nullable Frame frame) throws BadFrameException {
    if (frame == null || awaitsReply) {
      throw new BadFrameException(
          frame == null
              ? "a caller sent the end of an exchange, which only the called side may send"
              : "a request came on a call lane before the reply to the previous one");
    }
    awaitsReply = true;
    return frame;
  }

  @Override
  public synchronized boolean reply(@Nullable Frame reply) {
    if (!awaitsReply) {
      return false;
    }
    awaitsReply = false;
    boolean interrupted = Thread.interrupted(); // addressed to the served method, not to the lane
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
      LOG.log(Level.DEBUG, "a caller disconnected before its reply: {0}", e.getMessage());
    } finally {
      if (!replied) {
        link.close(); // otherwise the caller would wait for ever
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return replied;
  }
}
