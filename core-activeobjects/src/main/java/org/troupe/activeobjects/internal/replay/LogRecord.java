package org.troupe.activeobjects.internal.replay;

import java.util.Map;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * One entry of the log of an object. Requests of the object are known by their ordinal, which
 * counts all that it has begun.
 *
 * @param <C> encoded calls
 * @param <V> encoded outcomes
 */
public sealed interface LogRecord<C, V> {

  /**
   * Returns whether the record may be appended with a later one, since nothing depends on it: if it
   * is lost, calls are sent again, or a replay compares less.
   */
  default boolean mayBeLate() {
    return false;
  }

  /** The object has taken a request. */
  record Request<C, V>(TakenRequest<C> request) implements LogRecord<C, V> {}

  /**
   * A call of the object has ended.
   *
   * @param isOfTarget whether the called object has answered; else the call was ended here, by a
   *     time limit or the loss of a node, and may or may not have been taken
   */
  record Answer<C, V>(
      ObjectIdentity target,
      long number,
      CallFingerprint fingerprint,
      V outcome,
      boolean isOfTarget)
      implements LogRecord<C, V> {}

  /**
   * A call of the object could not be sent.
   *
   * @param after the number of the last call to the same object that could be
   */
  record Unsent<C, V>(ObjectIdentity target, long number, long after) implements LogRecord<C, V> {}

  /** An object has all calls of this one up to a number in its own log. */
  record Taken<C, V>(ObjectIdentity target, long upTo) implements LogRecord<C, V> {
    @Override
    public boolean mayBeLate() {
      return true;
    }
  }

  /** A request has obtained a value that may differ each time. */
  record Once<C, V>(long request, int index, V value) implements LogRecord<C, V> {}

  /** A request has ended. The digest is that of its calls and its answer. */
  record End<C, V>(long request, long digest) implements LogRecord<C, V> {
    @Override
    public boolean mayBeLate() {
      return true;
    }
  }

  /**
   * The object was made again after the end of its process, and begins a request again.
   *
   * @param request one that had not ended, as far as the log says
   */
  record MadeAgain<C, V>(long request) implements LogRecord<C, V> {}

  /**
   * A request has failed in such a way that it is not served again. The calls that it had made stay
   * made.
   *
   * @param outcome the answer to the caller
   * @param sent the accounts of all calls of the object, after the failure
   */
  record SetAside<C, V>(long request, V outcome, Map<ObjectIdentity, SentCalls.State<C>> sent)
      implements LogRecord<C, V> {

    public SetAside {
      sent = Map.copyOf(sent);
    }
  }
}
