package org.troupe.activeobjects.internal;

import java.util.List;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.futures.FutureResult;

/** Sends the outcome of a request back to the node that it came from. */
final class RemoteReply implements ReplyTo {

  private final Peer peer;
  private final Message.Call call;
  private boolean exchanged; // the sender's thread waits for the frame; under this
  private Frame frame; // under this
  private volatile boolean abandoned;
  private volatile FutureResult<?> delegate;

  RemoteReply(Peer peer, Message.Call call, boolean exchanged) {
    this.peer = peer;
    this.call = call;
    this.exchanged = exchanged;
  }

  Peer peer() {
    return peer;
  }

  /** The request had to be queued: the answer will be a frame of its own. */
  synchronized void queued() {
    exchanged = false;
  }

  /** The answer, if it came while the request was served by the thread that received it. */
  synchronized Frame served() {
    exchanged = false;
    return frame;
  }

  FutureResult<?> delegate() {
    return delegate;
  }

  void abandon() {
    abandoned = true;
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
    try {
      var payload = peer.node().encode(value);
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

  /** An answer that is relayed comes from another thread than the one that received the call. */
  private synchronized boolean answeredInExchange(Message message, Payload payload) {
    if (exchanged) {
      frame = peer.answer(message, payload);
    }
    return exchanged;
  }

  /** The call as messages show it. */
  private String text() {
    var symbol = call.method();
    var method = symbol.substring(0, symbol.indexOf('('));
    var type = method.substring(method.lastIndexOf('.', method.indexOf('#')) + 1);
    return type.replace('#', '.') + "(..) on node '" + peer.node().name() + "'";
  }
}
