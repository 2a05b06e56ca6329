package org.troupe.activeobjects.internal.body;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;

/** The departures of the object of one body, and their obstacles. Thread-safe. */
public final class DepartureControl {

  private static final int MOST_NAMED = 4; // of the requests that are running

  private final Body body;
  private final AtomicInteger beside = new AtomicInteger(); // immediate requests in service

  /** Some of these, for messages. */
  private final AtomicReferenceArray<@Nullable CallRequest> someBeside =
      new AtomicReferenceArray<>(MOST_NAMED);

  private volatile @Nullable Departure departure;
  private @Nullable Departure announced; // behind that one; guarded by this
  private volatile @Nullable UnfinishedStages stages;
  private @Nullable End deferred; // guarded by this

  DepartureControl(Body body) {
    this.body = body;
  }

  /** Returns the departure that lasts or is completed; {@code null} if the object stays. */
  @Nullable Departure current() {
    return departure;
  }

  boolean hasLeft() {
    var known = departure;
    return known != null && known.isCompleted();
  }

  /**
   * Begins the departure of the object. The body looks for a safe point when it is told to {@link
   * Departure#check check}, and after the request that it serves.
   *
   * @param atSafePoint makes the image, on the thread that serves
   * @return {@code null} if the object leaves already
   */
  public @Nullable Departure begin(Consumer<Departure> atSafePoint) {
    return begin(() -> null, atSafePoint);
  }

  /**
   * Begins the departure of the object.
   *
   * @param obstacle returns what the safe point has to wait for, beside requests and stages; {@code
   *     null} if nothing
   * @param atSafePoint makes the image, on the thread that serves
   * @return {@code null} if the object leaves already
   */
  public @Nullable Departure begin(
      Supplier<@Nullable String> obstacle, Consumer<Departure> atSafePoint) {
    return begin(new Departure(body, atSafePoint, null, obstacle, false));
  }

  /**
   * Begins the departure of the object, which lets others that are cancelled go first until it
   * {@linkplain Departure#becomesDue becomes due}.
   *
   * @param obstacle returns what the safe point has to wait for, beside requests and stages; {@code
   *     null} if nothing
   * @param atSafePoint makes the image, on the thread that serves
   * @return {@code null} if the object has left, or another departure is announced
   */
  public @Nullable Departure announce(
      Supplier<@Nullable String> obstacle, Consumer<Departure> atSafePoint) {
    return begin(new Departure(body, atSafePoint, null, obstacle, true));
  }

  /**
   * Begins a departure of the object that is cancelled rather than completed, and makes room for
   * one that is not.
   *
   * @param atSafePoint makes the image, on the thread that serves
   * @param whenHeld runs when requests are held after that, or another departure begins; it cancels
   *     this one, unless the action of the safe point does
   * @return {@code null} if the object leaves already
   */
  public @Nullable Departure begin(Consumer<Departure> atSafePoint, Runnable whenHeld) {
    return begin(new Departure(body, atSafePoint, whenHeld, () -> null, false));
  }

  private @Nullable Departure begin(Departure begun) {
    body.holds();
    for (Departure other; (other = takeTurn(begun)) != null; ) {
      if (begun.canMakeRoom() || !other.makesRoom()) {
        return null;
      }
    }
    return begun;
  }

  /**
   * Lets a departure begin, or wait behind the one that lasts if it is announced, as that one waits
   * for it otherwise.
   *
   * @return the departure that prevents it; {@code null} if none does
   */
  private synchronized @Nullable Departure takeTurn(Departure begun) {
    var other = departure;
    if (other == null) {
      departure = begun;
      return null;
    }
    if (announced != null
        || begun.canMakeRoom()
        || other.canMakeRoom()
        || other.isCompleted()
        || begun.isAnnounced() == other.isAnnounced()) {
      return other;
    }
    announced = begun.isAnnounced() ? begun : other;
    departure = begun.isAnnounced() ? other : begun;
    return null;
  }

  /** Records that the object had left before this body was made. */
  void left(Consumer<QueuedRequest> forwarder) {
    departure = Departure.completed(body, forwarder);
  }

  /** Cancels the departure after its image was made. */
  public void cancel() {
    var known = departure;
    if (known != null) {
      known.cancel();
    }
  }

  /** Lets the body serve again, unless another departure is announced. */
  void cancelled(Departure cancelled) {
    End end;
    synchronized (this) {
      if (announced != cancelled) { // else it was given up before its turn
        departure = announced;
      }
      announced = null;
      end = departure == null ? deferred : null;
    }
    cancelled.check();
    if (end != null) {
      body.endNow(end);
    }
  }

  /**
   * Ends the object with another one that it is linked to, unless it leaves: then it ends if it
   * stays after all, and else its next node has to learn of the same end.
   *
   * @return whether it does not leave
   */
  public boolean endWith(End end) {
    Departure lasting;
    synchronized (this) {
      lasting = departure;
      if (lasting != null) {
        deferred = end;
      }
    }
    if (lasting == null) {
      body.endNow(end);
    } else {
      lasting.isCalled(); // an object that sleeps ends awake
    }
    return lasting == null;
  }

  /** Returns whether the object is to end with another one when its departure is over. */
  public boolean isEndDeferred() {
    return deferredEnd() != null;
  }

  /** Returns the end that the object takes along if it leaves; {@code null} if there is none. */
  public synchronized @Nullable End deferredEnd() {
    return deferred;
  }

  /** Returns why the object cannot leave now; {@code null} if it is at a safe point. */
  public @Nullable String obstacle() {
    var known = stages;
    var unfinished = known == null ? 0 : known.count();
    if (unfinished > 0) {
      return unfinished + " of its stages were not finished";
    }
    var running = beside.get();
    if (running > 0) {
      return running + " of its requests were still running beside its queue" + namedBeside();
    }
    var lasting = departure;
    return lasting == null ? null : lasting.obstacle();
  }

  private String namedBeside() {
    List<String> named = new ArrayList<>();
    for (var i = 0; i < MOST_NAMED; i++) {
      var request = someBeside.get(i);
      if (request != null) {
        named.add(request.method.toString());
      }
    }
    return named.isEmpty() ? "" : " (" + String.join(", ", named) + ")";
  }

  /** Returns why the object has not reached a safe point, in the past tense, for messages. */
  public String delay() {
    var known = obstacle();
    if (known != null) {
      return known;
    }
    var serving =
        body.allInService(MOST_NAMED).stream()
            .map(RequestInService::method)
            .collect(Collectors.joining(", "));
    if (body.type().scheduling().hasOwnService()) {
      return "its serve() had not returned" + (serving.isEmpty() ? "" : ", and served " + serving);
    }
    return (serving.isEmpty() ? "a request" : serving) + " was still running";
  }

  /** Records a stage that runs as a request of the body. */
  public void staged(CompletableFuture<?> stage) {
    var known = stages;
    if (known == null) {
      synchronized (this) {
        known = stages == null ? new UnfinishedStages() : stages;
        stages = known;
      }
    }
    known.add(stage);
  }

  /** Records the begin of an immediate request; returns {@code false} if it must be queued. */
  boolean beginsBeside() {
    beside.incrementAndGet(); // before the check: a departure sees the one or is seen
    if (departure == null) {
      return true;
    }
    endsBeside();
    return false;
  }

  void endsBeside() {
    beside.decrementAndGet();
  }

  /**
   * Records which immediate request runs, for messages.
   *
   * @return its place in the record; negative if that is full
   */
  int runsBeside(CallRequest request) {
    for (var i = 0; i < MOST_NAMED; i++) {
      if (someBeside.compareAndSet(i, null, request)) {
        return i;
      }
    }
    return -1;
  }

  /** Forgets an immediate request that has run. */
  void ranBeside(int place) {
    if (place >= 0) {
      someBeside.set(place, null);
    }
  }
}
