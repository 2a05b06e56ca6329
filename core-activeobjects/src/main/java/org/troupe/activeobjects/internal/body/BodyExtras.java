package org.troupe.activeobjects.internal.body;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** State that only few bodies have. Its monitor guards what is not volatile. */
final class BodyExtras {

  /** The one-way calls of the object to other nodes. */
  enum OneWayCalls {
    /** All have been served, or there was none. */
    SERVED,
    /** Other nodes are being asked whether they have served all; none was made since. */
    ASKED_FOR,
    /** Some may not be served. */
    MADE
  }

  final CompletableFuture<Void> beginning = new CompletableFuture<>();
  final AtomicInteger backlog = new AtomicInteger();
  private final AtomicLong number = new AtomicLong(); // 0 until one is needed
  private final Set<Consumer<? super End>> endListeners = new LinkedHashSet<>();
  private List<Consumer<? super End>> closers = List.of();
  volatile @Nullable End cause; // why it ends or has ended; null for a termination
  volatile @Nullable RequestGates holds;
  private volatile @Nullable DepartureControl departures;
  private @Nullable ReuseCache leftovers;
  @Nullable BodyExtensions extensions;
  @Nullable Restarts restarts; // set in the constructor of the body
  @Nullable ObjectIdentity origin; // of an object that was created on another node
  @Nullable Object birthplace; // of such an object, as this node knows it
  @Nullable Object copies; // the count of the references to such an object
  int queueBound;
  boolean refuses; // calls to the full queue
  volatile int restartCount; // written while the service stands still
  volatile int restartsElsewhere; // before it came here; written before it is served
  boolean isExported;
  volatile boolean isHeldForCalls;
  volatile OneWayCalls oneWayCalls = OneWayCalls.SERVED; // written under the monitor
  boolean leavesAlong;

  /**
   * Whether the object exchanges packets with other members, and waits for them within its
   * requests. Accessed by the serving thread.
   */
  boolean isInStep;

  synchronized ReuseCache leftovers() {
    var known = leftovers;
    if (known == null) {
      known = new ReuseCache();
      leftovers = known;
    }
    return known;
  }

  synchronized BodyExtensions extensions(Body body) {
    var known = extensions;
    if (known == null) {
      known = new BodyExtensions(body);
      extensions = known;
    }
    return known;
  }

  RequestGates holds(Body body) {
    var known = holds;
    if (known != null) {
      return known;
    }
    synchronized (this) {
      known = holds == null ? new RequestGates(body) : holds;
      holds = known;
      return known;
    }
  }

  DepartureControl departures(Body body) {
    var known = departures;
    if (known != null) {
      return known;
    }
    synchronized (this) {
      known = departures == null ? new DepartureControl(body) : departures;
      departures = known;
      return known;
    }
  }

  /**
   * Returns the number of the body; draws one if none was needed yet. Takes no lock, because
   * listeners that are added under the lock of one body hash references to other bodies.
   */
  long number(BodyHost node) {
    var known = number.get();
    if (known != 0) {
      return known;
    }
    var drawn = node.nextId();
    return number.compareAndSet(0, drawn) ? drawn : number.get();
  }

  /** Sets the number of a body that has none. */
  void takeNumber(long known) {
    number.set(known);
  }

  /** Returns the number, or 0 if none was needed yet. */
  long numberIfKnown() {
    return number.get();
  }

  synchronized void addCloser(Consumer<? super End> closer) {
    closers =
        closers.isEmpty() // as almost always
            ? List.of(closer)
            : Stream.concat(closers.stream(), Stream.of(closer)).toList();
  }

  synchronized void addFirstCloser(Consumer<? super End> closer) {
    closers = Stream.concat(Stream.of(closer), closers.stream()).toList();
  }

  synchronized List<Consumer<? super End>> removeClosers() {
    var all = closers;
    closers = List.of();
    return all;
  }

  synchronized void addEndListener(Consumer<? super End> listener) {
    endListeners.add(listener);
  }

  synchronized void removeEndListener(Consumer<? super End> listener) {
    endListeners.remove(listener);
  }

  synchronized List<Consumer<? super End>> endListeners() {
    return List.copyOf(endListeners);
  }

  synchronized List<Consumer<? super End>> removeEndListeners() {
    var all = List.copyOf(endListeners);
    endListeners.clear();
    return all;
  }

  /** Records why the body is about to end; the first reason stands. */
  synchronized void noteCause(End why) {
    if (cause == null) {
      cause = why;
    }
  }
}
