package org.troupe.activeobjects.internal.peer;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.QueuePlace;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.BodyEnd;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.futures.FutureResult;

/** A call from another node, which receives its outcome. */
public sealed class RemoteRequest extends CallRequest implements ReplyTo, Runnable
    permits UnservableRequest {

  private final IncomingCalls calls;
  private final Message.Request call;
  private final long callId;
  private final @Nullable Body called; // held until the answer; null if there is none
  private final long accepted; // 0 if it is not timed
  private @Nullable Exchange exchange; // where the sender's thread waits, or null; guarded by this
  private volatile boolean abandoned;
  private @Nullable OneWayAccount
      account; // null: that of the caller's node; set before it is queued
  private boolean isAnswered; // published by the lock of the outbox
  private volatile @Nullable FutureResult<?> delegate;

  /**
   * Creates a request.
   *
   * @param calls the calls of the other node
   * @param callId the id by which the sender knows it, or 0 for a one-way call
   * @param called the object; {@code null} if there is none, and the call can only be refused
   * @param method {@code null} if there is no such object or method: it can only be refused
   * @param values the arguments, if there are none
   * @param encoded the arguments, if there are some
   */
  RemoteRequest(
      IncomingCalls calls,
      Message.Request call,
      long callId,
      @Nullable Body called,
      @Nullable Exchange exchange,
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace) {
    super(method, values, encoded, null, caller, queuePlace);
    replyTo(this);
    this.calls = calls;
    this.call = call;
    this.callId = callId;
    this.called = called;
    this.exchange = exchange;
    this.accepted =
        TierSwitch.isTiming() && called != null
            ? TierSwitch.accepts(method, called.choosesToTime())
            : 0;
    if (exchange != null && callId == 0) {
      decline();
    }
  }

  @Override
  protected long accepted() {
    return accepted;
  }

  @Override
  public byte @Nullable [] context() {
    return call.context(place);
  }

  @Override
  protected String callerNode(Body body) {
    return calls.peer().id().name();
  }

  /** Records in which account a one-way call is, if not in that of its caller's node. */
  void accountedIn(OneWayAccount its) {
    account = its;
  }

  /** Returns the account of a one-way call; {@code null} if it is that of its caller's node. */
  @Nullable OneWayAccount account() {
    return account;
  }

  /**
   * Gives up the request, because its object has left and the call follows it.
   *
   * @return the account in which the call remains until another node has it
   */
  public OneWayAccount leaves() {
    decline();
    if (!isOneWay()) {
      calls.served(this);
      return OneWayAccount.NONE;
    }
    calls.holdCaller(call); // first: it is not held when the call counts as served
    return account == null ? calls.account() : account;
  }

  /** Returns the message of the call, as a call of this object alone. */
  public Message.Call message() {
    return new Message.Call(
        target(),
        call.method(),
        call.valueWanted(),
        occupiesPlace(),
        call.caller(),
        call.callerType(),
        call.side(),
        context());
  }

  /** Returns the id by which the caller's node knows the call, or 0. */
  public long id() {
    return callId;
  }

  /** Returns the node that made the call. */
  public RemoteNode peer() {
    return calls.peer();
  }

  @Override
  protected long callId() {
    return callId;
  }

  /** Returns the number of the called body. */
  long target() {
    return call.target(place);
  }

  /** Returns the action that serves this request on the calling thread, in the reserved object. */
  Runnable servedAtOnce() {
    return this;
  }

  /** Returns the action that serves this request on the calling thread, beside all others. */
  Runnable servedBeside(Body body) {
    return () -> body.serveBeside(this);
  }

  @Override
  public void run() {
    Objects.requireNonNull(called, "the reserved body").serveReserved(this);
  }

  /** Handles the failure of the exchange: the answer will be sent as a frame. */
  synchronized void unexchanged() {
    exchange = null;
  }

  /** Ends the exchange without an answer, which will be sent as a frame. */
  void decline() {
    Exchange ended;
    synchronized (this) {
      ended = exchange;
      exchange = null;
    }
    decline(ended);
  }

  /** Ends an exchange whose answer will arrive as a separate frame. */
  public static void decline(@Nullable Exchange exchange) {
    if (exchange != null) {
      exchange.reply(null);
    }
  }

  /** Returns the body whose wait delays the answer; {@code null} if none waits. */
  public @Nullable Body waiting() {
    return called == null
            || called.waitingFor == null
            || called.isServedAtOnce(calls.node().method(called, call.method()))
        ? null
        : called;
  }

  @Override
  protected Runnable waits(@Nullable FutureResult<?> awaited, Runnable then) {
    if (isOneWay()) {
      return then;
    }
    var before = calls.waits(this, awaited);
    return () -> {
      calls.waits(this, before);
      then.run();
    };
  }

  public @Nullable FutureResult<?> delegate() {
    return delegate;
  }

  void abandon() {
    abandoned = true;
    if (delegate instanceof BodyEnd end) {
      end.withdraw(); // the object may live for long
    }
    decline();
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public boolean isOneWay() {
    return callId == 0;
  }

  @Override
  public void served() {
    if (isOneWay()) {
      isAnswered = true; // before it is counted
      calls.served(this);
    }
  }

  @Override
  public void returned(@Nullable Object value) {
    if (!call.valueWanted() || value == null) {
      answer(new Message.Answer(List.of()), null);
      return;
    }
    if (Message.Simple.isSimple(value)) {
      answer(new Message.Simple(value), null);
      return;
    }
    try {
      var payload = calls.node().marshaller().encodeResult(method, value);
      answer(new Message.Answer(payload.values().side()), payload);
    } catch (RuntimeException failure) {
      threw(failure);
    }
  }

  @Override
  public void threw(Throwable cause) {
    var form = GridBoundary.encodedFailure(cause, calls.node(), calls.peer().access());
    if (isOneWay()) {
      calls
          .outbox()
          .send(
              0,
              new Message.OneWayFailed(call.caller(), text(), form.summary(), form.side()),
              form.exception());
    } else {
      answer(new Message.Failed(form.summary(), form.side()), form.exception());
    }
  }

  @Override
  public void delegated(FutureResult<?> future) {
    delegate = future;
    if (abandoned && future instanceof BodyEnd end) {
      end.withdraw();
    }
    calls.deadlocks().delegated(calls.peer(), callId, text(), future);
  }

  /**
   * Returns whether the call has an answer, or was served if it is a one-way call, so that its
   * caller's node holds the caller no longer. If that is not so after this node has sent a message,
   * the answer, or the next report of calls served, is behind that message.
   */
  public boolean isAnswered() {
    return isAnswered;
  }

  private void answer(Message message, @Nullable Payload payload) {
    isAnswered = true; // before it is numbered
    if (!answeredInExchange(message, payload)) {
      calls.outbox().send(callId, message, payload);
    }
    // Not earlier: until the answer is sent, the exchange may still report a failure.
    calls.served(this);
  }

  /*
   * Taking the exchange and numbering the answer are one step
   *
   * A failure of the exchange must not be handled between the two. If it is handled earlier, the answer is
   * sent over the link; if later, the answer is sent again with all unacknowledged frames. The reply itself
   * may block, so it is made outside the lock.
   */
  private boolean answeredInExchange(Message message, @Nullable Payload payload) {
    Exchange waiting;
    UnackedFrame answer;
    synchronized (this) {
      if (exchange == null) {
        return false;
      }
      // If this throws, the exchange is for the failure.
      answer = numbered(message, payload);
      waiting = exchange;
      exchange = null;
    }
    if (answer == null) {
      decline(waiting);
    } else if (waiting.reply(answer.frame())) {
      answer.exchanged();
    } else {
      calls.outbox().send(answer);
    }
    return true;
  }

  /** Numbers an answer; returns {@code null} if the caller's node is lost. */
  private @Nullable UnackedFrame numbered(Message answer, @Nullable Payload payload) {
    try {
      return calls.outbox().number(callId, answer, payload);
    } catch (NodeLostException e) {
      return null;
    }
  }

  /** Returns the call in the form that messages use. */
  private String text() {
    return text(call.method(), calls.node());
  }

  /** Returns a call in the form that messages use, from the symbol of its method. */
  static String text(String symbol, NodeObjects node) {
    var method = symbol.substring(0, symbol.indexOf('('));
    var type = method.substring(method.lastIndexOf('.', method.indexOf('#')) + 1);
    return type.replace('#', '.') + "(..) on node '" + node.name() + "'";
  }
}
