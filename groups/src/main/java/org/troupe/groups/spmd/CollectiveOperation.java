package org.troupe.groups.spmd;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;

/** One member's part in a collective operation of a group. Used by one thread. */
final class CollectiveOperation implements Mailbox.Wait, AutoCloseable {

  /** The kinds of collective operations. */
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
    SURVIVORS,
    /** Calls that members make together, by the treatment of the answer. */
    COMBINED_DISCARD,
    COMBINED_RETURNED,
    COMBINED_GATHER,
    COMBINED_COMBINE,
    COMBINED_FORWARD,
    COMBINED_PERSONALISED;

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

  /**
   * The form in which numbers are sent. Members with slices of different lengths may choose
   * different forms, and a message may have the expected length by chance.
   */
  enum Way {
    WHOLE,
    /** The whole, and more is to come. */
    CHUNKS,
    HALVES,
    BLOCKS
  }

  static final List<Class<?>> ELEMENTS =
      List.of(Object.class, double.class, float.class, int.class, long.class, byte.class);
  private static final List<Operation> OPERATIONS = List.of(Operation.values());
  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final int ROOT_SHIFT = 32;
  private static final int MOST_MEMBERS = 0xffff;
  private static final int OPERATION_SHIFT = 48;
  private static final int ELEMENT_SHIFT = 51;
  private static final int KIND_SHIFT = 54;
  private static final int KIND_BITS = 5;
  private static final int WAY_SHIFT = KIND_SHIFT + KIND_BITS;

  /** A bit in the tag of an abort: a member's time limit was over. */
  private static final long GIVEN_UP = 1L << Integer.SIZE;

  /** Larger zero-copy sends would wait for the other JVM, whatever the time limit. */
  static final int MOST_LENT_WITHIN_LIMIT = 64 << 10;

  private static final String SAME_LENGTH =
      "; slices of the same length belong to it on all members";

  private static final String OUT_OF_STEP =
      "; a member that misses one, say because its method throws before, is one behind from then"
          + " on, and survivors() lets all begin anew";

  private final Communicator communicator;
  private final CollectiveAlgorithm algorithm;
  private final Kind kind;
  private final long tag;
  private final int number;
  private final Long deadline;
  private final Duration limit;
  private volatile String contradiction;
  private boolean isGivenUp;
  private Way way = Way.WHOLE;

  /**
   * Begins.
   *
   * @param root or -1
   * @param element of slices; of objects, {@code Object}
   * @param operation or {@code null}
   * @param limit how long it may take, or {@code null}
   */
  CollectiveOperation(
      Communicator communicator,
      CollectiveAlgorithm algorithm,
      Kind kind,
      int root,
      Class<?> element,
      Operation operation,
      Duration limit) {
    if (root < -1 || root >= communicator.size()) {
      throw new IllegalArgumentException(
          "there is no member "
              + root
              + " for a "
              + kind
              + " in a group of "
              + communicator.size());
    }
    if (communicator.size() > MOST_MEMBERS) {
      throw new IllegalArgumentException(
          "a group of " + communicator.size() + " is too large to go in step; split it");
    }
    if (operation != null && element != Object.class) {
      operation.check(element);
    }
    this.communicator = communicator;
    this.algorithm = algorithm;
    this.kind = kind;
    this.limit = limit;
    this.deadline = limit == null ? null : (Long) (System.nanoTime() + limit.toNanos());
    var what =
        (long) kind.ordinal() << KIND_SHIFT
            | (long) ELEMENTS.indexOf(element) << ELEMENT_SHIFT
            | (operation == null ? 0L : operation.ordinal() + 1L) << OPERATION_SHIFT
            | root + 1L << ROOT_SHIFT;
    number = communicator.begin(what);
    tag = what | Integer.toUnsignedLong(number);
    try {
      checkNotGivenUp();
      check();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    communicator.busy(this);
  }

  Communicator communicator() {
    return communicator;
  }

  CollectiveAlgorithm algorithm() {
    return algorithm;
  }

  int rank() {
    return communicator.rank();
  }

  int size() {
    return communicator.size();
  }

  // Parcels

  /** Sets the form of the messages sent and received from now on. */
  void goes(Way next) {
    way = next;
  }

  /** Returns the tag of messages in the current form. */
  private long tagNow() {
    return tag | (long) way.ordinal() << WAY_SHIFT;
  }

  /** Sends an array of numbers and gives it away: the receiver may reuse it. */
  void give(int to, Object array) {
    communicator.give(to, Communicator.COLLECTIVE, tagNow(), array);
  }

  /** Sends numbers of an array that remains the user's own. */
  void lend(int to, Slice<?> slice) {
    if (limit != null && slice.bytes() > MOST_LENT_WITHIN_LIMIT) {
      give(to, slice.copy());
    } else {
      communicator.lend(to, Communicator.COLLECTIVE, tagNow(), slice);
    }
  }

  /** Sends something; an array of numbers is never changed again. */
  void send(int to, Object value) {
    communicator.send(to, Communicator.COLLECTIVE, tagNow(), value);
  }

  /** Sends an object; an array of numbers remains the user's own. */
  void sendCopy(int to, Object value) {
    send(to, copied(value));
  }

  /** A value that may be handed over. */
  static Object copied(Object value) {
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
    return next(from, null).parcel().value();
  }

  private Mailbox.Letter next(int from, Slice<?> into) {
    for (; ; ) {
      var letter =
          into == null
              ? communicator.mailbox().take(from, this)
              : communicator.mailbox().take(from, tagNow(), into, this);
      if (isOfThis(letter)) {
        return letter;
      }
    }
  }

  /** Waits for an array of numbers that a member gives. */
  Object receive(int from, int length) {
    return checked(from, receive(from), length);
  }

  /** Waits for an array of numbers from a member, and fills a slice with it. */
  void receive(int from, Slice<?> slice) {
    fill(slice, next(from, slice));
  }

  /** Lends a slice to one member, and fills another from one; at the same time, if it may. */
  void exchange(int to, Slice<?> slice, int from, Slice<?> into) {
    if (slice.overlaps(into)) {
      lend(to, slice);
      receive(from, into);
      return;
    }
    var letter = communicator.mailbox().take(from, tagNow(), into, this, () -> lend(to, slice));
    fill(into, isOfThis(letter) ? letter : next(from, into));
  }

  void fill(Slice<?> slice, Mailbox.Letter letter) {
    letter.into(slice, array -> checked(letter.from(), array, slice.length()));
  }

  /** Waits for something from one of some members, whichever comes first. */
  Mailbox.Letter receiveAny(BitSet of) {
    for (; ; ) {
      var letter = communicator.mailbox().takeAny(of, this);
      if (isOfThis(letter)) {
        return letter;
      }
    }
  }

  private Object checked(int from, Object array, int length) {
    checkLength(from, Array.getLength(array), length);
    return array;
  }

  void checkLength(int from, int sent, int length) {
    if (sent != length) {
      throw new CollectiveException(
          communicator.describe(from)
              + " sent "
              + sent
              + " numbers in "
              + describe()
              + " where "
              + communicator.describe(rank())
              + " expected "
              + length
              + SAME_LENGTH);
    }
  }

  /** Says whether a letter is of this; one that an earlier collective has left is not. */
  private boolean isOfThis(Mailbox.Letter letter) {
    if (letter.tag() == tagNow()) {
      return true;
    }
    if ((letter.tag() & (1L << WAY_SHIFT) - 1) == tag) {
      throw new CollectiveException(
          communicator.describe(letter.from())
              + " sent other parts of a slice in "
              + describe()
              + " than "
              + communicator.describe(rank())
              + " expected"
              + SAME_LENGTH);
    }
    if ((int) letter.tag() - number < 0) {
      return false; // that one failed here
    }
    throw new CollectiveException(contradiction(letter.from(), letter.tag()));
  }

  long tag() {
    return tag;
  }

  /** Says whether that is the tag of a collective, rather than the number of one alone. */
  static boolean isOne(long tag) {
    return tag >>> ROOT_SHIFT != 0;
  }

  /** Compares the operation of a member that has waited long; on a thread that must not wait. */
  void probed(int from, long itsTag) {
    if ((int) itsTag == number && itsTag != tag) {
      contradiction = contradiction(from, itsTag);
      communicator.mailbox().wake();
    }
  }

  private String contradiction(int from, long itsTag) {
    return communicator.describe(from)
        + " is in "
        + describe(itsTag)
        + " where "
        + communicator.describe(rank())
        + " is in "
        + describe()
        + "; all members must do the same, in the same order"
        + ((int) itsTag == number ? "" : OUT_OF_STEP);
  }

  // Waiting

  /** The others may have waited in vain for this member to come here. */
  private void checkNotGivenUp() {
    var aborted = communicator.mailbox().abortOf(number);
    if (aborted != null && (aborted.tag() & GIVEN_UP) != 0 && kind != Kind.SURVIVORS) {
      throw new CollectiveException(
          communicator.describe(rank())
              + " comes to "
              + describe()
              + " when it has been given up: "
              + aborted.parcel().value()
              + OUT_OF_STEP);
    }
  }

  @Override
  public void check() {
    if (kind == Kind.SURVIVORS) {
      return; // losses are its business
    }
    var aborted = communicator.mailbox().abortOf(number);
    if (aborted != null) {
      throw new CollectiveException((String) aborted.parcel().value());
    }
    if (contradiction != null) {
      throw new CollectiveException(contradiction);
    }
    communicator.checkLost(this::describe);
  }

  @Override
  public void late(List<Integer> missing, long waitedNanos) {
    if (waitedNanos >= Communicator.patienceNanos()) {
      communicator.complain(describe(), missing, Communicator.DO_ALL, waitedNanos, limit);
    }
    missing.forEach(each -> communicator.probe(each, tag));
  }

  @Override
  public Long deadline() {
    return deadline;
  }

  @Override
  public RuntimeException timedOut(List<Integer> missing) {
    isGivenUp = true;
    return new CollectiveException(
        communicator.describe(rank())
            + " waited "
            + limit.toMillis() / 1000.0
            + " s in "
            + describe()
            + " for "
            + communicator.describeWithPositions(missing));
  }

  // The end

  /** Runs this member's part; an exception aborts the operation at all members. */
  <R> R run(Function<CollectiveOperation, R> part) {
    try {
      return part.apply(this);
    } catch (RuntimeException | Error failure) {
      abort(failure);
      throw failure;
    }
  }

  private void abort(Throwable cause) {
    if (cause instanceof MemberLostException || communicator.mailbox().abortOf(number) != null) {
      return; // which they hear of anyway
    }
    var why =
        cause instanceof CollectiveException
            ? cause.getMessage()
            : describe() + " failed at " + communicator.describe(rank()) + ": " + cause;
    for (var each = 0; each < size(); each++) {
      if (each != rank()) {
        communicator.send(
            each,
            Communicator.ABORT,
            Integer.toUnsignedLong(number) | (isGivenUp ? GIVEN_UP : 0),
            why);
      }
    }
  }

  @Override
  public void close() {
    communicator.end();
  }

  /** {@code allReduce of double[] with SUM (number 5 of this group)}. */
  private String describe() {
    return describe(tag);
  }

  static String describe(long tag) {
    var element = of(ELEMENTS, tag >>> ELEMENT_SHIFT & 7);
    var operation = of(OPERATIONS, (tag >>> OPERATION_SHIFT & 7) - 1);
    var root = (int) (tag >>> ROOT_SHIFT & MOST_MEMBERS) - 1;
    return of(KINDS, tag >>> KIND_SHIFT & (1 << KIND_BITS) - 1)
        + (element.equals(Object.class) ? "" : " of " + element + "[]")
        + ((tag >>> OPERATION_SHIFT & 7) == 0 ? "" : " with " + operation)
        + (root < 0 ? "" : " at member " + root)
        + ((int) tag == 0 ? "" : " (number " + (int) tag + " of the group)");
  }

  /** A tag that another member has made up may say anything. */
  static Object of(List<?> all, long index) {
    return index >= 0 && index < all.size() ? all.get((int) index) : "something unknown";
  }
}
