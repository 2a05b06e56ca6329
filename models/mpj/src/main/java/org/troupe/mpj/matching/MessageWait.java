package org.troupe.mpj.matching;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.MessagingError.Failure;

/** A wait for a message that a receive would take. */
final class MessageWait extends RankWait {

  private final MessageEngine engine;
  private final MatchKey wanted;
  private volatile @Nullable Failure failure;
  private MessageEngine.@Nullable Probed found; // touched by the waiting thread

  MessageWait(MessageEngine engine, MatchKey wanted) {
    this.engine = engine;
    this.wanted = wanted;
  }

  MessageEngine.@Nullable Probed found() {
    return found;
  }

  @Nullable Failure failure() {
    return failure;
  }

  @Override
  protected boolean isOver() {
    found = engine.probe(wanted);
    return found != null || failure != null;
  }

  @Override
  protected boolean isStuck() {
    // A thread that has found the message, and has not left the list of waits yet, is not woken.
    return !isWoken() && failure == null && !engine.hasMessage(wanted);
  }

  @Override
  protected void addAwaited(BitSet ranks) {
    engine.addAwaited(wanted, ranks);
  }

  @Override
  protected String describe() {
    return "a probe for a message of " + engine.describe(wanted);
  }

  @Override
  protected int context() {
    return wanted.context();
  }

  @Override
  protected void fail(Failure why) {
    failure = why;
    wake();
  }

  @Override
  protected boolean isOverLink() {
    return false;
  }
}
