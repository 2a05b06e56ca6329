package org.troupe.activeobjects.internal.object;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.listing.ObjectName;
import org.troupe.activeobjects.internal.listing.Suspect;
import org.troupe.activeobjects.internal.listing.TrialReport;
import org.troupe.futures.FutureRuntime;

/**
 * The part of one node in the collection of cycles: finds idle objects, puts objects on trial, and
 * makes those again that are needed.
 */
public final class ObjectTrials {

  /*
   * Design: an object on trial
   *
   * The image of an object is made like that of one that moves, on its own thread between two requests. From then on the
   * body holds its requests, and a request lets the object return. If the body exists still, it goes on with the object
   * that it has. If the collector of the JVM has cleared it, another body succeeds it at once, and takes requests; the
   * object is made on a thread of its own, since that runs code of its class.
   *
   * An object that something of this JVM refers to directly, such as a thread of its own, is not cleared with its body.
   * Then the next body goes on with the same object.
   *
   * An object that returns without having been called is not put on trial again for a time that doubles with each such
   * trial, until it serves a request.
   *
   * A node that has objects on trial asks its JVM for a collection, at most once per idle time; one that may have unused
   * references to suspects does so at most once in five idle times.
   *
   * Threads: rounds are led by calls of the coordinator, one at a time. The map is shared with threads that let objects
   * return, which hold the monitor of the object's entry.
   */

  private static final String IDLE = "troupe.collect.idle";
  private static final Duration DEFAULT_IDLE = Duration.ofSeconds(60);

  private static final long PATIENCE_MILLIS = 1_000; // for a safe point of an idle object
  private static final long LEAST_WALK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int WALK_SHARE = 100; // of the idle time may be spent on walks
  private static final int MOST_DOUBLINGS = 6;
  private static final int IDLE_TIMES_BETWEEN_COLLECTIONS = 5; // for others

  private final NodeObjects node;
  private final ObjectImage.Maker images;
  private final long idleNanos;
  private final Map<Long, Idle> idle = new ConcurrentHashMap<>();
  private final Map<Long, OnTrial> round = new ConcurrentHashMap<>();
  private final Set<RemoteNode> told = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Object leader; // the grid that leads the present round
  private long lastAwaited; // when the JVM was asked for a collection for others; guarded by this
  private boolean wasAwaited; // guarded by this
  private long lastCollection; // when it was asked for a trial; guarded by this
  private boolean hasCollected; // guarded by this

  /** An object that has not served for some time. */
  private static final class Idle {
    long since;
    @Nullable List<ObjectName> names; // null before the first walk
    boolean cannotTravel;
    int trials; // from which it has returned
    long notBefore;

    Idle(long now) {
      since = now;
      notBefore = now;
    }
  }

  /** An object of the present round. */
  private static final class OnTrial {
    final ObjectImage image;
    final ActiveType<?> type;
    final Options options;
    final WeakReference<Object> object;
    final CompletableFuture<Void> whole = new CompletableFuture<>(); // once it has returned
    volatile @Nullable Body held; // until the trial begins

    OnTrial(ObjectImage image, Body body, Object object) {
      this.image = image;
      this.type = body.type();
      this.options = options(body);
      this.object = new WeakReference<>(object);
      this.held = body;
    }

    private static Options options(Body body) {
      var bounded = Options.STANDARD.withQueueBound(body.queueBound());
      var options = body.statedBound() < 0 ? bounded.refusing() : bounded;
      return body.leavesAlong() ? options.leavingAlong() : options;
    }
  }

  ObjectTrials(NodeObjects node, ObjectImage.Maker images) {
    this.node = node;
    this.images = images;
    var set = CallSettings.duration(IDLE, System.getProperty(IDLE));
    idleNanos = FutureRuntime.nanos(set == null ? DEFAULT_IDLE : set);
  }

  /** Returns for how long an object is idle before it is a suspect. */
  public long idleNanos() {
    return idleNanos;
  }

  private ExportedBodies exports() {
    return node.exports();
  }

  // Suspects

  /** Returns the idle objects of this node; walks those that it does not know yet. */
  public List<Suspect> suspects() {
    if (!exports().findsCycles()) {
      return List.of();
    }
    List<Suspect> suspects = new ArrayList<>();
    Set<Long> visited = new HashSet<>();
    var walkUntil = System.nanoTime() + Math.max(LEAST_WALK_NANOS, idleNanos / WALK_SHARE);
    for (var count = -1; count < visited.size(); ) { // a walk may make others known
      count = visited.size();
      for (var each : List.copyOf(exports().entries())) {
        if (visited.add(each.number())) {
          var suspect = suspect(each, walkUntil);
          if (suspect != null) {
            suspects.add(suspect);
          }
        }
      }
    }
    idle.keySet().retainAll(visited);
    return suspects;
  }

  private @Nullable Suspect suspect(ExportedBody entry, long walkUntil) {
    var body = entry.bodyIfPresent();
    if (body == null || !isSuitable(entry, body)) {
      idle.remove(entry.number());
      return null;
    }
    var now = System.nanoTime();
    var known = idle.computeIfAbsent(entry.number(), _ -> new Idle(now));
    if (body.hasServed()) {
      body.takeServed(); // a request at this moment is seen next time
      idle.put(entry.number(), new Idle(now));
      return null;
    }
    if (now - known.since < idleNanos || now - known.notBefore < 0 || known.cannotTravel) {
      return null;
    }
    if (known.names == null && now - walkUntil < 0) {
      var image = atSafePoint(body, Departure::cancel);
      known.names = image == null ? null : image.names();
      known.cannotTravel = image == null && !body.hasQueued();
    }
    var names = known.names;
    return names == null ? null : new Suspect(entry.number(), entry.holders(), names);
  }

  private boolean isSuitable(ExportedBody entry, Body body) {
    return body.canDepart()
        && !body.type().isMiddleware()
        && !body.type().scheduling().hasOwnService()
        && body.origin() == null
        && !body.hasEnded()
        && !body.hasLeft()
        && !body.hasExtensions()
        && body.restartPolicy().scope() == Restart.Scope.NEVER
        && body.restartPolicy().failures().isEmpty()
        && !node.host().keeper().isKept(body)
        && entry.maySuspect(body);
  }

  /** Makes the image of an object between two requests; returns {@code null} if it cannot. */
  private @Nullable ObjectImage atSafePoint(Body body, Consumer<Departure> then) {
    return atSafePoint(body, () -> {}, (image, departure) -> then.accept(departure));
  }

  private interface Continuation {
    void accept(ObjectImage image, Departure departure);
  }

  private @Nullable ObjectImage atSafePoint(Body body, Runnable whenHeld, Continuation then) {
    var made = new CompletableFuture<@Nullable ObjectImage>();
    var departure =
        body.departures()
            .begin(
                begun -> {
                  try {
                    var object = body.target();
                    var image =
                        object == null || body.hasQueued() || body.hasEnded()
                            ? null
                            : images.of(object);
                    if (image == null) {
                      begun.cancel();
                    } else {
                      then.accept(image, begun);
                    }
                    made.complete(image);
                  } catch (Throwable failure) { // it cannot be copied
                    begun.cancel();
                    made.complete(null);
                  }
                },
                whenHeld);
    if (departure == null) {
      return null; // it is about to move
    }
    departure.check();
    try {
      return made.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return departure.giveUp() || departure.isCancelled() ? null : made.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return departure.giveUp() || departure.isCancelled() ? null : made.join();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets the JVM collect, whose unused references may keep suspects from being candidates. */
  public void collectForOthers() {
    var now = System.nanoTime();
    synchronized (this) {
      if (wasAwaited && now - lastAwaited < IDLE_TIMES_BETWEEN_COLLECTIONS * idleNanos) {
        return;
      }
      wasAwaited = true;
      lastAwaited = now;
    }
    if (exports().areCounted()) {
      node.platformThreads().execute(System::gc);
    }
  }

  // A round

  /**
   * Begins a round.
   *
   * @param grid the one that leads it
   * @return the objects that take part; none if another grid leads a round, or the last one was too
   *     short a time ago
   */
  public Set<Long> prepare(Object grid, Collection<Long> candidates) {
    synchronized (this) {
      var isTooEarly = hasCollected && System.nanoTime() - lastCollection < idleNanos;
      if (leader != null || isTooEarly || !exports().findsCycles()) {
        return Set.of();
      }
      leader = grid;
    }
    Set<Long> prepared = new HashSet<>();
    for (var number : candidates) {
      var entry = exports().entry(number);
      var body = entry == null ? null : entry.bodyIfPresent();
      if (entry != null && body != null && isSuitable(entry, body) && prepare(entry, body)) {
        prepared.add(number);
      }
    }
    return prepared;
  }

  private boolean prepare(ExportedBody entry, Body body) {
    var number = entry.number();
    atSafePoint(
        body,
        () -> exports().body(number),
        (image, departure) -> {
          var object = Objects.requireNonNull(body.target(), "an object at a safe point");
          round.put(number, new OnTrial(image, body, object));
          if (!entry.prepare(body, image.names())) {
            round.remove(number);
            departure.cancel();
          } else if (departure.isCancelled()) { // another one has begun
            exports().body(number);
          }
        });
    return round.containsKey(number);
  }

  /**
   * Puts the prepared objects on trial, when it is known which objects take part, and lets the JVM
   * collect.
   */
  public void begin(Object grid, Set<ObjectName> all) {
    if (leader != grid) {
      return;
    }
    round.forEach(
        (number, each) -> {
          each.image.nameOnly(all);
          exports().trials().begins(number);
          each.held = null;
        });
    if (!round.isEmpty()) {
      collectGarbage();
    }
  }

  /**
   * Lets the JVM collect; on a platform thread, since that occupies the carrier of a virtual one.
   */
  private void collectGarbage() {
    synchronized (this) {
      hasCollected = true;
      lastCollection = System.nanoTime();
    }
    CompletableFuture.runAsync(System::gc, node.platformThreads()).join();
  }

  /** Returns the present state of the trials. */
  public TrialReport report(Object grid) {
    if (leader == grid) {
      node.tell();
      round.forEach(
          (number, each) -> {
            var entry = exports().entry(number);
            if (entry != null) {
              entry.look(each.object);
            }
          });
    }
    return exports().trials().report();
  }

  /** Frees objects that were proved to be garbage. */
  public void free(Object grid, Collection<Long> numbers) {
    if (leader == grid) {
      for (var each : numbers) {
        if (exports().free(each)) {
          round.remove(each);
          idle.remove(each);
        }
      }
    }
  }

  /**
   * Lets all objects return.
   *
   * @return the hosts that must have heard of their references before the round is over
   */
  public Collection<RemoteNode> finish(Object grid) {
    if (leader != grid) {
      return List.of();
    }
    for (var number : exports().trials().unreturned()) {
      exports().body(number);
      var known = idle.get(number);
      if (known != null) {
        known.notBefore =
            System.nanoTime() + (idleNanos << Math.min(known.trials++, MOST_DOUBLINGS));
      }
    }
    round.values().forEach(each -> each.whole.join());
    return Set.copyOf(told);
  }

  /** Ends the round, in which all objects have returned. */
  public void over(Object grid) {
    synchronized (this) {
      if (leader != grid) {
        return;
      }
      round.clear();
      told.clear();
      leader = null;
    }
    for (var number : exports().trials().over()) {
      var entry = exports().entry(number);
      if (entry != null) {
        entry.changed(copies -> {});
      }
    }
  }

  /** Ends the round of a grid that this node leaves. */
  public void abort(Object grid) {
    finish(grid);
    over(grid);
  }

  /** Lets all objects return, because all bodies are needed. */
  public void returnAll() {
    exports().trials().unreturned().forEach(each -> exports().body(each));
  }

  /** Returns the types of the objects that have no body at present, by their numbers. */
  Map<Long, ActiveType<?>> cleared() {
    Map<Long, ActiveType<?>> cleared = new HashMap<>();
    round.forEach(
        (number, each) -> {
          var entry = exports().entry(number);
          if (entry != null && entry.bodyIfPresent() == null) {
            cleared.put(number, each.type);
          }
        });
    return cleared;
  }

  // Objects that return

  /** Lets a body go on that was not cleared. */
  void returned(long number, Body body) {
    body.departures().cancel();
    known(number).whole.complete(null);
  }

  /** Makes a body for an object that was cleared with its former one. */
  Body madeAgain(long number) {
    var former = known(number);
    var body = BodyFactory.create(node, former.type, former.options);
    body.succeeds(number);
    Thread.startVirtualThread(() -> make(former, body));
    return body;
  }

  private void make(OnTrial former, Body body) {
    try {
      var known = former.object.get();
      body.arrive(known == null ? former.image.make(told) : known, body::takeServed);
    } catch (Throwable failure) { // of the code of its class
      body.abandon(body + " could not be made again after it was idle: " + failure);
    } finally {
      former.whole.complete(null);
    }
  }

  private OnTrial known(long number) {
    return Objects.requireNonNull(round.get(number), "an object on trial");
  }
}
