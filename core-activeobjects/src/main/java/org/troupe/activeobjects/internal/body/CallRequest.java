package org.troupe.activeobjects.internal.body;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.RequestDroppedException;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.activeobjects.hosting.FailureGroup.Kind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.futures.FutureResult;
import org.troupe.serialization.SerializationException;
import org.troupe.stubs.StubMethod;

/** A call in a body's queue. Its arguments are immutable values, or still encoded. */
public class CallRequest extends QueuedRequest implements Request {

  /** The approximate size of a request without its arguments. */
  public static final long REQUEST_BYTES = 200;

  private static final Object[] TAKEN = {};

  public final CallMethod method;

  /** The receiver of the outcome; {@code null} for a one-way call from this JVM. */
  private @Nullable ReplyTo replyTo;

  /** The caller: a body of this JVM, a reference to a remote one, or {@code null}. */
  public final @Nullable Object caller;

  /**
   * The place of this request in a bounded queue; {@code null} if the queue has no bound, or the
   * request needs none, or has been taken.
   */
  private @Nullable QueuePlace queuePlace;

  /**
   * The stamp of the multicast that this request belongs to, or {@code null}. Set before it is
   * queued.
   */
  public @Nullable MulticastStamp stamp;

  /**
   * The index of this request's object among the objects of this node that received the multicast.
   * Set before it is queued.
   */
  public int place;

  private Object arguments; // the values or a Payload

  /**
   * Creates a request.
   *
   * @param values the arguments, or {@code null}
   * @param encoded the arguments, if they are still encoded
   */
  public CallRequest(
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable ReplyTo replyTo,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace) {
    this.method = method;
    this.arguments = values != null ? values : Objects.requireNonNull(encoded);
    this.replyTo = replyTo;
    this.caller = caller;
    this.queuePlace = queuePlace;
  }

  /** Makes a request of a caller in this JVM to a body. */
  public static CallRequest local(
      Body body,
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable ReplyTo replyTo,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace) {
    return TierSwitch.isTiming() || ObserverBinding.isBound()
        ? TimedRequest.of(body, method, values, encoded, replyTo, caller, queuePlace)
        : new CallRequest(method, values, encoded, replyTo, caller, queuePlace);
  }

  /**
   * Returns when the request was accepted, as {@link
   * org.troupe.activeobjects.internal.call.ServicePace#accepts} returned it; 0 if it is not timed.
   */
  protected long accepted() {
    return 0;
  }

  /** Returns the context of the call for an observer, or {@code null}. */
  public byte @Nullable [] context() {
    return null;
  }

  /** Returns the id by which the caller's node knows the call; 0 if it has none. */
  protected long callId() {
    return 0;
  }

  /**
   * Returns who has called: an object, by its class and identity, or else a node.
   *
   * @param body the body that serves
   */
  public String callerName(Body body) {
    return switch (caller) {
      case Body its -> its.type().name() + " " + its.identityText();
      case CallingObject its ->
          its.type().substring(its.type().lastIndexOf('.') + 1)
              + " "
              + its.birthplace()
              + "/"
              + its.number();
      case null, default -> "node '" + callerNode(body) + "'";
    };
  }

  /** Returns the name of the node that sent the request, or of the node of its body. */
  protected String callerNode(Body body) {
    return body.node().name();
  }

  /** Returns when the service begins; 0 if the request is not timed. */
  private long begins(ServiceContext context) {
    if (!TierSwitch.isTiming() || accepted() == 0) {
      return 0;
    }
    return TierSwitch.isTracing() ? context.beginsTraced() : System.nanoTime();
  }

  private Observer.@Nullable Observation observed(Body body) {
    return ObserverBinding.isObserved(method)
        ? ObserverBinding.serves(new ObservedService(body, this))
        : null;
  }

  /** Counts the request, whose method has ended. */
  private void ended(
      Body body,
      ServiceContext context,
      long beganNanos,
      Observer.@Nullable Observation observation,
      @Nullable Throwable failure) {
    if (observation != null) {
      ObserverBinding.ended(observation, failure);
    }
    if (TierSwitch.isCounting()) {
      body.count(this, context, beganNanos, failure != null);
    }
  }

  /**
   * Records what the current thread waits for while it serves this request concurrently with
   * others, if another node must know it.
   *
   * @return an action that removes the record and then runs {@code then}
   */
  protected Runnable waits(FutureResult<?> awaited, Runnable then) {
    return then;
  }

  /**
   * Checks, in the turn of a request whose object logs it, that it can be served at all.
   *
   * @throws RuntimeException if not: the failure with which it is answered
   */
  protected void requireServable() {}

  /** Sends the outcome to the collective request that this is a part of. */
  public final void replyTo(ReplyTo whole) {
    replyTo = whole;
  }

  @Override
  public StubMethod method() {
    return method.method();
  }

  /** Returns the receiver of the outcome; {@code null} for a one-way call from this JVM. */
  public final @Nullable ReplyTo receiver() {
    return replyTo;
  }

  /** Returns whether the request occupies a place in a bounded queue. */
  public final boolean occupiesPlace() {
    return queuePlace != null;
  }

  /**
   * Takes the request out of the queue of an object that has left. A place in the queue moves along
   * with the request.
   *
   * @return its encoded arguments; {@code null} if it has none
   */
  public final @Nullable Payload takeEncoded(Body body) {
    if (queuePlace != null) {
      queuePlace.leaves();
    }
    freeMemory(body);
    if (arguments instanceof Payload encoded) {
      return encoded;
    }
    var values = (Object[]) arguments;
    return values.length == 0 ? null : body.node().marshaller().encodeArguments(method, values);
  }

  /**
   * Fails a part of a combined answer that its object, which has left the node, cannot contribute.
   */
  public final void failPart(Body body, RuntimeException why) {
    try {
      freePlace();
      var encoded = Objects.requireNonNull(takeEncoded(body), "the arguments of a combined call");
      var values = encoded.decodeLast(body.node().marshaller());
      answer(body, ((ReplyInterceptor) values[values.length - 1]).failed(place, why));
    } catch (Throwable failure) {
      threw(body, failure);
    } finally {
      if (replyTo != null) {
        replyTo.served();
      }
    }
  }

  /** Returns whether the outcome goes to the given result. */
  boolean answers(ReplyTo result) {
    return replyTo == result;
  }

  @Override
  public boolean isOneWay() {
    return replyTo == null || replyTo.isOneWay();
  }

  /** Returns whether a caller in this JVM went on with its work before the answer. */
  final boolean isFromAsk() {
    return replyTo != null && replyTo.isAsynchronous();
  }

  @Override
  void serve(Body body, ServiceContext context) {
    taken(body);
    if (replyTo != null && replyTo.isAbandoned()) {
      return;
    }
    if (body instanceof LoggedBody logged && logged.logs(method, context)) {
      serveLogged(logged, context);
      return;
    }
    var outer = context.request; // a service may serve the next request within this one
    context.request = this;
    var encoded = arguments instanceof Payload payload ? payload : null;
    var previous = encoded != null && encoded.reuses() ? body.leftovers().take(method) : null;
    var leaving =
        previous != null && isOneWay()
            ? encoded
            : null; // other requests may use the arrays while it runs
    var began = begins(context);
    var observation = observed(body);
    var hasEnded = false;
    try {
      var values =
          encoded == null
              ? (Object[]) arguments
              : encoded.decodeLast(body.node().marshaller(), previous);
      arguments = TAKEN; // a request in service no longer keeps its arguments alive
      encoded = null;
      var target = method.isOfBody() ? body.extensions() : Objects.requireNonNull(body.target());
      var value = invoke(body, target, values, context);
      hasEnded = true;
      ended(body, context, began, observation, null);
      answer(body, value);
      if (leaving != null) {
        leaveArrays(leaving, values);
      }
    } catch (Throwable failure) {
      if (encoded != null && failure instanceof SerializationException) {
        body.node().observer().failures().add(Kind.REFUSED_TYPE, method.toString(), failure);
      }
      if (!hasEnded) {
        ended(body, context, began, observation, failure);
      }
      threw(body, failure);
    } finally {
      context.request = outer;
      if (previous != null) {
        body.leftovers().giveBack(method, previous);
      }
      if (replyTo != null) {
        replyTo.served();
      }
    }
  }

  /**
   * Serves the request of an object whose requests are logged, and those that have waited for it.
   */
  private void serveLogged(LoggedBody body, ServiceContext context) {
    var next = body.log().arrived(this) ? this : null;
    while (next != null && next.isServedLogged(body, context)) {
      next = body.log().released();
    }
  }

  /** Serves the request; returns whether the object may serve the next one. */
  private boolean isServedLogged(LoggedBody body, ServiceContext context) {
    var outer = context.request;
    context.request = this;
    var values = TAKEN;
    var hasBegun = false;
    var hasEnded = false;
    var isInterrupted = false;
    var isAnswered = true; // by this thread
    var began = begins(context);
    var observation = observed(body);
    try {
      requireServable();
      values =
          arguments instanceof Payload encoded
              ? encoded.decodeLast(body.node().marshaller())
              : (Object[]) arguments;
      arguments = TAKEN;
      body.beginRequest(this, values);
      hasBegun = true;
      var value = invokeLogged(body, values, context);
      isAnswered = body.log().returned(this, value);
      hasEnded = true;
      ended(body, context, began, observation, null);
      if (isAnswered) {
        answer(body, value);
      }
      return true;
    } catch (CallLog.StoppedException stopped) {
      isInterrupted = true; // first: the object may end at once
      ObserverBinding.ended(observation, stopped);
      body.log().interrupted(this, values);
      body.stop(stopped, context);
      return false;
    } catch (Throwable failure) {
      if (!hasBegun) {
        isInterrupted = isLost(body, failure) || !isRefusalLogged(body, failure, context);
      }
      if (isInterrupted) {
        ObserverBinding.ended(observation, failure);
      } else {
        if (!hasEnded) {
          ended(body, context, began, observation, failure);
        }
        threw(body, failure);
      }
      return !isInterrupted;
    } finally {
      context.request = outer;
      if (replyTo != null && !isInterrupted && isAnswered) {
        replyTo.served();
      }
    }
  }

  /**
   * Ends the request without a record, if the object has been lost with its node before the service
   * could begin: the next embodiment serves the request.
   */
  private boolean isLost(LoggedBody body, Throwable failure) {
    if (!body.isDying() || body.end().how() != End.How.LOST) {
      return false;
    }
    var why = failure instanceof RuntimeException its ? its : new IllegalStateException(failure);
    failUnserved(body, why, body.hasEnded());
    return true;
  }

  /** Logs that the request is not served, which has a place among those of its caller. */
  private boolean isRefusalLogged(LoggedBody body, Throwable failure, ServiceContext context) {
    try {
      body.log().refused(this, failure);
      return true;
    } catch (CallLog.StoppedException stopped) {
      body.log().interrupted(this, TAKEN);
      body.stop(stopped, context);
      return false;
    }
  }

  /** Invokes the method on an object that was made again after the service was interrupted. */
  public final @Nullable Object invokeAgain(Object target, Object[] values) throws Throwable {
    return method.invoke(target, values, place);
  }

  /** Answers the request after its service was interrupted. */
  public final void answerAgain(Body body, @Nullable Object value) {
    try {
      answer(body, value);
    } catch (Throwable failure) {
      threw(body, failure);
    } finally {
      if (replyTo != null) {
        replyTo.served();
      }
    }
  }

  /** Answers the request with a failure after its service was interrupted. */
  public final void failAgain(Body body, Throwable failure) {
    threw(body, failure);
    if (replyTo != null) {
      replyTo.served();
    }
  }

  private @Nullable Object invokeLogged(
      LoggedBody body, @Nullable Object[] values, ServiceContext context) throws Throwable {
    context.isLogged = true;
    try {
      return invoked(body, Objects.requireNonNull(body.target()), values);
    } catch (CallLog.StoppedException stopped) {
      throw stopped;
    } catch (Throwable failure) {
      context.isLogged = false;
      body.log().checkEnd(failure);
      var hasFailed = ObjectFailures.requestThrew(body, method, failure, context);
      body.log().threw(failure, hasFailed);
      throw failure;
    } finally {
      context.isLogged = false;
    }
  }

  private @Nullable Object invoke(
      Body body, Object target, @Nullable Object[] values, ServiceContext context)
      throws Throwable {
    try {
      return invoked(body, target, values);
    } catch (Throwable failure) {
      ObjectFailures.requestThrew(body, method, failure, context);
      throw failure;
    }
  }

  private @Nullable Object invoked(Body body, Object target, @Nullable Object[] values)
      throws Throwable {
    return FlightSwitch.isOn() && !body.type().isMiddleware()
        ? invokedAndRecorded(body, target, values)
        : method.invoke(target, values, place);
  }

  private @Nullable Object invokedAndRecorded(Body body, Object target, @Nullable Object[] values)
      throws Throwable {
    var queuedNanos = accepted() == 0 ? -1 : Math.max(0, System.nanoTime() - accepted());
    var span = FlightEvents.serving();
    var hasFailed = true;
    try {
      var value = method.invoke(target, values, place);
      hasFailed = false;
      return value;
    } finally {
      span.ended(
          body.type().type().getName(),
          body.identity(),
          method,
          callerNode(body),
          callId(),
          queuedNanos,
          isOneWay(),
          hasFailed);
    }
  }

  /**
   * Returns arrays that arrived beside the encoded bytes to the pool when the call is over and no
   * object refers to them; not if another argument might.
   */
  private static void leaveArrays(Payload payload, Object[] arguments) {
    var codec = Objects.requireNonNull(payload.codec(), "the codec of reused arguments");
    for (var array : payload.values().arrays()) {
      var isLeft = false;
      var isHeld = false;
      for (var i = 0; i < arguments.length; i++) {
        var isIt = arguments[i] == array;
        isHeld |= isIt ? isLeft || !codec.isReused(i) : mayHoldOthers(arguments[i]);
        isLeft |= isIt;
      }
      if (isLeft && !isHeld) {
        ArrayPool.put(array);
      }
    }
  }

  private static boolean mayHoldOthers(@Nullable Object argument) {
    return switch (argument) {
      case null -> false;
      case String _, Boolean _, Character _, Enum<?> _ -> false;
      case Integer _, Long _, Double _, Float _, Short _, Byte _ -> false;
      default -> {
        var component = argument.getClass().componentType();
        yield component == null || !component.isPrimitive();
      }
    };
  }

  private void threw(Body body, Throwable failure) {
    if (replyTo == null || replyTo instanceof NamedReply named && named.receiver() == null) {
      var node = body.node();
      node.failures()
          .reportOneWay((Body) caller, method + " on node '" + node.name() + "'", failure);
    } else {
      threw(replyTo, failure);
    }
  }

  /**
   * Answers with a failure, even if there is not enough memory or stack for the failure itself:
   * otherwise its caller would wait for ever.
   */
  private static void threw(ReplyTo replyTo, Throwable failure) {
    try {
      replyTo.threw(failure);
    } catch (Throwable again) {
      var type = failure.getClass().getName();
      replyTo.threw(
          new RemoteFailure(type, "it could not be sent, because of " + again.getClass(), null));
    }
  }

  private void answer(Body body, @Nullable Object value) {
    if (replyTo != null && !isOneWay()) {
      body.node().deliver(value, replyTo);
    }
  }

  @Override
  public void refuse(Body body) {
    refuse(body, body.hasEnded());
  }

  /**
   * Refuses the request because the body is ending, whose closers may still run: neither the
   * request nor one before it is to be sent again.
   */
  public void refuseAtEnd(Body body) {
    refuse(body, true);
  }

  private void refuse(Body body, boolean isEnd) {
    var why = new ObjectTerminatedException(method + " was not served: " + body.end().why());
    endUnserved(body, why, isEnd);
  }

  void drop(Body body) {
    endUnserved(
        body,
        new RequestDroppedException(
            method + " was not served: " + body + " dropped it from its queue"),
        false);
  }

  /**
   * Ends the request without service.
   *
   * @param isEnd whether neither it nor one before it is to be sent again, as the body serves no
   *     more
   */
  private void endUnserved(Body body, RuntimeException why, boolean isEnd) {
    taken(body);
    failUnserved(body, why, isEnd);
  }

  private void failUnserved(Body body, RuntimeException why, boolean isEnd) {
    var named = replyTo instanceof NamedReply its ? its : null;
    var isLost = named != null && body.end().how() == End.How.LOST;
    if (named != null && isLost && !interruptsCaller(body, named)) {
      return; // it is sent again if the object is made again elsewhere; else it fails with the node
    }
    threw(body, why);
    if (named != null && isEnd && !isLost) {
      var name = named.name();
      named.sender().taken(body.identityOfObject(), name.origin(), 0, name.number());
    }
    if (replyTo != null) {
      replyTo.served(); // the sender knows the outcome and expects no further message
    }
  }

  /**
   * Returns whether a logged caller finds out that the grid ends from the failure of its call,
   * rather than wait for the answer until its node ends.
   */
  private static boolean interruptsCaller(Body body, NamedReply named) {
    return body instanceof LoggedBody logged && logged.endsWithGrid() && !named.isOneWay();
  }

  private void taken(Body body) {
    freePlace();
    freeMemory(body);
  }

  /** Gives back the place of a request that is served, or follows its object no further. */
  public final void freePlace() {
    var place = queuePlace;
    if (place != null) {
      queuePlace = null; // the request may be queued again
      place.free();
    }
  }

  private void freeMemory(Body body) {
    if (chunks() != 0) {
      body.node().memory().taken(body, chunks());
    }
  }

  @Override
  final long bytes() {
    if (arguments instanceof Payload encoded) {
      return REQUEST_BYTES + encoded.bytes();
    }
    var bytes = REQUEST_BYTES;
    for (var each : (Object[]) arguments) {
      if (each instanceof String text) {
        bytes += text.length();
      }
    }
    return bytes;
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
