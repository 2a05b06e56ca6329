package org.troupe.activeobjects.internal.peer;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Transport.Exchange;

/**
 * The exchange in which a call to a moved object has arrived, until the call has become a request
 * of its object. A call that waits here, or goes on to another node, takes no exchange. Confined to
 * the thread that takes the frame.
 */
public final class ArrivingExchange {

  private final boolean mayServe;
  private @Nullable Exchange exchange;
  private @Nullable Runnable service;

  /**
   * Creates the exchange of a frame.
   *
   * @param mayServe whether the current thread belongs to the exchange
   */
  ArrivingExchange(Exchange exchange, boolean mayServe) {
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
    service = itsService;
  }

  /**
   * Ends the exchange without an answer, unless a request has taken it.
   *
   * @return the service of that request on the current thread, or {@code null}
   */
  @Nullable Runnable end() {
    RemoteRequest.decline(take());
    return service;
  }
}
