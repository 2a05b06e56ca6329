package org.troupe.mpj.matching;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.error.MessagingError.Failure;

/**
 * How an operation ended.
 *
 * @param source the rank of the sender in the whole run; {@link MessageEngine#ANY} for a send
 * @param tag the tag of the message
 * @param elements the number of base elements that were received
 * @param element their type; {@code null} for a send
 * @param isCancelled whether it was cancelled
 * @param failure why it failed; {@code null} if it did not
 */
public record Completion(
    int source,
    int tag,
    int elements,
    @Nullable ElementType element,
    boolean isCancelled,
    @Nullable Failure failure) {

  static final Completion SENT =
      new Completion(MessageEngine.ANY, MessageEngine.ANY, 0, null, false, null);
  static final Completion CANCELLED =
      new Completion(MessageEngine.ANY, MessageEngine.ANY, 0, null, true, null);

  static Completion failed(int source, int tag, Failure failure) {
    return new Completion(source, tag, 0, null, false, failure);
  }
}
