package org.troupe.mpj.comm;

import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;

/**
 * The type and number of the elements of a collective to which all members give the same type and
 * number, and whether a board can carry them: as a number, which travels in notices.
 */
final class CallShape {

  /** The shape of a collective whose members may give different elements, or of an unknown call. */
  static final long NONE = 0;

  private static final int TYPE_AT = Integer.SIZE; // below it: the number of elements
  private static final int TYPE_BITS = 8;
  private static final long ON_BOARD = 1L << TYPE_AT + TYPE_BITS;

  private CallShape() {}

  /** Returns the shape of a call; never {@link #NONE}. */
  static long of(MessageBuffer data, boolean isOnBoard) {
    // PACKED may be received as BYTE, and the reverse.
    var type = data.element() == ElementType.PACKED ? ElementType.BYTE : data.element();
    return (isOnBoard ? ON_BOARD : 0) | (type.ordinal() + 1L) << TYPE_AT | data.elements();
  }

  /** Returns whether two members cannot take part in one collective with these shapes. */
  static boolean disagree(long one, long other) {
    return one != other && one != NONE && other != NONE;
  }

  /** Returns the class of the error of members that disagree. */
  static ErrorClass errorClass(long one, long other) {
    return type(one) == type(other) ? ErrorClass.ARG : ErrorClass.TYPE;
  }

  private static int type(long shape) {
    return (int) (shape >>> TYPE_AT) & (1 << TYPE_BITS) - 1;
  }

  /** Returns {@code 3 elements of type INT}. */
  static String describe(long shape) {
    var type = type(shape) - 1;
    return (int) shape
        + " elements of type "
        + (type >= 0 && type < ElementType.ALL.size() ? ElementType.ALL.get(type) : "unknown");
  }
}
