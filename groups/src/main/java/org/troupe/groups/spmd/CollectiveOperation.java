package org.troupe.groups.spmd;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.OperationEvent;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.BoardMembers;
import org.troupe.groups.board.MemberFutexes;

/** One member's part in a collective operation of a group. Used by one thread. */
final class CollectiveOperation implements Mailbox.Wait, AutoCloseable {

  /**
   * The division of numbers into messages. Members with slices of different lengths may choose
   * different layouts, and a message may have the expected length by chance. Each part of a slice
   * has a message in the layout of that part, so that a different number of parts is noticed.
   */
  enum Layout {
    WHOLE,
    /** A chunk of a whole that is not the last one. */
    CHUNKS,
    HALVES,
    BLOCKS
  }

  static final List<Class<?>> ELEMENTS =
      List.of(Object.class, double.class, float.class, int.class, long.class, byte.class);
  private static final List<Operation> OPERATIONS = List.of(Operation.values());
  private static final List<OperationKind> KINDS = List.of(OperationKind.values());
  private static final int ROOT_SHIFT = 32;
  private static final int MOST_MEMBERS = 0xffff;
  private static final int OPERATION_SHIFT = 48;
  private static final int ELEMENT_SHIFT = 51;
  private static final int KIND_SHIFT = 54;
  private static final int KIND_BITS = 5;
  private static final int LAYOUT_SHIFT = KIND_SHIFT + KIND_BITS;

  /** A bit in the tag of an abort: the time limit of a member has expired. */
  private static final long TIMED_OUT = 1L << Integer.SIZE;

  /**
   * The largest zero-copy send of an operation with a time limit; larger ones wait for the other
   * JVM without one.
   */
  static final int MOST_ZERO_COPY_WITHIN_LIMIT = 64 << 10;

  private static final String SAME_LENGTH_ADVICE =
      "; all members must give slices of the same length";

  private static final String OUT_OF_STEP_ADVICE =
      "; a member that misses a collective, for example because its method throws before it, stays"
          + " one behind; after survivors() all members count from zero again";

  private final Communicator communicator;
  private final CollectiveAlgorithm algorithm;
  private final OperationKind kind;
  private final long tag;
  private final int number; // the lower bits of the serial number
  private final long serial;
  private final @Nullable Board board; // null if this operation does not go over it
  private final @Nullable Long deadline;
  private final @Nullable Duration limit;
  private final @Nullable OperationEvent event; // null unless a recording runs
  private volatile @Nullable String mismatch;
  private boolean isTimedOut;
  private Observer.@Nullable Observation observation; // null if it is not observed, or has ended
  private Layout layout = Layout.WHOLE;
  private CollectiveAlgorithm used; // the last one that was chosen
  private long givenBytes;
  private boolean hasBegun;

  /**
   * Begins this member's part.
   *
   * @param root the rank of the root, or -1
   * @param element the element type of slices; {@code Object} for objects
   * @param operation the reduction operation, or {@code null}
   * @param limit the time limit, or {@code null}
   */
  CollectiveOperation(
      Communicator communicator,
      CollectiveAlgorithm algorithm,
      OperationKind kind,
      int root,
      Class<?> element,
      @Nullable Operation operation,
      @Nullable Duration limit) {
    if (root < -1 || root >= communicator.size()) {
      throw new IllegalArgumentException(
          "there is no member %d for a %s in a group of %d, whose ranks are 0 to %d"
              .formatted(root, kind, communicator.size(), communicator.size() - 1));
    }
    if (communicator.size() > MOST_MEMBERS) {
      throw new IllegalArgumentException(
          "a group of " + communicator.size() + " is too large for collectives; split it");
    }
    if (operation != null && element != Object.class) {
      ArrayReduction.checkApplicable(operation, element);
    }
    this.communicator = communicator;
    this.algorithm = algorithm;
    this.used = algorithm;
    this.kind = kind;
    this.limit = limit;
    this.deadline = limit == null ? null : (Long) (System.nanoTime() + limit.toNanos());
    var what =
        (long) kind.ordinal() << KIND_SHIFT
            | (long) ELEMENTS.indexOf(element) << ELEMENT_SHIFT
            | (operation == null ? 0L : operation.ordinal() + 1L) << OPERATION_SHIFT
            | root + 1L << ROOT_SHIFT;
    event = Collectives.current().operationEvent();
    serial = communicator.begin(what);
    number = (int) serial;
    tag = what | Integer.toUnsignedLong(number);
    try {
      // survivors() must not wait for a decision of member 0, which may be lost.
      board = kind == OperationKind.SURVIVORS ? null : communicator.boardSetUp().begin(serial, tag);
      checkNotTimedOut();
      checkNotFailed();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    communicator.setOperation(this);
    hasBegun = true;
    observation = Collectives.current().takesPart(kind, communicator.rank(), communicator.size());
  }

  Communicator communicator() {
    return communicator;
  }

  CollectiveAlgorithm algorithm() {
    return algorithm;
  }

  /** Records which algorithm was chosen, for reports. */
  void use(CollectiveAlgorithm chosen) {
    used = chosen;
  }

  /** Records the size of the numbers that this member gives to others by the board. */
  void giveOnBoard(long bytes) {
    givenBytes += bytes;
  }

  /**
   * Returns the board, if this operation sends its data over it. Of the algorithms only the best
   * one does.
   */
  @Nullable Board boardForData() {
    if (algorithm != CollectiveAlgorithm.BEST || board == null) {
      return null;
    }
    use(CollectiveAlgorithm.BOARD);
    return board;
  }

  @Override
  public @Nullable MemberFutexes futexes() {
    return board == null ? null : board.futexes();
  }

  /** Returns the number of this operation in the group. */
  long serial() {
    return serial;
  }

  int rank() {
    return communicator.rank();
  }

  int size() {
    return communicator.size();
  }

  // Messages

  Layout layout() {
    return layout;
  }

  /** Sets the layout of the messages sent and received from now on. */
  void setLayout(Layout next) {
    layout = next;
  }

  /** Returns the tag of messages with the current layout. */
  private long messageTag() {
    return tag | (long) layout.ordinal() << LAYOUT_SHIFT;
  }

  /** Sends an array of numbers and transfers its ownership: the receiver may reuse it. */
  void transfer(int to, Object array) {
    givenBytes += SliceArrays.bytesOf(array);
    communicator.transfer(to, Communicator.COLLECTIVE, messageTag(), array);
  }

  /** Sends a slice of an array that remains the user's own. */
  void sendZeroCopy(int to, Slice<?> slice) {
    if (limit != null && SliceArrays.bytes(slice) > MOST_ZERO_COPY_WITHIN_LIMIT) {
      transfer(to, SliceArrays.copyOf(slice));
    } else {
      givenBytes += SliceArrays.bytes(slice);
      communicator.sendZeroCopy(to, Communicator.COLLECTIVE, messageTag(), slice);
    }
  }

  /** Sends a value; an array of numbers must not be changed any more. */
  void send(int to, @Nullable Object value) {
    givenBytes += SliceArrays.bytesOf(value);
    communicator.send(to, Communicator.COLLECTIVE, messageTag(), value);
  }

  /** Sends a copy of an object; an array of numbers remains the user's own. */
  void sendCopy(int to, @Nullable Object value) {
    send(to, copyOf(value));
  }

  /**
   * Returns a copy of an array of primitives, and any other value itself, which is copied by
   * encoding.
   */
  static @Nullable Object copyOf(@Nullable Object value) {
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

  /** Receives the next value from a member. */
  @SuppressWarnings("NullAway") // null only in collectives on objects, whose members may give it
  Object receive(int from) {
    return receiveMessage(from, null).packet().value();
  }

  private Mailbox.Message receiveMessage(int from, @Nullable Slice<?> into) {
    for (; ; ) {
      var message =
          into == null
              ? communicator.mailbox().take(from, this)
              : communicator.mailbox().take(from, messageTag(), into, this);
      if (belongsHere(message)) {
        return message;
      }
    }
  }

  /** Receives an array of numbers from a member. */
  Object receive(int from, int length) {
    return checked(from, receive(from), length);
  }

  /** Receives numbers from a member into a slice. */
  void receive(int from, Slice<?> slice) {
    fill(slice, receiveMessage(from, slice));
  }

  /**
   * Sends a slice to one member and receives numbers from one into another slice; at the same time
   * unless the slices overlap.
   */
  void exchange(int to, Slice<?> slice, int from, Slice<?> into) {
    if (slice.overlaps(into)) {
      sendZeroCopy(to, slice);
      receive(from, into);
      return;
    }
    var message =
        communicator.mailbox().take(from, messageTag(), into, this, () -> sendZeroCopy(to, slice));
    fill(into, belongsHere(message) ? message : receiveMessage(from, into));
  }

  void fill(Slice<?> slice, Mailbox.Message message) {
    message.fill(slice, array -> checked(message.from(), array, slice.length()));
  }

  /** Receives a message from any of these members. */
  Mailbox.Message receiveAny(BitSet of) {
    for (; ; ) {
      var message = communicator.mailbox().takeAny(of, this);
      if (belongsHere(message)) {
        return message;
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
              + SAME_LENGTH_ADVICE);
    }
  }

  /**
   * Returns whether a message belongs to this operation; a message of an earlier one, which has
   * failed here, does not.
   */
  boolean belongsHere(Mailbox.Message message) {
    if (message.tag() == messageTag()) {
      return true;
    }
    if ((message.tag() & (1L << LAYOUT_SHIFT) - 1) == tag) {
      throw new CollectiveException(
          communicator.describe(message.from())
              + " sent other blocks of a slice in "
              + describe()
              + " than "
              + communicator.describe(rank())
              + " expected"
              + SAME_LENGTH_ADVICE);
    }
    if ((int) message.tag() - number < 0) {
      return false; // of an operation that has failed here
    }
    throw new CollectiveException(mismatch(message.from(), message.tag()));
  }

  long tag() {
    return tag;
  }

  /** Returns whether a position is the tag of a collective, not only a number of collectives. */
  static boolean isTag(long tag) {
    return tag >>> ROOT_SHIFT != 0;
  }

  /** Compares this operation with that of a waiting member; on a thread that must not block. */
  void probed(int from, long itsTag) {
    if ((int) itsTag == number && itsTag != tag) {
      mismatch = mismatch(from, itsTag);
      communicator.mailbox().wake();
    }
  }

  String mismatch(int from, long itsTag) {
    return communicator.describe(from)
        + " is in "
        + describe(itsTag)
        + " where "
        + communicator.describe(rank())
        + " is in "
        + describe()
        + "; all members must do the same, in the same order"
        + ((int) itsTag == number ? "" : OUT_OF_STEP_ADVICE);
  }

  // Waiting

  /** Fails if the others have ended this operation because this member did not reach it in time. */
  private void checkNotTimedOut() {
    var aborted = communicator.mailbox().abortOf(number);
    if (aborted != null && (aborted.tag() & TIMED_OUT) != 0 && kind != OperationKind.SURVIVORS) {
      throw new CollectiveException(
          communicator.describe(rank())
              + " reaches "
              + describe()
              + " after its time limit: "
              + aborted.packet().value()
              + OUT_OF_STEP_ADVICE);
    }
  }

  @Override
  public void check() {
    checkNotFailed();
    if (kind != OperationKind.SURVIVORS) {
      checkTagsOnBoard();
    }
  }

  /** Fails if other members have already ended this operation, or are lost. */
  private void checkNotFailed() {
    if (kind == OperationKind.SURVIVORS) {
      return; // which handles losses itself
    }
    var aborted = communicator.mailbox().abortOf(number);
    if (aborted != null) {
      throw new CollectiveException(String.valueOf(aborted.packet().value()));
    }
    if (mismatch != null) {
      throw new CollectiveException(mismatch);
    }
    communicator.checkLost(this::describe);
  }

  /**
   * Compares this operation with those of members that are in one, or have ended one, of its
   * number. A member does so only while it waits: one that only contributes has no reason to fail,
   * and a failure that is found before the operation has begun would not abort it at the others.
   */
  private void checkTagsOnBoard() {
    if (board == null) {
      return;
    }
    for (var i = 0; i < board.members().size(); i++) {
      var each = board.members().rank(i);
      var its =
          board.hasSlot(each, serial) ? board.slotTag(each, serial) : board.tagOf(each, serial);
      if (its != 0 && its != tag && (its >>> KIND_SHIFT) != OperationKind.SURVIVORS.ordinal()) {
        throw new CollectiveException(mismatch(each, its));
      }
    }
  }

  /** Waits until all members that share the board have published what is needed of them. */
  void awaitOnBoard(IntPredicate hasPublished) {
    var members = Objects.requireNonNull(board, "an operation that waits on it").members();
    if (Board.awaitShortly(() -> missing(members, hasPublished) < 0)) {
      return;
    }
    for (; ; ) {
      var missing = missing(members, hasPublished);
      if (missing < 0) {
        return;
      }
      var message = awaitOnBoard(missing, () -> hasPublished.test(missing));
      if (message != null && belongsHere(message)) {
        throw new AssertionError("a message in " + describe() + ", which goes over the board");
      }
    }
  }

  /** Waits for a condition on the board for a limited time; returns whether it holds. */
  boolean awaitOnBoard(BooleanSupplier condition, long nanos) {
    var deadline = System.nanoTime() + nanos;
    return Board.awaitShortly(condition)
        || communicator.mailbox().awaitOnBoard(condition, deadline, this);
  }

  private static int missing(BoardMembers members, IntPredicate hasPublished) {
    for (var i = 0; i < members.size(); i++) {
      if (!hasPublished.test(members.rank(i))) {
        return members.rank(i);
      }
    }
    return -1;
  }

  /**
   * Waits until a member has published something, or has sent a message instead, which is returned.
   */
  Mailbox.@Nullable Message awaitOnBoardOrMessage(int from, BooleanSupplier isPublished) {
    if (Board.awaitShortly(
            () -> isPublished.getAsBoolean() || communicator.mailbox().hasMessage(from))
        && isPublished.getAsBoolean()) {
      return null;
    }
    for (; ; ) {
      var message = awaitOnBoard(from, isPublished);
      if (message == null || belongsHere(message)) {
        return message;
      }
    }
  }

  private Mailbox.@Nullable Message awaitOnBoard(int from, BooleanSupplier isPublished) {
    return communicator.mailbox().awaitOnBoard(isPublished, from, this);
  }

  @Override
  public void reportDelay(List<Integer> missing, long waitedNanos) {
    if (waitedNanos >= WaitPatience.nanos()) {
      communicator.warn(describe(), missing, Communicator.ALL_CALLED_QUESTION, waitedNanos, limit);
    }
    missing.forEach(each -> communicator.probe(each, tag));
  }

  @Override
  public @Nullable Long deadline() {
    return deadline;
  }

  @Override
  public RuntimeException timedOut(List<Integer> missing) {
    isTimedOut = true;
    return new CollectiveException(
        communicator.describe(rank())
            + " waited "
            + seconds(limit)
            + " s in "
            + describe()
            + " for "
            + communicator.describeWithPositions(missing));
  }

  /** Returns the seconds of a time limit, for messages of waits that have one. */
  static double seconds(@Nullable Duration limit) {
    return Objects.requireNonNull(limit, "a wait that timed out has a limit").toMillis() / 1000.0;
  }

  // The end

  /** Runs this member's part; an exception aborts the operation at all members. */
  <R extends @Nullable Object> R run(Function<CollectiveOperation, R> part) {
    try {
      return part.apply(this);
    } catch (RuntimeException | Error failure) {
      endObservation(failure);
      abort(failure);
      throw failure;
    }
  }

  private void abort(Throwable cause) {
    if (cause instanceof MemberLostException || communicator.mailbox().abortOf(number) != null) {
      return; // the others learn of a loss, or of the first abort, without this message
    }
    var why =
        cause instanceof CollectiveException
            ? String.valueOf(cause.getMessage())
            : describe() + " failed at " + communicator.describe(rank()) + ": " + cause;
    for (var each = 0; each < size(); each++) {
      if (each != rank()) {
        communicator.send(
            each,
            Communicator.ABORT,
            Integer.toUnsignedLong(number) | (isTimedOut ? TIMED_OUT : 0),
            why);
      }
    }
  }

  private void endObservation(@Nullable Throwable failure) {
    var ended = observation;
    if (ended != null) {
      observation = null;
      Collectives.current().ended(ended, failure);
    }
  }

  @Override
  public void close() {
    endObservation(null);
    communicator.boardSetUp().end(serial);
    if (hasBegun) {
      communicator.counters().add(kind, used, givenBytes);
    }
    communicator.end();
    if (event != null) {
      event.ended(describe(), used, communicator.size(), rank());
    }
  }

  /** Returns, for example, {@code allReduce of double[] with SUM (number 5 of the group)}. */
  @Override
  public String describe() {
    return describe(tag);
  }

  static String describe(long tag) {
    var element = nameAt(ELEMENTS, tag >>> ELEMENT_SHIFT & 7);
    var operation = nameAt(OPERATIONS, (tag >>> OPERATION_SHIFT & 7) - 1);
    var root = (int) (tag >>> ROOT_SHIFT & MOST_MEMBERS) - 1;
    return nameAt(KINDS, tag >>> KIND_SHIFT & (1 << KIND_BITS) - 1)
        + (element.equals(Object.class) ? "" : " of " + element + "[]")
        + ((tag >>> OPERATION_SHIFT & 7) == 0 ? "" : " with " + operation)
        + (root < 0 ? "" : " at member " + root)
        + ((int) tag == 0 ? "" : " (number " + (int) tag + " of the group)");
  }

  /** Returns the value at an index; a tag from another member may have any index. */
  static Object nameAt(List<?> all, long index) {
    return index >= 0 && index < all.size() ? all.get((int) index) : "something unknown";
  }
}
