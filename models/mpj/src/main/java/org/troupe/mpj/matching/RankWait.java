package org.troupe.mpj.matching;

import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.MemberFutexes;
import org.troupe.mpj.error.MessagingError.Failure;

/** A wait of one thread of a rank, which made this object, for something that other ranks do. */
public abstract class RankWait {

  private final Thread thread = Thread.currentThread();
  private volatile boolean isWoken;
  private volatile @Nullable MemberFutexes sleepsOn;

  // Set by RankWaits, before the wait is listed
  private long number;
  private long began;
  private long nextSearch; // touched by the thread of the ticks
  private boolean isReported; // touched by the thread of the ticks

  /** A wait of the current thread. */
  protected RankWait() {}

  // What is awaited

  /** Returns whether the wait is over; called by the waiting thread, often. */
  protected abstract boolean isOver();

  /** Does work for which the waiting thread is the best one. */
  protected void help() {}

  /** Returns whether only another rank can end the wait; on any thread. */
  protected abstract boolean isStuck();

  /** Adds the ranks one of which must act to end the wait. */
  protected abstract void addAwaited(BitSet ranks);

  /** Returns what is awaited, in words; on any thread. */
  protected abstract String describe();

  /** Returns the context of the awaited operations. */
  protected abstract int context();

  /** Ends the wait by a failure, if it still lasts; on any thread. */
  protected abstract void fail(Failure why);

  /** Called from time to time while the wait lasts, on a thread that may send notices. */
  protected void delayed(long waitedNanos) {}

  /** Returns whether what ends the wait probably comes over a link, and not over a board. */
  protected boolean isOverLink() {
    return true;
  }

  /** Returns the futexes of the board on which others end the wait; {@code null} if none do. */
  protected @Nullable MemberFutexes futexes() {
    return null;
  }

  // Waking and sleeping

  /** Lets the waiting thread look again. */
  public final void wake() {
    isWoken = true;
    if (thread != Thread.currentThread()) { // which polls and may itself have received
      var its = sleepsOn;
      if (its != null) {
        its.wake();
      }
      LockSupport.unpark(thread);
    }
  }

  final boolean isWoken() {
    return isWoken;
  }

  /** Prepares for the next look at what is awaited. */
  final void rearm() {
    isWoken = false;
  }

  /** Sets the futexes on which the thread is about to sleep. */
  final void sleepsOn(@Nullable MemberFutexes futexes) {
    sleepsOn = futexes;
  }

  final Thread thread() {
    return thread;
  }

  // The list of waits

  final void list(long itsNumber, long now) {
    number = itsNumber;
    began = now;
  }

  final long number() {
    return number;
  }

  final long waited(long now) {
    return now - began;
  }

  /** Returns whether a search for a deadlock is due; then the next is due after twice the time. */
  final boolean isSearchDue(long waited, long first, long most) {
    nextSearch = nextSearch == 0 ? first : nextSearch;
    if (waited < nextSearch) {
      return false;
    }
    nextSearch = waited + Math.min(waited, most);
    return true;
  }

  /** Returns true at the first call. */
  final boolean isReportDue() {
    var before = isReported;
    isReported = true;
    return !before;
  }
}
