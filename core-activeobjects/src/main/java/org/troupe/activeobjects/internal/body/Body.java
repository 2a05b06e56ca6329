package org.troupe.activeobjects.internal.body;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.call.ServicePace;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.observe.BodyCounts;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.FutureResult;
import org.troupe.serialization.ClassSource;

/**
 * The service, queue, identity and life cycle behind an active object. Subclasses define which
 * requests are served, and by which threads.
 *
 * <p>A body is also the executor of the stages that its object adds to futures: stages are requests
 * like any other.
 */
public abstract class Body implements Executor {

  /*
   * Design: small idle bodies
   *
   * A million idle bodies are a design goal. State that only few bodies need is therefore in a separate object
   * (BodyExtras), allocated on first use, and the number by which other JVMs know the body is assigned when a
   * reference to it first leaves the JVM.
   */
  private static final VarHandle EXTRAS;

  static {
    try {
      EXTRAS = MethodHandles.lookup().findVarHandle(Body.class, "extras", BodyExtras.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BodyHost node;
  private final ActiveType<?> type;
  private volatile @Nullable Object target; // set once, before the first request is served
  private volatile @Nullable BodyExtras extras;

  /** Counts of its own, if it serves many requests. Accessed by the thread that serves in turn. */
  private @Nullable BodyCounts counts;

  /**
   * How many requests are accepted until one of them is timed, which is included; 0 before the
   * first one. Senders write it without synchronization: they have the cache line of the queue
   * anyway, and a lost decrement changes nothing but the choice.
   */
  private byte untilTimed;

  private volatile boolean ended;
  private volatile boolean isEndRecorded; // by the node, which has forgotten its names
  private volatile boolean held;

  /** Whether no queued request may be served now, so that only a request yet to arrive can help. */
  private volatile boolean starving;

  /** The wait of the object, if it serves nothing meanwhile and the wait has no time limit. */
  public volatile @Nullable FutureResult<?> waitingFor;

  Body(BodyHost node, ActiveType<?> type, Options options) {
    this.node = node;
    this.type = type;
    if (options.queueBound() > 0) {
      extras().queueBound = options.queueBound();
      extras().refuses = options.refuses();
    }
    if (options.leavesAlong()) {
      extras().leavesAlong = true;
    }
    var restart = options.restart();
    if (restart.isInPlace() || !restart.failures().isEmpty()) {
      extras().restarts = new Restarts(this, restart);
    }
  }

  public final BodyHost node() {
    return node;
  }

  public final ActiveType<?> type() {
    return type;
  }

  /** Returns the object; {@code null} before it is constructed. */
  public final @Nullable Object target() {
    return target;
  }

  /** Returns how many requests of one node may be queued; 0 if there is no bound. */
  public final int queueBound() {
    var known = extras;
    return known == null ? 0 : known.queueBound;
  }

  /**
   * Returns the bound of the queue as references state it: 0 for none, negative if the full queue
   * refuses calls.
   */
  public final int statedBound() {
    var known = extras;
    return known == null ? 0 : known.refuses ? -known.queueBound : known.queueBound;
  }

  /** Returns how many chunks of {@linkplain QueueMemory memory} the queue is accounted for. */
  final int backlog() {
    var known = extras;
    return known == null ? 0 : known.backlog.get();
  }

  final int addBacklog(int chunks) {
    return extras().backlog.addAndGet(chunks);
  }

  /**
   * Returns whether senders may be held back for lack of memory: the queue is long, and its
   * requests can be served.
   */
  public final boolean isBehind() {
    return backlog() > 0 && !starving;
  }

  /**
   * Records that no queued request may be served now, so that requests are admitted although memory
   * is short.
   */
  final void starves() {
    starving =
        true; // before the call below: a thread that finds memory short after that check sees it
    node.memory().starves(this);
  }

  final void feeds() {
    starving = false;
  }

  /** Returns whether a call occupies a place in a bounded queue. */
  public final boolean takesPlace(CallMethod method) {
    return !method.isOfBody() && !passesQueue(method);
  }

  /**
   * Returns whether a call bypasses the queue, because it is served concurrently with all others.
   */
  public final boolean passesQueue(CallMethod method) {
    return type.scheduling().hasImmediate()
        && type.scheduling().rule(method) instanceof ServicePolicy.Rule.AtOnce;
  }

  /** Returns the state that only few bodies have, which is made if there is none. */
  final BodyExtras extras() {
    var known = extras;
    if (known != null) {
      return known;
    }
    var made = new BodyExtras();
    return EXTRAS.compareAndSet(this, null, made) ? made : Objects.requireNonNull(extras);
  }

  /** Returns the objects of earlier calls that the next ones are decoded into. */
  final ReuseCache leftovers() {
    return extras().leftovers();
  }

  /** Returns the extensions that other modules attach to this body. */
  public final BodyExtensions extensions() {
    return extras().extensions(this);
  }

  /** Returns the gates of this body; from now on they are consulted before a request begins. */
  final RequestGates holds() {
    var gates = extras().holds(this);
    if (!held) {
      held = true;
    }
    return gates;
  }

  /** Returns whether the gates must be consulted before a request begins. */
  final boolean isHeld() {
    return held && (departure() != null || !gates().isEmpty());
  }

  /** Returns the departure of the object; {@code null} if it stays. */
  final @Nullable Departure departure() {
    return held ? departures().current() : null;
  }

  /** Returns whether the object has left for another node. */
  public final boolean hasLeft() {
    return held && departures().hasLeft();
  }

  /** Returns what lets the object leave for another node. */
  public final DepartureControl departures() {
    return extras().departures(this);
  }

  /** Returns a snapshot of the gates, for one pass over the queued requests. */
  final RequestGates.Gates gates() {
    return held ? knownGates().gates() : RequestGates.Gates.NONE;
  }

  private RequestGates knownGates() {
    return Objects.requireNonNull(extras().holds, "the gates of a held body");
  }

  /** Informs the gates that a request begins. */
  final void begins(QueuedRequest request) {
    if (held) {
      knownGates().begins(request);
    }
  }

  /**
   * Returns whether a request that is accepted now is timed, as one of {@link ServicePace#SAMPLING}
   * is on average. The distance between two of them is random, so that it follows no pattern of the
   * program.
   */
  public final boolean choosesToTime() {
    var left = untilTimed;
    if (left > 1) {
      untilTimed = (byte) (left - 1);
      return false;
    }
    untilTimed = distance();
    if (left == 1) {
      return true;
    }
    // As if the body had served for long: of many objects that serve one request each, one in 64 is
    // timed.
    untilTimed = (byte) Math.min(untilTimed, distance());
    return untilTimed == 1;
  }

  private static byte distance() {
    return (byte) ThreadLocalRandom.current().nextInt(1, 2 * ServicePace.SAMPLING);
  }

  /**
   * Counts a request whose method has ended, before it is answered.
   *
   * @param beganNanos when its service began; 0 if it is not timed
   */
  final void count(
      CallRequest request, ServiceContext context, long beganNanos, boolean hasFailed) {
    var method = request.method;
    var isInTurn = context.rule instanceof ServicePolicy.Rule.InTurn;
    var own = counts;
    if (own != null && isInTurn) {
      own.served(method, hasFailed);
    } else {
      var made = node.observer().served(type, method, hasFailed, isInTurn ? this : null);
      if (made != null) {
        counts = made;
      }
    }
    if (beganNanos != 0) {
      RequestTimes.record(this, request, context, beganNanos, hasFailed);
    }
  }

  /** Returns the approximate number of queued requests. */
  public abstract int queued();

  /** Returns whether a request is queued, which takes no longer if many are. */
  public boolean hasQueued() {
    return queued() > 0;
  }

  /**
   * Passes on the queued calls, the oldest ones of {@code most} requests; inexactly, as {@link
   * #queued} counts them.
   */
  public abstract void forEachQueued(int most, Consumer<? super CallRequest> consumer);

  /** Returns what is served now; {@code null} if nothing is. Immediate requests do not count. */
  public abstract @Nullable RequestInService inService();

  /** Returns the requests in service, a number at most. Immediate requests do not count. */
  public List<RequestInService> allInService(int most) {
    var one = inService();
    return one == null ? List.of() : List.of(one);
  }

  /** Returns how many requests are served at a time, at most, immediate ones aside. */
  public int parallelism() {
    return 1;
  }

  /** Returns which threads serve the requests, for people. */
  public abstract String threads();

  /** Resumes the service after a gate has released requests. */
  abstract void released();

  /**
   * Returns the number by which other JVMs know this body. Its node holds the body while other
   * nodes may refer to it.
   */
  public final long number() {
    var own = extras();
    synchronized (own) {
      var number = own.number(node);
      if (!own.isExported) {
        own.isExported = true;
        node.export(this, number);
        if (ended) {
          node.ended(this); // it ended before it was registered
        }
      }
      return number;
    }
  }

  /**
   * Begins the service of a body whose object is elsewhere.
   *
   * @param forwarder receives each request, as that of {@link Departure#complete}
   */
  public final void forwards(Consumer<QueuedRequest> forwarder) {
    holds();
    departures().left(forwarder);
    begin(null);
  }

  /** Takes over the number of a body that is gone, as which other nodes know this one. */
  public final void succeeds(long number) {
    var own = extras();
    synchronized (own) {
      own.takeNumber(number);
      own.isExported = true;
    }
  }

  /**
   * Records that a one-way call that names this body as its caller has been numbered. Its receiver
   * may ask for a reference to the caller until it has served the call, so the caller is not
   * collected before.
   */
  public final void madeOneWayCall() {
    var own = extras();
    if (own.oneWayCalls != BodyExtras.OneWayCalls.MADE) {
      synchronized (own) {
        own.oneWayCalls = BodyExtras.OneWayCalls.MADE;
      }
      node.heldByCalls(this); // of both, the one that comes second sees the other
    }
  }

  /**
   * Returns whether something may need this body although nothing refers to it: an extension, or
   * the receiver of a one-way call. Takes no lock.
   */
  public final boolean mayBeNeeded() {
    var known = extras;
    return known != null
        && (known.extensions != null || known.oneWayCalls != BodyExtras.OneWayCalls.SERVED);
  }

  /** Returns whether other nodes may have one-way calls of this body that they have not served. */
  public final boolean mayHaveUnservedCalls() {
    var known = extras;
    return known != null && known.oneWayCalls != BodyExtras.OneWayCalls.SERVED;
  }

  /** Records that other nodes are about to be asked whether they have served all calls. */
  public final void asksForServedCalls() {
    var own = extras();
    synchronized (own) {
      own.oneWayCalls = BodyExtras.OneWayCalls.ASKED_FOR;
    }
  }

  /** Records that other nodes have served all calls that were made before they were asked. */
  public final void earlierCallsServed() {
    var own = extras();
    synchronized (own) {
      if (own.oneWayCalls == BodyExtras.OneWayCalls.ASKED_FOR) { // else there is a later one
        own.oneWayCalls = BodyExtras.OneWayCalls.SERVED;
      }
    }
  }

  /** Keeps the body from being collected, since another node may ask for a reference to it. */
  public final void holdForCalls() {
    var own = extras();
    if (!own.isHeldForCalls) {
      own.isHeldForCalls = true; // before it is looked up: one of both sees the other
      node.holdForGood(this);
    }
  }

  /** Returns whether the body must not be collected, because another node may ask for it. */
  public final boolean isHeldForCalls() {
    var known = extras;
    return known != null && known.isHeldForCalls;
  }

  /**
   * Returns the number that is unique among the bodies of its node. Unlike {@link #number}, it does
   * not keep the body alive.
   */
  public final long identity() {
    return extras().number(node);
  }

  /** Returns the node of the object's birth and its number there, which reports show. */
  public final String identityText() {
    var origin = origin();
    return origin == null
        ? node.name() + "/" + identity()
        : origin.birth().name() + "/" + origin.number();
  }

  /**
   * Describes the object with its identity, for events.
   *
   * @param madeBy its origin, which has its name in the grid
   */
  public final String description(@Nullable Origin madeBy) {
    var key = madeBy instanceof Origin.Stored stored ? stored.key() : "";
    return "%s (%s)"
        .formatted(
            key.isEmpty() ? IndefiniteArticle.before(type.name()) : type.name() + " '" + key + "'",
            identityText());
  }

  /** Returns the identity of an object that was created on another node; else {@code null}. */
  public final @Nullable ObjectIdentity origin() {
    var known = extras;
    return known == null ? null : known.origin;
  }

  /**
   * Records, before the body is started, that its object was created on another node.
   *
   * @param birthplace what this node calls the object's node of birth: another node, or the body
   *     that the object has left here
   * @param copies counts the copies of references to the object; {@code null} if they are not
   *     counted, so that the body is never collected
   */
  public final void comesFrom(
      ObjectIdentity origin, @Nullable Object birthplace, @Nullable Object copies) {
    extras().origin = origin;
    extras().birthplace = birthplace;
    extras().copies = copies;
    if (copies == null) {
      holdForCalls();
    }
  }

  /**
   * Returns what counts the copies of references to an object that was not created in this body;
   * {@code null} if nothing does, or it was created here.
   */
  public final @Nullable Object copies() {
    var known = extras;
    return known == null ? null : known.copies;
  }

  /**
   * Returns what holds the account of an object that was created on another node; {@code null} if
   * it was created in this body.
   */
  public final @Nullable Object birthplace() {
    var known = extras;
    return known == null ? null : known.birthplace;
  }

  /** Returns the number, or 0 if none was needed yet. */
  public final long numberIfKnown() {
    var known = extras;
    return known == null ? 0 : known.numberIfKnown();
  }

  /** Adds a request to the queue; never blocks, never runs user code. */
  public abstract void put(QueuedRequest request);

  /**
   * Forwards a message for an object that has left: at once if no request waits before it, else in
   * its turn. Never blocks.
   */
  public void forward(QueuedRequest.Passage message) {
    put(message);
  }

  /**
   * Takes a request that bypasses the queue.
   *
   * @return {@code false} if the object is about to leave, or has left, so that the request must be
   *     queued
   */
  final boolean putImmediate(CallRequest request) {
    if (!departures().beginsBeside()) {
      return false;
    }
    if (hasBegun()) {
      startBeside(request);
    } else {
      extras().beginning.thenRun(() -> startBeside(request));
      if (hasBegun()) {
        extras().beginning.complete(null);
      }
    }
    return true;
  }

  /** Forgets the object, which sleeps. */
  final void sleeps() {
    target = null;
  }

  /** Sets the object that was made again after it had slept. */
  final void wakes(Object object) {
    target = object;
  }

  /** Runs work as if it were a request of this object, which serves none meanwhile. */
  public final void runInService(Runnable work) {
    var context = new ServiceContext(this, ServicePolicy.IN_TURN).enter();
    try {
      work.run();
    } finally {
      context.leave();
    }
  }

  /** Forgets the object, which is elsewhere. */
  final void departed() {
    target = null;
    forwardHeld();
  }

  /** Lets a thread forward the requests that were held, if there are some. */
  void forwardHeld() {
    holds().wake();
  }

  /** Looks whether the object may leave, on the calling thread if no other one serves. */
  void looksForSafePoint() {
    holds().wake();
  }

  /** Returns whether a service loop of the object's own runs, and does not wait for a request. */
  public boolean isInOwnLoop() {
    return false;
  }

  /** Records, before the body is started, how often its object was made anew on other nodes. */
  public final void continuesAfterRestarts(int restarts) {
    if (restarts > 0) {
      extras().restartsElsewhere = restarts;
    }
  }

  /** Returns how often the object was made anew on another node than the one before. */
  public final int restartsElsewhere() {
    var known = extras;
    return known == null ? 0 : known.restartsElsewhere;
  }

  /** Returns how often the object was constructed anew on this node. */
  public final int restartCount() {
    var known = extras;
    return known == null ? 0 : known.restartCount;
  }

  /** Returns whether the object moves to another node when its node leaves. */
  public final boolean leavesAlong() {
    var known = extras;
    return known != null && known.leavesAlong;
  }

  /** Returns whether other modules have attached something to this body. */
  public final boolean hasExtensions() {
    var known = extras;
    return known != null && known.extensions != null && known.extensions.isAny();
  }

  /** Returns the places of the object in groups. */
  public final List<GroupStanding> standings() {
    return hasExtensions() ? extensions().standings() : List.of();
  }

  /** Returns whether the body is to end before it serves the queued requests. */
  public boolean isDying() {
    return false;
  }

  /**
   * Returns whether a request or a stage was served since {@link #takeServed}, as far as the
   * calling thread can see: all that was served before the body was last idle.
   */
  public boolean hasServed() {
    return true;
  }

  /**
   * Returns whether a request or a stage was served since the last call. Called by the serving
   * thread.
   */
  public boolean takeServed() {
    return true;
  }

  /** Records that a request was served beside the queue, before a departure can begin. */
  void servedBeside() {}

  /** Returns whether a departure is possible: the body serves one request at a time, in order. */
  public boolean canDepart() {
    return false;
  }

  /** Ends the body of an object that has ended on another node. */
  public final void endedElsewhere(End how) {
    if (how.how() != End.How.TERMINATED) {
      noteCause(how);
    }
    ended = true;
    node.ended(this);
    isEndRecorded = true;
    holds().wake();
    notifyOfEnd(extras());
  }

  /** Reports the end of an object that was lost on another node; its calls are still forwarded. */
  public final void lostElsewhere(End how) {
    noteCause(how);
    notifyOfEnd(extras());
  }

  private void notifyOfEnd(BodyExtras own) {
    var listeners = own.removeEndListeners();
    var how = end();
    listeners.forEach(each -> each.accept(how));
  }

  /**
   * Reserves the body for one request that the calling thread will serve at once, in its turn.
   *
   * @return {@code false} if the body is busy; the caller then queues the request
   */
  public boolean tryReserve() {
    return false;
  }

  /**
   * Reserves the body for a call that the calling thread, which waits for the answer, will serve at
   * once.
   *
   * @return {@code false} if the request has to be queued
   */
  boolean tryReserveForCaller(CallMethod method) {
    return false;
  }

  /** Records the context in which a thread serves a reserved body; {@code null} afterwards. */
  void servesIn(@Nullable ServiceContext context) {
    throw new IllegalStateException("not reserved");
  }

  /** Ends a reservation and resumes the service of the queue. */
  void release() {
    throw new IllegalStateException("not reserved");
  }

  /** Serves the request for which the body was reserved, then resumes the service of the queue. */
  public void serveReserved(CallRequest request) {
    throw new IllegalStateException("not reserved");
  }

  /** Returns whether a thread serves requests, or spins for the next one. */
  public boolean hasServingThread() {
    return false;
  }

  /** Ends the body without serving the queued requests. */
  public final void terminateNow() {
    die();
    var restarts = restarts();
    if (restarts != null) {
      restarts.bodyDies();
    }
  }

  /** Ends the service without serving the queued requests. */
  abstract void die();

  /** Ends the body after the queued requests have been served. */
  public void terminate() {
    put(new QueuedRequest.Termination());
  }

  @Override
  public final void execute(Runnable stage) {
    put(new QueuedRequest.Task(stage));
  }

  /** Returns whether a request that is served in turn excludes all others until it ends. */
  abstract boolean isSequential();

  /**
   * Treats the body as one that computes, until it has served many short requests in which it did
   * not wait {@linkplain #waitsForPacket for a packet}. Called while a request is served in its
   * turn.
   */
  public void expectComputing() {
    // no effect for other kinds of service
  }

  /** Records that a request served in its turn waits for something that other members send. */
  public void waitsForPacket() {
    // no effect for other kinds of service
  }

  /**
   * Runs the tasks of senders that are in the queue before all calls. No effect unless the current
   * thread serves a request of this body in its turn.
   */
  public void runDueTasks() {
    // no effect for other kinds of service: one runs such tasks at once, the other in its loop
  }

  /**
   * Returns whether the current thread serves a request of this body in its turn, and no other is
   * in the queue.
   */
  public boolean isServingLast() {
    return false; // not known for other kinds of service
  }

  /** Returns whether a call of a method is served concurrently with all others at this moment. */
  public final boolean isServedAtOnce(CallMethod method) {
    return hasBegun() && type.scheduling().rule(method) instanceof ServicePolicy.Rule.AtOnce;
  }

  /** Returns whether the object exists or never will; no request is served before. */
  final boolean hasBegun() {
    return target != null || ended || hasLeft();
  }

  public final boolean hasEnded() {
    return ended;
  }

  /**
   * Passes the end of the body to a listener, at once if the body has ended and its node has
   * forgotten its names.
   */
  public final void onEnd(Consumer<? super End> listener) {
    var own = extras();
    synchronized (own) {
      if (!isEndRecorded && (own.cause == null || !hasLeft())) {
        own.addEndListener(listener);
        return;
      }
    }
    listener.accept(end());
  }

  /**
   * Lets an action run when the body has served its last request, before others learn of its end.
   */
  public final void beforeEnd(Consumer<? super End> closer) {
    extras().addCloser(closer);
  }

  /** Lets an action run {@linkplain #beforeEnd before the end}, and before all such actions. */
  public final void firstBeforeEnd(Consumer<? super End> closer) {
    extras().addFirstCloser(closer);
  }

  /** Removes a listener, so that a body does not hold what no longer waits for its end. */
  public final void removeEndListener(Consumer<? super End> listener) {
    extras().removeEndListener(listener);
  }

  /** Returns a snapshot of the listeners. */
  public final List<Consumer<? super End>> endListeners() {
    return extras().endListeners();
  }

  /** Returns how the body has ended, or will end once it is told to. */
  public final End end() {
    var known = extras;
    var cause = known == null ? null : known.cause;
    return cause == null ? End.of(End.How.TERMINATED, this + " has been terminated") : cause;
  }

  /**
   * Ends the body without serving the queued requests, for a reason other than a termination. The
   * first reason stands.
   */
  public final void endNow(End why) {
    if (!ended) {
      noteCause(why);
      terminateNow();
    }
  }

  /** Returns what restarts the object after failures; {@code null} if it has no such policy. */
  final @Nullable Restarts restarts() {
    var known = extras;
    return known == null ? null : known.restarts;
  }

  /**
   * Sets how the object can be made anew, if it may be restarted.
   *
   * @param classes gives the classes that are not known here
   */
  public final void madeBy(Origin origin, ClassSource classes) {
    var restarts = restarts();
    if (restarts != null) {
      restarts.origin(origin, classes);
    }
  }

  /** Returns how the object is made anew; {@code null} if it is not. */
  public final @Nullable Origin madeBy() {
    var restarts = restarts();
    return restarts == null ? null : restarts.origin();
  }

  /** Returns what becomes of the object if it fails. */
  public final Restart restartPolicy() {
    var restarts = restarts();
    return restarts == null ? Restart.never() : restarts.policy();
  }

  /**
   * Returns whether calls of other nodes to the object are sent again after the loss of its node,
   * so that the callers number and keep them.
   */
  public boolean keepsCalls() {
    return restartPolicy().retries();
  }

  /** Returns the failures of the object that count at the moment. */
  public final RestartBudget.History failures() {
    var restarts = restarts();
    return restarts == null ? RestartBudget.History.NONE : restarts.history();
  }

  /** Counts the failures of an object on other nodes; before its service begins. */
  public final void continues(RestartBudget.History before) {
    var restarts = restarts();
    if (restarts != null) {
      restarts.continues(before);
    }
  }

  /**
   * Makes an object here that was lost with another node, and begins its service.
   *
   * @return completes with {@code null} when the object serves, or with its end if it is given up
   */
  public final CompletableFuture<@Nullable End> embody(
      Origin origin, ClassSource classes, RestartBudget.History before) {
    var restarts = Objects.requireNonNull(restarts(), "the restarts of an object made anew");
    restarts.origin(origin, classes);
    restarts.continues(before);
    return restarts.embody();
  }

  /**
   * Makes an object here that has left another node, and begins its service. If it cannot be made,
   * that is a failure: it is tried again as its policy says.
   *
   * @return completes with {@code null} when the object serves, or with its end if it is given up
   */
  public final CompletableFuture<@Nullable End> arriveBy(
      Origin origin, ClassSource classes, RestartBudget.History before) {
    if (restarts() != null) {
      return embody(origin, classes, before);
    }
    var made = new CompletableFuture<@Nullable End>();
    Thread.startVirtualThread(
        () -> {
          runInService(() -> makeOnce(origin, classes));
          made.complete(hasEnded() && target == null ? end() : null);
        });
    return made;
  }

  private void makeOnce(Origin origin, ClassSource classes) {
    try {
      startAgain(origin.make(type.type(), node.marshaller(), classes), origin::begin);
    } catch (Throwable failure) {
      abandon(this + " has failed: " + origin.problem() + " " + FailureSummary.line(failure));
    }
  }

  /** Ends or restarts the object after the requests that are being served. */
  final void fail(String what, ServiceContext context) {
    var restarts = restarts();
    if (restarts == null) {
      endNow(End.of(End.How.FAILED, this + " has failed: " + what));
    } else if (restarts.failed(what)) {
      suspend(context.rule instanceof ServicePolicy.Rule.InTurn);
    }
  }

  /**
   * Stops the service after the requests that are being served, and then calls {@link #stopped}.
   * The queue remains.
   *
   * @param isInTurn whether the current thread serves a request in its turn
   */
  abstract void suspend(boolean isInTurn);

  /** Continues a restart when the service has stopped. */
  final void stopped() {
    Objects.requireNonNull(restarts(), "the restarts of a suspended body").stopped();
  }

  /** Replaces the object of a suspended body, and resumes the service. */
  final void restart(Object object, Consumer<LifeCycle> beginning) {
    extras().restartCount++;
    target = object;
    resume(
        object instanceof LifeCycle living
            ? new QueuedRequest.Task(() -> beginning.accept(living))
            : null);
  }

  /**
   * Resumes the service of a suspended body.
   *
   * @param first the request to serve before all others, or {@code null}
   */
  abstract void resume(@Nullable QueuedRequest first);

  /** Ends a suspended body, which was told to {@link #die}. */
  abstract void endStopped();

  /** Records why the body is about to end. */
  final void noteCause(End why) {
    extras().noteCause(why);
  }

  /**
   * Sets the object and begins the service. Requests that arrived earlier, because the constructor
   * passed on its own reference, are served then.
   */
  public final void start(Object object) {
    target = object;
    begin(object instanceof LifeCycle living ? beginning(living) : null);
    letImmediatesBegin();
  }

  /**
   * Begins the service of an object that was made here after it was lost with another node.
   *
   * @param beginning notifies it before its first request
   */
  final void startAgain(Object object, Consumer<LifeCycle> beginning) {
    target = object;
    begin(beginningAgain(object, beginning));
    letImmediatesBegin();
  }

  /** Returns the first task of an object that was lost with another node; {@code null} if none. */
  @Nullable QueuedRequest beginningAgain(Object object, Consumer<LifeCycle> beginning) {
    return object instanceof LifeCycle living
        ? new QueuedRequest.Task(() -> beginning.accept(living))
        : null;
  }

  /** Returns the task that notifies a new object of its start. */
  QueuedRequest beginning(LifeCycle object) {
    return new QueuedRequest.Task(object::started);
  }

  /**
   * Begins the service of an object that has come from another node.
   *
   * @param whenServing is run when {@link LifeCycle#arrived} has returned
   */
  public final void arrive(Object object, Runnable whenServing) {
    target = object;
    begin(
        new QueuedRequest.Task(
            () -> {
              try {
                if (object instanceof LifeCycle living) {
                  living.arrived();
                }
              } finally {
                whenServing.run();
              }
            }));
    letImmediatesBegin();
  }

  /** Ends the body of an object that was not created; queued requests are refused. */
  public final void abandon(String why) {
    noteCause(End.of(End.How.FAILED, why));
    neverBegins();
  }

  /** Ends a body whose object will never exist here; queued requests are refused. */
  public final void neverBegins() {
    finish();
    begin(null);
    letImmediatesBegin();
  }

  private void letImmediatesBegin() {
    var known = extras;
    if (known != null) {
      known.beginning.complete(null);
    }
  }

  /**
   * Begins the service.
   *
   * @param first the request to serve before all others, or {@code null}
   */
  abstract void begin(@Nullable QueuedRequest first);

  /** Records the end; called once, by the thread that serves last. */
  final void finish() {
    if (ended) {
      return;
    }
    var restarts = restarts();
    if (restarts == null || !restarts.hasToldEnd()) {
      tellEnd();
    }
    var closing = extras;
    if (closing != null) {
      var how = end();
      closing.removeClosers().forEach(each -> close(each, how));
    }
    ended = true;
    node.ended(this);
    isEndRecorded = true;
    var known =
        extras; // after that: a thread that adds a listener now sees that the end is recorded
    if (known != null) {
      notifyOfEnd(known);
    }
  }

  private void close(Consumer<? super End> closer, End how) {
    try {
      closer.accept(how);
    } catch (RuntimeException | Error failure) { // others wait for the end
      node.failures().background("the end of " + this, failure);
    }
  }

  /** Notifies the object that it serves no more requests. */
  final void tellEnd() {
    if (target instanceof LifeCycle object) {
      try {
        object.ended();
      } catch (Throwable failure) {
        node.failures().background(type.name() + ".ended() of " + this, failure);
      }
    }
  }

  /** Serves a request, or refuses it if the body has ended before its turn. Throws nothing. */
  final void serveOrRefuse(QueuedRequest request, ServiceContext context) {
    try {
      tryServe(request, context);
    } catch (Throwable failure) { // an error of the middleware, or lack of memory
      try {
        node.failures().background("a request of " + this, failure);
      } catch (Throwable again) {
        // The report lacks memory, too; the body continues.
      }
    }
  }

  /**
   * Serves a request, or refuses it if the body has ended before its turn.
   *
   * @throws Error for lack of memory or stack; the request may be without an answer
   */
  final void tryServe(QueuedRequest request, ServiceContext context) {
    if (ended) {
      request.refuse(this);
    } else {
      request.serve(this, context);
    }
  }

  /** Serves a request of an immediate method on a separate thread. */
  private void startBeside(CallRequest request) {
    Thread.startVirtualThread(() -> serveBeside(request));
  }

  /**
   * Begins a request that bypasses the queue, and that the calling thread is about to serve.
   *
   * @return {@code false} if it must be queued
   */
  public final boolean mayServeBeside() {
    return hasBegun() && departures().beginsBeside();
  }

  /** Serves a request that bypasses the queue, and that has begun, on the calling thread. */
  public final void serveBeside(CallRequest request) {
    var context = new ServiceContext(this, ServicePolicy.AT_ONCE).enter();
    var place = departures().runsBeside(request);
    try {
      serveOrRefuse(request, context);
    } finally {
      context.leave();
      servedBeside();
      departures().ranBeside(place);
      departures().endsBeside(); // last: an image is made only after that
    }
  }

  /** Returns the identity of the object, without the address of the node of its birth. */
  public final ObjectIdentity identityOfObject() {
    var born = origin();
    return born == null ? new ObjectIdentity(node.id(), "", number()) : born;
  }

  /** Returns a description for messages, such as {@code a Solver on node 'n1'}. */
  @Override
  public String toString() {
    return IndefiniteArticle.before(type.name()) + " on node '" + node.name() + "'";
  }
}
