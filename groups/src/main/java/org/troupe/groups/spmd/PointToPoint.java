package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.troupe.activeobjects.collective.BodyExtension.Parcel;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Mailbox.Letter;

/** Point-to-point messages between members, separate from collective operations. */
final class PointToPoint {

  /*
   * Why messages are counted. A receive whose message had arrived, but had not been decoded yet, offered
   * its array to the next message: water gave a wrong answer in one run of three once it ran many rounds
   * (44a32cc, 2026-11-22). Runs of three cold rounds had never shown it.
   */

  /** In a tag, above the length of a slice: the type of its numbers. An object has the tag 0. */
  private static final int ELEMENT_SHIFT = 32;

  private final Communicator communicator;
  private final Mailbox came;
  private Receipt open; // under this

  PointToPoint(Communicator communicator) {
    this.communicator = communicator;
    came = new Mailbox(communicator.size());
  }

  // Sending

  void send(int to, Object value) {
    checkThere(to);
    communicator.send(to, Communicator.LETTER, 0, CollectiveOperation.copied(value));
  }

  void send(int to, Slice<?> slice) {
    checkThere(to);
    communicator.lend(to, Communicator.LETTER, tag(slice), slice);
  }

  private void sendWithin(int to, Slice<?> slice, Duration limit) {
    if (limit != null && slice.bytes() > CollectiveOperation.MOST_LENT_WITHIN_LIMIT) {
      checkThere(to);
      communicator.give(to, Communicator.LETTER, tag(slice), slice.copy());
    } else {
      send(to, slice);
    }
  }

  private void checkThere(int to) {
    if (communicator.isLost(to)) {
      throw communicator.lost(to, "a send to it");
    }
  }

  static long tag(Slice<?> slice) {
    return (long) CollectiveOperation.ELEMENTS.indexOf(slice.element()) << ELEMENT_SHIFT
        | slice.length();
  }

  // Receiving

  void received(int from, long tag, Parcel parcel) {
    came.put(from, new Letter(from, tag, parcel));
  }

  /** Wakes the waiting thread after the loss of a member. */
  void wake() {
    came.wake();
  }

  /** Returns the rank from which this member waits to receive, or -1. */
  synchronized int awaited() {
    return open == null ? -1 : open.from;
  }

  Object receive(int from, Duration limit) {
    try (var receipt = new Receipt(from, null, limit)) {
      return receipt.letter().parcel().value();
    }
  }

  void receive(int from, Slice<?> into, Duration limit) {
    try (var receipt = new Receipt(from, into, limit)) {
      receipt.letter().into(into, array -> {}); // as long as its tag has it
    }
  }

  void exchange(int to, Slice<?> slice, int from, Slice<?> into, Duration limit) {
    Objects.requireNonNull(
        slice, "an exchange sends a slice, not null; an object goes by send(..)");
    Objects.requireNonNull(into, "an exchange fills a slice, not null; see receive(..)");
    if (slice.overlaps(into)) {
      sendWithin(to, slice, limit);
      receive(from, into, limit);
      return;
    }
    try (var receipt = new Receipt(from, into, limit)) {
      receipt.letter(() -> sendWithin(to, slice, limit)).into(into, array -> {});
    }
  }

  /** Returns the receive buffer for the numbers of the next message, if a thread offers one. */
  ReceiveBuffer room(int from, long tag, Class<?> element, int length) {
    return came.room(from, tag, element, length);
  }

  private static String describe(long tag) {
    return tag == 0
        ? "an object"
        : "a slice of "
            + (int) tag
            + " "
            + CollectiveOperation.of(CollectiveOperation.ELEMENTS, tag >>> ELEMENT_SHIFT)
            + "s";
  }

  /** A wait for the next message of one member. */
  private final class Receipt implements Mailbox.Wait, AutoCloseable {

    private final int from;
    private final Slice<?> into;
    private final long tag;
    private final Duration limit;
    private final Long deadline;

    Receipt(int from, Slice<?> into, Duration limit) {
      this.from = from;
      this.into = into;
      this.tag = into == null ? 0 : tag(into);
      this.limit = limit;
      this.deadline = limit == null ? null : (Long) (System.nanoTime() + limit.toNanos());
      synchronized (PointToPoint.this) {
        if (open != null) {
          throw new IllegalStateException(
              communicator.describe(communicator.rank())
                  + " is in "
                  + open.describe()
                  + " already, on another thread; a member receives one thing after the other");
        }
        open = this;
      }
    }

    Letter letter() {
      return checked(into == null ? came.take(from, this) : came.take(from, tag, into, this));
    }

    /** Waits for a slice; runs an action first, while the slice can already receive. */
    Letter letter(Runnable meanwhile) {
      return checked(came.take(from, tag, into, this, meanwhile));
    }

    private Letter checked(Letter letter) {
      if (letter.tag() != tag) {
        throw new CollectiveException(
            communicator.describe(from)
                + " sent "
                + PointToPoint.describe(letter.tag())
                + " where "
                + communicator.describe(communicator.rank())
                + " receives "
                + PointToPoint.describe(tag)
                + "; both must name the same, by send(..), receive(..) or exchange(..): an object, or slices of"
                + " the same type and length");
      }
      return letter;
    }

    @Override
    public void check() {
      if (!came.hasOf(from)) { // else that was sent before
        communicator.checkLost(this::describe);
      }
    }

    @Override
    public void late(List<Integer> missing, long waitedNanos) {
      if (waitedNanos >= Communicator.patienceNanos()) {
        communicator.complain(
            "a receive or an exchange", missing, "does it send?", waitedNanos, limit);
      }
      communicator.probe(from, 0);
    }

    @Override
    public Long deadline() {
      return deadline;
    }

    @Override
    public RuntimeException timedOut(List<Integer> missing) {
      return new CollectiveException(
          communicator.describe(communicator.rank())
              + " waited "
              + limit.toMillis() / 1000.0
              + " s to receive what "
              + communicator.describeWithPositions(missing)
              + " was to send");
    }

    private String describe() {
      return "receive from member " + from;
    }

    @Override
    public void close() {
      synchronized (PointToPoint.this) {
        open = null;
      }
    }
  }
}
