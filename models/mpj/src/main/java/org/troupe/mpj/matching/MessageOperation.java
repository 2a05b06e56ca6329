package org.troupe.mpj.matching;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A send or a receive that may not be complete yet. Thread-safe. */
public abstract class MessageOperation {

  /** A send that was complete when it began. */
  static final MessageOperation SENT = new Completed(Completion.SENT);

  private volatile boolean isDone;
  private @Nullable RankWait waiter; // guarded by this

  /** Returns whether the operation has ended; how, says {@link #completion}. */
  public final boolean isDone() {
    return isDone;
  }

  /** Returns how the ended operation ended; a received message is put into its array first. */
  public abstract Completion completion();

  /** Returns the operation in words, for reports of long waits. */
  abstract String describe();

  /** Returns the context of its message. */
  abstract int context();

  /** Does work that the waiting thread does better than another; called by it alone. */
  void help() {}

  /** Returns whether nothing has happened yet that will end it. */
  boolean isStuck() {
    return !isDone;
  }

  /** Adds the ranks one of which must act to end it. */
  abstract void addAwaited(BitSet ranks);

  /** Returns whether what ends it probably comes over a link, and not over a board. */
  boolean isOverLink() {
    return true;
  }

  final void done() {
    @Nullable RankWait woken;
    synchronized (this) {
      isDone = true;
      woken = waiter;
    }
    if (woken != null) {
      woken.wake();
    }
  }

  /** Lets a thread wait; false if another one waits. */
  final synchronized boolean enter(RankWait waits) {
    if (waiter != null && waiter != waits) {
      return false;
    }
    waiter = waits;
    return true;
  }

  final void leave(RankWait waits) {
    synchronized (this) {
      if (waiter != waits) {
        return;
      }
      waiter = null;
    }
    abandoned();
  }

  /** The waiting thread does something else, and no longer {@linkplain #help helps}. */
  void abandoned() {}

  final synchronized @Nullable RankWait waiter() {
    return waiter;
  }

  private static final class Completed extends MessageOperation {
    private final Completion completion;

    Completed(Completion completion) {
      this.completion = completion;
      done();
    }

    @Override
    public Completion completion() {
      return completion;
    }

    @Override
    String describe() {
      return Objects.toString(completion);
    }

    @Override
    int context() {
      return 0;
    }

    @Override
    void addAwaited(BitSet ranks) {
      // Nothing is awaited.
    }
  }

  /** Returns an operation that has ended. */
  public static MessageOperation ended(Completion completion) {
    return new Completed(completion);
  }
}
