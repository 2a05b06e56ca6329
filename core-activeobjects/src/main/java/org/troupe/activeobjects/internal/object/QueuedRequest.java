package org.troupe.activeobjects.internal.object;

import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.Ref;

/**
 * What waits in a body's queue: a call, or work of our own that must keep its place among calls.
 */
public abstract class QueuedRequest {

  private static final int LESS_THAN_CHUNK = (1 << QueueMemory.CHUNK_BITS) - 1;

  /** The next in the list that this one is in; a request is in one list at a time. */
  QueuedRequest next;

  /**
   * The chunks of memory that this is counted for, and what of the next one it takes with all that
   * is queued before it. Written before it is queued.
   *
   * @see QueueMemory
   */
  private int counted;

  /** How much this takes in a queue, about; 0 for what is not counted. */
  long bytes() {
    return 0;
  }

  /**
   * Counts this in a queue.
   *
   * @param rest what those before it have left, as {@link #rest} gives it
   */
  final void count(int rest, long bytes) {
    var sum = rest + bytes;
    var chunks = Math.min(sum >> QueueMemory.CHUNK_BITS, Character.MAX_VALUE);
    counted = (int) chunks << QueueMemory.CHUNK_BITS | (int) sum & LESS_THAN_CHUNK;
  }

  /** What of a chunk it leaves to be counted with the next one. */
  final int rest() {
    return counted & LESS_THAN_CHUNK;
  }

  /** How many chunks of memory this is counted for. */
  final int chunks() {
    return counted >>> QueueMemory.CHUNK_BITS;
  }

  /** Does the work, on the thread that serves. Throws nothing. */
  abstract void serve(Body body, ServiceContext context);

  /** The body has ended: tells whoever waits. Throws nothing. */
  abstract void refuse(Body body);

  /** Work that is no call: a stage of an ask, or news for a failure handler. */
  public static final class Task extends QueuedRequest {

    private final Runnable work;
    private final Ref<?> sender;
    private final BooleanSupplier keeps;
    private volatile CallRequest behind; // as was found last

    Task(Runnable work) {
      this(work, null, () -> false);
    }

    /**
     * Work that belongs behind what an object has sent before, even behind what is held of it.
     *
     * @param keeps whether what it sends afterwards belongs behind this
     */
    public Task(Runnable work, Ref<?> sender, BooleanSupplier keeps) {
      this.work = work;
      this.sender = sender;
      this.keeps = keeps;
    }

    /** Says whether it may have to stay behind something. */
    boolean hasSender() {
      return sender != null;
    }

    /** Says whether this must not pass a request that came before it. */
    boolean staysBehind(QueuedRequest older) {
      if (isFromSender(older)) {
        behind = (CallRequest) older;
        return true;
      }
      return false;
    }

    /** Says whether a request that came later must not pass this. */
    boolean keeps(QueuedRequest younger) {
      return isFromSender(younger) && keeps.getAsBoolean();
    }

    private boolean isFromSender(QueuedRequest other) {
      return sender != null
          && other instanceof CallRequest call
          && RequestGates.isFrom(call, sender);
    }

    /** What it was last found to wait behind, or {@code null}. */
    public String waitsBehind() {
      var call = behind;
      return call == null ? null : call.method.toString();
    }

    @Override
    void serve(Body body, ServiceContext context) {
      run(body, work);
    }

    /** A stage whose body has ended still has to run: others may wait for it. */
    @Override
    void refuse(Body body) {
      Thread.startVirtualThread(() -> run(body, work));
    }

    private static void run(Body body, Runnable work) {
      try {
        work.run();
      } catch (Throwable failure) {
        body.node().failures().report(null, "a stage or handler of " + body, failure);
      }
    }
  }

  /** Ends the body in its turn. */
  static final class Termination extends QueuedRequest {

    @Override
    void serve(Body body, ServiceContext context) {
      body.end();
    }

    @Override
    void refuse(Body body) {
      // It has ended already.
    }
  }
}
