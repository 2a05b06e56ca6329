package org.troupe.mpj.comm;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.Board;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;
import org.troupe.mpj.matching.MessageEngine;
import org.troupe.mpj.matching.MessageOperation;
import org.troupe.mpj.matching.SendMode;

/**
 * The protocol of the collective calls of one communicator, at one rank: one call at a time, its
 * messages, and the members that call something else.
 */
final class CollectiveProtocol {

  /*
   * Design: mismatches
   *
   * The messages of a collective carry its kind, its root and its number among those of the communicator as their
   * tag, but are received with any tag: the next message of a member always belongs to the expected collective, or the
   * members disagree. A rank that waits asks the awaited one from time to time where it is; that compares, as two
   * members may wait for each other in different operations without any message. Lengths and base types are compared,
   * too, also with those of the rank that asks (CallShape): a member whose elements a board can carry and one whose
   * elements it cannot carry look for each other in different places. A member that finds a
   * disagreement tells all members, whose present and later collectives in this communicator fail with that sentence.
   * So does a rank whose part fails for another reason, such as an exception of the program's function.
   *
   * Wrong arguments fail before the call counts, at the rank that has given them.
   */

  private final Communicator communicator;
  private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
  private final int[] recent =
      new int[64]; // the tags of the last calls, by sequence; guarded by itself
  private final long[] recentShapes = new long[recent.length]; // of these calls; guarded by recent
  private long calls; // touched by the caller only
  private @Nullable Board board; // of the present call; null: it goes by messages
  private int tag; // of the present call; touched by the caller only
  private int sequence; // of the present call, for other threads; guarded by recent

  CollectiveProtocol(Communicator communicator) {
    this.communicator = communicator;
    Arrays.fill(recent, -1);
  }

  Communicator communicator() {
    return communicator;
  }

  MessageEngine engine() {
    return communicator.engine();
  }

  int context() {
    return communicator.context() | 1;
  }

  private int rank() {
    return communicator.rank();
  }

  private int size() {
    return communicator.size();
  }

  /** Returns the board that the present call may use; {@code null} if it goes by messages. */
  @Nullable Board board() {
    return board;
  }

  /** Returns the number of the present call. */
  long number() {
    return calls;
  }

  /** Returns the tag of the messages of the present call. */
  int tag() {
    return tag;
  }

  /** Makes a call of this rank, whose elements have no shape that other members must share. */
  void run(CollectiveKind kind, int root, Runnable body) {
    run(kind, root, CallShape.NONE, body);
  }

  /**
   * Makes a call of this rank.
   *
   * @param root the rank of the root; negative if the collective has none
   * @param shape of the elements, which all members must share; see {@link CallShape}
   */
  void run(CollectiveKind kind, int root, long shape, Runnable body) {
    if (kind != CollectiveKind.AGREE && root >= 0) {
      communicator.checkPeer(root, ErrorClass.ROOT, "root");
    }
    var broken = engine().brokenBy(context());
    if (broken != null) {
      throw MessagingError.of(broken);
    }
    var other = caller.compareAndExchange(null, Thread.currentThread());
    if (other != null) {
      throw MessagingError.of(
          ErrorClass.OTHER,
          "thread '"
              + other.getName()
              + "' is in a collective operation of this communicator already; give each thread a"
              + " duplicate of it");
    }
    try {
      tag = kind.tag(Math.max(root, 0), (int) calls);
      synchronized (recent) {
        sequence = (int) calls & CollectiveKind.SEQUENCES - 1;
        recent[sequence % recent.length] = tag;
        recentShapes[sequence % recent.length] = shape;
      }
      calls++;
      board = communicator.board().begin(calls, tag, this::checkHopeless);
      body.run();
    } catch (Throwable failure) { // each dialect has its own exception
      if (size() > 1 && engine().brokenBy(context()) == null) {
        var hopeless = engine().hopeless(context());
        tellAll(
            hopeless == null ? ErrorClass.ARG : hopeless.kind(),
            communicator.describe(rank())
                + " failed in "
                + CollectiveKind.describe(tag)
                + ": "
                + failure.getMessage());
      }
      throw MessagingError.again(failure);
    } finally {
      communicator.board().end(calls);
      caller.set(null);
    }
  }

  private void checkHopeless() {
    var failure = engine().hopeless(context());
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  private Failure tellAll(String sentence) {
    return tellAll(ErrorClass.ARG, sentence);
  }

  private Failure tellAll(ErrorClass kind, String sentence) {
    var failure = new Failure(kind, sentence);
    engine().breakCollectives(context(), failure);
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        engine()
            .notify(
                communicator.ofRun(i),
                World.BROKEN,
                Integer.toString(communicator.context()),
                kind.name(),
                sentence);
      }
    }
    return failure;
  }

  private String disagreement(int present, int peer, int its) {
    int mine;
    synchronized (recent) { // what this rank called where the other one called that
      var then = recent[CollectiveKind.sequence(its) % recent.length];
      mine =
          then >= 0 && CollectiveKind.sequence(then) == CollectiveKind.sequence(its)
              ? then
              : present;
    }
    return communicator.describe(rank())
        + " calls "
        + CollectiveKind.describe(mine)
        + " where "
        + communicator.describe(peer)
        + " calls "
        + CollectiveKind.describe(its)
        + (CollectiveKind.sequence(mine) == CollectiveKind.sequence(its)
            ? ""
            : ", one of another number")
        + "; all members of a communicator must call the same collectives in the same order";
  }

  /** Answers a rank that waits in a call. On a reader of a link. */
  void asked(int from, int itsTag, long itsShape) {
    int mine;
    long shape;
    synchronized (recent) {
      var its = CollectiveKind.sequence(itsTag);
      var behind = sequence - its & CollectiveKind.SEQUENCES - 1;
      mine = behind < recent.length ? recent[its % recent.length] : -1;
      shape = recentShapes[its % recent.length];
    }
    var peer = communicator.ownGroup().placeOf(from);
    if (mine < 0 || peer < 0) {
      return;
    }
    if (mine != itsTag) {
      tellAll(disagreement(mine, peer, itsTag));
    } else if (CallShape.disagree(shape, itsShape)) {
      tellAll(CallShape.errorClass(shape, itsShape), otherShape(mine, shape, peer, itsShape));
    }
  }

  private String otherShape(int itsTag, long shape, int peer, long itsShape) {
    return communicator.describe(rank())
        + " calls "
        + CollectiveKind.describe(itsTag)
        + " for "
        + CallShape.describe(shape)
        + " where "
        + communicator.describe(peer)
        + " calls it for "
        + CallShape.describe(itsShape)
        + "; counts and datatypes must agree at all members, and so must operations";
  }

  MessageOperation put(int to, MessageBuffer data) {
    return engine().send(context(), communicator.ofRun(to), tag, data, SendMode.STANDARD);
  }

  MessageOperation get(int from, MessageBuffer into) {
    return engine().receive(context(), communicator.ofRun(from), MessageEngine.ANY, into);
  }

  void sent(MessageOperation send) {
    if (!send.isDone()) {
      engine().await(send);
    }
    var failure = send.completion().failure();
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  void received(MessageOperation receive, int from, MessageBuffer into) {
    if (!receive.isDone()) {
      engine().await(receive, () -> askWhere(from));
    }
    var how = receive.completion();
    var failure = how.failure();
    if (how.tag() != tag && how.tag() >= 0 && how.element() != null) {
      throw MessagingError.of(tellAll(disagreement(tag, from, how.tag())));
    }
    var element = how.element();
    if (element != null && !into.element().accepts(element)) {
      throw MessagingError.of(tellAll(ErrorClass.TYPE, otherType(from, element, into)));
    }
    if (failure != null && failure.kind() == ErrorClass.TRUNCATE
        || failure == null && how.elements() != into.elements()) {
      throw MessagingError.of(
          tellAll(
              otherLength(
                  from,
                  how.failure() == null ? how.elements() + " elements" : "more elements",
                  into)));
    }
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  /** Tells all members that another one is in another collective; throws the failure. */
  RuntimeException disagreed(int member, int itsTag) {
    throw MessagingError.of(tellAll(disagreement(tag, member, itsTag)));
  }

  /** Checks what another member has given on the board. */
  void checkShape(int member, ElementType element, int elements, MessageBuffer expected) {
    if (!expected.element().accepts(element)) {
      throw MessagingError.of(tellAll(ErrorClass.TYPE, otherType(member, element, expected)));
    }
    if (elements != expected.elements()) {
      throw MessagingError.of(tellAll(otherLength(member, elements + " elements", expected)));
    }
  }

  boolean hasMessage(int from) {
    return engine().hasMessage(context(), communicator.ofRun(from));
  }

  String describeCall() {
    synchronized (recent) {
      return CollectiveKind.describe(recent[sequence % recent.length]);
    }
  }

  /** Asks a rank that this one waits for where it is; on any thread. */
  void askWhere(int from) {
    int mine;
    long shape;
    synchronized (recent) {
      mine = recent[sequence % recent.length];
      shape = recentShapes[sequence % recent.length];
    }
    engine()
        .notify(
            communicator.ofRun(from),
            World.WHERE,
            Integer.toString(communicator.context()),
            Integer.toString(mine),
            Long.toString(shape));
  }

  private String otherLength(int from, String given, MessageBuffer into) {
    return communicator.describe(from)
        + " gives "
        + given
        + " to "
        + CollectiveKind.describe(tag)
        + " where "
        + communicator.describe(rank())
        + " expects "
        + into.elements()
        + "; counts and datatypes must agree at all members";
  }

  private String otherType(int from, ElementType given, MessageBuffer into) {
    return communicator.describe(from)
        + " gives elements of type "
        + given
        + " to "
        + CollectiveKind.describe(tag)
        + " where "
        + communicator.describe(rank())
        + " expects elements of type "
        + into.element()
        + "; all members must name the same base type";
  }

  /** Sends to one member, and receives from another, at once. */
  void exchange(int to, MessageBuffer data, int from, MessageBuffer into) {
    var receive = get(from, into);
    var send = put(to, data);
    received(receive, from, into);
    sent(send);
  }
}
