package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.IdTable;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.capacity.CapacityNeed;
import org.troupe.activeobjects.internal.capacity.QueueCapacity;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.Outcome;

/** The calls of this node to another: sends them, and assigns answers to results. */
public final class OutgoingCalls {

  /*
   * Measured: one-way calls send their arrays zero-copy
   *
   * Runs of em3d with 400 steps on cube:65 and two nodes
   * took 18.6, 16.9 and 17.1 ms a step, against 19.7, 17.4 and 19.9 in alternating runs with copies
   * (./troupe run em3d, b43fe42, 2026-11-22).
   */

  private static final long LONGEST_PAUSE_MILLIS = 20;
  private static final int MOST_LOOKED_AT = 1_000; // when unanswered calls are counted
  private static final int PART = 1024; // of the table at once, so that no call waits long for it

  private final GridNode peer;
  private final NodeObjects node;
  private final Relocations relocations;
  private final Outbox outbox;

  private final CallExchanges exchanges;
  private final IdTable<CallResult> calls = new IdTable<>();
  private final Map<String, Message.Call> lastCalls = new ConcurrentHashMap<>(); // by methods

  /**
   * Whether the other node has a backlog, as it last reported, so that users wait before they call
   * objects that are behind.
   */
  private volatile boolean isBacklogged;

  /**
   * Creates the calls to a node that was not called yet.
   *
   * @param outbox sends the calls
   * @param received whether the other node knows this one
   * @param answers takes the frames of answers that arrive in exchanges
   */
  OutgoingCalls(
      GridNode peer,
      NodeObjects node,
      Relocations relocations,
      Outbox outbox,
      ReceiveStatus received,
      Consumer<Frame> answers) {
    this.peer = peer;
    this.node = node;
    this.relocations = relocations;
    this.outbox = outbox;
    exchanges = new CallExchanges(peer, outbox, received, answers);
  }

  // Sending

  /** Sends a one-way call. */
  public void post(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      @Nullable Body caller,
      long limitNanos) {
    if (hasMoved(target.number())) {
      var own = encoded(method, arguments);
      if (!relocations.awaitCapacity(peer, target.number(), method, limitNanos)) {
        throw QueueCapacity.timeOut(method + " on node '" + peer.id().name() + "'", limitNanos);
      }
      var need = needOfMoved(target, method);
      if (!acquires(need, method, limitNanos)) {
        throw QueueCapacity.timeOut(method + " on node '" + peer.id().name() + "'", limitNanos);
      }
      sendMoved(target, method, own, null, caller, need);
      return;
    }
    var payload =
        arguments.length == 0 ? null : node.marshaller().encodeArgumentsZeroCopy(method, arguments);
    var need = need(target, method);
    var mayWait = need != null || outbox.isCrowded(); // the arrays might change meanwhile
    var isLent = payload != null && !mayWait && SendWindow.lends(payload);
    if (payload != null && !isLent) {
      payload = payload.withArraysCopied();
    }
    var call = call(target, method, null, need, caller, payload);
    var reported = NodeObjects.isService(target.number()) ? null : method;
    try {
      if (!admit(target, need, method, limitNanos)) {
        throw QueueCapacity.timeOut(method + " on node '" + peer.id().name() + "'", limitNanos);
      }
      if (isLent) {
        outbox.sendZeroCopy(ordered(call), payload, reported, caller, false);
      } else {
        outbox.send(0, ordered(call), payload, reported, caller);
      }
    } catch (ObjectMovedException e) { // just now
      var own = payload == null || !isLent ? payload : payload.withArraysCopied();
      sendMoved(target, method, own, null, caller, need);
    } finally {
      notesOneWay(caller);
    }
    java.lang.ref.Reference.reachabilityFence(target); // not dropped before the call was numbered
  }

  private static void notesOneWay(@Nullable Body caller) {
    if (caller != null) {
      caller.madeOneWayCall(); // not earlier: before it was numbered, it is not among those sent
    }
  }

  private @Nullable Payload encoded(CallMethod method, Object[] arguments) {
    if (arguments.length == 0) {
      return null;
    }
    return method.lendsArguments()
        ? node.marshaller().encodeArgumentsZeroCopy(method, arguments)
        : node.marshaller().encodeArguments(method, arguments);
  }

  /** Returns whether calls to an object take another way than the link to the other node. */
  public boolean hasMoved(long number) {
    return outbox.hasMoved(number);
  }

  /** Sends one call of several that were to be sent in one frame. */
  public void sendSingly(
      Reference.Target.Elsewhere target,
      CallMethod method,
      @Nullable Payload payload,
      @Nullable CallResult result,
      @Nullable Body caller) {
    var need = need(target, method);
    var call = call(target, method, result, need, caller, payload);
    if (result != null) {
      send(ordered(call), payload, result, target, caller, need);
      return;
    }
    try {
      outbox.send(0, ordered(call), payload, method, caller);
    } catch (ObjectMovedException e) { // just now
      sendMoved(target, method, payload, null, caller, need);
    } finally {
      notesOneWay(caller);
    }
    java.lang.ref.Reference.reachabilityFence(target);
  }

  /**
   * Sends a call to an object that has moved.
   *
   * @param need the capacity of the queue that the call has acquired, or {@code null}
   */
  public void sendMoved(
      Reference.Target.Elsewhere target,
      CallMethod method,
      @Nullable Payload payload,
      @Nullable CallResult result,
      @Nullable Body caller,
      @Nullable CapacityNeed need) {
    var call = call(target, method, result, need, caller, payload);
    if (caller != null) {
      caller.holdForCalls(); // a reference to it may come from another node than the answer
    }
    relocations.send(
        peer,
        target.number(),
        call,
        payload,
        result,
        result == null ? method : null,
        caller,
        null,
        isInTurn(target, method));
    java.lang.ref.Reference.reachabilityFence(target); // not dropped before the call was sent
  }

  private static boolean isInTurn(Reference.Target.Elsewhere target, CallMethod method) {
    return !method.isOfBody() && !ServicePolicy.isAmong(target.immediates(), method);
  }

  /**
   * Sends a call of a logged object, which the receiver serves once however often it arrives. A
   * call that may have arrived before, and that no thread is about to wait for, is sent later if it
   * has no place in the queue of its object: a wait for one could be part of a cycle.
   *
   * @param result receives the answer; {@code null} for a one-way call
   * @param isWaited as for {@link #ask}
   */
  public void sendNumbered(
      Reference.Target.Elsewhere target,
      CallName name,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      Body caller,
      boolean isWaited) {
    var payload = encoded(method, arguments);
    if (result == null || isWaited) {
      awaitLink(target);
    }
    var needed = hasMoved(target.number()) ? needOfMoved(target, method) : need(target, method);
    var need = needed == null || name.isFirst() ? needed : needed.again();
    if (need != null && !name.isFirst() && !isWaited) {
      var text = method + " on node '" + peer.id().name() + "'";
      Runnable send = () -> sendNumbered(target, name, method, payload, result, caller, need);
      var bytes = payload == null ? 0 : payload.bytes();
      if (node.queueCapacity().acquireOrDefer(need, text, result, bytes, send)) {
        return;
      }
    } else if (need != null) {
      // Without a time limit: a call that is not sent would be missed later.
      acquires(need, method, Long.MAX_VALUE);
    }
    sendNumbered(target, name, method, payload, result, caller, need);
  }

  private void sendNumbered(
      Reference.Target.Elsewhere target,
      CallName name,
      CallMethod method,
      @Nullable Payload payload,
      @Nullable CallResult result,
      Body caller,
      @Nullable CapacityNeed need) {
    var call = call(target, method, result, need, caller, payload);
    if (!hasMoved(target.number())) {
      try {
        if (result != null) {
          expect(result);
        }
        var callId = result == null ? 0 : result.callId;
        outbox.send(callId, ordered(new Message.Numbered(name, call)), payload, null, caller);
        if (result != null) {
          withdrawIfOver(result);
        }
        java.lang.ref.Reference.reachabilityFence(target);
        return;
      } catch (ObjectMovedException e) { // just now
        if (result != null) {
          calls.remove(result.callId);
        }
      }
    }
    caller.holdForCalls();
    relocations.send(peer, target.number(), call, payload, result, null, caller, name, true);
    java.lang.ref.Reference.reachabilityFence(target);
  }

  private void awaitLink(Reference.Target.Elsewhere target) {
    if (!hasMoved(target.number())) {
      try {
        awaitCapacity();
      } catch (NodeLostException e) {
        if (!hasMoved(target.number())) { // else it has moved meanwhile, or is made again elsewhere
          throw e;
        }
      }
    }
  }

  /**
   * Sends a call whose answer goes to the result.
   *
   * @param isWaited whether the current thread is about to wait for the answer; if not, it does not
   *     wait for capacity either
   */
  public void ask(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller,
      boolean isWaited) {
    var payload = encoded(method, arguments);
    if (hasMoved(target.number())) {
      askMoved(target, payload, result, caller, isWaited);
      return;
    }
    var need = need(target, method);
    var call = call(target, method, result, need, caller, payload);
    var message = ordered(call);
    try {
      if (isWaited) {
        if (admit(target, need, method, result.limitNanos())) {
          send(message, payload, result, target, caller, need);
        } // else its time is over
        return;
      }
      if (hasMoved(target.number())) { // just now
        askMoved(target, payload, result, caller, false);
        return;
      }
      outbox.throwIfLost();
      if (!NodeObjects.isService(target.number())) {
        requireMemory(result);
      }
      if (need != null) {
        var deferred =
            node.queueCapacity()
                .acquireOrDefer(
                    List.of(need),
                    List.of(result),
                    payload == null ? 0 : payload.bytes(),
                    () -> send(message, payload, result, target, caller, need));
        if (deferred) {
          return;
        }
        throwIfLost(target.number());
      }
    } catch (ObjectMovedException e) { // just now, and it has its place
      sendMoved(target, method, payload, result, caller, need);
      return;
    }
    send(message, payload, result, target, caller, need);
  }

  private void askMoved(
      Reference.Target.Elsewhere target,
      @Nullable Payload payload,
      CallResult result,
      @Nullable Body caller,
      boolean isWaited) {
    var method = result.method();
    var need = needOfMoved(target, method);
    if (isWaited) {
      if (!relocations.awaitCapacity(peer, target.number(), method, result.limitNanos())
          || !acquires(need, method, result.limitNanos())) {
        return; // its time is over
      }
    } else {
      relocations.requireMemory(peer, target.number(), result);
      if (need != null
          && node.queueCapacity()
              .acquireOrDefer(
                  List.of(need),
                  List.of(result),
                  payload == null ? 0 : payload.bytes(),
                  () -> sendMoved(target, method, payload, result, caller, need))) {
        return;
      }
    }
    sendMoved(target, method, payload, result, caller, need);
  }

  /**
   * Checks that the other node is not lost.
   *
   * @throws ObjectMovedException if it is, but an object of it may be elsewhere
   */
  private void throwIfLost(long number) {
    if (hasMoved(number)) {
      throw ObjectMovedException.INSTANCE;
    }
    outbox.throwIfLost();
  }

  private void send(
      Message call,
      @Nullable Payload payload,
      CallResult result,
      Reference.Target.Elsewhere target,
      @Nullable Body caller,
      @Nullable CapacityNeed need) {
    if (need != null && hasMoved(target.number())) { // while it waited; its birthplace may be lost
      sendMoved(target, result.method(), payload, result, caller, need);
      return;
    }
    try {
      expect(result);
      outbox.send(result.callId, call, payload, null, null);
    } catch (ObjectMovedException e) { // just now
      calls.remove(result.callId);
      sendMoved(target, result.method(), payload, result, caller, need);
      return;
    }
    java.lang.ref.Reference.reachabilityFence(target);
    withdrawIfOver(result);
  }

  /**
   * Checks, while the link is full, that the outbox may keep one more call whose caller does not
   * wait.
   */
  public void requireMemory(CallResult result) {
    if (!outbox.isCrowded()) {
      return;
    }
    var kept = outbox.unacknowledgedBytes();
    var most = Math.max(SendWindow.MOST_UNACKNOWLEDGED_BYTES, QueueCapacity.MOST_DEFERRED_BYTES);
    if (kept > most) {
      var what = "messages that node '" + peer.id() + "' has not acknowledged";
      throw QueueCapacity.overflow(result.describe(), what, kept, most);
    }
  }

  /**
   * Sends a call for whose answer the current thread is about to wait. A platform thread reads the
   * answer itself, so it may have arrived on return; for a virtual thread the transport reads it.
   */
  public void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller) {
    var isVirtual = Thread.currentThread().isVirtual();
    var hasMoved = hasMoved(target.number());
    if (hasMoved && exchangeMoved(target, method, arguments, result, caller, isVirtual)) {
      return;
    }
    var way = hasMoved ? null : exchanges.acquire(isVirtual);
    if (way == null) {
      ask(target, method, arguments, result, caller, true);
      return;
    }
    var isOver = true;
    try {
      // The caller waits until the arrays have arrived.
      var payload =
          arguments.length == 0
              ? null
              : node.marshaller().encodeArgumentsZeroCopy(method, arguments);
      var need = need(target, method);
      var call = call(target, method, result, need, caller, payload);
      UnackedFrame sent;
      try {
        admit(target, need, method, Long.MAX_VALUE); // calls with a time limit are not exchanged
        expect(result);
        sent = outbox.number(result.callId, ordered(call), payload);
      } catch (ObjectMovedException e) { // just now
        calls.remove(result.callId);
        var own = payload == null ? null : payload.withArraysCopied();
        sendMoved(target, method, own, result, caller, need);
        return;
      }
      java.lang.ref.Reference.reachabilityFence(target);
      if (isVirtual) {
        isOver = false; // the begun exchange releases its place itself
        exchanges.begin(way, sent, result.callId);
      } else {
        exchanges.run(way, sent, result.callId);
      }
    } finally {
      if (isOver) {
        exchanges.release(isVirtual);
      }
    }
  }

  /**
   * Sends a call to an object that has moved in an exchange with its host.
   *
   * @return {@code false} if it cannot do so, and the call has to take the link
   */
  private boolean exchangeMoved(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller,
      boolean isVirtual) {
    var isFree = needOfMoved(target, method) == null;
    var object = isFree ? relocations.settled(peer, target.number()) : null;
    var host = object == null ? null : object.host();
    var others = host == null || host.outbox().isCrowded() ? null : host.outgoing().exchanges;
    var way = others == null ? null : others.acquire(isVirtual);
    if (object == null || host == null || others == null || way == null) {
      return false;
    }
    var isOver = true;
    try {
      var isKept = object.isKeepingCalls();
      var payload =
          arguments.length == 0 || isKept // so that it may be sent again
              ? encoded(method, arguments)
              : node.marshaller().encodeArgumentsZeroCopy(method, arguments); // as in exchange
      if (caller != null) {
        caller.holdForCalls(); // as in sendMoved
      }
      var call = call(target, method, result, null, caller, payload);
      var sent = object.number(host, call, payload, result, isInTurn(target, method), isKept);
      if (sent == null) { // the object moves
        var own = payload == null || isKept ? payload : payload.withArraysCopied();
        sendMoved(target, method, own, result, caller, null);
        return true;
      }
      java.lang.ref.Reference.reachabilityFence(target);
      isOver = !isVirtual;
      if (isVirtual) {
        others.begin(way, sent, result.callId);
      } else {
        others.run(way, sent, result.callId);
      }
      return true;
    } finally {
      if (isOver) {
        others.release(isVirtual);
      }
    }
  }

  /** Places a call behind the multicast that the current thread serves. */
  private Message ordered(Message call) {
    return Message.Behind.wrap(call, node.id(), peer.id());
  }

  /**
   * Registers, before a call is sent, the result that receives its answer.
   *
   * @throws NodeLostException if the other node is lost
   * @throws ObjectMovedException if it is, but the object may be elsewhere
   */
  public void expect(CallResult result) {
    var callId = node.idOf(result);
    calls.put(callId, result);
    if (peer.isLost() && calls.remove(callId) != null) {
      throwIfLost(result.target().target().number());
    }
  }

  /** Notifies the other node of a call whose time limit expired before it was sent. */
  public void withdrawIfOver(CallResult result) {
    if (result.isLimited() && !result.isAwaited()) {
      calls.remove(result.callId);
      result.holdNamedCaller();
      outbox.send(result.callId, new Message.Abandon(), null);
    }
  }

  /** Returns the message for a call: that of the last call of the method, if it is equal. */
  private Message.Call call(
      Reference.Target.Elsewhere target,
      CallMethod method,
      @Nullable CallResult result,
      @Nullable CapacityNeed need,
      @Nullable Body caller,
      @Nullable Payload payload) {
    var valueWanted = result != null && result.isValueWanted();
    var context = ObserverBinding.isObserved(method) ? context(result) : null;
    var symbol = method.symbol();
    var callerNumber = caller == null ? 0 : caller.number();
    var counted = need != null && need.places() > 0;
    var side = payload == null ? List.of() : payload.values().side();
    var isPlain = side.isEmpty() && (context == null || context.length == 0);
    var last = isPlain ? lastCalls.get(symbol) : null;
    if (last != null
        && last.is(target.number(), symbol, valueWanted, counted, callerNumber, context)) {
      return last;
    }
    GridBoundary.requireOneGrid(side, peer.access());
    var call =
        new Message.Call(
            target.number(),
            symbol,
            valueWanted,
            counted,
            callerNumber,
            caller == null ? "" : RemoteCaller.nameOf(caller),
            side,
            context);
    if (isPlain) {
      lastCalls.put(symbol, call);
    }
    return call;
  }

  private static byte @Nullable [] context(@Nullable CallResult result) {
    var own = result == null ? null : result.context();
    return own == null ? ObserverBinding.sending() : own;
  }

  /**
   * Waits, in the sending user's thread, while a bounded queue or the link itself is full.
   *
   * @param need the capacity that the call needs of the queue, or {@code null}
   * @param nanos the time limit for the queue
   * @return whether the call may be sent
   * @throws ObjectMovedException if the object has moved, or may have, and the call has its place
   */
  private boolean admit(
      Reference.Target.Elsewhere target,
      @Nullable CapacityNeed need,
      CallMethod method,
      long nanos) {
    if (!hasMoved(target.number())) { // else it waits for its place, which goes with the object
      outbox.throwIfLost();
    }
    if (NodeObjects.isService(target.number())) {
      return true; // the middleware calls under locks, and its call may free the capacity
    }
    if (need != null) {
      if (!acquires(need, method, nanos)) {
        return false;
      }
      throwIfLost(target.number());
    }
    awaitSpace();
    throwIfLost(target.number());
    return true;
  }

  /**
   * Waits, in the sending user's thread, for the capacity of a queue; returns whether it has it.
   */
  private boolean acquires(@Nullable CapacityNeed need, CallMethod method, long nanos) {
    var call = method + " on node '" + peer.id().name() + "'";
    return need == null || node.queueCapacity().acquire(List.of(need), call, nanos);
  }

  /**
   * Returns what a call needs of the queue of an object that has moved; {@code null} if nothing.
   */
  private @Nullable CapacityNeed needOfMoved(Reference.Target.Elsewhere target, CallMethod method) {
    return target.bound() == 0 && !node.queueCapacity().isCrowded()
            || ServicePolicy.isAmong(target.immediates(), method)
        ? null
        : CapacityNeed.of(target.queue(), method, target.bound(), false);
  }

  /** Returns the capacity that a call needs of its object's queue; {@code null} if none. */
  public @Nullable CapacityNeed need(Reference.Target.Elsewhere target, CallMethod method) {
    if (target.bound() == 0 && !isBacklogged && !node.queueCapacity().isCrowded()
        || NodeObjects.isService(target.number())
        || ServicePolicy.isAmong(target.immediates(), method)) {
      return null;
    }
    return CapacityNeed.of(target.queue(), method, target.bound(), isBacklogged);
  }

  /** Records whether the other node has memory for more requests in its queues. */
  void backlogged(boolean isSo) {
    isBacklogged = isSo;
    if (!isSo) {
      node.queueCapacity().memoryFreed(peer);
    }
  }

  public boolean isBacklogged() {
    return isBacklogged;
  }

  private void awaitSpace() {
    if (outbox.isCrowded()) {
      ServiceContext.awaitLink(peer.id(), outbox::awaitCapacity);
    }
  }

  /** Waits, in the user's sending thread, while too many bytes are unacknowledged. */
  public void awaitCapacity() {
    awaitSpace();
    outbox.throwIfLost();
  }

  // Answers

  /** Returns the call that was answered; {@code null} if it was given up. */
  public @Nullable CallResult answered(long callId) {
    return calls.remove(callId);
  }

  /** Handles a call that its caller has given up. */
  public void abandon(long callId) {
    var given = calls.remove(callId);
    if (given != null) {
      outbox.send(callId, new Message.Abandon(), null);
    } else {
      given = relocations.abandoned(callId); // if its object has moved, its answer will be dropped
    }
    if (given != null) {
      given.holdNamedCaller();
    }
  }

  /** Returns whether a call has no answer yet. */
  public boolean isUnanswered(long callId) {
    return calls.get(callId) != null;
  }

  /** Returns the calls that have no answer yet, in no order. */
  public List<CallResult> pending() {
    return calls.values();
  }

  /**
   * Returns how many calls have no answer yet; of many calls, all count.
   *
   * @param isCounted whether a call counts
   */
  public int pending(Predicate<? super CallResult> isCounted) {
    if (calls.size() > MOST_LOOKED_AT) {
      return calls.size();
    }
    List<CallResult> few = new ArrayList<>();
    var next = 0;
    do {
      next = calls.visit(next, PART, few::add);
    } while (next != 0);
    return (int) few.stream().filter(isCounted).count();
  }

  /** Returns the number of open calls and accounts. */
  int size() {
    return calls.size() + node.queueCapacity().accounts(peer);
  }

  // The end

  /**
   * Waits until the other node has served the one-way calls of this one; polls at increasing
   * intervals.
   *
   * @param asked asks the other node how many it has served
   */
  public void awaitServed(Supplier<CompletableFuture<Long>> asked, long deadlineNanos) {
    try {
      for (var pause = 1L;
          outbox.hasUnservedCalls();
          pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
        var left = deadlineNanos - System.nanoTime();
        outbox.acknowledge(0, asked.get().get(left, TimeUnit.NANOSECONDS));
        if (outbox.hasUnservedCalls()) {
          TimeUnit.MILLISECONDS.sleep(pause);
        }
      }
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      // The node is lost or the time is over: no further counts will arrive.
    }
  }

  /** Fails all calls when the other node is lost. */
  void lose(String reason, @Nullable ExitReport exitReport) {
    node.queueCapacity().close(peer);
    failCalls(reason, exitReport);
  }

  private void failCalls(String reason, @Nullable ExitReport exitReport) {
    if (relocations.mayHaveLeft(peer.id())) {
      relocations.lost(peer, calls::removeAll, each -> failCalls(each, reason, exitReport));
    } else {
      failCalls(calls.removeAll(), reason, exitReport);
    }
  }

  private void failCalls(
      Collection<CallResult> open, String reason, @Nullable ExitReport exitReport) {
    if (open.isEmpty()) {
      return;
    }
    var message = LostCalls.describe(peer.id(), reason, open);
    open.forEach(
        each -> each.settle(new Outcome.Failure<>(new NodeLostException(message, exitReport))));
  }

  /**
   * Reports to the failure handlers how many one-way calls were served, accepted, or may be lost.
   */
  void reportOneWayCalls(
      SendWindow.OneWayCalls calls, String reason, @Nullable ExitReport exitReport) {
    LostCalls.reportOneWay(peer.id(), node.failures(), calls, reason, exitReport);
  }
}
