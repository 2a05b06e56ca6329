package org.troupe.activeobjects.internal.body;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Request;

/**
 * An element of a body's queue: a call, or a task of the middleware that must keep its place among
 * calls.
 */
public abstract class QueuedRequest {

  private static final int LESS_THAN_CHUNK = (1 << QueueMemory.CHUNK_BITS) - 1;

  /** The next element of the list that this one is in; a request is in at most one list. */
  @Nullable QueuedRequest next;

  /**
   * The chunks of memory accounted to this request, and the part of the next chunk used by it and
   * all requests queued before it. Written before it is queued.
   *
   * @see QueueMemory
   */
  private int counted;

  /** Reverses a list, so that its last element comes first. */
  static QueuedRequest reversed(QueuedRequest newest) {
    var oldest = newest;
    var second = newest.next;
    newest.next = null;
    for (var each = second; each != null; ) {
      var next = each.next;
      each.next = oldest;
      oldest = each;
      each = next;
    }
    return oldest;
  }

  /** Returns the approximate size of this request in a queue; 0 if it is not counted. */
  long bytes() {
    return 0;
  }

  /**
   * Accounts for this request in a queue.
   *
   * @param rest the remainder of the requests before it, as {@link #rest} returns it
   */
  final void count(int rest, long bytes) {
    var sum = rest + bytes;
    var chunks = Math.min(sum >> QueueMemory.CHUNK_BITS, Character.MAX_VALUE);
    counted = (int) chunks << QueueMemory.CHUNK_BITS | (int) sum & LESS_THAN_CHUNK;
  }

  /** Returns the part of a chunk to be accounted with the next request. */
  final int rest() {
    return counted & LESS_THAN_CHUNK;
  }

  /** Returns the number of chunks of memory accounted to this request. */
  final int chunks() {
    return counted >>> QueueMemory.CHUNK_BITS;
  }

  /** Performs the work on the serving thread. Throws nothing. */
  abstract void serve(Body body, ServiceContext context);

  /** Refuses the request because the body has ended, and notifies its caller. Throws nothing. */
  abstract void refuse(Body body);

  /** A task that is not a call: a stage of an ask, or a notification of a failure handler. */
  public static final class Task extends QueuedRequest {

    private final Runnable work;
    private final @Nullable Predicate<Request>
        isFromSender; // null if it belongs behind no requests
    private final BooleanSupplier keeps;
    private volatile @Nullable CallRequest behind; // as last determined

    Task(Runnable work) {
      this(work, null, () -> false);
    }

    /**
     * Creates a task that belongs behind everything that an object has sent earlier, even behind
     * requests held by gates.
     *
     * @param isFromSender whether that object has sent a request
     * @param keeps whether later requests of that object belong behind this task
     */
    public Task(Runnable work, @Nullable Predicate<Request> isFromSender, BooleanSupplier keeps) {
      this.work = work;
      this.isFromSender = isFromSender;
      this.keeps = keeps;
    }

    /** Returns whether the task may have to stay behind requests of a sender. */
    boolean hasSender() {
      return isFromSender != null;
    }

    /** Returns whether this task must not overtake an older request. */
    boolean staysBehind(QueuedRequest older) {
      if (isFromSender(older)) {
        behind = (CallRequest) older;
        return true;
      }
      return false;
    }

    /** Returns whether a younger request must not overtake this task. */
    boolean keeps(QueuedRequest younger) {
      return isFromSender(younger) && keeps.getAsBoolean();
    }

    private boolean isFromSender(QueuedRequest other) {
      return isFromSender != null && other instanceof CallRequest call && isFromSender.test(call);
    }

    /** Returns the call that this task was last found to wait behind, or {@code null}. */
    public @Nullable String waitsBehind() {
      var call = behind;
      return call == null ? null : call.method.toString();
    }

    @Override
    void serve(Body body, ServiceContext context) {
      run(body, work);
    }

    /** Runs the task of a body that has ended, because others may wait for it. */
    @Override
    void refuse(Body body) {
      Thread.startVirtualThread(() -> run(body, work));
    }

    private static void run(Body body, Runnable work) {
      try {
        work.run();
      } catch (Throwable failure) {
        body.node().failures().background("a stage or handler of " + body, failure);
      }
    }
  }

  /** Stops the service for a restart in its turn, after the failure of an immediate method. */
  static final class Suspension extends QueuedRequest {

    @Override
    void serve(Body body, ServiceContext context) {
      body.suspend(true);
    }

    @Override
    void refuse(Body body) {
      // The body has ended and is not restarted.
    }
  }

  /** A message that the middleware forwards when the requests before it have been forwarded. */
  public static final class Passage extends QueuedRequest {

    private final Runnable forward;

    public Passage(Runnable forward) {
      this.forward = forward;
    }

    /** Forwards the message. */
    public void forward() {
      forward.run();
    }

    @Override
    void serve(Body body, ServiceContext context) {
      throw new AssertionError("the object has left");
    }

    @Override
    void refuse(Body body) {
      forward.run();
    }
  }

  /** Ends the body in its turn. */
  public static final class Termination extends QueuedRequest {

    @Override
    void serve(Body body, ServiceContext context) {
      body.finish();
    }

    @Override
    void refuse(Body body) {
      // The body has already ended.
    }
  }
}
