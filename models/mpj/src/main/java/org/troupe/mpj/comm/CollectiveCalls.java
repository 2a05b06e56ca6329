package org.troupe.mpj.comm;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.data.ReductionOperator;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;
import org.troupe.mpj.matching.MessageEngine;
import org.troupe.mpj.matching.MessageOperation;
import org.troupe.mpj.matching.SendMode;

/** The collective operations of one communicator, at one rank. */
public final class CollectiveCalls {

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
   *
   * Design: order of reductions
   *
   * Values are combined in the order of ranks, in blocks that the tree determines and the root does not. So
   * operations need not commute, and a sum has the same bits at all ranks, for any root. The same tree is used on
   * a board (SharedMemoryCollectives), so the bits do not depend on when the board came into use.
   */
  private static final int LARGE_BYTES = 32 << 10; // above which an all-reduce divides its work

  private final Communicator communicator;
  private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
  private final int[] recent =
      new int[64]; // the tags of the last calls, by sequence; guarded by itself
  private final long[] recentShapes = new long[recent.length]; // of these calls; guarded by recent
  private long calls; // touched by the caller only
  private @Nullable SharedMemoryCollectives shared; // of the present call; touched by the caller
  private int tag; // of the present call; touched by the caller only
  private int sequence; // of the present call, for other threads; guarded by recent

  CollectiveCalls(Communicator communicator) {
    this.communicator = communicator;
    Arrays.fill(recent, -1);
  }

  private int rank() {
    return communicator.rank();
  }

  private int size() {
    return communicator.size();
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

  // One call

  private void run(CollectiveKind kind, int root, Runnable body) {
    run(kind, root, CallShape.NONE, body);
  }

  private void run(CollectiveKind kind, int root, long shape, Runnable body) {
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
      var board = communicator.board().begin(calls, tag, this::checkHopeless);
      shared = board == null ? null : new SharedMemoryCollectives(this, board, calls, tag);
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

  private void exchange(int to, MessageBuffer data, int from, MessageBuffer into) {
    var receive = get(from, into);
    var send = put(to, data);
    received(receive, from, into);
    sent(send);
  }

  // The operations

  /** Waits until all members have called it. */
  public void barrier() {
    run(
        CollectiveKind.BARRIER,
        -1,
        () -> {
          if (shared != null) {
            shared.barrier();
            return;
          }
          var nothing = MessageBuffer.range(ElementType.BYTE, new byte[0], 0, 0);
          for (var step = 1; step < size(); step <<= 1) {
            exchange(
                (rank() + step) % size(), nothing, Math.floorMod(rank() - step, size()), nothing);
          }
        });
  }

  /** Copies the root's items to all. */
  public void broadcast(MessageBuffer data, int root) {
    var isOnBoard = SharedMemoryCollectives.canCarry(data);
    run(
        CollectiveKind.BROADCAST,
        root,
        CallShape.of(data, isOnBoard),
        () -> {
          if (shared != null && isOnBoard) {
            shared.broadcast(data, root);
          } else {
            spread(data, root);
          }
        });
  }

  /** Copies by a binomial tree. */
  private void spread(MessageBuffer data, int root) {
    var size = size();
    var place = Math.floorMod(rank() - root, size);
    var step = 1;
    while (step < size && (place & step) == 0) {
      step <<= 1;
    }
    if (place != 0) {
      var from = Math.floorMod(place - step + root, size);
      received(get(from, data), from, data);
    }
    MessageOperation[] sends = new MessageOperation[Integer.SIZE];
    var count = 0;
    for (step >>= 1; step > 0; step >>= 1) {
      if (place + step < size) {
        sends[count++] = put((place + step + root) % size, data);
      }
    }
    for (var i = 0; i < count; i++) {
      sent(sends[i]);
    }
  }

  /** Several pieces in one array: the piece that each rank gives or gets. */
  public interface Pieces {

    /** Returns the piece of a rank. */
    MessageBuffer of(int rank);
  }

  /** Collects the pieces of all at the root; the pieces are those of the root only. */
  public void gather(MessageBuffer own, Pieces into, int root) {
    var all = isRoot(root) ? checked(into) : null;
    run(
        CollectiveKind.GATHER,
        root,
        () -> {
          if (all == null) {
            sent(put(root, own));
          } else {
            collect(own, all);
          }
        });
  }

  private void collect(MessageBuffer own, Pieces into) {
    var receives = new MessageOperation[size()];
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        receives[i] = get(i, into.of(i));
      }
    }
    copy(own, into.of(rank()));
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        received(receives[i], i, into.of(i));
      }
    }
  }

  private void copy(MessageBuffer from, MessageBuffer to) {
    if (from.elements() != to.elements()) {
      throw MessagingError.of(
          ErrorClass.COUNT,
          communicator.describe(rank())
              + " gives itself "
              + from.elements()
              + " elements where it expects "
              + to.elements()
              + "; counts and datatypes must agree");
    }
    if (from.array() == to.array() && from.offset() == to.offset()) {
      return; // in place
    }
    var row = from.packed();
    var failure =
        to.fill(
            from.element(),
            from.element() == ElementType.OBJECT ? engine().network().copy(row) : row,
            0,
            from.elements());
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  /** Gives each rank its piece, which the root alone gives. */
  public void scatter(Pieces from, MessageBuffer own, int root) {
    var all = isRoot(root) ? checked(from) : null;
    run(
        CollectiveKind.SCATTER,
        root,
        () -> {
          if (all == null) {
            received(get(root, own), root, own);
          } else {
            distribute(all, own);
          }
        });
  }

  private void distribute(Pieces from, MessageBuffer own) {
    var sends = new MessageOperation[size()];
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        sends[i] = put(i, from.of(i));
      }
    }
    copy(from.of(rank()), own);
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        sent(sends[i]);
      }
    }
  }

  /** Collects the pieces of all at all. */
  public void gatherToAll(MessageBuffer own, Pieces pieces) {
    var into = checked(pieces);
    run(
        CollectiveKind.GATHER_TO_ALL,
        -1,
        () -> {
          copy(own, into.of(rank()));
          var right = (rank() + 1) % size();
          var left = Math.floorMod(rank() - 1, size());
          for (var step = 0; step < size() - 1; step++) {
            exchange(
                right,
                into.of(Math.floorMod(rank() - step, size())),
                left,
                into.of(Math.floorMod(rank() - step - 1, size())));
          }
        });
  }

  /** Collects some numbers of each rank in the order of ranks. */
  void gatherToAll(MessageBuffer own, int[] all) {
    gatherToAll(
        own, each -> MessageBuffer.range(ElementType.INT, all, each * own.count(), own.count()));
  }

  /** Gives each rank a piece, and gets one of each. */
  public void allToAll(Pieces sent, Pieces received) {
    var from = checked(sent);
    var into = checked(received);
    run(
        CollectiveKind.ALL_TO_ALL,
        -1,
        () -> {
          var size = size();
          var receives = new MessageOperation[size];
          var sends = new MessageOperation[size];
          for (var step = 1; step < size; step++) {
            var source = Math.floorMod(rank() - step, size);
            receives[source] = get(source, into.of(source));
          }
          for (var step = 1; step < size; step++) {
            var target = (rank() + step) % size;
            sends[target] = put(target, from.of(target));
          }
          copy(from.of(rank()), into.of(rank()));
          for (var step = 1; step < size; step++) {
            var source = Math.floorMod(rank() - step, size);
            received(receives[source], source, into.of(source));
            sent(sends[(rank() + step) % size]);
          }
        });
  }

  // Reductions

  /** Combines the items of all at the root; {@code into} is used there only. */
  public void reduce(
      MessageBuffer own, @Nullable MessageBuffer into, ReductionOperator operator, int root) {
    operator.check(own.layout(), own.element());
    var isOnBoard = SharedMemoryCollectives.canReduce(own, operator, size());
    run(
        CollectiveKind.REDUCE,
        root,
        CallShape.of(own, isOnBoard),
        () -> {
          if (shared != null && isOnBoard) {
            shared.reduce(own, into, operator, root);
            return;
          }
          var combined = combineAtFirst(own, row(own), operator);
          var row = MessageBuffer.range(own.element(), combined, 0, own.elements());
          if (root != 0 && rank() == 0) {
            sent(put(root, row));
          } else if (root != 0 && rank() == root) {
            received(get(0, row), 0, row);
          }
          if (rank() == root && into != null) {
            into.scatter(combined, 0, own.elements());
          }
        });
  }

  /** Returns the own elements. Objects are copies, as the program's function may change them. */
  private Object row(MessageBuffer own) {
    var row = own.packed();
    if (own.element() != ElementType.OBJECT) {
      return row;
    }
    try {
      return engine().network().copy(row);
    } catch (RuntimeException e) {
      throw MessagingError.of(
          ErrorClass.TYPE, "the objects of a reduction cannot be sent: " + e.getMessage(), e);
    }
  }

  /** Combines rows in the order of ranks at rank 0, by a binomial tree. */
  private Object combineAtFirst(MessageBuffer own, Object row, ReductionOperator operator) {
    var combined = row;
    var length = own.elements();
    for (var step = 1; step < size(); step <<= 1) {
      if ((rank() & step) != 0) {
        sent(put(rank() - step, MessageBuffer.range(own.element(), combined, 0, length)));
        return combined;
      }
      var from = rank() + step;
      if (from < size()) {
        var upper = own.element().newArray(length);
        var place = MessageBuffer.range(own.element(), upper, 0, length);
        received(get(from, place), from, place);
        operator.combine(own.layout(), combined, 0, upper, 0, length);
        combined = upper;
      }
    }
    return combined;
  }

  /** Combines the items of all at all. */
  public void reduceToAll(MessageBuffer own, MessageBuffer into, ReductionOperator operator) {
    operator.check(own.layout(), own.element());
    var isOnBoard = SharedMemoryCollectives.canReduce(own, operator, size());
    run(
        CollectiveKind.REDUCE_TO_ALL,
        -1,
        CallShape.of(own, isOnBoard),
        () -> {
          if (shared != null && isOnBoard) {
            shared.reduceToAll(own, into, operator);
          } else {
            into.scatter(combineAtAll(own, operator), 0, own.elements());
          }
        });
  }

  private Object combineAtAll(MessageBuffer own, ReductionOperator operator) {
    var isPower = Integer.bitCount(size()) == 1;
    var row = row(own);
    if (size() == 1) {
      return row;
    }
    if (!isPower) {
      var combined = combineAtFirst(own, row, operator);
      spread(MessageBuffer.range(own.element(), combined, 0, own.elements()), 0);
      return combined;
    }
    return operator.isUsers()
            || own.elements() < size() * 2
            || (long) own.elements() * own.element().bytes() < LARGE_BYTES
        ? combineByDoubling(own, row, operator)
        : combineByHalving(own, row, operator);
  }

  private Object combineByDoubling(MessageBuffer own, Object row, ReductionOperator operator) {
    var length = own.elements();
    var mine = row;
    for (var step = 1; step < size(); step <<= 1) {
      var peer = rank() ^ step;
      var its = own.element().newArray(length);
      exchange(
          peer,
          MessageBuffer.range(own.element(), mine, 0, length),
          peer,
          MessageBuffer.range(own.element(), its, 0, length));
      if (peer > rank()) {
        operator.combine(own.layout(), mine, 0, its, 0, length);
        mine = its;
      } else {
        // Its values are the lower ones; the result replaces mine, which has been sent.
        operator.combine(own.layout(), its, 0, mine, 0, length);
      }
    }
    return mine;
  }

  /** Each rank combines a part in the order of ranks, and all exchange their parts. */
  private Object combineByHalving(MessageBuffer own, Object row, ReductionOperator operator) {
    var element = own.element();
    var unit = own.layout().size(); // a pair stays together
    var items = own.elements() / unit;
    var size = size();
    var part = new int[size + 1];
    for (var i = 0; i <= size; i++) {
      part[i] = (int) ((long) items * i / size) * unit;
    }
    var mine = row;
    var spare = element.newArray(own.elements());
    // Neighbours first, so that blocks of ranks are combined in their order.
    var low = 0;
    var high = size;
    var stack = new int[Integer.SIZE][];
    var depth = 0;
    for (var step = 1; step < size; step <<= 1) {
      var middle = (low + high) / 2;
      var peer = rank() ^ step;
      var takesLow = peer > rank();
      var keptFrom = takesLow ? low : middle;
      var keptTo = takesLow ? middle : high;
      var givenFrom = takesLow ? middle : low;
      var givenTo = takesLow ? high : middle;
      var length = part[keptTo] - part[keptFrom];
      exchange(
          peer,
          MessageBuffer.range(element, mine, part[givenFrom], part[givenTo] - part[givenFrom]),
          peer,
          MessageBuffer.range(element, spare, part[keptFrom], length));
      if (takesLow) {
        operator.combine(own.layout(), mine, part[keptFrom], spare, part[keptFrom], length);
        System.arraycopy(spare, part[keptFrom], mine, part[keptFrom], length);
      } else {
        operator.combine(own.layout(), spare, part[keptFrom], mine, part[keptFrom], length);
      }
      stack[depth++] = new int[] {peer, keptFrom, keptTo, givenFrom, givenTo};
      low = keptFrom;
      high = keptTo;
    }
    while (depth > 0) {
      var last = stack[--depth];
      exchange(
          last[0],
          MessageBuffer.range(element, mine, part[last[1]], part[last[2]] - part[last[1]]),
          last[0],
          MessageBuffer.range(element, mine, part[last[3]], part[last[4]] - part[last[3]]));
    }
    return mine;
  }

  /** Combines the items of all; each rank gets a part of so many items. */
  public void reduceScatter(
      MessageBuffer own, MessageBuffer into, int[] counts, ReductionOperator operator) {
    operator.check(own.layout(), own.element());
    run(
        CollectiveKind.REDUCE_SCATTER,
        -1,
        () -> {
          var combined = combineAtFirst(own, row(own), operator);
          if (rank() != 0) {
            received(get(0, into), 0, into);
            return;
          }
          var starts = new int[size() + 1];
          for (var i = 0; i < size(); i++) {
            starts[i + 1] = starts[i] + counts[i] * own.layout().size();
          }
          distribute(
              each ->
                  MessageBuffer.range(
                      own.element(), combined, starts[each], starts[each + 1] - starts[each]),
              into);
        });
  }

  /** Combines the items of all ranks up to the own one. */
  public void scan(MessageBuffer own, MessageBuffer into, ReductionOperator operator) {
    operator.check(own.layout(), own.element());
    run(
        CollectiveKind.SCAN,
        -1,
        () -> {
          var mine = row(own);
          var length = own.elements();
          if (rank() > 0) {
            var before = own.element().newArray(length);
            var place = MessageBuffer.range(own.element(), before, 0, length);
            received(get(rank() - 1, place), rank() - 1, place);
            operator.combine(own.layout(), before, 0, mine, 0, length);
          }
          if (rank() + 1 < size()) {
            sent(put(rank() + 1, MessageBuffer.range(own.element(), mine, 0, length)));
          }
          into.scatter(mine, 0, length);
        });
  }

  /** Returns the maximum of a number of each rank. */
  int max(int own) {
    var most = new int[] {own};
    run(
        CollectiveKind.AGREE,
        -1,
        () -> {
          var combined =
              (int[]) combineAtFirst(Communicator.ints(own), most, ReductionOperator.MAX);
          spread(MessageBuffer.range(ElementType.INT, combined, 0, 1), 0);
          most[0] = combined[0];
        });
    return most[0];
  }

  /** Returns pieces of equal length in a row. */
  public static Pieces equal(
      @Nullable Object array, int offset, int count, @Nullable DataLayout type, boolean isSent) {
    var layout = DataLayout.given(type);
    return each -> {
      var place = offset + (long) each * count * layout.extent();
      if (place != (int) place) {
        throw MessagingError.of(
            ErrorClass.BUFFER,
            "the items of rank "
                + each
                + " would begin at element "
                + place
                + ", which no array has; make the count smaller");
      }
      return piece(array, (int) place, count, layout, isSent);
    };
  }

  /** Returns the pieces of all ranks, which are checked before any message. */
  private Pieces checked(Pieces pieces) {
    var all = new MessageBuffer[size()];
    for (var i = 0; i < all.length; i++) {
      all[i] = pieces.of(i);
    }
    return each -> all[each];
  }

  private boolean isRoot(int root) {
    communicator.checkPeer(root, ErrorClass.ROOT, "root");
    return rank() == root;
  }

  /** Returns pieces at places of their own, in base elements behind the offset. */
  public Pieces placed(
      @Nullable Object array,
      int offset,
      int @Nullable [] counts,
      int @Nullable [] displacements,
      @Nullable DataLayout type,
      boolean isSent) {
    if (counts == null
        || displacements == null
        || counts.length < size()
        || displacements.length < size()) {
      throw MessagingError.of(
          ErrorClass.ARG,
          "counts and displacements must have an entry for each of the " + size() + " ranks");
    }
    return each -> {
      var place = (long) offset + displacements[each];
      if (place != (int) place) {
        throw MessagingError.of(
            ErrorClass.BUFFER, "the displacement " + displacements[each] + " is out of any array");
      }
      return piece(array, (int) place, counts[each], type, isSent);
    };
  }

  private static MessageBuffer piece(
      @Nullable Object array, int offset, int count, @Nullable DataLayout type, boolean isSent) {
    return isSent
        ? MessageBuffer.sent(array, offset, count, type)
        : MessageBuffer.received(array, offset, count, type);
  }
}
