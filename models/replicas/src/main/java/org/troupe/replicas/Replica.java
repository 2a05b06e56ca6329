package org.troupe.replicas;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.WaitInterruptedException;
import org.troupe.stubs.StubClass;
import org.troupe.stubs.Stubs;

/** The replica of one node: the object, its place in the order, and the calls that wait for it. */
final class Replica {

  /*
   * Design: threads
   *
   * "order" is under "lock", which is never held during user code, encoding or a call. One thread at a time applies
   * changes ("isApplying"): whichever has made the next one known, which is the caller of a write, or the thread that
   * serves the member. If readers hold the object, a virtual thread takes over from the member's, which must answer others.
   * One thread at a time sends what the order has put out ("isSending"), so messages to a member keep their order, and
   * small ones that gather meanwhile become one.
   *
   * "access" keeps reads from writes. A read that was proved holds it and can call nothing that waits. A read that
   * was only declared may call anything; it is recorded for its thread, so reads within it need no second hold, which
   * would deadlock behind a waiting write, and writes within it are refused.
   */

  private record Key(NodeId node, ReplicaMember identity) {}

  /** What the current thread does in a replica. */
  private record Activity(Replica replica, boolean isWrite, @Nullable Activity outer) {}

  /** How a write ended. */
  private sealed interface Result {
    record Value(@Nullable Object value) implements Result {}

    record Failure(Throwable cause) implements Result {}

    /** It has to be proposed again. */
    record Unsent() implements Result {}
  }

  private static final Map<Key, Replica> KNOWN = new ConcurrentHashMap<>();
  private static final ThreadLocal<Activity> ACTIVITY = new ThreadLocal<>();

  /** The writes that are being applied in this JVM: only then may a reader be within one. */
  private static final AtomicInteger WRITES = new AtomicInteger();

  private final ReplicaMember self;
  private final NodeId node = Collectives.current().currentNode();
  private final ReentrantLock lock = new ReentrantLock();
  private final WriteOrder order = new WriteOrder();
  private final Map<Integer, ReplicaMember> members = new TreeMap<>();
  private final Map<Long, CompletableFuture<Result>> waiting = new HashMap<>();
  private final StampedLock access = new StampedLock();
  private long writes; // made here
  private boolean isApplying;
  private boolean isSending;
  private @Nullable String end;

  // Set once, when the state arrives.
  private @Nullable ReplicaMember identity;
  private Object object = this;
  private @Nullable StubClass<?> methods;
  private boolean[] isRead = {};
  private boolean[] isProved = {};
  private boolean[] isLocal = {};
  private @Nullable Object stub;

  Replica(ReplicaMember self) {
    this.self = self;
  }

  /**
   * Returns the replica on the node that the current thread works for.
   *
   * @throws IllegalStateException if there is none
   */
  static Replica here(ReplicaMember identity) {
    var activity = ACTIVITY.get();
    var node = activity == null ? Collectives.current().currentNode() : activity.replica().node;
    var found = KNOWN.get(new Key(node, identity));
    if (found == null) {
      throw new IllegalStateException(
          "node '"
              + node.name()
              + "' has no replica of this object: it is not one of the object's nodes, is still"
              + " joining them, or the object was closed; call it from an active object on one of"
              + " its nodes");
    }
    return found;
  }

  Object stub() {
    return Objects.requireNonNull(stub, "set before the replica is known");
  }

  ReplicaMember identity() {
    return Objects.requireNonNull(identity, "set before the replica is known");
  }

  private StubClass<?> methods() {
    return Objects.requireNonNull(methods, "set before the replica is known");
  }

  @Override
  public String toString() {
    return "replica of " + object.getClass().getName() + " on node '" + node.name() + "'";
  }

  // What the member's active object passes on.

  void receive(OrderMessage message) {
    if (message instanceof OrderMessage.State state) {
      begin(state);
    } else {
      lock.lock();
      try {
        order.receive(message);
      } finally {
        lock.unlock();
      }
    }
    proceedOnMember();
  }

  private void begin(OrderMessage.State state) {
    lock.lock();
    try {
      if (identity != null) {
        return;
      }
      order.begin(state);
      if (!order.hasState()) {
        return; // of a former sequencer
      }
      members.putAll(state.members());
      identity = state.identity();
      object = state.object();
    } finally {
      lock.unlock();
    }
    methods = Stubs.define(object.getClass());
    var reads = ReadMethods.of(object.getClass());
    isRead = new boolean[methods().methods().size()];
    isProved = new boolean[isRead.length];
    isLocal = new boolean[isRead.length];
    for (var method : methods().methods()) {
      if (isOfObject(method.method())) {
        isLocal[method.index()] = true;
        continue;
      }
      var verdict = reads.verdict(method.method());
      isRead[method.index()] = verdict.isRead();
      isProved[method.index()] = verdict.isProved();
    }
    stub = methods().newStub(new ReplicaStub(identity(), this));
    KNOWN.put(new Key(node, identity()), this);
    state.members().forEach(this::watch);
  }

  private static boolean isOfObject(Method method) {
    return switch (method.getName()) {
      case "toString", "hashCode" -> method.getParameterCount() == 0;
      case "equals" ->
          method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object.class;
      default -> false;
    };
  }

  private void watch(int member, ReplicaMember address) {
    if (!address.equals(self)) {
      ActiveObjects.ref(address).end().thenAccept(ended -> lost(member));
    }
  }

  private void lost(int member) {
    lock.lock();
    try {
      order.lost(member);
    } finally {
      lock.unlock();
    }
    proceedOnMember();
  }

  Place order(Change.Write write) {
    Place place;
    lock.lock();
    try {
      place = end == null ? order.order(write) : Place.NONE;
    } finally {
      lock.unlock();
    }
    proceedOnMember();
    return place;
  }

  boolean join(ReplicaMember newcomer) {
    boolean hasJoined;
    lock.lock();
    try {
      hasJoined = members.containsValue(newcomer) || order.join(newcomer) >= 0;
    } finally {
      lock.unlock();
    }
    proceedOnMember();
    return hasJoined;
  }

  void end(String why) {
    List<CompletableFuture<Result>> abandoned;
    lock.lock();
    try {
      end = why;
      abandoned = List.copyOf(waiting.values());
      waiting.clear();
    } finally {
      lock.unlock();
    }
    if (identity != null) {
      KNOWN.remove(new Key(node, identity), this);
    }
    for (var each : abandoned) {
      each.complete(new Result.Failure(new IllegalStateException(why)));
    }
  }

  // Calls.

  /** Returns whether a method is one of {@code Object} that a stub answers itself. */
  boolean isLocal(int method) {
    return isLocal[method];
  }

  String nameOf(int method) {
    return methods().methods().get(method).name();
  }

  boolean isRead(int method) {
    return isRead[method];
  }

  @Nullable Object read(int method, @Nullable Object[] arguments) throws Throwable {
    if (WRITES.getPlain() != 0) {
      refuseInWrite(method);
    }
    if (!isProved[method]) {
      return declaredRead(method, arguments);
    }
    var stamp = access.tryReadLock();
    if (stamp == 0) {
      if (holds()) {
        return shared(methods().invoke(method, object, arguments));
      }
      stamp = access.readLock();
    }
    try {
      return shared(methods().invoke(method, object, arguments));
    } finally {
      access.unlockRead(stamp);
    }
  }

  private @Nullable Object declaredRead(int method, @Nullable Object[] arguments) throws Throwable {
    if (holds()) {
      return shared(methods().invoke(method, object, arguments));
    }
    var outer = ACTIVITY.get();
    ACTIVITY.set(new Activity(this, false, outer));
    var stamp = access.readLock();
    try {
      return shared(methods().invoke(method, object, arguments));
    } finally {
      access.unlockRead(stamp);
      ACTIVITY.set(outer);
    }
  }

  private boolean holds() {
    for (var each = ACTIVITY.get(); each != null; each = each.outer()) {
      if (each.replica() == this) {
        return true;
      }
    }
    return false;
  }

  private void refuseInWrite(int method) {
    var activity = ACTIVITY.get();
    if (activity != null && activity.isWrite()) {
      throw new IllegalStateException(
          refusal(activity.replica().object.getClass())
              + "; it called "
              + methods().methods().get(method)
              + " of a replica");
    }
  }

  private static String refusal(Class<?> type) {
    return "a write of the replicated "
        + type.getName()
        + " may call no active object and no replica, since each node applies it; pass what it"
        + " needs as an argument";
  }

  /** Returns a result as a caller may have it: a copy, unless it is a value. */
  private @Nullable Object shared(@Nullable Object result) {
    if (result == null || isValue(result)) {
      return result;
    }
    return result == object ? stub() : Collectives.current().copyOf(result);
  }

  private static @Nullable Object[] copies(@Nullable Object[] arguments) {
    for (var each : arguments) {
      if (each != null && !isValue(each)) {
        return Collectives.current().copyOf(arguments);
      }
    }
    return arguments.clone();
  }

  private static boolean isValue(Object object) {
    return switch (object) {
      case String _, Integer _, Long _, Double _, Float _, Short _, Byte _, Boolean _ -> true;
      case Character _, Enum<?> _ -> true;
      default -> false;
    };
  }

  @Nullable Object write(int method, @Nullable Object[] arguments) throws Throwable {
    refuseInWrite(method);
    if (ACTIVITY.get() != null) {
      throw new IllegalStateException(
          methods().methods().get(method)
              + " is a write and was called within a read of a replica, which it would wait for;"
              + " make it a separate call, or remove @Reads from the method that calls it");
    }
    while (true) {
      var copies = copies(arguments);
      var result = new CompletableFuture<Result>();
      WriteOrder.Proposed proposed;
      ReplicaMember sequencer;
      lock.lock();
      try {
        if (end != null) {
          throw new IllegalStateException(end);
        }
        var number = ++writes;
        waiting.put(number, result);
        proposed = order.propose(number, method, copies);
        sequencer = members.get(order.epoch());
      } finally {
        lock.unlock();
      }
      send();
      if (proposed.toAsk() && sequencer != null) {
        ask(sequencer, proposed.write());
      }
      proceed();
      switch (result.join()) {
        case Result.Value(Object value) -> {
          return value;
        }
        case Result.Failure(Throwable cause) -> throw cause;
        case Result.Unsent() -> {} // a new sequencer is there
      }
    }
  }

  /** Asks the sequencer for the place of a write, even if the thread is interrupted meanwhile. */
  private void ask(ReplicaMember sequencer, Change.Write write) {
    var isInterrupted = false;
    try {
      while (true) {
        isInterrupted |= Thread.interrupted();
        try {
          var place = sequencer.order(write);
          lock.lock();
          try {
            order.placed(place, write);
          } finally {
            lock.unlock();
          }
          return;
        } catch (WaitInterruptedException e) {
          isInterrupted = true; // the sequencer repeats its answer
        } catch (NodeLostException | ObjectTerminatedException e) {
          return; // the next sequencer decides
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // The order.

  private void proceedOnMember() {
    if (access.isReadLocked()) {
      send();
      Thread.startVirtualThread(this::proceed);
    } else {
      proceed();
    }
  }

  /** Applies all changes whose turn it is, and sends what has to be sent. */
  private void proceed() {
    send();
    while (true) {
      Change change;
      int newcomer;
      Map<Integer, ReplicaMember> known;
      lock.lock();
      try {
        settle();
        if (isApplying || !order.hasState() || end != null) {
          break;
        }
        newcomer = order.newcomer();
        change = newcomer < 0 ? order.next() : null;
        if (newcomer < 0 && change == null) {
          break;
        }
        isApplying = true;
        known = Map.copyOf(members);
      } finally {
        lock.unlock();
      }
      if (change == null) {
        welcome(newcomer, known);
      } else {
        apply(change);
      }
      send();
    }
    send();
  }

  private void welcome(int newcomer, Map<Integer, ReplicaMember> known) {
    Object copy;
    var stamp = access.readLock();
    try {
      copy = Collectives.current().copyOf(object);
    } finally {
      access.unlockRead(stamp);
    }
    lock.lock();
    try {
      order.welcome(newcomer, identity(), copy, known);
      isApplying = false;
    } finally {
      lock.unlock();
    }
  }

  private void apply(Change change) {
    var isOwn = change instanceof Change.Write write && write.origin() == order.me();
    Result result = null;
    if (change instanceof Change.Write write) {
      result = applied(write, isOwn);
    }
    CompletableFuture<Result> caller = null;
    lock.lock();
    try {
      order.advance();
      isApplying = false;
      if (isOwn) {
        caller = waiting.remove(((Change.Write) change).number());
      }
      if (change instanceof Change.Join(int member, ReplicaMember address)) {
        members.put(member, address);
      }
      if (change instanceof Change.Leave(int member)) {
        members.remove(member);
      }
    } finally {
      lock.unlock();
    }
    if (change instanceof Change.Join(int member, ReplicaMember address)) {
      watch(member, address);
    }
    if (caller != null) {
      caller.complete(result);
    }
  }

  private Result applied(Change.Write write, boolean isOwn) {
    var outer = ACTIVITY.get();
    var failure = new Throwable[1];
    var value = new Object[1];
    var arguments = copies(write.arguments());
    ACTIVITY.set(new Activity(this, true, outer));
    WRITES.incrementAndGet();
    var stamp = access.writeLock();
    try {
      Collectives.current()
          .withoutCalls(
              refusal(object.getClass()),
              () -> {
                try {
                  var returned = methods().invoke(write.method(), object, arguments);
                  value[0] = isOwn ? shared(returned) : null;
                } catch (Throwable thrown) {
                  failure[0] = thrown;
                }
              });
    } finally {
      access.unlockWrite(stamp);
      WRITES.decrementAndGet();
      ACTIVITY.set(outer);
    }
    return failure[0] == null ? new Result.Value(value[0]) : new Result.Failure(failure[0]);
  }

  /** Ends the calls that a recovery has decided. Called under the lock. */
  private void settle() {
    for (var number : order.lost) {
      var result = waiting.remove(number);
      if (result != null) {
        result.complete(new Result.Failure(new WriteLostException(toString())));
      }
    }
    order.lost.clear();
    for (var number : order.unsent) {
      var result = waiting.remove(number);
      if (result != null) {
        result.complete(new Result.Unsent());
      }
    }
    order.unsent.clear();
  }

  /** Sends the messages that the order has put out. */
  private void send() {
    while (true) {
      List<WriteOrder.Envelope> taken;
      var addresses = new ArrayList<@Nullable ReplicaMember>();
      lock.lock();
      try {
        if (isSending || order.out.isEmpty()) {
          return;
        }
        isSending = true;
        taken = List.copyOf(order.out);
        order.out.clear();
        for (var envelope : taken) {
          addresses.add(address(envelope));
        }
      } finally {
        lock.unlock();
      }
      try {
        for (var i = 0; i < taken.size(); i++) {
          var address = addresses.get(i);
          if (address != null) {
            post(address, taken.get(i).message());
          }
        }
      } finally {
        lock.lock();
        isSending = false;
        lock.unlock();
      }
    }
  }

  /** Returns the address of a member, which may be known by a join that was not applied yet. */
  private @Nullable ReplicaMember address(WriteOrder.Envelope envelope) {
    var known = members.get(envelope.to());
    return known != null ? known : order.address(envelope.to());
  }

  private static void post(ReplicaMember address, OrderMessage message) {
    try {
      address.receive(message);
    } catch (NodeLostException | ObjectTerminatedException e) {
      // The end of the member is reported to this replica, too.
    }
  }
}
