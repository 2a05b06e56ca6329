package org.troupe.mpj.comm;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.data.ReductionOperator;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.matching.MessageOperation;

/** The collective operations of one communicator, at one rank. */
public final class CollectiveCalls {

  /*
   * Design: order of reductions
   *
   * Values are combined in the order of ranks, in blocks that the tree determines and the root does not. So
   * operations need not commute, and a sum has the same bits at all ranks, for any root. The same tree is used on
   * a board (SharedMemoryCollectives), so the bits do not depend on when the board came into use.
   */
  private static final int LARGE_BYTES = 32 << 10; // above which an all-reduce divides its work

  private final Communicator communicator;
  private final CollectiveProtocol protocol;

  CollectiveCalls(Communicator communicator) {
    this.communicator = communicator;
    this.protocol = new CollectiveProtocol(communicator);
  }

  /** Returns the protocol of the calls, which members that wait use. */
  CollectiveProtocol protocol() {
    return protocol;
  }

  private int rank() {
    return communicator.rank();
  }

  private int size() {
    return communicator.size();
  }

  /** Returns the present call on the communicator's board; {@code null} if it goes by messages. */
  private @Nullable SharedMemoryCollectives shared() {
    var board = protocol.board();
    return board == null
        ? null
        : new SharedMemoryCollectives(protocol, board, protocol.number(), protocol.tag());
  }

  /** Waits until all members have called it. */
  public void barrier() {
    protocol.run(
        CollectiveKind.BARRIER,
        -1,
        () -> {
          var shared = shared();
          if (shared != null) {
            shared.barrier();
            return;
          }
          var nothing = MessageBuffer.range(ElementType.BYTE, new byte[0], 0, 0);
          for (var step = 1; step < size(); step <<= 1) {
            protocol.exchange(
                (rank() + step) % size(), nothing, Math.floorMod(rank() - step, size()), nothing);
          }
        });
  }

  /** Copies the root's items to all. */
  public void broadcast(MessageBuffer data, int root) {
    var isOnBoard = SharedMemoryCollectives.canCarry(data);
    protocol.run(
        CollectiveKind.BROADCAST,
        root,
        CallShape.of(data, isOnBoard),
        () -> {
          var shared = isOnBoard ? shared() : null;
          if (shared != null) {
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
      protocol.received(protocol.get(from, data), from, data);
    }
    MessageOperation[] sends = new MessageOperation[Integer.SIZE];
    var count = 0;
    for (step >>= 1; step > 0; step >>= 1) {
      if (place + step < size) {
        sends[count++] = protocol.put((place + step + root) % size, data);
      }
    }
    for (var i = 0; i < count; i++) {
      protocol.sent(sends[i]);
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
    protocol.run(
        CollectiveKind.GATHER,
        root,
        () -> {
          if (all == null) {
            protocol.sent(protocol.put(root, own));
          } else {
            collect(own, all);
          }
        });
  }

  private void collect(MessageBuffer own, Pieces into) {
    var receives = new MessageOperation[size()];
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        receives[i] = protocol.get(i, into.of(i));
      }
    }
    copy(own, into.of(rank()));
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        protocol.received(receives[i], i, into.of(i));
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
            from.element() == ElementType.OBJECT ? communicator.engine().network().copy(row) : row,
            0,
            from.elements());
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  /** Gives each rank its piece, which the root alone gives. */
  public void scatter(Pieces from, MessageBuffer own, int root) {
    var all = isRoot(root) ? checked(from) : null;
    protocol.run(
        CollectiveKind.SCATTER,
        root,
        () -> {
          if (all == null) {
            protocol.received(protocol.get(root, own), root, own);
          } else {
            distribute(all, own);
          }
        });
  }

  private void distribute(Pieces from, MessageBuffer own) {
    var sends = new MessageOperation[size()];
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        sends[i] = protocol.put(i, from.of(i));
      }
    }
    copy(from.of(rank()), own);
    for (var i = 0; i < size(); i++) {
      if (i != rank()) {
        protocol.sent(sends[i]);
      }
    }
  }

  /** Collects the pieces of all at all. */
  public void gatherToAll(MessageBuffer own, Pieces pieces) {
    var into = checked(pieces);
    protocol.run(
        CollectiveKind.GATHER_TO_ALL,
        -1,
        () -> {
          copy(own, into.of(rank()));
          var right = (rank() + 1) % size();
          var left = Math.floorMod(rank() - 1, size());
          for (var step = 0; step < size() - 1; step++) {
            protocol.exchange(
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
    protocol.run(
        CollectiveKind.ALL_TO_ALL,
        -1,
        () -> {
          var size = size();
          var receives = new MessageOperation[size];
          var sends = new MessageOperation[size];
          for (var step = 1; step < size; step++) {
            var source = Math.floorMod(rank() - step, size);
            receives[source] = protocol.get(source, into.of(source));
          }
          for (var step = 1; step < size; step++) {
            var target = (rank() + step) % size;
            sends[target] = protocol.put(target, from.of(target));
          }
          copy(from.of(rank()), into.of(rank()));
          for (var step = 1; step < size; step++) {
            var source = Math.floorMod(rank() - step, size);
            protocol.received(receives[source], source, into.of(source));
            protocol.sent(sends[(rank() + step) % size]);
          }
        });
  }

  // Reductions

  /** Combines the items of all at the root; {@code into} is used there only. */
  public void reduce(
      MessageBuffer own, @Nullable MessageBuffer into, ReductionOperator operator, int root) {
    operator.check(own.layout(), own.element());
    var isOnBoard = SharedMemoryCollectives.canReduce(own, operator, size());
    protocol.run(
        CollectiveKind.REDUCE,
        root,
        CallShape.of(own, isOnBoard),
        () -> {
          var shared = isOnBoard ? shared() : null;
          if (shared != null) {
            shared.reduce(own, into, operator, root);
            return;
          }
          var combined = combineAtFirst(own, row(own), operator);
          var row = MessageBuffer.range(own.element(), combined, 0, own.elements());
          if (root != 0 && rank() == 0) {
            protocol.sent(protocol.put(root, row));
          } else if (root != 0 && rank() == root) {
            protocol.received(protocol.get(0, row), 0, row);
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
      return communicator.engine().network().copy(row);
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
        protocol.sent(
            protocol.put(rank() - step, MessageBuffer.range(own.element(), combined, 0, length)));
        return combined;
      }
      var from = rank() + step;
      if (from < size()) {
        var upper = own.element().newArray(length);
        var place = MessageBuffer.range(own.element(), upper, 0, length);
        protocol.received(protocol.get(from, place), from, place);
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
    protocol.run(
        CollectiveKind.REDUCE_TO_ALL,
        -1,
        CallShape.of(own, isOnBoard),
        () -> {
          var shared = isOnBoard ? shared() : null;
          if (shared != null) {
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
      protocol.exchange(
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
      protocol.exchange(
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
      protocol.exchange(
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
    protocol.run(
        CollectiveKind.REDUCE_SCATTER,
        -1,
        () -> {
          var combined = combineAtFirst(own, row(own), operator);
          if (rank() != 0) {
            protocol.received(protocol.get(0, into), 0, into);
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
    protocol.run(
        CollectiveKind.SCAN,
        -1,
        () -> {
          var mine = row(own);
          var length = own.elements();
          if (rank() > 0) {
            var before = own.element().newArray(length);
            var place = MessageBuffer.range(own.element(), before, 0, length);
            protocol.received(protocol.get(rank() - 1, place), rank() - 1, place);
            operator.combine(own.layout(), before, 0, mine, 0, length);
          }
          if (rank() + 1 < size()) {
            protocol.sent(
                protocol.put(rank() + 1, MessageBuffer.range(own.element(), mine, 0, length)));
          }
          into.scatter(mine, 0, length);
        });
  }

  /** Returns the maximum of a number of each rank. */
  int max(int own) {
    var most = new int[] {own};
    protocol.run(
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
