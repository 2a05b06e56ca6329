package org.troupe.replicas;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.Futures;
import org.troupe.stubs.StubClass;
import org.troupe.stubs.Stubs;

/** The replica of one node: the object, and the calls on it. */
final class Replica {

  /*
   * Design: reads beside writes
   *
   * "access" keeps reads from writes. A read that was proved holds it and can call nothing that waits. A read that
   * was only declared may call anything; it is recorded for its thread, so reads within it need no second hold, which
   * would deadlock behind a waiting write, and writes within it are refused.
   *
   * Design: the end
   *
   * A replica that has ended drops the object, which stubs would keep otherwise. It waits for no reader: those that have
   * the object finish.
   */

  private record Key(NodeId node, ReplicaMember identity) {}

  /** The activity of the current thread in a replica. */
  private record Activity(Replica replica, boolean isWrite, @Nullable Activity outer) {}

  private static final Map<Key, Replica> KNOWN = new ConcurrentHashMap<>();
  private static final ThreadLocal<@Nullable Activity> ACTIVITY = new ThreadLocal<>();

  /** The writes that are being applied in this JVM: only then may a reader be within one. */
  private static final AtomicInteger WRITES = new AtomicInteger();

  private final NodeId node = Collectives.current().currentNode();
  private final ReplicaMember identity;
  private final Class<?> type;
  private volatile @Nullable Object object; // null when the replica has ended
  private volatile String end = ""; // the reason; written before
  private final OrderDriver driver;
  private final StateCheck check;
  private final StampedLock access = new StampedLock();
  private final StubClass<?> methods;
  private final boolean[] isRead;
  private final boolean[] isProved;
  private final boolean[] isLocal;
  private final Object stub;

  /** Makes a replica on the node that the current thread works for. */
  Replica(ReplicaMember identity, Object object, OrderDriver driver) {
    this.identity = identity;
    this.object = object;
    this.driver = driver;
    type = object.getClass();
    methods = Stubs.define(type);
    var reads = ReadMethods.of(type);
    isRead = new boolean[methods.methods().size()];
    isProved = new boolean[isRead.length];
    isLocal = new boolean[isRead.length];
    for (var method : methods.methods()) {
      if (isOfObject(method.method())) {
        isLocal[method.index()] = true;
        continue;
      }
      var verdict = reads.verdict(method.method());
      isRead[method.index()] = verdict.isRead();
      isProved[method.index()] = verdict.isProved();
    }
    stub = methods.newStub(new ReplicaStub(identity, this));
    check = new StateCheck(node.name(), type.getName(), methods);
  }

  private static boolean isOfObject(Method method) {
    return switch (method.getName()) {
      case "toString", "hashCode" -> method.getParameterCount() == 0;
      case "equals" ->
          method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object.class;
      default -> false;
    };
  }

  /** Lets stubs on this node find the replica. */
  void publish() {
    KNOWN.put(new Key(node, identity), this);
  }

  /** Refuses calls from now on, and drops the object. */
  void end(String why) {
    end = why;
    object = null;
    KNOWN.remove(new Key(node, identity), this);
  }

  private Object object() {
    var present = object;
    if (present == null) {
      throw new IllegalStateException(end);
    }
    return present;
  }

  /** Returns the replica on the node that the current thread works for, if there is one. */
  static Optional<Replica> find(ReplicaMember identity) {
    return Optional.ofNullable(KNOWN.get(new Key(currentNode(), identity)));
  }

  private static NodeId currentNode() {
    var activity = ACTIVITY.get();
    return activity == null ? Collectives.current().currentNode() : activity.replica().node;
  }

  /**
   * Returns the replica on the node that the current thread works for.
   *
   * @throws IllegalStateException if there is none
   */
  static Replica here(ReplicaMember identity) {
    return find(identity)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "node '"
                        + currentNode().name()
                        + "' has no replica of this object: it is not one of the object's nodes, is"
                        + " still joining them, or the object was closed; call it from an active"
                        + " object on one of its nodes"));
  }

  Object stub() {
    return stub;
  }

  ReplicaMember identity() {
    return identity;
  }

  StateCheck check() {
    return check;
  }

  @Override
  public String toString() {
    return "replica of " + type.getName() + " on node '" + node.name() + "'";
  }

  String typeName() {
    return type.getName();
  }

  // Calls.

  /** Returns whether a method is one of {@code Object} that a stub answers itself. */
  boolean isLocal(int method) {
    return isLocal[method];
  }

  String nameOf(int method) {
    return methods.methods().get(method).name();
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
        return invoked(method, arguments);
      }
      stamp = access.readLock();
    }
    try {
      return invoked(method, arguments);
    } finally {
      access.unlockRead(stamp);
    }
  }

  private @Nullable Object declaredRead(int method, @Nullable Object[] arguments) throws Throwable {
    if (holds()) {
      return invoked(method, arguments);
    }
    var outer = ACTIVITY.get();
    ACTIVITY.set(new Activity(this, false, outer));
    var stamp = access.readLock();
    try {
      return invoked(method, arguments);
    } finally {
      access.unlockRead(stamp);
      ACTIVITY.set(outer);
    }
  }

  private @Nullable Object invoked(int method, @Nullable Object[] arguments) throws Throwable {
    return shared(methods.invoke(method, object(), arguments));
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
          refusal(activity.replica().type)
              + "; it called "
              + methods.methods().get(method)
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
    return result == object ? stub : Collectives.current().copyOf(result);
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
          methods.methods().get(method)
              + " is a write and was called within a read of a replica, which it would wait for;"
              + " make it a separate call, or remove @Reads from the method that calls it");
    }
    for (var i = 0; i < arguments.length; i++) {
      arguments[i] = Futures.value(arguments[i]); // no replica is to wait within a write
    }
    return driver.write(method, copies(arguments));
  }

  /**
   * Closes the object; waits until it is closed on all nodes.
   *
   * @return whether it is; else this replica has failed
   */
  boolean close() {
    if (ACTIVITY.get() != null) {
      throw new IllegalStateException(
          "a replicated object cannot be closed within a call of a replica, which the end would wait"
              + " for; close "
              + type.getName()
              + " after that call");
    }
    return driver.close().join();
  }

  // Turns, one at a time.

  /** Takes note of an applied write; returns hashes that are to be reported. */
  Optional<OrderMessage.Hashes> checked(long number, Change.Write write) {
    return check.applied(number, write.method(), object());
  }

  /** Returns a copy of the state. */
  Object copy() {
    var stamp = access.readLock();
    try {
      return Collectives.current().copyOf(object());
    } finally {
      access.unlockRead(stamp);
    }
  }

  /**
   * Applies a write.
   *
   * @param isOwn whether a caller here has the result
   * @param mayWait whether to wait for reads
   * @return how it ended; {@code null} if it would have to wait
   */
  OrderDriver.@Nullable Result apply(Change.Write write, boolean isOwn, boolean mayWait) {
    var stamp = mayWait ? access.writeLock() : access.tryWriteLock();
    if (stamp == 0) {
      return null;
    }
    var outer = ACTIVITY.get();
    var failure = new Throwable[1];
    var value = new Object[1];
    ACTIVITY.set(new Activity(this, true, outer));
    WRITES.incrementAndGet();
    try {
      var arguments = copies(write.arguments()); // the write may have to be sent again
      Collectives.current()
          .withoutCalls(
              refusal(type),
              () -> {
                try {
                  var returned = methods.invoke(write.method(), object(), arguments);
                  value[0] = isOwn ? shared(returned) : null;
                } catch (Throwable thrown) {
                  failure[0] = thrown;
                }
              });
    } finally {
      WRITES.decrementAndGet();
      ACTIVITY.set(outer);
      access.unlockWrite(stamp);
    }
    return failure[0] == null
        ? new OrderDriver.Result.Value(value[0])
        : new OrderDriver.Result.Failure(failure[0]);
  }
}
