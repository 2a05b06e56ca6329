package org.troupe.activeobjects.internal.body;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The departure of an object from its body, which from its beginning holds all requests.
 *
 * <p>First the body waits for a safe point, at which no request and no stage of the object runs or
 * is awaited. Its serving thread then runs an action that makes an image of the object. After that
 * the departure is either cancelled, and the body serves the requests held, or completed, and the
 * body forwards all requests. In between the object may sleep: the body forgets it until a request
 * comes. A departure that is only announced holds the requests as well, but lets others that are
 * cancelled go first. Thread-safe.
 */
public final class Departure {

  private enum State {
    ANNOUNCED,
    AWAITS_SAFE_POINT,
    HAS_IMAGE,
    CANCELLED,
    COMPLETED
  }

  private final Body body;
  private final Consumer<Departure> atSafePoint;
  private final @Nullable Runnable whenHeld;
  private final Supplier<@Nullable String> obstacle;
  private final AtomicReference<State> state;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private volatile @Nullable Consumer<QueuedRequest> forwarder;
  private final AtomicReference<@Nullable Runnable> waker = new AtomicReference<>();
  private volatile boolean isAsleep;

  Departure(
      Body body,
      Consumer<Departure> atSafePoint,
      @Nullable Runnable whenHeld,
      Supplier<@Nullable String> obstacle,
      boolean isAnnounced) {
    this.body = body;
    this.atSafePoint = atSafePoint;
    this.whenHeld = whenHeld;
    this.obstacle = obstacle;
    this.state = new AtomicReference<>(isAnnounced ? State.ANNOUNCED : State.AWAITS_SAFE_POINT);
  }

  /** Returns the departure of an object that was never in its body. */
  static Departure completed(Body body, Consumer<QueuedRequest> forwarder) {
    var completed = new Departure(body, _ -> {}, null, () -> null, false);
    completed.forwarder = forwarder;
    completed.state.set(State.COMPLETED);
    completed.completion.complete(null);
    return completed;
  }

  /** Returns the body that the object leaves. */
  public Body body() {
    return body;
  }

  /** Returns what the safe point has to wait for, beside what the body knows; or {@code null}. */
  @Nullable String obstacle() {
    return obstacle.get();
  }

  /**
   * Runs the action for requests that are held after the image was made. Called by the serving
   * thread.
   *
   * @return whether the departure has been cancelled
   */
  boolean endsForRequests() {
    if (whenHeld == null || state.get() != State.HAS_IMAGE) {
      return false;
    }
    whenHeld.run();
    return state.get() == State.CANCELLED;
  }

  /** Returns whether this departure is cancelled as soon as another one begins. */
  boolean canMakeRoom() {
    return whenHeld != null;
  }

  /** Cancels this departure for another one; returns {@code false} if it is not to make room. */
  boolean makesRoom() {
    if (whenHeld == null) {
      return false;
    }
    if (!giveUp()) {
      cancel(); // first: an action of the safe point that still runs sees it afterwards
      whenHeld.run();
    }
    return true;
  }

  boolean isAnnounced() {
    return state.get() == State.ANNOUNCED;
  }

  /** Lets an announced departure begin when those that have gone first are cancelled. */
  public void becomesDue() {
    state.compareAndSet(State.ANNOUNCED, State.AWAITS_SAFE_POINT);
  }

  /** Returns whether the object goes on here. */
  public boolean isCancelled() {
    return state.get() == State.CANCELLED;
  }

  /** Runs the action of the safe point once. Called by the serving thread. */
  void reachedSafePoint() {
    if (state.compareAndSet(State.AWAITS_SAFE_POINT, State.HAS_IMAGE)) {
      atSafePoint.accept(this);
    }
  }

  /** Returns whether the object has left for good. */
  public boolean isCompleted() {
    return state.get() == State.COMPLETED;
  }

  /** Returns a future that completes when the object has left for good. */
  public CompletableFuture<Void> completion() {
    return completion;
  }

  /** Lets the body check again whether it has reached a safe point. */
  public void check() {
    body.holds().wake();
  }

  /** Checks the same on the calling thread, unless another thread serves the body. */
  public void checkHere() {
    body.looksForSafePoint();
  }

  /**
   * Gives up to wait for a safe point.
   *
   * @return whether no safe point was reached before; the body then serves again
   */
  public boolean giveUp() {
    return (state.compareAndSet(State.ANNOUNCED, State.CANCELLED)
            || state.compareAndSet(State.AWAITS_SAFE_POINT, State.CANCELLED))
        && resumed();
  }

  /**
   * Lets the body forget its object, whose image is stable.
   *
   * @param wake is run once when a request or a task waits, or the object is to end with another;
   *     does not block. It lets the object {@linkplain #wake wake} or end
   */
  public void sleep(Runnable wake) {
    body.sleeps();
    isAsleep = true;
    waker.set(wake);
    if (body.departures().isEndDeferred()) {
      isCalled(); // the other has ended before there was a waker
    }
    check(); // a request may wait already
  }

  /**
   * Lets an action run once when a request or a task waits after the image was made; does not
   * block.
   */
  public void whenCalled(Runnable action) {
    waker.set(action);
    check(); // a request may wait already
  }

  /** Returns whether the body has no object until a request comes. */
  public boolean isAsleep() {
    return isAsleep;
  }

  /** Lets the body wake its object, if it sleeps. */
  public void isCalled() {
    var wake = waker.getAndSet(null);
    if (wake != null) {
      wake.run();
    }
  }

  /** Lets the body serve with an object that was made again. */
  public void wake(Object object) {
    body.wakes(object);
    isAsleep = false;
    cancel();
  }

  /** Lets the body serve again after its image was made. */
  public void cancel() {
    if (state.compareAndSet(State.HAS_IMAGE, State.CANCELLED)) {
      resumed();
    }
  }

  private boolean resumed() {
    body.departures().cancelled(this);
    return true;
  }

  /**
   * Ends the service for good.
   *
   * @param forwarder receives each request, oldest first, on the thread that served them
   */
  public void complete(Consumer<QueuedRequest> forwarder) {
    this.forwarder = forwarder;
    if (!state.compareAndSet(State.HAS_IMAGE, State.COMPLETED)) {
      throw new IllegalStateException(body + " has no image");
    }
    body.departed();
    completion.complete(null);
  }

  /**
   * Forwards all requests of the queue. Called by the serving thread.
   *
   * @return a task of this node, which is not forwarded; {@code null} if no request is left
   */
  @Nullable QueuedRequest forwardAll(Supplier<? extends @Nullable QueuedRequest> queue) {
    for (QueuedRequest next; (next = queue.get()) != null; ) {
      if (next instanceof QueuedRequest.Task) {
        return next;
      }
      forward(next);
    }
    return null;
  }

  /** Forwards a request. Called by one thread at a time. */
  void forward(QueuedRequest request) {
    try {
      Objects.requireNonNull(forwarder, "the forwarder").accept(request);
    } catch (Throwable failure) { // the requests behind it must not be lost
      body.node().failures().report(null, "a request that follows " + body, failure);
    }
  }
}
