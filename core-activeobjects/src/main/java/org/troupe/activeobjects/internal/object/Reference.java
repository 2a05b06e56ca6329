package org.troupe.activeobjects.internal.object;

import java.time.Duration;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.call.ActiveObjectHandler;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallKind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.CallRecorder;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.marshal.PassedByName;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Futures;
import org.troupe.stubs.Stubs;

/**
 * The handler of a stub: identifies the object that the stub stands for, and its location.
 * Immutable.
 */
public final class Reference<T> extends ActiveObjectHandler implements Ref<T>, PassedByName {

  private static final Duration PATIENCE = Duration.ofSeconds(10); // for a safe point

  private final NodeObjects node;
  private final ActiveType<T> type;
  private final Target target;
  private final @Nullable Duration timeout; // null for the limit of the node
  private volatile @Nullable ReuseCache leftovers; // for results; created on first use

  /** The location of an object. */
  public sealed interface Target {

    /** Returns the queue of the object. */
    CallQueue queue();

    /** Returns the node on which the object was created. */
    NodeId birth();

    /** Returns the number that identifies the object among those created on that node. */
    long number();

    /** An object of this node: the body itself, which lives as long as something refers to it. */
    record Here(Body body) implements Target {

      @Override
      public CallQueue queue() {
        return CallQueue.of(body);
      }

      @Override
      public NodeId birth() {
        var origin = body.origin();
        return origin == null ? body.node().id() : origin.birth();
      }

      @Override
      public long number() {
        var origin = body.origin();
        return origin == null ? body.identity() : origin.number();
      }
    }

    /**
     * An object of another node.
     *
     * @param home the node on which the object was created
     * @param number its number on that node
     * @param bound the number of requests of this JVM that its queue may hold, or 0; negative if
     *     the full queue refuses calls
     * @param immediates the methods that bypass the queue, as {@code ServicePolicy.immediates}
     *     returns them
     * @param object holds the object; {@code null} if it lives without that
     */
    record Elsewhere(
        RemoteNode home, long number, int bound, String immediates, @Nullable RemoteObject object)
        implements Target {

      public Elsewhere(RemoteNode home, long number, int bound) {
        this(home, number, bound, "", null);
      }

      @Override
      public CallQueue queue() {
        return new CallQueue(home, number);
      }

      @Override
      public NodeId birth() {
        return home.id();
      }
    }
  }

  public Reference(
      NodeObjects node, ActiveType<T> type, Target target, @Nullable Duration timeout) {
    this.node = node;
    this.type = type;
    this.target = target;
    this.timeout = timeout;
  }

  @SuppressWarnings("unchecked") // a body's type is that of its object
  public static <T> Reference<T> to(Body body) {
    return new Reference<>(
        NodeObjects.of(body), (ActiveType<T>) body.type(), new Target.Here(body), null);
  }

  /** Returns a reference to an object that is gone; calls of it are counted by its identity. */
  public static Reference<?> toGone(NodeObjects node, ActiveType<?> type, ObjectIdentity object) {
    var gone = BodyFactory.create(node, type, Options.STANDARD);
    gone.comesFrom(object, null, null);
    gone.neverBegins();
    return new Reference<>(node, type, new Target.Here(gone), null);
  }

  /** Returns the reference behind a stub, or {@code null} if the object is not one. */
  public static @Nullable Reference<?> behind(@Nullable Object stub) {
    return stub != null && Stubs.handlerOf(stub) instanceof Reference<?> reference
        ? reference
        : null;
  }

  /**
   * Returns the reference behind a stub, or behind a future whose value is one.
   *
   * @throws IllegalArgumentException if the object is neither
   */
  public static Reference<?> require(@Nullable Object stub) {
    var reference = stub == null ? null : behind(Futures.value(stub));
    if (reference == null) {
      throw new IllegalArgumentException(
          (stub == null ? "null" : "an object of " + stub.getClass().getName())
              + " is not the stub of an active object; stubs come from create, turnActive, lookup,"
              + " self and as results of calls");
    }
    return reference;
  }

  public NodeObjects runtime() {
    return node;
  }

  ActiveType<T> activeType() {
    return type;
  }

  /** Returns the method that a symbol names, as a caller with this reference knows it. */
  public CallMethod method(String symbol) {
    return type.method(symbol.substring(symbol.indexOf('#') + 1));
  }

  public Target target() {
    return target;
  }

  public @Nullable Duration timeout() {
    return timeout;
  }

  /** Returns the cache of result objects of earlier calls through this reference only. */
  ReuseCache leftovers() {
    var known = leftovers;
    if (known == null) {
      known = new ReuseCache(); // a race discards one cache
      leftovers = known;
    }
    return known;
  }

  /** Returns whether the object has sent a request. */
  public boolean hasSent(Request request) {
    return switch (((CallRequest) request).caller) {
      case null -> false;
      case Body caller -> target instanceof Target.Here(Body body) && body == caller;
      case RemoteCaller(_, NodeId birth, _, long number, _, _) ->
          target.number() == number && target.birth().equals(birth);
      default -> false;
    };
  }

  /** Returns a reference to the same object by another of its types. */
  public <S> Reference<S> as(Class<S> other) {
    return new Reference<>(node, ActiveType.of(other), target, timeout);
  }

  public String nodeName() {
    return node().name();
  }

  @Override
  public @Nullable Object call(int method, Object[] arguments) throws Throwable {
    var called = type.method(method);
    return switch (called.kind()) {
      case ONE_WAY -> {
        node.calls().post(this, called, arguments);
        yield null;
      }
      case TRANSPARENT ->
          node.calls().ask(this, called, arguments, true).asTransparent(called.resultType());
      case COMPLETABLE -> node.calls().ask(this, called, arguments, true).asCompletableFuture();
      case WAITING -> node.calls().callAndWait(this, called, arguments);
      case ITERATING -> iterate(called, arguments);
      case LOCAL ->
          switch (called.method().name()) {
            case "equals" -> equals(behind(Futures.value(arguments[0])));
            case "hashCode" -> hashCode();
            default -> toString();
          };
    };
  }

  private @Nullable Object iterate(CallMethod called, Object[] arguments) {
    var elements = ((Iterable<?>) stub()).iterator();
    if (called.method().name().equals("spliterator")) {
      return Spliterators.spliteratorUnknownSize(elements, 0);
    }
    @SuppressWarnings("unchecked") // the contract of Iterable: a consumer of the elements
    var action = (Consumer<Object>) arguments[0];
    elements.forEachRemaining(action);
    return null;
  }

  @Override
  public T stub() {
    return type.stubs().newStub(this);
  }

  @Override
  public Class<T> type() {
    return type.type();
  }

  @Override
  public NodeId node() {
    return switch (target) {
      case Target.Here(Body body) when !body.hasLeft() -> body.node().id();
      case Target.Here here -> node.host().nodeOf(here, node.id());
      case Target.Elsewhere elsewhere -> node.host().nodeOf(elsewhere, elsewhere.home().id());
    };
  }

  @Override
  public CompletableFuture<Void> move(NodeId destination) {
    return move(destination, PATIENCE);
  }

  @Override
  public CompletableFuture<Void> move(NodeId destination, Duration patience) {
    LoggedBody.requireUnlogged("a move", "move the object within ActiveObjects.once(..)");
    return node.host().move(this, destination, patience);
  }

  @Override
  @SuppressWarnings("unchecked") // the recorder has shown that R is the method's result
  public <R> CompletableFuture<R> ask(Asked<? super T, R> call) {
    var recorded = CallRecorder.record(type, call::on, true);
    var result =
        node.calls()
            .ask(this, recorded.method(), recorded.arguments(), true, node.calls().callSite(call));
    if (recorded.method().kind() == CallKind.COMPLETABLE) {
      // The lambda's result is itself a completable future, which is available at once.
      return CompletableFuture.completedFuture((R) result.asCompletableFuture());
    }
    return (CompletableFuture<R>) result.asCompletableFuture();
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // an unwanted value arrives as null
  public CompletableFuture<Void> tell(Told<? super T> call) {
    var recorded =
        CallRecorder.record(
            type,
            stub -> {
              call.on(stub);
              return null;
            },
            false);
    var result =
        node.calls()
            .ask(this, recorded.method(), recorded.arguments(), false, node.calls().callSite(call));
    return (CompletableFuture<Void>) (CompletableFuture<?>) result.asCompletableFuture();
  }

  @Override
  public Ref<T> within(Duration limit) {
    if (FutureRuntime.nanos(limit) <= 0) {
      throw new IllegalArgumentException(
          "no call can be answered within " + limit + "; give a positive time");
    }
    return new Reference<>(node, type, target, limit);
  }

  @Override
  public CompletableFuture<Void> checkpoint() {
    return node.host().checkpoint(this);
  }

  @Override
  public CompletableFuture<End> terminate() {
    return terminate(false);
  }

  @Override
  public CompletableFuture<End> terminateNow() {
    return terminate(true);
  }

  private CompletableFuture<End> terminate(boolean now) {
    Runnable again = () -> {};
    switch (target) {
      case Target.Here(Body body) -> {
        if (now) {
          body.terminateNow();
        } else {
          node.queueCapacity().runBehindWaiting(target.queue(), body::terminate);
        }
      }
      case Target.Elsewhere there -> {
        if (now) {
          there.home().terminate(there.number(), true);
        } else {
          node.queueCapacity().runBehindWaiting(there.queue(), () -> terminate(there));
        }
        // The message may have been lost with the object's node, and the object made again.
        again = () -> there.home().terminate(there.number(), now);
      }
    }
    return endResult(again).asCompletableFuture();
  }

  private static void terminate(Target.Elsewhere there) {
    there.home().terminate(there.number(), false);
    java.lang.ref.Reference.reachabilityFence(there); // not collected before
  }

  @Override
  public CompletableFuture<End> end() {
    return endResult().asCompletableFuture();
  }

  /** Returns the result that arrives when the object has ended. */
  FutureResult<End> endResult() {
    return endResult(() -> {});
  }

  private FutureResult<End> endResult(Runnable whenMadeAgain) {
    try {
      return switch (target) {
        case Target.Here(Body body) -> endOf(body, whenMadeAgain);
        case Target.Elsewhere elsewhere -> {
          var end = node.host().endOfMoved(elsewhere, whenMadeAgain);
          yield end == null ? elsewhere.home().endOf(elsewhere.number(), whenMadeAgain) : end;
        }
      };
    } finally {
      java.lang.ref.Reference.reachabilityFence(this); // not collected before the node was asked
    }
  }

  /** Returns the end of an object of this node, or of one that has left this body. */
  private FutureResult<End> endOf(Body body, Runnable whenMadeAgain) {
    var end = new BodyEnd(body, node.waiting()); // first: the body is held from now on if it leaves
    var elsewhere = body.hasLeft() ? node.host().endOfMoved(target, whenMadeAgain) : null;
    if (elsewhere == null) {
      return end;
    }
    end.withdraw();
    return elsewhere;
  }

  /** Returns whether the other is a reference to the same object, wherever each of them is. */
  @Override
  public CompletableFuture<Void> linkTo(Ref<?> other) {
    return Links.between(this, other).asCompletableFuture();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Reference<?> reference && isSameObject(target, reference.target);
  }

  private static boolean isSameObject(Target one, Target other) {
    return one instanceof Target.Here(Body body)
            && other instanceof Target.Here(Body its)
            && body == its
        || one.number() == other.number() && one.birth().equals(other.birth());
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(target.birth().incarnation()) + Long.hashCode(target.number());
  }

  @Override
  public String toString() {
    return switch (target) {
      case Target.Here(Body body) -> body.toString();
      case Target.Elsewhere elsewhere ->
          IndefiniteArticle.before(type.name()) + " on node '" + nodeName() + "'";
    };
  }
}
