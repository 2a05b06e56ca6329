package org.troupe.activeobjects.internal;

import java.util.List;
import org.troupe.activeobjects.spi.Transport.Exchange;
import org.troupe.futures.FutureResult;

/** Sends the outcome of a request back to the node that it came from. */
final class RemoteReply implements ReplyTo {

  private final Peer peer;
  private final Message.Call call;
  private CallMethod method; // as soon as it is known, before anything is served
  private Exchange exchange; // where the sender's thread waits, or null; under this
  private volatile boolean abandoned;
  private volatile FutureResult<?> delegate;

  RemoteReply(Peer peer, Message.Call call, Exchange exchange) {
    this.peer = peer;
    this.call = call;
    this.exchange = exchange;
    if (isOneWay()) {
      decline();
    }
  }

  Peer peer() {
    return peer;
  }

  /** Notes which method is called, before it is. */
  void isOf(CallMethod called) {
    method = called;
  }

  /** The exchange broke: the answer will be a frame of its own. */
  synchronized void unexchanged() {
    exchange = null;
  }

  /** Ends the exchange without an answer, which will be a frame of its own. */
  void decline() {
    Exchange ended;
    synchronized (this) {
      ended = exchange;
      exchange = null;
    }
    Inbox.decline(ended);
  }

  /** The body whose wait keeps the answer back; {@code null} if there is none that waits. */
  Body waiting() {
    var body = peer.node().body(call.target());
    return body == null
            || body.waitingFor == null
            || body.isServedAtOnce(peer.node().method(body, call.method()))
        ? null
        : body;
  }

  FutureResult<?> delegate() {
    return delegate;
  }

  void abandon() {
    abandoned = true;
    decline();
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public boolean isOneWay() {
    return call.callId() == 0;
  }

  @Override
  public void served(CallRequest request) {
    if (isOneWay()) {
      peer.served(call);
    }
  }

  @Override
  public void returned(Object value) {
    if (!call.valueWanted() || value == null) {
      answer(new Message.Answer(call.callId(), List.of()), null);
      return;
    }
    if (Message.Simple.isSimple(value)) {
      answer(new Message.Simple(call.callId(), value), null);
      return;
    }
    try {
      var payload = peer.node().copies().encodeResult(method, value);
      answer(new Message.Answer(call.callId(), payload.values().side()), payload);
    } catch (RuntimeException failure) {
      threw(failure);
    }
  }

  @Override
  public void threw(Throwable cause) {
    var form = peer.node().failures().form(cause);
    if (isOneWay()) {
      peer.reply(
          new Message.OneWayFailed(call.caller(), text(), form.summary(), Peer.side(form)),
          form.exception());
    } else {
      answer(new Message.Failed(call.callId(), form.summary(), Peer.side(form)), form.exception());
    }
  }

  @Override
  public void delegated(FutureResult<?> future) {
    delegate = future;
    peer.node().cycles().delegated(peer, call.callId(), text(), future);
  }

  private void answer(Message message, Payload payload) {
    if (!answeredInExchange(message, payload)) {
      peer.reply(message, payload);
    }
    // Not earlier: while the exchange counts on the answer, it can be told that it has broken.
    peer.served(call);
  }

  /*
   * Between taking the exchange and numbering the answer nobody may learn that the exchange has broken: before, the
   * answer would go over the link; after, it is sent again with everything that is not acknowledged. The reply itself
   * may block, so it is made outside of the lock.
   */
  private boolean answeredInExchange(Message message, Payload payload) {
    Exchange waiting;
    Outbox.Sent answer;
    synchronized (this) {
      if (exchange == null) {
        return false;
      }
      answer = peer.answer(message, payload); // if it throws, the exchange is for the failure
      waiting = exchange;
      exchange = null;
    }
    if (answer == null) {
      Inbox.decline(waiting);
    } else if (waiting.reply(answer.frame())) {
      answer.exchanged();
    } else {
      peer.reply(answer);
    }
    return true;
  }

  /** The call as messages show it. */
  private String text() {
    var symbol = call.method();
    var method = symbol.substring(0, symbol.indexOf('('));
    var type = method.substring(method.lastIndexOf('.', method.indexOf('#')) + 1);
    return type.replace('#', '.') + "(..) on node '" + peer.node().name() + "'";
  }
}
