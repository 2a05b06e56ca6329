package org.troupe.activeobjects.internal.object;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.futures.FutureResult;

/**
 * What makes an object active: its queue, its identity and its life. Subclasses decide who serves.
 *
 * <p>Also the executor of the stages that its object hangs on futures: they are requests like any.
 */
public abstract class Body implements Executor {

  /*
   * A million idle bodies are a design goal, so what few need is in an object of its own (Extras), made when first
   * needed, and the number by which other JVMs know the body is drawn when its reference first leaves.
   */
  private static final VarHandle EXTRAS;

  static {
    try {
      EXTRAS = MethodHandles.lookup().findVarHandle(Body.class, "extras", Extras.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NodeObjects node;
  private final ActiveType<?> type;
  private volatile Object target; // set once, before the first request is served
  private volatile Extras extras;
  private volatile boolean ended;
  private volatile boolean held;

  /** Whether nothing in the queue may be served now, so that only a request to come can help. */
  private volatile boolean starving;

  /** What the object waits for, if it serves nothing meanwhile and the wait has no bound. */
  public volatile FutureResult<?> waitingFor;

  /** What few bodies have. */
  private static final class Extras {
    final CompletableFuture<Void> beginning = new CompletableFuture<>();
    final CompletableFuture<Void> end = new CompletableFuture<>();
    final AtomicInteger backlog = new AtomicInteger();
    int queueBound;
    ReuseCache leftovers;
    BodyExtensions attachments;
    RequestGates holds;
    long number;
  }

  Body(NodeObjects node, ActiveType<?> type, Options options) {
    this.node = node;
    this.type = type;
    if (options.queueBound() > 0) {
      extras().queueBound = options.queueBound();
    }
  }

  public final NodeObjects node() {
    return node;
  }

  public final ActiveType<?> type() {
    return type;
  }

  public final Object target() {
    return target;
  }

  /** How many requests of one node may wait, or 0 if there is no bound. */
  public final int queueBound() {
    var known = extras;
    return known == null ? 0 : known.queueBound;
  }

  /** How many chunks of {@linkplain QueueMemory memory} its queue is counted for. */
  final int backlog() {
    var known = extras;
    return known == null ? 0 : known.backlog.get();
  }

  final int addBacklog(int chunks) {
    return extras().backlog.addAndGet(chunks);
  }

  /**
   * Says whether senders may be held back for want of memory: its queue holds much, and it will
   * take from it.
   */
  final boolean isBehind() {
    return backlog() > 0 && !starving;
  }

  /** Nothing in the queue may be served now: requests are let in although memory is short. */
  final void starves() {
    starving = true; // first: what finds memory short after the next look sees it
    node.memory().starves(this);
  }

  final void feeds() {
    starving = false;
  }

  /** Says whether a call takes a place in the queue, if that has a bound. */
  public final boolean takesPlace(CallMethod method) {
    return !method.isOfBody() && !passesQueue(method);
  }

  /** Says whether a call is served beside all others, and so never waits among them. */
  public final boolean passesQueue(CallMethod method) {
    return type.scheduling().hasImmediate()
        && type.scheduling().rule(method) instanceof ServicePolicy.Rule.AtOnce;
  }

  private Extras extras() {
    var known = extras;
    if (known != null) {
      return known;
    }
    var made = new Extras();
    return EXTRAS.compareAndSet(this, null, made) ? made : extras;
  }

  /** What calls have left for the next ones. */
  final ReuseCache leftovers() {
    var own = extras();
    synchronized (own) {
      if (own.leftovers == null) {
        own.leftovers = new ReuseCache();
      }
      return own.leftovers;
    }
  }

  /** What others than the object keep here. */
  public final BodyExtensions attachments() {
    var own = extras();
    synchronized (own) {
      if (own.attachments == null) {
        own.attachments = new BodyExtensions(this);
      }
      return own.attachments;
    }
  }

  /** What keeps requests from beginning; from now on they are asked about. */
  final RequestGates holds() {
    var own = extras();
    synchronized (own) {
      if (own.holds == null) {
        own.holds = new RequestGates(this);
      }
    }
    held = true;
    return own.holds;
  }

  /** Says whether requests have to be asked for before they begin. */
  final boolean isHeld() {
    return !gates().isEmpty();
  }

  /** What keeps requests from beginning now: for one look at those that wait. */
  final RequestGates.Gates gates() {
    return held ? extras.holds.gates() : RequestGates.Gates.NONE;
  }

  /** Notes that a request begins, while requests are held. */
  final void begins(QueuedRequest request) {
    if (held) {
      extras.holds.begins(request);
    }
  }

  /** How many requests wait, about. */
  public abstract int queued();

  /** Requests that were held may begin. */
  abstract void released();

  /** The number by which other JVMs know this body; from now on it lives until it is terminated. */
  public final long number() {
    var own = extras();
    synchronized (own) {
      if (own.number == 0) {
        own.number = node.export(this);
        if (ended) {
          node.ended(this); // it ended before it was known
        }
      }
      return own.number;
    }
  }

  /** The number, or 0 if no other JVM ever heard of this body. */
  public final long numberIfKnown() {
    var own = extras;
    if (own == null) {
      return 0;
    }
    synchronized (own) {
      return own.number;
    }
  }

  /** Takes a request; never blocks, never runs user code. */
  public abstract void put(QueuedRequest request);

  /** Takes a request that passes the queue. */
  final void putImmediate(CallRequest request) {
    if (hasBegun()) {
      serveBeside(request);
    } else {
      extras().beginning.thenRun(() -> serveBeside(request));
      if (hasBegun()) {
        extras().beginning.complete(null);
      }
    }
  }

  /**
   * Reserves the body for one request that the calling thread will serve now, in its turn.
   *
   * @return {@code false} if the body is busy; the request is to be queued then
   */
  public boolean tryReserve() {
    return false;
  }

  /** Serves the request for which the body was reserved, then lets the next ones be served. */
  public void serveReserved(CallRequest request) {
    throw new IllegalStateException("not reserved");
  }

  /** Ends the body without serving what waits. */
  public abstract void terminateNow();

  /** Ends the body when what waits has been served. */
  public void terminate() {
    put(new QueuedRequest.Termination());
  }

  @Override
  public final void execute(Runnable stage) {
    put(new QueuedRequest.Task(stage));
  }

  /** Says whether a request that is served in turn keeps out all others until it is done. */
  abstract boolean isSequential();

  /**
   * Takes the body for one that computes, until it has served many short requests in which it did
   * not wait {@linkplain #waitsForParcel for a parcel}. Called in its turn.
   */
  public void expectComputing() {
    // Where it would make no difference.
  }

  /** In a request that is served in its turn, it waits for something that others send. */
  public void waitsForParcel() {
    // Where it would make no difference.
  }

  /** Says whether a method is served beside all others, now. */
  public final boolean isServedAtOnce(CallMethod method) {
    return hasBegun() && type.scheduling().rule(method) instanceof ServicePolicy.Rule.AtOnce;
  }

  /** Says whether the object is there, or will never be: before, nothing is served at all. */
  final boolean hasBegun() {
    return target != null || ended;
  }

  public final boolean hasEnded() {
    return ended;
  }

  /** Completes when the body has ended. */
  final CompletableFuture<Void> whenEnded() {
    var end = extras().end;
    if (ended) {
      end.complete(null);
    }
    return end;
  }

  /**
   * Gives the body its object and lets the service begin. Requests that came before, because the
   * constructor passed its own reference on, are served then.
   */
  public final void start(Object object) {
    target = object;
    begin(object instanceof LifeCycle living ? new QueuedRequest.Task(living::started) : null);
    letImmediatesBegin();
  }

  /** There will be no object, for its constructor failed: what was sent to it is refused. */
  public final void abandon() {
    end();
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
   * Lets the service begin.
   *
   * @param first what is to be served before everything else, or {@code null}
   */
  abstract void begin(QueuedRequest first);

  /** Marks the end; called once, by the thread that serves last. */
  final void end() {
    if (ended) {
      return;
    }
    if (target instanceof LifeCycle object) {
      try {
        object.ended();
      } catch (Throwable failure) {
        node.failures().report(null, type.name() + ".ended() of " + this, failure);
      }
    }
    ended = true;
    node.ended(this);
    var known = extras;
    if (known != null) {
      known.end.complete(null);
    }
  }

  /** Serves a request, or refuses it if the end was reached before its turn. */
  final void serveOrRefuse(QueuedRequest request, ServiceContext context) {
    try {
      if (ended) {
        request.refuse(this);
      } else {
        request.serve(this, context);
      }
    } catch (Throwable failure) { // of ours, or for lack of memory: the body is to go on
      node.failures().report(null, "a request of " + this, failure);
    }
  }

  /** Serves a request of an immediate method on a thread of its own. */
  private void serveBeside(CallRequest request) {
    Thread.startVirtualThread(
        () -> {
          var context = new ServiceContext(this, ServicePolicy.AT_ONCE).enter();
          try {
            serveOrRefuse(request, context);
          } finally {
            context.leave();
          }
        });
  }

  /** Makes the body for an object of a class, as the class and the options want it. */
  public static Body of(NodeObjects node, ActiveType<?> type, Options options) {
    var scheduling = type.scheduling();
    if (scheduling.hasOwnService()) {
      return new ServiceBody(node, type, options);
    }
    return scheduling.isConcurrent()
        ? new ConcurrentBody(node, type, options)
        : new FifoBody(node, type, options);
  }

  /** {@code a Solver on node 'n1'}, for messages. */
  @Override
  public String toString() {
    return "a " + type.name() + " on node '" + node.name() + "'";
  }
}
