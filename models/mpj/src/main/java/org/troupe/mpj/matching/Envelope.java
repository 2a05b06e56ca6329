package org.troupe.mpj.matching;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.ElementType;

/** The number that travels with each packet: its kind, and the key by which it is matched. */
final class Envelope {

  /*
   * Layout, from the highest bit: 3 bits of kind; then, of EAGER and ASK, 4 of the base type, 27 of the context and 30 of
   * the tag; of the other kinds a number of 61 bits. MessageEngine explains the kinds.
   *
   * On a board, where all messages are eager, the length takes the place of the kind and of the upper bits of the
   * context.
   */
  static final int EAGER = 0;
  static final int ASK = 1;
  static final int CLEAR = 2;
  static final int DATA = 3;
  static final int WITHDRAW = 4;
  static final int WITHDRAWN = 5;
  static final int CREDIT = 6;
  static final int NOTICE = 7;

  static final int TAG_BITS = 30;
  static final int CONTEXT_BITS = 27;

  private static final int TYPE_SHIFT = TAG_BITS + CONTEXT_BITS;
  private static final int KIND_SHIFT = 61;
  private static final long NUMBER_MASK = (1L << KIND_SHIFT) - 1;
  private static final int TAG_MASK = (1 << TAG_BITS) - 1;
  private static final int CONTEXT_MASK = (1 << CONTEXT_BITS) - 1;
  private static final int TYPE_MASK = 15;

  private static final int BOARD_CONTEXT_BITS = 20;
  private static final int BOARD_TYPE_SHIFT = TAG_BITS + BOARD_CONTEXT_BITS;
  private static final int BOARD_LENGTH_SHIFT = BOARD_TYPE_SHIFT + 4;

  private Envelope() {}

  /** Returns the envelope of a message. */
  static long of(int kind, ElementType element, MatchKey key) {
    return (long) kind << KIND_SHIFT
        | (long) element.ordinal() << TYPE_SHIFT
        | (long) key.context() << TAG_BITS
        | key.tag();
  }

  /** Returns the envelope of a packet with a number. */
  static long numbered(int kind, long number) {
    return (long) kind << KIND_SHIFT | number;
  }

  static int kind(long envelope) {
    return (int) (envelope >>> KIND_SHIFT);
  }

  static long number(long envelope) {
    return envelope & NUMBER_MASK;
  }

  static MatchKey key(long envelope, int from) {
    return new MatchKey(
        (int) (envelope >>> TAG_BITS) & CONTEXT_MASK, from, (int) envelope & TAG_MASK);
  }

  /** Returns the base type; {@code null} if there is none of that number. */
  static @Nullable ElementType element(long envelope) {
    return element((int) (envelope >>> TYPE_SHIFT) & TYPE_MASK);
  }

  private static @Nullable ElementType element(int ordinal) {
    return ordinal < ElementType.ALL.size() ? ElementType.ALL.get(ordinal) : null;
  }

  // On a board

  /** Returns whether messages of a context can be on a board. */
  static boolean fitsBoard(int context) {
    return context < 1 << BOARD_CONTEXT_BITS;
  }

  /** Returns the envelope of a message on a board. */
  static long onBoard(ElementType element, int context, int tag, int length) {
    return (long) length << BOARD_LENGTH_SHIFT
        | (long) element.ordinal() << BOARD_TYPE_SHIFT
        | (long) context << TAG_BITS
        | tag;
  }

  static MatchKey keyOnBoard(long envelope, int from) {
    return new MatchKey(
        (int) (envelope >>> TAG_BITS) & (1 << BOARD_CONTEXT_BITS) - 1,
        from,
        (int) envelope & TAG_MASK);
  }

  static @Nullable ElementType elementOnBoard(long envelope) {
    return element((int) (envelope >>> BOARD_TYPE_SHIFT) & TYPE_MASK);
  }

  static int lengthOnBoard(long envelope) {
    return (int) (envelope >>> BOARD_LENGTH_SHIFT);
  }
}
