package org.troupe.activeobjects.internal.peer;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.transport.Transport.Exchange;

/**
 * The exchange in which a call to a moved object has arrived, until the call has become a request
 * of its object. A call that waits here, or goes on to another node, takes no exchange. Confined to
 * the thread that takes the frame.
 */
public final class ArrivingExchange {

  private final NodeId caller;
  private final Outbox outbox;
  private final boolean mayServe;
  private @Nullable Exchange exchange;
  private @Nullable Runnable rest;

  /**
   * Creates the exchange of a frame.
   *
   * @param outbox sends messages to the caller's node
   * @param mayServe whether the current thread belongs to the exchange
   */
  ArrivingExchange(NodeId caller, Outbox outbox, Exchange exchange, boolean mayServe) {
    this.caller = caller;
    this.outbox = outbox;
    this.exchange = exchange;
    this.mayServe = mayServe;
  }

  /** Returns the exchange for a request that will answer in it; {@code null} if it has ended. */
  @Nullable Exchange take() {
    var taken = exchange;
    exchange = null;
    return taken;
  }

  /** Returns whether the current thread may serve the request. */
  boolean mayServe() {
    return mayServe;
  }

  /** Lets the current thread serve the request when it has no locks. */
  void serve(Runnable itsService) {
    rest = itsService;
  }

  /**
   * Ends the exchange with a message to the caller's node, if the exchange is of that node. The
   * caller's thread takes the message, so that no reader is woken for it.
   *
   * @return {@code false} if the message has to take the link
   */
  public boolean endWith(NodeId owner, Message message) {
    if (!mayServe || exchange == null || !owner.equals(caller)) {
      return false;
    }
    UnackedFrame last;
    try {
      last = outbox.number(0, message, null);
    } catch (NodeLostException e) {
      return true; // as over the link, nothing is sent to a lost node
    }
    var ended = take();
    rest = () -> end(ended, last);
    return true;
  }

  private void end(@Nullable Exchange ended, UnackedFrame last) {
    if (ended != null && ended.reply(last.frame())) {
      last.exchanged();
    } else {
      outbox.send(last);
    }
  }

  /**
   * Ends the exchange without an answer, unless it was taken.
   *
   * @return the work to do on the current thread when it has no locks, or {@code null}
   */
  @Nullable Runnable end() {
    RemoteRequest.decline(take());
    return rest;
  }
}
