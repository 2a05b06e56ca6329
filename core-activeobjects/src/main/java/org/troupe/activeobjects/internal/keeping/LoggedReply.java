package org.troupe.activeobjects.internal.keeping;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * Receives the answer of a logged object to a call with a name, once for each embodiment that gives
 * it, and passes the first one on to all that have asked for it. Thread-safe.
 */
final class LoggedReply extends NamedReply {

  private final NumberedCallers callers;

  // guarded by this
  private final List<ReplyTo> receivers = new ArrayList<>(1);
  private @Nullable FutureResult<?> delegate;
  private boolean isAnswered;

  /** Creates the receiver of the answer to a call; {@code receiver} as in {@link NamedReply}. */
  LoggedReply(NumberedCallers callers, CallName name, Sender sender, @Nullable ReplyTo receiver) {
    super(name, sender, receiver);
    this.callers = callers;
    if (receiver != null) {
      receivers.add(receiver);
    }
  }

  /**
   * Adds a receiver, for the same call has arrived again.
   *
   * @return {@code false} if the answer is there, so that it is kept elsewhere
   */
  synchronized boolean adds(ReplyTo again) {
    if (isAnswered) {
      return false;
    }
    receivers.add(again);
    if (delegate != null) {
      again.delegated(delegate);
    }
    return true;
  }

  @Override
  public void returned(@Nullable Object value) {
    answered(success(value));
    removeAll().forEach(each -> each.returned(value));
  }

  @Override
  public void threw(Throwable cause) {
    answered(new Outcome.Failure<>(cause));
    removeAll().forEach(each -> each.threw(cause));
  }

  private void answered(Outcome<Object> outcome) {
    callers.answered(this, outcome);
  }

  private synchronized List<ReplyTo> removeAll() {
    isAnswered = true;
    var all = List.copyOf(receivers);
    receivers.clear();
    return all;
  }

  @Override
  public void delegated(FutureResult<?> future) {
    List<ReplyTo> all;
    synchronized (this) {
      delegate = future;
      all = List.copyOf(receivers);
    }
    all.forEach(each -> each.delegated(future));
  }

  @SuppressWarnings("NullAway") // the value may be null
  private static Outcome<Object> success(@Nullable Object value) {
    return new Outcome.Success<>(value);
  }
}
