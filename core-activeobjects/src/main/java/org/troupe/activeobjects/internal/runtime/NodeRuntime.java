package org.troupe.activeobjects.internal.runtime;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.internal.call.CallKind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.call.IdTable;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.collective.BodyExtensions;
import org.troupe.activeobjects.internal.collective.CausalMulticast;
import org.troupe.activeobjects.internal.deadlock.DeadlockDetector;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.membership.NodeService;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.internal.object.BodyEnd;
import org.troupe.activeobjects.internal.object.CallRequest;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.FailureReporter;
import org.troupe.activeobjects.internal.object.QueueCapacity;
import org.troupe.activeobjects.internal.object.QueueMemory;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.ServiceContext;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.RemoteRequest;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.futures.WaitInterruptedException;
import org.troupe.futures.Waiting;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.Tally;
import org.troupe.stubs.Construction;

/** One node: its bodies, its peers, and the way of every call from here. */
public final class NodeRuntime implements Waiting {

  private static final Runnable NOTHING = () -> {};

  /** The node of this JVM that is there without any grid. */
  private static final class Main {
    static final NodeRuntime NODE = new NodeRuntime(mainName);
  }

  private static volatile String mainName = "main";

  private final NodeId id;
  private final CallSettings rules;
  private final ClassAccess classes = new ClassAccess(this);
  private final Marshaller copies;
  private final FailureReporter failures = new FailureReporter(this);
  private final DeadlockDetector cycles = new DeadlockDetector(this);
  private final CausalMulticast multicasts = new CausalMulticast(this);
  private final QueueCapacity rooms = new QueueCapacity(this);
  private final QueueMemory memory = new QueueMemory(this);
  private final Set<BodyExtensions> carriers =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Map<BodyExtension.Key, Object> commons = new ConcurrentHashMap<>(); // by calls
  private final AtomicLong lastId = new AtomicLong();
  private final IdTable<Body> bodies = new IdTable<>();
  private final Map<Long, Peer> peers = new ConcurrentHashMap<>();
  private final List<GridMembership> accesses = new CopyOnWriteArrayList<>();
  private final Map<String, Reference<?>> names = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor platformThreads =
      (ThreadPoolExecutor)
          Executors.newCachedThreadPool(
              Thread.ofPlatform().daemon().name("troupe-computing-", 0).factory());
  private final ScheduledThreadPoolExecutor timer;
  private final NodeService service;

  /**
   * Starts a node.
   *
   * @param name unique in the grid that it will be part of
   */
  public NodeRuntime(String name) {
    this(name, CallSettings.of(System::getProperty));
  }

  public NodeRuntime(String name, CallSettings rules) {
    this.id = new NodeId(name, new SecureRandom().nextLong());
    this.rules = rules;
    this.copies = new Marshaller(this, classes);
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("troupe-timer-" + name).factory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // after close
    this.service = new NodeService(this);
    var body = Body.of(this, ActiveType.of(NodeService.class), Options.STANDARD);
    body.start(service);
    if (body.number() != NodeService.NUMBER) {
      throw new AssertionError("the node's own service must be the first body");
    }
  }

  /** Returns the node of this JVM that is there without any grid. */
  public static NodeRuntime main() {
    return Main.NODE;
  }

  /** Returns the node of this JVM, giving it a name if this is the first use. */
  public static NodeRuntime main(String name) {
    mainName = name;
    return Main.NODE;
  }

  /** Returns the node that the current thread works for. */
  public static NodeRuntime current() {
    var body = ServiceContext.currentBody();
    return body == null ? main() : body.node();
  }

  /**
   * Ends a node that is not the JVM's own: its objects after the request that they serve, and its
   * threads.
   */
  public void close() {
    bodies.values().forEach(Body::terminateNow);
    timer.shutdownNow();
    platformThreads.setKeepAliveTime(1, TimeUnit.MILLISECONDS); // a body may still need one
  }

  public NodeId id() {
    return id;
  }

  /** What it has sent to others. */
  public Traffic traffic() {
    return peers.values().stream()
        .map(peer -> peer.outbox().traffic())
        .reduce(Traffic.NONE, Traffic::plus);
  }

  /** What its serializer has counted. */
  public Tally tally() {
    return copies.serializer().tally();
  }

  public String name() {
    return id.name();
  }

  /** What leaves this node as a copy, and what arrives as one. */
  public Marshaller copies() {
    return copies;
  }

  public ClassAccess classes() {
    return classes;
  }

  /** Where failures go that nobody waits for. */
  public void onFailure(org.troupe.activeobjects.FailureHandler handler) {
    failures.handler(handler);
  }

  public FailureReporter failures() {
    return failures;
  }

  public DeadlockDetector cycles() {
    return cycles;
  }

  public CausalMulticast multicasts() {
    return multicasts;
  }

  public QueueCapacity rooms() {
    return rooms;
  }

  public QueueMemory memory() {
    return memory;
  }

  /** Looks for bodies that wait, over other nodes, for themselves. */
  public void searchCycles() {
    for (var body : bodies.values()) {
      if (body.waitingFor != null) {
        cycles.search(body);
      }
    }
  }

  public ExecutorService platformThreads() {
    return platformThreads;
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  NodeService service() {
    return service;
  }

  /**
   * This node as one of a grid; of several, the one that the current request came from, or the
   * first.
   */
  public Node self() {
    var context = ServiceContext.current();
    var access =
        context != null && context.request instanceof RemoteRequest remote
            ? remote.peer().access()
            : accesses.stream().findFirst().orElse(null);
    if (access == null || access.isClosed()) {
      throw new IllegalStateException(
          "this JVM is no node, as it takes part in no grid"
              + (access == null ? "; deploy one, or start LocalNodes" : " any more"));
    }
    return access.self();
  }

  public void opened(GridMembership access) {
    accesses.add(access);
  }

  public void closed(GridMembership access) {
    accesses.remove(access);
  }

  /** For {@link BodyExtension#receiveWhile}; of the first grid, if there are several. */
  public void receiveWhile(BooleanSupplier isWaiting) {
    var grids = accesses.iterator();
    if (Thread.currentThread().isVirtual() || !grids.hasNext()) {
      return;
    }
    var nobody =
        new ServiceContext(null, ServicePolicy.IN_TURN).enter(); // others' frames are not its own
    try {
      grids.next().receiveWhile(isWaiting);
    } finally {
      nobody.leave();
    }
  }

  public long nextId() {
    return lastId.incrementAndGet();
  }

  /** Returns the first of so many numbers that nothing else has. */
  public long nextIds(int count) {
    return lastId.getAndAdd(count) + 1;
  }

  /** The number by which other nodes know a call. */
  public long idOf(CallResult result) {
    synchronized (result) {
      if (result.callId == 0) {
        result.callId = nextId();
      }
      return result.callId;
    }
  }

  // Bodies

  /** Makes an active object on this node. */
  public <T> Reference<T> create(Class<T> type, Options options, Object... arguments)
      throws Throwable {
    return create(ActiveType.of(type), options, copied(arguments));
  }

  /** The same, without waiting for the constructor. */
  public <T> CompletableFuture<T> createAsync(Class<T> type, Options options, Object... arguments) {
    var created = new CompletableFuture<T>();
    var active = ActiveType.of(type);
    var copies = copied(arguments);
    Thread.startVirtualThread(
        () -> {
          try {
            created.complete(create(active, options, copies).stub());
          } catch (Throwable failure) {
            created.completeExceptionally(failure);
          }
        });
    return created;
  }

  private <T> Reference<T> create(ActiveType<T> type, Options options, Object[] arguments)
      throws Throwable {
    classes.trust(type.type());
    var body = Body.of(this, type, options);
    var context = new ServiceContext(body, ServicePolicy.IN_TURN).enter();
    Object object;
    try {
      object = Construction.construct(type.type(), arguments);
    } catch (Throwable failure) {
      body.abandon(); // the constructor may have passed its reference on
      throw failure;
    } finally {
      context.leave();
    }
    body.start(object);
    return Reference.to(body);
  }

  /** Makes an object that is already a copy active on this node. */
  public <T> Reference<T> adopt(T object, Options options) {
    ActiveType.of(object.getClass());
    classes.trust(object.getClass());
    var body = Body.of(this, ActiveType.of(object.getClass()), options);
    body.start(object);
    return Reference.to(body);
  }

  /** Makes a copy of an object active on this node. */
  public <T> Reference<T> turnActive(T object, Options options) {
    var value = passive(object);
    ActiveType.of(value.getClass());
    classes.trust(value.getClass());
    @SuppressWarnings("unchecked") // a copy is of the same class
    var copy = (T) copies.borrow(value).decode(copies)[0];
    return adopt(copy, options);
  }

  /** Returns an object that is encoded as itself, not as a future or a reference. */
  public <T> T passive(T object) {
    var value = Futures.value(object);
    if (Reference.behind(value) != null) {
      throw new IllegalArgumentException(
          "turnActive was given the stub of "
              + Reference.behind(value)
              + ", which is active already; give it an ordinary object");
    }
    var body = ServiceContext.currentBody();
    if (body == null || body.target() != value) {
      return value;
    }
    var nobody = new ServiceContext(null, ServicePolicy.IN_TURN).enter();
    try {
      @SuppressWarnings("unchecked") // a copy is of the same class
      var copy = (T) copies.borrow(value).decode(copies)[0];
      return copy;
    } finally {
      nobody.leave();
    }
  }

  private Object[] copied(Object[] arguments) {
    Construction.requireArguments(arguments);
    return copies.allShareable(arguments) ? arguments : copies.borrow(arguments).decode(copies);
  }

  public long export(Body body) {
    var number = nextId();
    bodies.put(number, body);
    return number;
  }

  /** Returns those active objects that other nodes know. */
  public Collection<Body> bodies() {
    return bodies.values();
  }

  public Body body(long number) {
    return bodies.get(number);
  }

  public void ended(Body body) {
    bodies.remove(body.numberIfKnown());
    names.values().removeIf(each -> each.target().equals(new Reference.Target.Here(body)));
  }

  public CallMethod method(Body body, String symbol) {
    var separator = symbol.indexOf('#');
    var name = symbol.substring(0, separator);
    var isOfBody = name.equals(BodyCalls.class.getName());
    var type = isOfBody ? BodyCalls.class : named(name, body.type().type());
    if (type == null) {
      throw new IllegalArgumentException(body + " is no " + name + ", by which it was called");
    }
    return ActiveType.of(type).method(symbol.substring(separator + 1));
  }

  /**
   * Returns the supertype with a name. Nothing is loaded: a reader of the transport may be asking.
   */
  private static Class<?> named(String name, Class<?> type) {
    if (type == null || type.getName().equals(name)) {
      return type;
    }
    var found = named(name, type.getSuperclass());
    for (var each : type.getInterfaces()) {
      found = found == null ? named(name, each) : found;
    }
    return found;
  }

  // Names

  /** Registers an object of any node under a name on this one. */
  public void register(String name, Reference<?> reference) {
    if (names.putIfAbsent(name, reference) != null) {
      throw new IllegalArgumentException(
          "the name '" + name + "' is taken on node '" + name() + "'; choose another");
    }
  }

  /** Finds what was registered on this node. */
  public <T> Reference<T> lookup(String name, Class<T> type) {
    var found = names.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "nothing is registered as '"
              + name
              + "' on node '"
              + name()
              + "'; registered are "
              + new TreeSet<>(names.keySet()));
    }
    var known =
        found.target() instanceof Reference.Target.Here(Body body)
            ? body.type().type()
            : found.type();
    // Elsewhere, the object may be more than what it was registered as.
    var isPossible =
        type.isAssignableFrom(known)
            || found.target() instanceof Reference.Target.Elsewhere && known.isAssignableFrom(type);
    if (!isPossible) {
      throw new IllegalArgumentException(
          "what is registered as '"
              + name
              + "' on node '"
              + name()
              + "' is a "
              + known.getName()
              + ", no "
              + type.getName());
    }
    return found.as(type);
  }

  // Calls

  /** Makes a one-way call. */
  public void post(Reference<?> target, CallMethod method, Object[] arguments) {
    var caller = callerHere();
    switch (target.target()) {
      case Reference.Target.Here(Body body) ->
          deliver(body, method, arguments, null, caller, true, limitNanos(target, method));
      case Reference.Target.Elsewhere elsewhere -> {
        try {
          elsewhere
              .home()
              .outgoing()
              .post(elsewhere, method, arguments, caller, limitNanos(target, method));
        } catch (NodeLostException e) {
          if (elsewhere.number() == NodeService.NUMBER) {
            return; // our own news, which the lost do not need
          }
          var call = method + " on node '" + target.nodeName() + "'";
          var unsent = e.getMessage() + "; " + call + " was not sent";
          throw new NodeLostException(unsent, e.certificate().orElse(null));
        }
      }
    }
  }

  /** Makes a call whose result arrives later. */
  public CallResult ask(
      Reference<?> target, CallMethod method, Object[] arguments, boolean valueWanted) {
    var result = new CallResult(this, target, method, valueWanted, callSite());
    begin(target, method, arguments, result, false);
    return result;
  }

  /** The line of the call that the current thread makes, if such lines are wanted. */
  public StackTraceElement callSite() {
    return rules.sites() ? FailureReporter.callSite() : null;
  }

  /** Makes a call and waits for its result. */
  public Object callAndWait(Reference<?> target, CallMethod method, Object[] arguments)
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
    var result = new CallResult(this, target, method, true, null);
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(method, "interrupted before " + result.describe() + " was called");
    }
    result.isForOneOnly();
    try {
      begin(target, method, arguments, result, true);
    } catch (WaitInterruptedException e) { // while it waited for room
      throw interrupted(method, e.getMessage());
    }
    Outcome<Object> outcome;
    try {
      outcome = result.await(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      var interrupt =
          "interrupted while waiting for " + result.describe() + "; the call may still be served";
      if (result.settle(new Outcome.Failure<>(new CancellationException(interrupt)))) {
        result.abandoned();
      }
      Thread.currentThread().interrupt();
      throw interrupted(method, interrupt);
    }
    return switch (outcome) {
      case Outcome.Success<Object>(Object value) -> value;
      case Outcome.Failure<Object>(Throwable cause) -> throw cause;
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    };
  }

  /** What a call throws on the current thread, which is interrupted. */
  private static Exception interrupted(CallMethod method, String message) {
    for (var declared : method.method().method().getExceptionTypes()) {
      if (declared == InterruptedException.class) {
        Thread.interrupted(); // as whoever throws it does
        return new InterruptedException(message);
      }
    }
    return new WaitInterruptedException(message);
  }

  private void begin(
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      boolean exchange) {
    var caller = callerHere();
    notesCircumstances(result);
    try {
      send(target, method, arguments, result, exchange, caller);
    } catch (RuntimeException | Error failure) {
      result.claim(); // the caller hears of it here
      result.settle(new Outcome.Failure<>(failure));
      throw failure;
    }
  }

  /** Notes who makes a call, and how long it may take. */
  public void notesCircumstances(CallResult result) {
    result.isMadeBy(callerHere());
    var limit = limit(result.target(), result.method());
    if (limit != null) {
      limit(result, limit); // from now on: a full queue keeps the caller no longer either
    }
  }

  private void send(
      Reference<?> target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      boolean isWaited,
      Body caller) {
    switch (target.target()) {
      case Reference.Target.Here(Body body) ->
          deliver(body, method, arguments, result, caller, isWaited, result.limitNanos());
      case Reference.Target.Elsewhere elsewhere -> {
        try {
          var exchange = isWaited && !result.isLimited();
          if (exchange && !Thread.currentThread().isVirtual()) {
            exchange(elsewhere, method, arguments, result, caller);
          } else if (exchange) {
            elsewhere.home().outgoing().exchange(elsewhere, method, arguments, result, caller);
          } else {
            elsewhere.home().outgoing().ask(elsewhere, method, arguments, result, caller, isWaited);
          }
        } catch (NodeLostException e) {
          var unsent = e.getMessage() + "; " + result.describe() + " was not sent";
          result.settle(
              new Outcome.Failure<>(new NodeLostException(unsent, e.certificate().orElse(null))));
        }
      }
    }
  }

  /**
   * A platform thread waits in the exchange: others may already look for what this body waits for.
   */
  private void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller) {
    var ended = begins(result, false);
    try {
      target.home().outgoing().exchange(target, method, arguments, result, caller);
    } finally {
      ended.run();
    }
  }

  private void deliver(
      Body body,
      CallMethod method,
      Object[] arguments,
      CallResult replyTo,
      Body caller,
      boolean mayWait,
      long limitNanos) {
    var encoded = copies.allShareable(arguments) ? null : copies.encodeArguments(method, arguments);
    var values = encoded == null ? arguments : null;
    var need = need(body, method, caller);
    var request = new CallRequest(method, values, encoded, replyTo, caller, rooms.returning(need));
    var isInOneStep = CausalMulticast.current() != null;
    var isWaited = mayWait && replyTo != null;
    if (need != null) {
      var call = method + " on node '" + name() + "'";
      if (!mayWait) {
        var bytes = encoded == null ? 0 : encoded.bytes();
        Runnable send = () -> put(body, request, isInOneStep);
        if (rooms.takeOrDefer(List.of(need), List.of(replyTo), bytes, send)) {
          return;
        }
      } else if (!rooms.await(List.of(need), call, limitNanos)) {
        if (replyTo == null) {
          throw QueueCapacity.timeOut(call, limitNanos);
        }
        return; // its time is over
      }
    } else if (caller == body && rooms.isCrowded() && !isWaited && !body.passesQueue(method)) {
      // It waits for no room, but stays behind calls to many that do, of which one is for the body.
      var queue = new QueueCapacity.Queue(body, 0);
      rooms.behindWaiting(queue, () -> put(body, request, isInOneStep));
      return;
    }
    put(body, request, isInOneStep);
  }

  /** What a call needs of the queue of a body; {@code null} if nothing. */
  public QueueCapacity.Need need(Body body, CallMethod method, Body caller) {
    if (body.queueBound() == 0 && !memory.isFull() && !rooms.isCrowded()
        || caller == body // which would wait for itself if it filled its own queue
        || body.passesQueue(method)) {
      return null;
    }
    return QueueCapacity.Need.of(
        new QueueCapacity.Queue(body, 0), method, body.queueBound(), memory.isFull());
  }

  private void put(Body body, CallRequest request, boolean isInOneStep) {
    if (isInOneStep) {
      multicasts.inOneStep(() -> put(body, request)); // behind what is being delivered
    } else {
      put(body, request);
    }
  }

  public void put(Body body, CallRequest request) {
    if (body.hasEnded()) {
      request.refuse(body);
    } else {
      body.put(request);
    }
  }

  private void limit(CallResult result, Duration limit) {
    var timeout =
        timer.schedule(
            () -> {
              var late =
                  new CallTimeoutException(
                      result.describe()
                          + " was not answered within "
                          + limit
                          + "; it may still be served. Give it longer with ref.within(..), or see"
                          + " what keeps the object busy");
              if (result.settle(failures.copied(late, result))) {
                result.abandoned();
              }
            },
            Waiting.nanos(limit),
            TimeUnit.NANOSECONDS);
    result.onSettled(outcome -> timeout.cancel(false));
  }

  /**
   * How long a call may take, or {@code null} if it may take for ever. The user's limit is for
   * calls of the user's methods, whoever makes a call of the middleware's.
   */
  private Duration limit(Reference<?> target, CallMethod method) {
    if (method.owner().isMiddleware()) {
      return null;
    }
    var limit = target.timeout() == null ? rules.timeout() : target.timeout();
    return limit == null || Waiting.nanos(limit) == Long.MAX_VALUE ? null : limit;
  }

  /** How long a call may take; {@code Long.MAX_VALUE} if for ever. */
  public long limitNanos(Reference<?> target, CallMethod method) {
    var limit = limit(target, method);
    return limit == null ? Long.MAX_VALUE : Waiting.nanos(limit);
  }

  public Body callerHere() {
    var body = ServiceContext.currentBody();
    return body != null && body.node() == this ? body : null;
  }

  /** What tells the failure handler of a call that the current thread makes. */
  public Consumer<Throwable> unheard(Supplier<String> call) {
    var caller = callerHere();
    return failure -> failures.report(caller, call.get(), failure);
  }

  /** For {@link org.troupe.activeobjects.collective.DerivedResults#inName}. */
  public static Runnable inName(Runnable work) {
    return ServiceContext.inName(work);
  }

  // Waiting

  @Override
  public Runnable begins(FutureResult<?> awaited, boolean bounded) {
    var context = ServiceContext.current();
    if (context == null || context.body == null) {
      return NOTHING;
    }
    var began = System.nanoTime();
    Runnable ended = () -> context.waitedNanos += System.nanoTime() - began;
    var ends = bounded || awaited instanceof CallResult call && call.isLimited();
    if (!ends && awaited instanceof BodyEnd end) {
      DeadlockDetector.checkOwnEnd(context, end);
    }
    DeadlockDetector.checkOwn(context, awaited, ends);
    if (ends) {
      return ended;
    }
    var undo = ended;
    try {
      // A constructor runs on the thread of what creates the object, which waits with it.
      for (var each = context; each != null && each.body != null; each = each.outer()) {
        undo = each.waits(awaited, undo);
        if (each.body.waitingFor == awaited) {
          DeadlockDetector.check(each.body);
        }
      }
    } catch (RuntimeException cycle) {
      undo.run();
      throw cycle;
    }
    return undo;
  }

  @Override
  public Executor stages() {
    var body = ServiceContext.currentBody();
    return body == null ? Thread::startVirtualThread : body;
  }

  @Override
  public void beginsForStage(Executor stages, boolean bounded) {
    var context = ServiceContext.current();
    if (context != null
        && !bounded
        && context.body == stages
        && !(context.rule instanceof ServicePolicy.Rule.AtOnce)) {
      throw DeadlockDetector.stageOfItself(context.body);
    }
  }

  // Attachments

  /** Notes what has to hear of lost nodes. */
  public void carries(BodyExtensions attachments) {
    carriers.add(attachments);
  }

  /** Tells an attachment of the nodes that are gone by now. */
  public void tellOfLost(BodyExtension attachment) {
    for (var peer : peers.values()) {
      if (peer.isLost()) {
        attachment.lost(peer.id(), peer.outbox().lost().getMessage());
      }
    }
  }

  /** A node is gone. */
  public void lost(NodeId other, String reason) {
    multicasts.advanced();
    commons.keySet().removeIf(call -> call.origin() == other.incarnation());
    List<BodyExtensions> all;
    synchronized (carriers) {
      all = List.copyOf(carriers);
    }
    all.forEach(each -> each.lost(other, reason));
  }

  // Calls with something in common

  /** For {@link org.troupe.activeobjects.collective.ReplyInterceptor#common}. */
  @SuppressWarnings("unchecked") // a call has one thing of one type
  public <S> S common(BodyExtension.Key call, Function<Runnable, S> made) {
    var common = (S) commons.computeIfAbsent(call, each -> made.apply(() -> commons.remove(each)));
    var origin = knownPeer(call.origin());
    if (origin != null && origin.isLost()) {
      commons.remove(call); // nobody else would
    }
    return common;
  }

  /** For {@link org.troupe.activeobjects.collective.ReplyInterceptor#forgotten}. */
  public Object forgetCommon(BodyExtension.Key call) {
    return commons.remove(call);
  }

  // Peers

  /** Returns the other node, whether or not there is a connection to it. */
  public Peer peer(NodeId other, GridMembership access, String address) {
    var peer =
        peers.computeIfAbsent(
            other.incarnation(), incarnation -> new Peer(this, other, access, address));
    var end = access.givenUp();
    if (end != null) {
      peer.lose(end);
    }
    return peer;
  }

  /**
   * The same for one that another node has named: it may make up as many as it likes.
   *
   * @throws SerializationException if there are too many
   */
  public Peer namedPeer(NodeId other, GridMembership access, String address) {
    if (!peers.containsKey(other.incarnation()) && peers.size() >= access.receiveLimits().peers()) {
      throw new SerializationException(
          "node '%s' is not known, and %d others are; give this JVM more memory (-Xmx) if there are so many"
              .formatted(other, peers.size()));
    }
    return peer(other, access, address);
  }

  public Collection<Peer> peers() {
    return peers.values();
  }

  /** Forgets the nodes of a grid that this one has left. */
  public void forgetPeers(GridMembership access) {
    peers.values().removeIf(peer -> peer.access() == access);
  }

  public Peer knownPeer(NodeId other) {
    return knownPeer(other.incarnation());
  }

  public Peer knownPeer(long incarnation) {
    return peers.get(incarnation);
  }
}
