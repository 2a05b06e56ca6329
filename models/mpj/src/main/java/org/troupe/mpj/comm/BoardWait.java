package org.troupe.mpj.comm;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.MemberFutexes;
import org.troupe.mpj.error.MessagingError.Failure;
import org.troupe.mpj.matching.RankWait;

/** A wait for members that do their part of a collective on a board. */
abstract class BoardWait extends RankWait {

  private final CollectiveProtocol calls;
  private final Board board;
  private volatile @Nullable Failure failure;

  BoardWait(CollectiveProtocol calls, Board board) {
    this.calls = calls;
    this.board = board;
  }

  /** Returns a member that has not done its part; -1 if all have. Also called on other threads. */
  abstract int missing();

  @Override
  protected final boolean isOver() {
    return missing() < 0 || failure != null || isHopeless();
  }

  private boolean isHopeless() {
    var its = calls.engine().hopeless(calls.context());
    if (its != null) {
      failure = its; // else another thread may have failed the wait meanwhile
    }
    return its != null;
  }

  /** Returns why the wait is over, although a member is missing. */
  final @Nullable Failure failure() {
    return failure;
  }

  @Override
  protected final boolean isStuck() {
    return missing() >= 0 && failure == null;
  }

  @Override
  protected final void addAwaited(BitSet ranks) {
    var member = missing();
    if (member >= 0) {
      ranks.set(calls.communicator().ofRun(member));
    }
  }

  @Override
  protected final String describe() {
    var member = missing();
    return calls.describeCall()
        + (member < 0 ? "" : " of " + calls.communicator().describe(member));
  }

  @Override
  protected final int context() {
    return calls.context();
  }

  @Override
  protected final void fail(Failure why) {
    failure = why;
    wake();
  }

  @Override
  protected final void delayed(long waitedNanos) {
    var member = missing();
    if (member >= 0) {
      calls.askWhere(member);
    }
  }

  @Override
  protected final MemberFutexes futexes() {
    return board.futexes();
  }
}
