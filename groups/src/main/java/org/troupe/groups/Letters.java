package org.troupe.groups;

import java.time.Duration;
import java.util.List;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.activeobjects.spi.Attachment.Parcel;
import org.troupe.groups.Mailbox.Letter;

/** What one member sends to one other, apart from what all do together. */
final class Letters {

  /*
   * A slice goes in parts: while one part is on its way the next is copied, at both ends, and the few arrays that they
   * travel in stay in a processor's cache, so that copying costs little beside moving what is far in memory.
   *
   * A tag says how many numbers of which type are in the whole slice, and whether the part is its first. So a receiver
   * knows at once whether its own slice is alike; and what is left of one that it has refused or given up, it skips.
   */
  private static final int PART = 256 << 10; // bytes

  private static final int ELEMENT_SHIFT = 32;
  private static final long IS_NEXT = 1L << 40;

  private final Seat seat;
  private final Mailbox came;
  private Receipt open; // under this

  Letters(Seat seat) {
    this.seat = seat;
    came = new Mailbox(seat.size());
  }

  // Sending

  void send(int to, Object value) {
    checkThere(to);
    seat.send(to, Seat.LETTER, 0, Collective.copied(value));
  }

  void send(int to, Slice<?> slice) {
    checkThere(to);
    var tag = tag(slice);
    var count = (int) Math.max(1, slice.bytes() / PART);
    for (var i = 0; i < count; i++) {
      seat.give(to, Seat.LETTER, i == 0 ? tag : tag | IS_NEXT, slice.block(i, count).copy());
    }
  }

  private void checkThere(int to) {
    if (seat.isLost(to)) {
      throw seat.lost(to, "a send to it");
    }
  }

  private static long tag(Slice<?> slice) {
    return (long) Collective.ELEMENTS.indexOf(slice.element()) << ELEMENT_SHIFT | slice.length();
  }

  // Receiving

  void received(int from, long tag, Parcel parcel) {
    came.put(from, new Letter(from, tag, parcel));
  }

  /** Somebody is lost. */
  void wake() {
    came.wake();
  }

  /** Of whom this member waits to receive something, or -1. */
  synchronized int awaited() {
    return open == null ? -1 : open.from;
  }

  Object receive(int from, Duration limit) {
    try (var receipt = new Receipt(from, limit)) {
      return receipt.first(0, "an object").parcel().value();
    }
  }

  void receive(int from, Slice<?> into, Duration limit) {
    try (var receipt = new Receipt(from, limit)) {
      var tag = tag(into);
      var letter = receipt.first(tag, describe(tag));
      var count = (int) Math.max(1, into.bytes() / PART);
      for (var i = 0; i < count; i++) {
        if (i > 0) {
          letter = came.take(from, receipt);
        }
        var array = letter.parcel().value();
        into.block(i, count).fill(array);
        if (letter.parcel().isOwn()) {
          Attachment.leave(array);
        }
      }
    }
  }

  private static String describe(long tag) {
    return tag == 0
        ? "an object"
        : "a slice of "
            + (int) tag
            + " "
            + Collective.ELEMENTS.get((int) (tag >>> ELEMENT_SHIFT)).getSimpleName()
            + "s";
  }

  /** The wait for what one member sends. */
  private final class Receipt implements Mailbox.Wait, AutoCloseable {

    private final int from;
    private final Duration limit;
    private final Long deadline;

    Receipt(int from, Duration limit) {
      this.from = from;
      this.limit = limit;
      this.deadline = limit == null ? null : (Long) (System.nanoTime() + limit.toNanos());
      synchronized (Letters.this) {
        if (open != null) {
          throw new IllegalStateException(
              seat.describe(seat.rank())
                  + " is in "
                  + open.describe()
                  + " already, on another thread; a member receives one thing after the other");
        }
        open = this;
      }
    }

    Letter first(long tag, String expected) {
      Letter letter;
      do {
        letter = came.take(from, this);
      } while ((letter.tag() & IS_NEXT) != 0);
      if (letter.tag() != tag) {
        throw new CollectiveException(
            seat.describe(from)
                + " sent "
                + Letters.describe(letter.tag())
                + " where "
                + seat.describe(seat.rank())
                + " receives "
                + expected
                + "; what send(..) is given, an object or a slice, receive(..) expects, slices of"
                + " the same type and length");
      }
      return letter;
    }

    @Override
    public void check() {
      if (!came.hasOf(from)) { // else that was sent before
        seat.checkLost(this::describe);
      }
    }

    @Override
    public void late(List<Integer> missing, long waitedNanos) {
      if (waitedNanos >= Seat.patienceNanos()) {
        seat.complain("receive", missing, "does it send?", waitedNanos, limit);
      }
      seat.probe(from, 0);
    }

    @Override
    public Long deadline() {
      return deadline;
    }

    @Override
    public RuntimeException timedOut(List<Integer> missing) {
      return new CollectiveException(
          seat.describe(seat.rank())
              + " waited "
              + limit.toMillis() / 1000.0
              + " s to receive what "
              + seat.describeWithPositions(missing)
              + " was to send");
    }

    private String describe() {
      return "receive from member " + from;
    }

    @Override
    public void close() {
      synchronized (Letters.this) {
        open = null;
      }
    }
  }
}
