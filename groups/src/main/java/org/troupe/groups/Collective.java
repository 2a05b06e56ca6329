package org.troupe.groups;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One thing that all members of a group do together, as one of them does it. Used by one thread.
 */
final class Collective implements Mailbox.Wait, AutoCloseable {

  /** What members can do together. */
  enum Kind {
    BROADCAST,
    SCATTER,
    GATHER,
    ALL_GATHER,
    ALL_TO_ALL,
    REDUCE,
    ALL_REDUCE,
    SCAN,
    RECONFIGURE,
    SURVIVORS;

    boolean hasRoot() {
      return this == BROADCAST || this == SCATTER || this == GATHER || this == REDUCE;
    }

    @Override
    public String toString() {
      var words = name().toLowerCase(Locale.ROOT).split("_");
      var text = new StringBuilder(words[0]);
      for (var i = 1; i < words.length; i++) {
        text.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
      }
      return text.toString();
    }
  }

  private static final List<Class<?>> ELEMENTS =
      List.of(Object.class, double.class, float.class, int.class, long.class, byte.class);
  private static final int ROOT_SHIFT = 32;
  private static final int MOST_MEMBERS = 0xffff;
  private static final int OPERATION_SHIFT = 48;
  private static final int ELEMENT_SHIFT = 51;
  private static final int KIND_SHIFT = 54;

  private final Place place;
  private final Algorithm algorithm;
  private final Kind kind;
  private final long tag;
  private final int number;
  private final Long deadline;
  private final Duration limit;
  private volatile String contradiction;

  /**
   * Begins.
   *
   * @param root or -1
   * @param element of slices; of objects, {@code Object}
   * @param operation or {@code null}
   * @param limit how long it may take, or {@code null}
   */
  Collective(
      Place place,
      Algorithm algorithm,
      Kind kind,
      int root,
      Class<?> element,
      Operation operation,
      Duration limit) {
    if (root < -1 || root >= place.size()) {
      throw new IllegalArgumentException(
          "there is no member " + root + " for a " + kind + " in a group of " + place.size());
    }
    if (place.size() > MOST_MEMBERS) {
      throw new IllegalArgumentException(
          "a group of " + place.size() + " is too large to go in step; split it");
    }
    if (operation != null && element != Object.class) {
      operation.check(element);
    }
    this.place = place;
    this.algorithm = algorithm;
    this.kind = kind;
    this.limit = limit;
    this.deadline = limit == null ? null : (Long) (System.nanoTime() + limit.toNanos());
    var what =
        (long) kind.ordinal() << KIND_SHIFT
            | (long) ELEMENTS.indexOf(element) << ELEMENT_SHIFT
            | (operation == null ? 0L : operation.ordinal() + 1L) << OPERATION_SHIFT
            | root + 1L << ROOT_SHIFT;
    number = place.begin(describe(what));
    tag = what | Integer.toUnsignedLong(number);
    try {
      check();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    place.busy(this);
  }

  Place place() {
    return place;
  }

  Algorithm algorithm() {
    return algorithm;
  }

  int rank() {
    return place.rank();
  }

  int size() {
    return place.size();
  }

  // Parcels

  /** Sends something; an array of numbers is handed over. */
  void send(int to, Object value) {
    place.send(to, Place.COLLECTIVE, tag, value);
  }

  /** Sends an object; an array of numbers remains the user's own. */
  void sendCopy(int to, Object value) {
    send(to, copied(value));
  }

  /** A value that may be handed over. */
  private static Object copied(Object value) {
    return switch (value) {
      case double[] all -> all.clone();
      case float[] all -> all.clone();
      case int[] all -> all.clone();
      case long[] all -> all.clone();
      case byte[] all -> all.clone();
      case short[] all -> all.clone();
      case char[] all -> all.clone();
      case boolean[] all -> all.clone();
      case null -> null;
      default -> value;
    };
  }

  /** Waits for something from a member. */
  Object receive(int from) {
    for (; ; ) {
      var letter = place.mailbox().take(from, this);
      if (isOfThis(letter)) {
        return letter.parcel().value();
      }
    }
  }

  /** Waits for an array of numbers from a member. */
  Object receive(int from, int length) {
    return checked(from, receive(from), length);
  }

  /** Waits for something from one of some members, whichever comes first. */
  Mailbox.Letter receiveAny(BitSet of) {
    for (; ; ) {
      var letter = place.mailbox().takeAny(of, this);
      if (isOfThis(letter)) {
        return letter;
      }
    }
  }

  Object checked(int from, Object array, int length) {
    var sent = Array.getLength(array);
    if (sent != length) {
      throw new CollectiveException(
          place.describe(from)
              + " sent "
              + sent
              + " numbers in "
              + describe()
              + " where "
              + place.describe(rank())
              + " expected "
              + length
              + "; slices of the same length belong to it on all members");
    }
    return array;
  }

  /** Says whether a letter is of this; one that an earlier collective has left is not. */
  private boolean isOfThis(Mailbox.Letter letter) {
    if (letter.tag() == tag) {
      return true;
    }
    if ((int) letter.tag() - number < 0) {
      return false; // that one failed here
    }
    throw new CollectiveException(contradiction(letter.from(), letter.tag()));
  }

  /** Another member has waited long, in something. On a thread that must not wait. */
  void probed(int from, long itsTag) {
    if ((int) itsTag == number && itsTag != tag) {
      contradiction = contradiction(from, itsTag);
      place.mailbox().wake();
    }
  }

  private String contradiction(int from, long itsTag) {
    return place.describe(from)
        + " is in "
        + describe(itsTag)
        + " where "
        + place.describe(rank())
        + " is in "
        + describe()
        + "; all members must do the same, in the same order";
  }

  // Waiting

  @Override
  public void check() {
    if (kind == Kind.SURVIVORS) {
      return; // losses are its business
    }
    var aborted = place.mailbox().abortOf(number);
    if (aborted != null) {
      throw new CollectiveException((String) aborted.parcel().value());
    }
    if (contradiction != null) {
      throw new CollectiveException(contradiction);
    }
    place.checkLost(describe());
  }

  @Override
  public void late(List<Integer> missing, Duration since) {
    place.complain(describe(), missing, since);
    missing.forEach(each -> place.send(each, Place.PROBE, tag, null));
  }

  @Override
  public Long deadline() {
    return deadline;
  }

  @Override
  public RuntimeException timedOut(List<Integer> missing) {
    return new CollectiveException(
        place.describe(rank())
            + " waited "
            + limit.toMillis() / 1000.0
            + " s in "
            + describe()
            + " for "
            + place.describe(missing));
  }

  // The end

  /** Does this member's part; if that fails, it fails for all. */
  <R> R run(Function<Collective, R> part) {
    try {
      return part.apply(this);
    } catch (RuntimeException | Error failure) {
      abort(failure);
      throw failure;
    }
  }

  private void abort(Throwable cause) {
    if (cause instanceof MemberLostException || place.mailbox().abortOf(number) != null) {
      return; // which they hear of anyway
    }
    var why =
        cause instanceof CollectiveException
            ? cause.getMessage()
            : describe() + " failed at " + place.describe(rank()) + ": " + cause;
    for (var each = 0; each < size(); each++) {
      if (each != rank()) {
        place.send(each, Place.ABORT, Integer.toUnsignedLong(number), why);
      }
    }
  }

  @Override
  public void close() {
    place.end();
  }

  /** {@code allReduce of double[] with SUM (number 5 of this group)}. */
  private String describe() {
    return describe(tag);
  }

  private static String describe(long tag) {
    var element = ELEMENTS.get((int) (tag >>> ELEMENT_SHIFT & 7));
    var operation = (int) (tag >>> OPERATION_SHIFT & 7);
    var root = (int) (tag >>> ROOT_SHIFT & MOST_MEMBERS) - 1;
    return Kind.values()[(int) (tag >>> KIND_SHIFT)]
        + (element == Object.class ? "" : " of " + element + "[]")
        + (operation == 0 ? "" : " with " + Operation.values()[operation - 1])
        + (root < 0 ? "" : " at member " + root)
        + ((int) tag == 0 ? "" : " (number " + (int) tag + " of the group)");
  }
}
