package org.troupe.mpj.comm;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;

/**
 * The outcome of an operation.
 *
 * @param source the rank of the sender in the communicator
 * @param tag the tag of the message
 * @param elements the number of base elements that were received
 * @param element their type; {@code null} if there was no message
 * @param isCancelled whether the operation was cancelled
 */
public record MessageStatus(
    int source, int tag, int elements, @Nullable ElementType element, boolean isCancelled) {

  /** The status of a request that is null. */
  public static final MessageStatus EMPTY =
      new MessageStatus(NamedConstants.ANY_SOURCE, NamedConstants.ANY_TAG, 0, null, false);

  /** The status of a receive from no rank. */
  static final MessageStatus NO_RANK =
      new MessageStatus(NamedConstants.PROC_NULL, NamedConstants.ANY_TAG, 0, null, false);

  /** Returns the number of items; {@link NamedConstants#UNDEFINED} if the last is incomplete. */
  public int count(@Nullable DataLayout type) {
    var layout = DataLayout.given(type);
    if (layout.size() == 0) {
      return elements == 0 ? 0 : NamedConstants.UNDEFINED;
    }
    return elements % layout.size() == 0 ? elements / layout.size() : NamedConstants.UNDEFINED;
  }

  /** Returns the number of base elements. */
  public int elements(@Nullable DataLayout type) {
    DataLayout.given(type);
    return elements;
  }

  /** Returns the number of bytes of the message, nominally for objects. */
  public int bytes() {
    return element == null ? 0 : elements * element.bytes();
  }
}
