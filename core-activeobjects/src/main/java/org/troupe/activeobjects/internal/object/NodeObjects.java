package org.troupe.activeobjects.internal.object;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyHost;
import org.troupe.activeobjects.internal.body.ExtensionRegistry;
import org.troupe.activeobjects.internal.body.FailureReporter;
import org.troupe.activeobjects.internal.body.QueueMemory;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.body.RestartClock;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.capacity.QueueCapacity;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.observe.ServiceObserver;
import org.troupe.futures.FutureRuntime;

/** The active objects of one node, and the services that all of them share. */
public final class NodeObjects implements BodyHost {

  /*
   * Design: one shared context
   *
   * A million idle bodies are a design goal, with as many references and results. Each of them therefore has a
   * single pointer to everything that they share, which is this object. It offers services for objects only;
   * grids and other nodes belong to packages above, and appear here as the host and as the remote nodes of
   * references.
   */

  /** The number of the node's own service, which is the first body of every node. */
  public static final long SERVICE_NUMBER = 1;

  private static final long TELL_MILLIS = 1_000;

  private final NodeId id;
  private final NodeHost host;
  private final FutureRuntime waiting;
  private final DelegationObserver delegations;
  private final Marshaller marshaller;
  private final FailureReporter failures;
  private final QueueCapacity queueCapacity;
  private final QueueMemory memory;
  private final ServiceObserver observer = new ServiceObserver();
  private final CausalOrder order = new CausalOrder();
  private final ExtensionRegistry extensions = new ExtensionRegistry();
  private final ReplyDelivery answers;
  private final CallDispatcher calls;
  private final ClassAccess classes;
  private final ObjectFactory factory;
  private final NameRegistry names;
  private final RecordedEnds ends = new RecordedEnds();
  private final AtomicLong lastId = new AtomicLong();
  private final IdTimes idTimes = new IdTimes(System.nanoTime());
  private final ExportedBodies exports;
  private final RemoteObjects remoteObjects;
  private final ObjectTrials trials;
  private final AtomicBoolean isToTell = new AtomicBoolean();
  private volatile long recentNanos;
  private @Nullable Body service; // set before other threads know the node
  private final ThreadPoolExecutor platformThreads =
      (ThreadPoolExecutor)
          Executors.newCachedThreadPool(
              Thread.ofPlatform().daemon().name("troupe-computing-", 0).factory());
  private final ScheduledThreadPoolExecutor timer;
  private volatile RestartClock restartClock =
      new RestartClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void schedule(Runnable action, long pauseNanos) {
          timer.schedule(action, pauseNanos, TimeUnit.NANOSECONDS);
        }
      };

  /**
   * Creates a node without objects.
   *
   * @param collection which objects are collected although other nodes know them
   * @param waiting the actions of a thread that waits for a future of the node
   * @param delegations observes calls whose answer is a future
   * @param marshaller creates the node's marshaller, which refers to the node
   */
  public NodeObjects(
      NodeId id,
      CallSettings settings,
      ClassAccess classes,
      CollectionMode collection,
      NodeHost host,
      FutureRuntime waiting,
      DelegationObserver delegations,
      Function<NodeObjects, Marshaller> marshaller) {
    this.id = id;
    this.exports = new ExportedBodies(this, collection);
    this.remoteObjects = new RemoteObjects(this);
    this.trials = new ObjectTrials(this, host::imageOf);
    this.classes = classes;
    this.host = host;
    this.waiting = waiting;
    this.delegations = delegations;
    this.queueCapacity = new QueueCapacity(this, waiting, this::nextId);
    this.memory = new QueueMemory(queueCapacity);
    this.marshaller = marshaller.apply(this);
    this.answers = new ReplyDelivery(this.marshaller, waiting);
    this.failures =
        new FailureReporter(
            id.name(), this.marshaller.failures(), platformThreads, observer.failures());
    this.calls = new CallDispatcher(this, settings);
    this.factory = new ObjectFactory(this, classes);
    this.names = new NameRegistry(id.name());
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("troupe-timer-" + id.name()).factory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // after close
  }

  /** Ends each object after the request that it serves, and ends the threads. */
  public void close() {
    host.keeper().close();
    end();
  }

  /** Ends the objects and the threads as {@link #close} does, but stores no image. */
  public void abandon() {
    host.keeper().abandon();
    end();
  }

  private void end() {
    var end = End.of(End.How.LOST, "node '" + id + "' has been closed");
    for (var body : exports.all()) {
      if (!body.hasLeft()) { // an object that has moved lives on
        body.endNow(end);
      }
    }
    failures.close();
    timer.shutdownNow();
    platformThreads.setKeepAliveTime(1, TimeUnit.MILLISECONDS); // a body may still need a thread
  }

  /**
   * Casts the node of a body: the bodies of a node are created by its {@code NodeObjects} only, a
   * type that bodies cannot name.
   */
  public static NodeObjects of(Body body) {
    return (NodeObjects) body.node();
  }

  @Override
  public NodeId id() {
    return id;
  }

  public NodeHost host() {
    return host;
  }

  public FutureRuntime waiting() {
    return waiting;
  }

  DelegationObserver delegations() {
    return delegations;
  }

  public ClassAccess classes() {
    return classes;
  }

  @Override
  public Marshaller marshaller() {
    return marshaller;
  }

  @Override
  public FailureReporter failures() {
    return failures;
  }

  @Override
  public ServiceObserver observer() {
    return observer;
  }

  public QueueCapacity queueCapacity() {
    return queueCapacity;
  }

  @Override
  public QueueMemory memory() {
    return memory;
  }

  public CausalOrder order() {
    return order;
  }

  @Override
  public ExtensionRegistry extensions() {
    return extensions;
  }

  public ReplyDelivery answers() {
    return answers;
  }

  public CallDispatcher calls() {
    return calls;
  }

  public ObjectFactory factory() {
    return factory;
  }

  public NameRegistry names() {
    return names;
  }

  @Override
  public ExecutorService platformThreads() {
    return platformThreads;
  }

  @Override
  public RestartClock restartClock() {
    return restartClock;
  }

  /** Replaces the clock by which failed objects are restarted; returns the one before. */
  public RestartClock restartBy(RestartClock clock) {
    var before = restartClock;
    restartClock = clock;
    return before;
  }

  @Override
  public long recentNanos() {
    return recentNanos;
  }

  /** Updates the time of {@link #recentNanos}. */
  public void tick() {
    recentNanos = System.nanoTime();
    idTimes.tick(recentNanos, lastId.get());
  }

  /** Returns a time after which the number of a call was drawn. */
  public long drawnAfter(long callId) {
    return idTimes.before(callId);
  }

  @Override
  public ScheduledExecutorService timer() {
    return timer;
  }

  @Override
  public long nextId() {
    return lastId.incrementAndGet();
  }

  /** Reserves consecutive unique numbers and returns the first. */
  public long nextIds(int count) {
    return lastId.getAndAdd(count) + 1;
  }

  /** Returns the number by which other nodes know a call. */
  public long idOf(CallResult result) {
    synchronized (result) {
      if (result.callId == 0) {
        result.callId = nextId();
      }
      return result.callId;
    }
  }

  /**
   * Returns whether a number is that of the node's own service, whose calls are not counted among
   * those of users.
   */
  public static boolean isService(long number) {
    return number == SERVICE_NUMBER;
  }

  /**
   * Returns the body that the current thread serves; {@code null} if it serves none of this node.
   */
  public @Nullable Body callerHere() {
    return ServiceContext.callingBody(this);
  }

  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {
    host.receiveWhile(isWaiting);
  }

  @Override
  public void deliver(@Nullable Object value, ReplyTo replyTo) {
    answers.deliver(value, replyTo);
  }

  @Override
  public Reference<?> reference(Body body) {
    return Reference.to(body);
  }

  @Override
  public void export(Body body, long number) {
    exports.add(body, number);
  }

  @Override
  public void holdForGood(Body body) {
    exports.holdForGood(body);
  }

  @Override
  public void extended(Body body) {
    exports.review(body);
  }

  @Override
  public void heldByCalls(Body body) {
    exports.review(body);
  }

  /** Returns the bodies of this node that others know. */
  public ExportedBodies exports() {
    return exports;
  }

  /** Returns the trials of objects that may be part of cycles. */
  public ObjectTrials trials() {
    return trials;
  }

  /** Returns the objects of other nodes that this one refers to. */
  public RemoteObjects remoteObjects() {
    return remoteObjects;
  }

  /**
   * Lets the timer tell other nodes of references, and forget collected bodies and former stays of
   * objects, within a second.
   */
  public void tellsLater() {
    if (!isToTell.get() && isToTell.compareAndSet(false, true)) {
      timer.schedule(this::tellAndContinue, TELL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void tellAndContinue() {
    isToTell.set(false);
    var knowsMoved = true;
    try {
      knowsMoved = tell();
    } finally {
      if (knowsMoved || remoteObjects.size() > 0 || exports.areAny()) {
        tellsLater();
      }
    }
  }

  /**
   * Tells other nodes of references to their objects, and forgets collected bodies; returns whether
   * this node knows objects that have moved.
   */
  public boolean tell() {
    remoteObjects.tell();
    exports.sweep();
    return host.reviewMoved();
  }

  /** Records the number of a body that was collected. */
  void collected(long number) {
    ends.addCollected(number);
  }

  /** Returns the active objects that other nodes refer to. */
  public Collection<Body> bodies() {
    return exports.all();
  }

  /** Makes a body, which must be the node's first, that of its own service. */
  public void setService(Body first) {
    if (first.number() != SERVICE_NUMBER) {
      throw new AssertionError("the node's own service must be the first body");
    }
    service = first;
  }

  /**
   * Returns the body of the node's own service. It has ended if the node has been closed, but still
   * takes packets of threads that work for the node.
   */
  public Body service() {
    return Objects.requireNonNull(service, "the node's own service");
  }

  public @Nullable Body body(long number) {
    return exports.body(number);
  }

  @Override
  public void failed(Body body, String what) {
    host.failed(body, what);
  }

  @Override
  public void ended(Body body) {
    ends.add(body.numberIfKnown(), body.end()); // first: a number without a body is looked up here
    exports.remove(body.numberIfKnown());
    names.removeAll(body);
  }

  /** Records the end of an object that had left this node. */
  void ended(long number, End end) {
    ends.add(number, end);
  }

  /** Returns whether an object whose body is gone may have been lost, and go on elsewhere. */
  public boolean mayBeLost(long number) {
    var end = ends.of(number);
    return end == null ? ends.haveForgottenLosses() : end.how() == End.How.LOST;
  }

  /** Returns how an object ended whose body is gone. */
  public End recordedEnd(long number) {
    var end = ends.of(number);
    if (end == null && ends.wasCollected(number)) {
      return End.of(
          End.How.COLLECTED,
          "the object with number %d on node '%s' was collected, as nothing referred to it"
              .formatted(number, name()));
    }
    return end == null
        ? End.of(
            End.How.TERMINATED,
            "the object with number %d on node '%s' has been terminated".formatted(number, name()))
        : end;
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
   * Returns the supertype with a name. Loads no class, because a reader of the transport may call
   * this.
   */
  private static @Nullable Class<?> named(String name, @Nullable Class<?> type) {
    if (type == null || type.getName().equals(name)) {
      return type;
    }
    var found = named(name, type.getSuperclass());
    for (var each : type.getInterfaces()) {
      found = found == null ? named(name, each) : found;
    }
    return found;
  }
}
