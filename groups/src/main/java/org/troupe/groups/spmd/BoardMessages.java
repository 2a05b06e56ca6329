package org.troupe.groups.spmd;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.groups.Slice;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.BoardMembers;
import org.troupe.groups.board.MemberFutexes;
import org.troupe.groups.board.MessageBoard;

/**
 * The small slices that a member exchanges over the board with members in other JVMs of its host.
 * May be shared between threads; one of them receives at a time.
 */
final class BoardMessages {

  /*
   * Design: one order of two paths
   *
   * The messages of a pair of members go over the link or over the board, and are received in the order sent. A
   * message on the board carries two numbers:
   *
   *   - how many messages of the pair were sent over the link before. The receiver takes it when it has received as
   *     many over the link. A message of the link needs no number: those on the board that were sent before are
   *     visible when it arrives, and a receiver takes what is on the board first, if it is due.
   *   - how many messages of any kind were sent from node to node before. The receiver takes it when its node has
   *     taken as many (Collectives.hasTaken). So a call that the sender made before is in its queue by then, as if
   *     the message had followed it over the link. A call that the sender makes afterwards may overtake the message
   *     on its way, but not in effect: a receive that is made in that call, or later, finds the message.
   *
   * A message goes over the board only if no other thread of the member is sending over the link to the same member:
   * the count of that message would be missing, and a message that this thread has sent over the link before could be
   * overtaken. A send over the link is counted at its begin and at its end, so the two numbers tell. After a send that
   * has failed they differ for ever, as it is unknown whether the receiver gets a message: then the pair uses the link
   * only.
   *
   * Which path
   *
   * Each pair uses the board by itself, without a common start. A member that receives announces so on the board,
   * once it has opened it, and looks there from then on. A sender that sees the announcement uses the board for
   * slices of at most MessageBoard.MOST_BYTES if there is space, and never waits for it. A receiver on a virtual
   * thread does not make the announcement, or withdraws it, as it cannot sleep on a futex; messages that are already on
   * the board, or are being added, are still received.
   *
   * Waiting
   *
   * The receiving thread waits for both paths: it yields for a short time, and then sleeps on its futex, on which
   * the mailbox wakes it as well, for messages of the link, losses and time limits.
   *
   * Receive buffers
   *
   * An array is posted for the next message of the link only if a small slice cannot be in front of it: not for
   * small slices, and a thread that reads the link gets no array while a message on the board is due (Mailbox).
   *
   * Loss
   *
   * A message that is on the board when its sender is lost is received, unless messages in front of it are missing.
   * Nothing waits for a receiver. All numbers only grow, so a killed member leaves nothing to clean up.
   */
  private final Communicator communicator;
  private final Mailbox mailbox;
  private final @Nullable BoardMembers members; // null if they cannot share a board
  private volatile @Nullable MessageBoard board; // never null again, as messages may be on it
  private boolean wasWakeable; // only of the receiving thread
  private long uses; // guarded by this

  /** By index in the members. */
  private final AtomicLongArray begunByLink;

  private final AtomicLongArray sentByLink; // successfully
  private final AtomicLongArray receivedByLink;
  private final AtomicLongArray nodeMessages; // that are known to be taken
  private final AtomicLongArray awaited; // the last node messages for which a wake-up is arranged

  /** The packet of a message that was read directly into the slice of its receiver. */
  private static final Packet RECEIVED =
      new Packet() {
        @Override
        public @Nullable Object value() {
          return null;
        }

        @Override
        public boolean isIn(Object array) {
          return true;
        }
      };

  BoardMessages(Communicator communicator, Mailbox mailbox) {
    this.communicator = communicator;
    this.mailbox = mailbox;
    this.members = communicator.boardSetUp().members();
    var size = members == null ? 0 : members.size();
    this.begunByLink = new AtomicLongArray(size);
    this.sentByLink = new AtomicLongArray(size);
    this.receivedByLink = new AtomicLongArray(size);
    this.nodeMessages = new AtomicLongArray(size);
    this.awaited = new AtomicLongArray(size);
  }

  /** Returns whether a slice may go over the board. */
  static boolean isSmall(Slice<?> slice) {
    return SliceArrays.bytes(slice) <= MessageBoard.MOST_BYTES;
  }

  /** Returns the index of a member; negative if it cannot share a board with this one. */
  private int index(int member) {
    return members != null && members.contains(member) ? members.index(member) : -1;
  }

  /** Returns the board for messages of or to a member, or {@code null}. */
  private @Nullable MessageBoard boardFor(int member) {
    if (index(member) < 0 || communicator.isLocal(member)) {
      return null;
    }
    var known = board;
    return known == null ? open() : known;
  }

  private synchronized @Nullable MessageBoard open() {
    if (board == null) {
      var its = communicator.boardSetUp().board(++uses);
      board = its == null ? null : its.messages();
    }
    return board;
  }

  // Sending

  /** Sends a slice over the board; returns whether that was possible. */
  boolean send(int to, long tag, Slice<?> slice) {
    var its = boardFor(to);
    if (its == null || !isSmall(slice) || !its.isWakeable(to)) {
      return false;
    }
    var before = Collectives.current().messagesTo(communicator.ref(to));
    var index = index(to);
    synchronized (this) {
      var sentByLink = this.sentByLink.get(index); // before the sends that have begun
      return begunByLink.get(index) == sentByLink
          && its.add(to, tag, sentByLink, before, SliceArrays.segment(slice));
    }
  }

  /** Sends a message over the link, by an action. */
  void sendByLink(int to, Runnable send) {
    var index = index(to);
    if (index < 0) {
      send.run();
      return;
    }
    begunByLink.incrementAndGet(index);
    send.run();
    sentByLink.incrementAndGet(index); // not after a failure
  }

  // Receiving

  /** Counts a message that was received over the link. */
  void receivedByLink(int from) {
    var index = index(from);
    if (index >= 0) {
      receivedByLink.incrementAndGet(index);
    }
  }

  /**
   * Prepares this thread to receive from a member; returns whether messages of that member may come
   * over the board.
   */
  boolean begin(int from) {
    var its = boardFor(from);
    if (its == null) {
      return false;
    }
    var isWakeable = !Thread.currentThread().isVirtual();
    if (isWakeable || wasWakeable) {
      wasWakeable = true;
      its.setWakeable(isWakeable);
    }
    return wasWakeable;
  }

  /**
   * Waits a short time for a small slice of a member, if it may come over the board; the following
   * methods, too, are for a thread that has begun to receive.
   */
  void awaitShortly(int from) {
    if (isUsedBy(from)) {
      // On a virtual thread the waits would not give up the processor to the members in other JVMs.
      Collectives.current().waitsInStep(communicator.ref(communicator.rank()));
      Board.awaitShortly(() -> isNext(from) || mailbox.hasMessage(from));
    }
  }

  private MessageBoard begun() {
    return Objects.requireNonNull(board, "a thread that has begun to receive has a board");
  }

  /** Returns whether a member has opened the board, so that it sends small slices over it. */
  boolean isUsedBy(int from) {
    return begun().isOpen(from);
  }

  /** Returns the futexes on which the receiving thread sleeps. */
  MemberFutexes futexes() {
    return begun().futexes();
  }

  /**
   * Returns whether the next message of a member is on the board, and can be taken; else sees to it
   * that the receiving thread is woken when it can. Called without locks.
   */
  boolean isNext(int from) {
    var its = begun();
    if (!precedesLink(from)) {
      return false;
    }
    var before = its.nodeMessages(from);
    if (isBehind(from, before)) {
      return true;
    }
    var index = index(from);
    if (awaited.get(index) != before) {
      awaited.set(index, before);
      Collectives.current().runBehind(communicator.ref(from), before, mailbox::wake);
      return isBehind(from, before); // of the thread itself the mailbox wakes nothing
    }
    return false;
  }

  private boolean isBehind(int from, long before) {
    var index = index(from);
    if (before <= nodeMessages.get(index)) {
      return true;
    }
    if (!Collectives.current().hasTaken(communicator.ref(from), before)) {
      return false;
    }
    nodeMessages.set(index, before);
    return true;
  }

  /** Returns whether the next message of a member is on the board; it may not be taken yet. */
  boolean precedesLink(int from) {
    var its = begun();
    return its.hasMessage(from) && its.sentByLink(from) <= receivedByLink.get(index(from));
  }

  /**
   * Takes the next message of a member from the board.
   *
   * @param tag the expected tag
   * @param into the slice to be filled if the message has that tag
   * @param isInFront whether a message of the link has arrived, which is behind those on the board
   *     that precede it, as is all that they wait for
   * @return the message, or {@code null} if it is not on the board or cannot be taken yet
   */
  Mailbox.@Nullable Message take(int from, long tag, @Nullable Slice<?> into, boolean isInFront) {
    var its = begun();
    if (!precedesLink(from)
        || !isInFront && its.nodeMessages(from) > nodeMessages.get(index(from))) {
      return null;
    }
    var sent = its.tag(from);
    if (sent == tag && into != null && isSmall(into)) {
      its.read(from, SliceArrays.segment(into));
    }
    its.remove(from);
    return new Mailbox.Message(from, sent, RECEIVED);
  }
}
