package org.troupe.activeobjects.internal.object;

import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallLog;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.CallerService;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallKind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.capacity.CapacityNeed;
import org.troupe.activeobjects.internal.capacity.QueueCapacity;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.internal.marshal.AskSite;
import org.troupe.activeobjects.internal.marshal.CallTraces;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;
import org.troupe.futures.WaitInterruptedException;

/** Makes the calls of one node: adds them to queues of this node, or sends them to another node. */
public final class CallDispatcher {

  private final NodeObjects node;
  private final CallSettings rules;

  CallDispatcher(NodeObjects node, CallSettings rules) {
    this.node = node;
    this.rules = rules;
  }

  /** Makes a one-way call. */
  public void post(Reference<?> target, CallMethod method, Object[] arguments) {
    var caller = node.callerHere();
    if (caller instanceof LoggedBody own && isLogged(method)) {
      postLogged(own, target, method, arguments);
    } else if (ObserverBinding.isObserved(method)) {
      observed(target, method, () -> post(target, method, arguments, caller));
    } else {
      post(target, method, arguments, caller);
    }
  }

  /** Sends a one-way call that is observed. */
  private static void observed(Reference<?> target, CallMethod method, Runnable send) {
    var observation = ObserverBinding.called(new ObservedCall(target, method, true, -1));
    var before = ObserverBinding.sends(ObserverBinding.contextOf(observation));
    try {
      send.run();
    } catch (RuntimeException | Error failure) {
      ObserverBinding.ended(observation, failure);
      throw failure;
    } finally {
      ObserverBinding.sends(before);
    }
    ObserverBinding.ended(observation, (Throwable) null);
  }

  /**
   * Tells the observer of a call whose answer goes to a result, and makes the context of the call
   * that of the current thread.
   *
   * @return the context before
   */
  private static byte @Nullable [] observed(
      Reference<?> target, CallMethod method, CallResult result) {
    var observation = ObserverBinding.called(new ObservedCall(target, method, false, -1));
    if (observation != null) {
      result.observedBy(observation);
      result.onSettled(outcome -> ObservedCall.ended(observation, outcome));
    }
    return ObserverBinding.sends(ObserverBinding.contextOf(observation));
  }

  private void post(
      Reference<?> target, CallMethod method, Object[] arguments, @Nullable Body caller) {
    try {
      postUnlessRefused(target, method, arguments, caller);
    } catch (OverloadedException refused) {
      node.failures().report(caller, method + " on node '" + target.nodeName() + "'", refused);
    }
  }

  private void postUnlessRefused(
      Reference<?> target, CallMethod method, Object[] arguments, @Nullable Body caller) {
    switch (target.target()) {
      case Reference.Target.Here(Body body) ->
          deliver(body, method, arguments, null, caller, true, limitNanos(target, method));
      case Reference.Target.Elsewhere elsewhere -> {
        try {
          elsewhere.home().post(elsewhere, method, arguments, caller, limitNanos(target, method));
        } catch (NodeLostException e) {
          if (elsewhere.number() == NodeObjects.SERVICE_NUMBER) {
            return; // a notification of the middleware, which a lost node does not need
          }
          var call = method + " on node '" + target.nodeName() + "'";
          var unsent = e.getMessage() + "; " + call + " was not sent";
          throw new NodeLostException(unsent, e.exitReport().orElse(null));
        }
      }
    }
  }

  /** Makes a call and returns its result, which arrives later. */
  public FutureResult<Object> ask(
      Reference<?> target, CallMethod method, Object[] arguments, boolean valueWanted) {
    return ask(target, method, arguments, valueWanted, callSite());
  }

  /**
   * Makes a call and returns its result, which arrives later.
   *
   * @param site the frame of the call, or {@code null}
   */
  public FutureResult<Object> ask(
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      boolean valueWanted,
      @Nullable StackFrame site) {
    var result = new CallResult(node, target, method, valueWanted, site);
    var logged = begin(target, method, arguments, result, false);
    return logged == null ? result : logged.result();
  }

  /**
   * Returns the frame of the call that the current thread makes; {@code null} if source lines are
   * not recorded.
   */
  public @Nullable StackFrame callSite() {
    return rules.sites() ? CallTraces.callSite() : null;
  }

  /**
   * Returns the frame of the {@code ask} or {@code tell} that the current thread makes; {@code
   * null} if source lines are not recorded.
   *
   * @param lambda the argument of that call
   */
  @Nullable StackFrame callSite(Object lambda) {
    return rules.sites() ? AskSite.of(lambda) : null;
  }

  /** Makes a call and waits for its result. */
  public @Nullable Object callAndWait(Reference<?> target, CallMethod method, Object[] arguments)
      throws Throwable {
    if (rules.strict() && !method.owner().isMiddleware()) {
      throw new IllegalStateException(
          method
              + " would wait for its answer, because "
              + CallKind.reasonToWait(method.method().method())
              + "; with troupe.strict=true say ref.ask(x -> x."
              + method.method().name()
              + "(..)) instead");
    }
    var result = new CallResult(node, target, method, true, null);
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(method, "interrupted before " + result.describe() + " was called");
    }
    result.expectSingleReader();
    CallLog.Call logged;
    try {
      logged = begin(target, method, arguments, result, true);
    } catch (WaitInterruptedException e) { // while it waited for capacity
      throw interrupted(method, Objects.requireNonNull(e.getMessage(), "the reason"));
    }
    Outcome<Object> outcome;
    try {
      outcome =
          logged == null
              ? Objects.requireNonNull(result.await(Long.MAX_VALUE), "the outcome")
              : logged.await();
    } catch (InterruptedException e) {
      var interrupt =
          "interrupted while waiting for " + result.describe() + "; the call may still be served";
      if (result.settle(new Outcome.Failure<>(new CancellationException(interrupt)))) {
        result.abandoned();
      }
      Thread.currentThread().interrupt();
      var thrown = interrupted(method, interrupt);
      if (logged != null) {
        logged.endedHere(new Outcome.Failure<>(thrown));
      }
      throw thrown;
    }
    return switch (outcome) {
      case Outcome.Success<Object>(Object value) -> value;
      case Outcome.Failure<Object>(Throwable cause) -> throw cause;
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    };
  }

  /** Records a call of another node until its outcome is there. */
  private static void record(Reference<?> target, CallMethod method, CallResult result) {
    var span = FlightEvents.calling();
    result.onSettled(
        outcome -> {
          var exception =
              outcome instanceof Outcome.Failure<Object>(Throwable cause)
                  ? cause.getClass().getName()
                  : "";
          span.ended(target.nodeName(), method, result.callId, exception);
        });
  }

  /** Returns the exception that a call throws on the current, interrupted thread. */
  private static Exception interrupted(CallMethod method, String message) {
    for (var declared : method.method().method().getExceptionTypes()) {
      if (declared == InterruptedException.class) {
        Thread.interrupted(); // as any method that throws InterruptedException does
        return new InterruptedException(message);
      }
    }
    return new WaitInterruptedException(message);
  }

  /** Returns whether calls of a method are logged, when a logged object makes them. */
  private static boolean isLogged(CallMethod method) {
    var context = ServiceContext.current();
    return context != null && context.isLogged && !method.owner().isMiddleware();
  }

  /**
   * Returns what the account of a logged object's calls to another is filed by. Calls that bypass
   * the queue have an account of their own, since they have no place among the others.
   */
  private static ObjectIdentity identity(Reference<?> target, CallMethod method) {
    var number = target.target().number();
    return new ObjectIdentity(
        target.target().birth(), "", bypassesQueue(target.target(), method) ? -number : number);
  }

  private static boolean bypassesQueue(Reference.Target target, CallMethod method) {
    return switch (target) {
      case Reference.Target.Here(Body body) ->
          body.type().scheduling().rule(method) instanceof ServicePolicy.Rule.AtOnce;
      case Reference.Target.Elsewhere elsewhere ->
          ServicePolicy.isAmong(elsewhere.immediates(), method);
    };
  }

  /**
   * Returns whether calls of a logged object to one without a log need no names: no other process
   * has made or will make them. A caller that outlives its node makes them again elsewhere, and the
   * called object may have left that node before.
   */
  private static boolean isNear(LoggedBody own, Reference<?> target) {
    return target.target() instanceof Reference.Target.Here(Body body)
        && !(body instanceof LoggedBody)
        && own.origin() == null
        && !own.outlivesNode();
  }

  /** Returns whether a call of a logged object has a name. */
  private static boolean isNamed(LoggedBody own, Reference<?> target, CallMethod method) {
    return !isNear(own, target) && !bypassesQueue(target.target(), method);
  }

  /** Accounts for a call of a logged request. */
  private CallLog.Call called(
      LoggedBody own,
      boolean isNamed,
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      boolean isAwaited) {
    Supplier<Supplier<Object[]>> copying =
        isNamed ? () -> partsOf(target, method, arguments) : null;
    return own.log().called(identity(target, method), method, arguments, isAwaited, copying);
  }

  /** Makes a call of a logged object, under its name if it has one. */
  private void sendLogged(
      LoggedBody own,
      CallLog.Call call,
      boolean isNamed,
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      boolean isWaited) {
    if (!isNamed) {
      if (result == null) {
        post(target, method, arguments, own);
      } else {
        send(target, method, arguments, result, isWaited, own);
      }
      return;
    }
    call.sends(partsOf(target, method, arguments));
    sendNamed(own, call.name(), target, method, arguments, result, isWaited);
  }

  private void sendNamed(
      LoggedBody own,
      CallName name,
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      boolean isWaited) {
    switch (target.target()) {
      case Reference.Target.Here(Body body) -> {
        NamedReply.Sender sender =
            (object, origin, first, last) -> own.log().taken(object, first, last);
        if (!(body instanceof LoggedBody)) {
          deliverOnce(body, name, sender, method, arguments, result, own, isWaited);
        } else if (name.isFirst() || isWaited) {
          var reply = new NamedReply(name, sender, result);
          deliver(body, method, arguments, result, reply, own, true, Long.MAX_VALUE);
        } else {
          deliverAgain(body, name, sender, method, arguments, result, own);
        }
      }
      case Reference.Target.Elsewhere elsewhere -> {
        if (result != null) {
          result.names(own);
        }
        elsewhere.home().sendNumbered(elsewhere, name, method, arguments, result, own, isWaited);
      }
    }
  }

  /**
   * Adds a call to the queue of an object without a log, unless it has arrived before. It waits for
   * a place in the queue without a time limit: a call that is not sent would be missed later.
   */
  private void deliverOnce(
      Body body,
      CallName name,
      NamedReply.Sender sender,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      Body caller,
      boolean isWaited) {
    var encoded =
        node.marshaller().allShareable(arguments)
            ? null
            : node.marshaller().encodeArguments(method, arguments);
    var values = encoded == null ? arguments : null;
    var need = need(body, method, caller, name);
    var place = node.queueCapacity().releaseOf(need);
    var request = CallRequest.local(body, method, values, encoded, result, caller, place);
    Runnable put =
        () ->
            node.host()
                .inOrder(
                    body,
                    () -> {
                      if (node.host().isFirst(name, body, sender, request)) {
                        put(body, request);
                      } else {
                        request.freePlace();
                      }
                    });
    if (!name.isFirst() && !isWaited) {
      putAgain(need, method, encoded, result, put);
      return;
    }
    if (need != null) {
      acquires(need, method, Long.MAX_VALUE);
    }
    put.run();
  }

  /** Adds a call to the queue of an object with a log, which may have it already. */
  private void deliverAgain(
      Body body,
      CallName name,
      NamedReply.Sender sender,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      Body caller) {
    var encoded =
        node.marshaller().allShareable(arguments)
            ? null
            : node.marshaller().encodeArguments(method, arguments);
    var values = encoded == null ? arguments : null;
    var need = need(body, method, caller, name);
    var place = node.queueCapacity().releaseOf(need);
    var reply = new NamedReply(name, sender, result);
    var request = CallRequest.local(body, method, values, encoded, reply, caller, place);
    var isInOneStep = ServiceContext.currentStamp() != null;
    putAgain(need, method, encoded, result, () -> put(body, request, isInOneStep));
  }

  /** Adds a call to a queue that may have accepted it before, now or when it has a place. */
  private void putAgain(
      @Nullable CapacityNeed need,
      CallMethod method,
      @Nullable Payload encoded,
      @Nullable CallResult result,
      Runnable put) {
    var bytes = encoded == null ? 0 : encoded.bytes();
    if (need == null
        || !node.queueCapacity().acquireOrDefer(need, described(method), result, bytes, put)) {
      put.run();
    }
  }

  /** Returns a copy of a call to send again; the object may change its arguments later. */
  private Supplier<Object[]> partsOf(Reference<?> target, CallMethod method, Object[] arguments) {
    var marshaller = node.marshaller();
    if (marshaller.allShareable(arguments)) {
      return () -> parts(target, arguments);
    }
    var encoded = marshaller.encodeArguments(method, arguments);
    return () -> parts(target, encoded.decode(marshaller));
  }

  private static Object[] parts(Reference<?> target, Object[] arguments) {
    var parts = new Object[arguments.length + 1];
    parts[0] = target;
    System.arraycopy(arguments, 0, parts, 1, arguments.length);
    return parts;
  }

  /**
   * Sends a call of a logged object again that a former embodiment of it has made, and whose answer
   * nothing awaits. If the queue of the called object is full, the call is sent when it has a
   * place.
   *
   * @param symbol of the method
   * @throws NodeLostException if the node of the called object is lost
   * @throws IllegalStateException if the call cannot be sent although the called object may be
   *     there, which would miss it later
   */
  public void sendAgain(
      Reference<?> target, String symbol, Object[] arguments, CallName name, LoggedBody own) {
    var method = target.method(symbol);
    var call = method + " on node '" + target.nodeName() + "'";
    try {
      sendNamed(own, name, target, method, arguments, null, false);
    } catch (RuntimeException failure) {
      throw failure instanceof NodeLostException
          ? failure
          : new IllegalStateException(
              call + " could not be sent again: " + failure.getMessage(), failure);
    }
  }

  /**
   * Makes a one-way call of a logged request. A failure to send it goes to the failure handlers,
   * since the request would not see it again.
   */
  private void postLogged(
      LoggedBody own, Reference<?> target, CallMethod method, Object[] arguments) {
    var isNamed = isNamed(own, target, method);
    var call = called(own, isNamed, target, method, arguments, false);
    if (!call.isToSend()) {
      return;
    }
    Runnable send = () -> sendLogged(own, call, isNamed, target, method, arguments, null, false);
    try {
      if (ObserverBinding.isObserved(method)) {
        observed(target, method, send);
      } else {
        send.run();
      }
    } catch (RuntimeException failure) {
      call.isNotSent(failure);
      node.failures().report(null, method + " on node '" + target.nodeName() + "'", failure);
    }
  }

  /**
   * Makes a call of a logged request, unless it was sent before. If it cannot be sent, that is its
   * outcome.
   */
  private CallLog.Call beginLogged(
      LoggedBody own,
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      boolean exchange) {
    var isNamed = isNamed(own, target, method);
    var call = called(own, isNamed, target, method, arguments, true);
    if (call.isToSend()) {
      call.sent(result, exchange);
      notesCircumstances(result);
      result.claim(); // a failure is that of the result which the object gets
      var isObserved = ObserverBinding.isObserved(method);
      var before = isObserved ? observed(target, method, result) : null;
      try {
        sendLogged(own, call, isNamed, target, method, arguments, result, exchange);
      } catch (RuntimeException failure) {
        call.isNotSent(failure);
        result.settle(new Outcome.Failure<>(failure));
      } catch (Error failure) { // lack of memory or stack, with which the object fails
        result.settle(new Outcome.Failure<>(failure));
        throw failure;
      } finally {
        if (isObserved) {
          ObserverBinding.sends(before);
        }
      }
    }
    return call;
  }

  /**
   * Makes a call.
   *
   * @return the call in the log of the caller; {@code null} if it has none
   */
  private CallLog.@Nullable Call begin(
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      boolean exchange) {
    if (FlightSwitch.isOn()
        && target.target() instanceof Reference.Target.Elsewhere
        && !method.owner().isMiddleware()) {
      record(target, method, result);
    }
    var caller = node.callerHere();
    if (caller instanceof LoggedBody own && isLogged(method)) {
      return beginLogged(own, target, method, arguments, result, exchange);
    }
    notesCircumstances(result);
    var isObserved = ObserverBinding.isObserved(method);
    var before = isObserved ? observed(target, method, result) : null;
    try {
      send(target, method, arguments, result, exchange, caller);
      return null;
    } catch (OverloadedException refused) {
      result.settle(new Outcome.Failure<>(refused));
      return null;
    } catch (RuntimeException | Error failure) {
      result.claim(); // the caller receives the failure here
      result.settle(new Outcome.Failure<>(failure));
      throw failure;
    } finally {
      if (isObserved) {
        ObserverBinding.sends(before);
      }
    }
  }

  /** Records which body makes a call, and how long the call may take. */
  public void notesCircumstances(CallResult result) {
    result.madeBy(node.callerHere());
    var limit = limit(result.target(), result.method());
    if (limit != null) {
      limit(result, limit); // starts now: a wait for queue capacity counts, too
    }
  }

  private void send(
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      boolean isWaited,
      @Nullable Body caller) {
    switch (target.target()) {
      case Reference.Target.Here(Body body) ->
          deliver(body, method, arguments, result, caller, isWaited, result.limitNanos());
      case Reference.Target.Elsewhere elsewhere -> {
        result.names(caller);
        try {
          var exchange = isWaited && !result.isLimited();
          if (exchange && !Thread.currentThread().isVirtual()) {
            exchange(elsewhere, method, arguments, result, caller);
          } else if (exchange) {
            elsewhere.home().exchange(elsewhere, method, arguments, result, caller);
          } else {
            elsewhere.home().ask(elsewhere, method, arguments, result, caller, isWaited);
          }
        } catch (NodeLostException e) {
          var unsent = e.getMessage() + "; " + result.describe() + " was not sent";
          result.settle(
              new Outcome.Failure<>(new NodeLostException(unsent, e.exitReport().orElse(null))));
        }
      }
    }
  }

  /**
   * Makes a call in an exchange, in which a platform thread waits; other bodies can already detect
   * the wait of this body.
   */
  private void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller) {
    var ended = node.waiting().begins(result, false);
    try {
      target.home().exchange(target, method, arguments, result, caller);
    } finally {
      ended.run();
    }
  }

  private void deliver(
      Body body,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult replyTo,
      @Nullable Body caller,
      boolean mayWait,
      long limitNanos) {
    deliver(body, method, arguments, replyTo, replyTo, caller, mayWait, limitNanos);
  }

  /**
   * Adds a call to the queue of an object of this node.
   *
   * @param result of the call; {@code null} for a one-way call
   * @param replyTo receives the outcome
   */
  private void deliver(
      Body body,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      @Nullable ReplyTo replyTo,
      @Nullable Body caller,
      boolean mayWait,
      long limitNanos) {
    var encoded =
        node.marshaller().allShareable(arguments)
            ? null
            : node.marshaller().encodeArguments(method, arguments);
    var values = encoded == null ? arguments : null;
    var need =
        replyTo instanceof NamedReply named
            ? need(body, method, caller, named.name())
            : need(body, method, caller);
    var request =
        CallRequest.local(
            body, method, values, encoded, replyTo, caller, node.queueCapacity().releaseOf(need));
    var isInOneStep = ServiceContext.currentStamp() != null;
    var isWaited = mayWait && result != null;
    if (need != null) {
      if (!mayWait) {
        var bytes = encoded == null ? 0 : encoded.bytes();
        Runnable send = () -> put(body, request, isInOneStep);
        if (node.queueCapacity()
            .acquireOrDefer(List.of(need), List.of(Objects.requireNonNull(result)), bytes, send)) {
          return;
        }
      } else if (!acquires(need, method, limitNanos)) {
        if (result == null) {
          throw QueueCapacity.timeOut(described(method), limitNanos);
        }
        return; // its time limit has expired
      }
    } else if (caller == body
        && node.queueCapacity().isCrowded()
        && !isWaited
        && !body.passesQueue(method)) {
      // The call needs no capacity, but must stay behind waiting multicasts that include the same
      // body.
      var queue = CallQueue.of(body);
      node.queueCapacity().runBehindWaiting(queue, () -> put(body, request, isInOneStep));
      return;
    }
    if (mayWait
        && result != null
        && limitNanos == Long.MAX_VALUE
        && !isInOneStep
        && CallerService.serve(body, request, result, node.waiting())) {
      return;
    }
    put(body, request, isInOneStep);
  }

  /** Waits for the capacity of a queue; returns whether the call has it within the time limit. */
  private boolean acquires(CapacityNeed need, CallMethod method, long limitNanos) {
    return node.queueCapacity().acquire(List.of(need), described(method), limitNanos);
  }

  /** Returns a call to an object of this node as messages show it. */
  private String described(CallMethod method) {
    return method + " on node '" + node.name() + "'";
  }

  /** Returns what a call with a name needs of the queue of a body; {@code null} if nothing. */
  private @Nullable CapacityNeed need(
      Body body, CallMethod method, @Nullable Body caller, CallName name) {
    var need = need(body, method, caller);
    return need == null || name.isFirst() ? need : need.again();
  }

  /** Returns what a call needs of the queue of a body; {@code null} if nothing. */
  public @Nullable CapacityNeed need(Body body, CallMethod method, @Nullable Body caller) {
    if (body.queueBound() == 0 && !node.memory().isFull() && !node.queueCapacity().isCrowded()
        || caller == body // a body that filled its own queue would wait for itself
        || body.passesQueue(method)) {
      return null;
    }
    var queue = CallQueue.of(body);
    var isBacklogged = node.memory().isFull() && queue.body() == body;
    return CapacityNeed.of(queue, method, body.statedBound(), isBacklogged);
  }

  private void put(Body body, CallRequest request, boolean isInOneStep) {
    if (isInOneStep) {
      node.order().inOneStep(() -> put(body, request)); // after multicasts that are being delivered
    } else {
      put(body, request);
    }
  }

  private static void put(Body body, CallRequest request) {
    if (body.hasEnded()) {
      request.refuse(body);
    } else {
      body.put(request);
    }
  }

  private void limit(CallResult result, Duration limit) {
    var timeout =
        node.timer()
            .schedule(
                () -> {
                  var late =
                      new CallTimeoutException(
                          result.describe()
                              + " was not answered within "
                              + limit
                              + "; it may still be served. Give it longer with ref.within(..), or"
                              + " see what keeps the object busy");
                  if (result.settle(
                      node.marshaller()
                          .failures()
                          .outcome(node.marshaller().failures().encode(late), result.site()))) {
                    result.abandoned();
                  }
                },
                FutureRuntime.nanos(limit),
                TimeUnit.NANOSECONDS);
    result.onSettled(outcome -> timeout.cancel(false));
  }

  /**
   * Returns how long a call may take; {@code null} if there is no limit. The limit that the user
   * sets applies to calls of the user's methods; calls of the middleware's methods have none.
   */
  private @Nullable Duration limit(Reference<?> target, CallMethod method) {
    if (method.owner().isMiddleware()) {
      return null;
    }
    var limit = target.timeout() == null ? rules.timeout() : target.timeout();
    return limit == null || FutureRuntime.nanos(limit) == Long.MAX_VALUE ? null : limit;
  }

  /**
   * Returns how long a call may take in nanoseconds; {@code Long.MAX_VALUE} if there is no limit.
   */
  public long limitNanos(Reference<?> target, CallMethod method) {
    var limit = limit(target, method);
    return limit == null ? Long.MAX_VALUE : FutureRuntime.nanos(limit);
  }

  /**
   * Returns the consumer that reports a failure of a call of the current thread to the failure
   * handler.
   */
  public Consumer<Throwable> unheard(Supplier<String> call) {
    var caller = node.callerHere();
    return failure -> node.failures().report(caller, call.get(), failure);
  }
}
