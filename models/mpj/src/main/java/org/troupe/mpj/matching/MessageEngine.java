package org.troupe.mpj.matching;

import java.lang.System.Logger.Level;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.board.MessageBoard;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;

/** Sends the messages of one rank, and matches those that arrive with its receives. */
public final class MessageEngine {

  /*
   * Design: eager and rendezvous
   *
   * Packets of one rank to another arrive in the order sent. A message of up to 64 KiB is one packet (EAGER), as long
   * as the data that the receiver has not consumed stays below 16 MiB per sender; the receiver gives credit back
   * after each 4 MiB (CREDIT). Any other message, and each synchronous one, asks first (ASK, which is matched like an
   * eager message). When a receive has matched, the receiver answers (CLEAR) and expects the data under the number of
   * the sender (DATA), which the link's reader puts directly into the receive's array. The sending thread transmits
   * the data if it waits, else a thread made for it, since readers of links must not block. If its objects cannot be
   * encoded, the data is a sentence that says so, with which the receive fails.
   *
   * Small messages of numbers go over a board, if the other rank shares memory with this one (BoardPackets).
   *
   * A send that has only asked can be cancelled: WITHDRAW removes the message if it is unmatched, which
   * the receiver confirms by WITHDRAWN; otherwise its CLEAR is on the way. WITHDRAWN with a reason refuses a message whose
   * communicator was freed, or a ready send without a posted receive.
   *
   * Matching happens under the lock of the engine (the table), in the order in which packets arrive and receives are
   * posted. No array is copied and no packet sent under it, except for small messages from a board, and for the copy
   * of an eager message on the same node, which must take its place among the messages before the sender goes on.
   *
   * A rank on the same node is reached directly. Its engine matches on the sending thread, which copies
   * the elements once: into the array of the posted receive, or into an unexpected message. Larger unexpected messages
   * are copied by the receiver from the array of the waiting sender. All messages between two ranks take the same
   * way, so their order is that of the calls.
   *
   * Losses. A lost rank fails sends to it that have asked, and receives that name it. Receives from any rank fail,
   * too: those that are pending in a context, or else the next one, once for each lost rank, which the failure names;
   * afterwards the program knows, and receives from any rank go on without it. All
   * receives of a collective fail if any member of its communicator is lost, as each depends on all.
   */
  public static final int ANY = -1;

  /** The largest tag. */
  public static final int MOST_TAG = (1 << Envelope.TAG_BITS) - 1;

  /** The number of contexts; the lowest bit of a context says that it is for collectives. */
  public static final int CONTEXTS = 1 << Envelope.CONTEXT_BITS;

  private static final System.Logger LOG = System.getLogger("org.troupe.mpj");

  private final int rank;
  private final RankNetwork network;
  private final PacketCounts counts;
  private final BoardPackets.LinkCounts links;
  private final OutgoingMessages outgoing;
  private final ExpectedData expected = new ExpectedData();
  private final Notices notices = new Notices();
  private final RankWaits waits;
  private final RankDeadlockSearch deadlocks;
  private final BoardPackets.Taker boardTaker = new BoardTaker();
  private volatile @Nullable BoardPackets packets; // null: no board
  private volatile boolean isAnyLost;
  private volatile boolean isAnyBroken; // or was

  // Guarded by this
  private final MatchingTable table = new MatchingTable();
  private final RankLosses losses;
  private final MessageWatches watches = new MessageWatches();
  private long order;

  /** Takes what ranks tell each other beside messages. Called by readers of links. */
  @FunctionalInterface
  public interface NoticeTaker {

    /** Takes what another rank has sent. */
    void received(int from, String[] words);
  }

  /** Creates the engine of a rank. */
  public MessageEngine(int rank, RankNetwork network) {
    this.rank = rank;
    this.network = network;
    this.counts = new PacketCounts(network.size());
    this.links = new BoardPackets.LinkCounts(network.size());
    this.outgoing = new OutgoingMessages(this, counts, links);
    this.losses = new RankLosses(network);
    this.waits = new RankWaits(this);
    this.deadlocks = new RankDeadlockSearch(this, counts);
  }

  /** Returns the rank in the whole run. */
  public int rank() {
    return rank;
  }

  /** Returns the network. */
  public RankNetwork network() {
    return network;
  }

  // Notices

  /** Sets who takes notices. */
  public void onNotice(NoticeTaker taker) {
    notices.onNotice(taker);
  }

  private void noticed(int from, String[] words) {
    if (words.length > 0 && !deadlocks.take(from, words)) {
      notices.received(from, words);
    }
  }

  /** Sends a notice to a rank. */
  public void notify(int to, String... words) {
    if (to == rank) {
      noticed(rank, words);
    } else {
      network.send(to, Envelope.numbered(Envelope.NOTICE, 0), words);
    }
  }

  // Contexts

  /** Makes the ranks of a context known, on which its collectives depend. */
  public synchronized void open(int context, int[] ranks) {
    losses.open(context, ranks);
  }

  /** Forgets a context, drops its messages, and fails operations that are not complete. */
  public void close(int context) {
    List<ReceiveOperation> receives;
    List<ArrivedMessage> dropped;
    takeFromBoard();
    synchronized (this) {
      losses.close(context);
      receives = table.removeAll(key -> (key.context() & ~1) == (context & ~1));
      dropped = table.drop(key -> (key.context() & ~1) == (context & ~1));
    }
    receives.forEach(each -> each.fail(freed()));
    dropped.forEach(each -> refuse(each, OutgoingMessages.FREED));
  }

  static Failure freed() {
    return new Failure(
        ErrorClass.COMM,
        "the communicator was freed before this operation was complete; wait for all operations"
            + " before it is freed");
  }

  /** Returns the number of point-to-point messages that no receive has taken. */
  public int unexpected() {
    takeFromBoard();
    synchronized (this) {
      return table.unexpectedCount();
    }
  }

  // Boards

  /** Lets ranks that share memory send small messages over it. */
  public void use(MessageBoard board) {
    var its = new BoardPackets(board, rank, network.size(), links);
    packets = its;
    outgoing.use(its);
    waits.use(its);
    its.open();
  }

  /** Takes the messages that are due on the board, if there is one. */
  void takeFromBoard() {
    var board = packets;
    if (board != null && board.hasAny()) {
      synchronized (this) {
        board.takeAll(boardTaker);
      }
    }
  }

  private void takeFromBoard(int from) {
    var board = packets;
    if (board != null) {
      board.take(from, boardTaker);
    }
  }

  boolean isBoardUsedBy(int source) {
    var board = packets;
    return board != null && (source == ANY || source == rank || board.isUsedBy(source));
  }

  /**
   * Matches messages of a board, whose elements go into the array of a posted receive if they can.
   */
  private final class BoardTaker implements BoardPackets.Taker {
    private @Nullable ReceiveOperation receive; // of the present message

    @Override
    public @Nullable MessageBuffer place(MatchKey key, ElementType element, int length) {
      receive = null;
      if (losses.isClosed(key.context())) {
        counts.hasReceived(key.source());
        return null;
      }
      receive = table.takePosted(key);
      if (receive != null) {
        var into = receive.into();
        if (into.element() == element && into.isContiguous() && length <= into.elements()) {
          return into;
        }
      }
      return MessageBuffer.range(element, element.newArray(length), 0, length);
    }

    @Override
    public void taken(MatchKey key, ElementType element, int length, MessageBuffer place) {
      var posted = receive;
      if (posted == null) {
        add(ArrivedMessage.copied(key, element, place.array())).forEach(RankWait::wake);
      } else {
        var failure =
            place == posted.into() ? null : posted.into().fill(element, place.array(), 0, length);
        posted.filled(key.source(), key.tag(), element, length, failure);
      }
      counts.hasReceived(key.source());
    }
  }

  // Sending

  /** Begins a send. */
  public MessageOperation send(int context, int to, int tag, MessageBuffer data, SendMode mode) {
    if (isAnyLost) {
      checkLost(to, context);
    }
    var send = outgoing.send(context, to, tag, data, mode);
    if (isAnyLost && !send.isDone()) {
      outgoing.failLost();
    }
    return send;
  }

  /** Sends a packet with a number. */
  private void sendNumber(int to, int kind, long number, @Nullable String reason) {
    counts.sends(to);
    network.send(to, Envelope.numbered(kind, number), reason);
  }

  /**
   * Takes a message of a rank on the same node, which its engine brings.
   *
   * @param made makes the message, if no receive is posted for it; called under the lock
   * @return the posted receive, which the caller fills; {@code null} if there is none
   */
  @Nullable ReceiveOperation deliverNear(MatchKey key, @Nullable Supplier<ArrivedMessage> made) {
    List<RankWait> woken;
    synchronized (this) {
      if (losses.isClosed(key.context())) {
        throw MessagingError.of(freed());
      }
      var receive = table.takePosted(key);
      if (receive != null || made == null) {
        return receive;
      }
      woken = add(made.get());
    }
    woken.forEach(RankWait::wake);
    return null;
  }

  OutgoingMessages outgoing() {
    return outgoing;
  }

  // Receiving

  /**
   * Begins a receive.
   *
   * @param source a rank of the whole run, or {@link #ANY}
   * @param tag a tag, or {@link #ANY}
   */
  public MessageOperation receive(int context, int source, int tag, MessageBuffer into) {
    var wanted = new MatchKey(context, source, tag);
    ReceiveOperation receive;
    ArrivedMessage message;
    takeFromBoard();
    synchronized (this) {
      receive = new ReceiveOperation(this, wanted, into, order++);
      message = table.take(wanted);
      if (message == null) {
        var failure = isAnyLost || isAnyBroken ? losses.hopeless(wanted) : null;
        if (failure != null) {
          receive.fail(failure);
          return receive;
        }
        table.post(receive);
        return receive;
      }
    }
    match(receive, message);
    return receive;
  }

  /** Completes a receive by a message, or begins to. Called without the lock. */
  private void match(ReceiveOperation receive, ArrivedMessage message) {
    var near = message.nearSend();
    if (near != null) {
      OutgoingMessages.fill(receive, message.key(), near.data(), null);
      near.end(Completion.SENT);
    } else if (message.isRendezvous()) {
      receive.announced(message);
      expected.add(message, receive);
      sendNumber(message.source(), Envelope.CLEAR, message.id(), null);
      if (isAnyLost) {
        expected.failLost(this::lossOf);
      }
    } else {
      receive.arrived(message);
    }
  }

  /** Adds an unexpected message; called under the lock. Returns the waits that it ends. */
  private List<RankWait> add(ArrivedMessage message) {
    table.add(message);
    return watches.of(message.key());
  }

  /** Takes a packet of another rank. Neither blocks nor runs code of users' classes. */
  public void received(int from, long envelope, Packet packet) {
    var number = Envelope.number(envelope);
    switch (Envelope.kind(envelope)) {
      case Envelope.EAGER, Envelope.ASK -> messageArrived(from, envelope, packet);
      case Envelope.CLEAR -> outgoing.cleared(number);
      case Envelope.DATA -> expected.arrived(from, number, packet);
      case Envelope.WITHDRAW -> {
        ArrivedMessage message;
        synchronized (this) {
          message = table.take(from, number);
        }
        if (message != null) {
          sendNumber(from, Envelope.WITHDRAWN, number, null);
        }
      }
      case Envelope.WITHDRAWN -> outgoing.withdrawn(number, packet.value());
      case Envelope.CREDIT -> outgoing.credited(from, number);
      default -> {
        if (packet.value() instanceof String[] words) {
          noticed(from, words);
        }
        return; // is not counted
      }
    }
    counts.hasReceived(from);
  }

  private void messageArrived(int from, long envelope, Packet packet) {
    var key = Envelope.key(envelope, from);
    var element = Envelope.element(envelope);
    if (element == null) {
      LOG.log(
          Level.WARNING, () -> "dropped a message of unknown type from " + network.describe(from));
      return;
    }
    ArrivedMessage message;
    var isReady = false;
    if (Envelope.kind(envelope) == Envelope.EAGER) {
      message = ArrivedMessage.eager(key, element, packet);
    } else if (packet.value() instanceof long[] announced && announced.length == 3) {
      message =
          ArrivedMessage.rendezvous(
              key, element, announced[0], Math.clamp(announced[1], 0, Integer.MAX_VALUE));
      isReady = announced[2] != 0;
    } else {
      LOG.log(Level.WARNING, () -> "dropped a damaged message from " + network.describe(from));
      return;
    }
    ReceiveOperation receive = null;
    List<RankWait> woken = List.of();
    String refusal = null;
    synchronized (this) {
      takeFromBoard(from); // what was sent before
      if (losses.isClosed(key.context())) {
        refusal = OutgoingMessages.FREED;
      } else {
        receive = table.takePosted(key);
        if (receive == null && isReady) {
          refusal = OutgoingMessages.NOT_READY;
        } else if (receive == null) {
          woken = add(message);
        }
      }
      links.hasReceived(from);
      takeFromBoard(from); // what was sent next
    }
    woken.forEach(RankWait::wake);
    if (refusal != null) {
      refuse(message, refusal);
    } else if (receive != null) {
      match(receive, message);
    }
  }

  private void refuse(ArrivedMessage message, String reason) {
    var near = message.nearSend();
    if (near != null) {
      near.fail(freed());
    } else if (message.isRendezvous()) {
      sendNumber(message.source(), Envelope.WITHDRAWN, message.id(), reason);
    } else if (message.isFromAfar()) {
      Thread.startVirtualThread(() -> discard(message)); // decodes objects
    }
  }

  private void discard(ArrivedMessage message) {
    try {
      consumed(message);
    } catch (RuntimeException | Error unreadable) {
      LOG.log(Level.DEBUG, "a message of a freed communicator cannot be read", unreadable);
    }
  }

  /** Returns the array for the data of a rendezvous, if it can be read there directly. */
  public @Nullable ReceiveBuffer receiveBuffer(
      int from, long envelope, Class<?> element, int length) {
    return Envelope.kind(envelope) == Envelope.DATA
        ? expected.lend(from, Envelope.number(envelope), element, length)
        : null;
  }

  /** Gives the credit of an eager message back that has left the table. */
  void consumed(ArrivedMessage message) {
    if (!message.isFromAfar()) {
      return;
    }
    var row = message.row();
    var bytes =
        message.element() == ElementType.OBJECT
            ? MessageBuffer.bytes(row, 0, message.elements())
            : (long) message.elements() * message.element().bytes();
    var returned = outgoing.consumed(message.source(), bytes);
    if (returned > 0) {
      sendNumber(message.source(), Envelope.CREDIT, returned, null);
    }
  }

  // Probing, cancelling and failing

  /** A message that a receive would take. */
  public record Probed(int source, int tag, int elements, ElementType element) {}

  /**
   * Returns the message that a receive with these arguments would take; {@code null} if there is
   * none.
   */
  public @Nullable Probed probe(int context, int source, int tag) {
    takeFromBoard();
    return probe(new MatchKey(context, source, tag));
  }

  @Nullable Probed probe(MatchKey wanted) {
    ArrivedMessage message;
    Failure failure = null;
    synchronized (this) {
      message = table.peek(wanted);
      if (message == null && (isAnyLost || isAnyBroken)) {
        failure = losses.hopeless(wanted);
      }
    }
    if (failure != null) {
      throw MessagingError.of(failure);
    }
    return message == null
        ? null
        : new Probed(message.source(), message.tag(), message.elements(), message.element());
  }

  /** Waits for a message that a receive with these arguments would take. */
  public Probed awaitMessage(int context, int source, int tag) {
    var wanted = new MatchKey(context, source, tag);
    var wait = new MessageWait(this, wanted);
    await(wait, wanted);
    var failure = wait.failure();
    if (wait.found() == null && failure != null) {
      throw MessagingError.of(failure);
    }
    return Objects.requireNonNull(wait.found(), "awaited");
  }

  private void await(RankWait wait, MatchKey wanted) {
    synchronized (this) {
      watches.add(wanted, wait);
    }
    try {
      waits.await(wait);
    } finally {
      synchronized (this) {
        watches.remove(wait);
      }
    }
  }

  /** Waits until a wait of the current thread is over, which a message of a rank may end. */
  public void await(RankWait wait, int context, int source) {
    await(wait, new MatchKey(context, source, ANY));
  }

  /** Returns whether there is a message of a rank in a context. */
  public boolean hasMessage(int context, int source) {
    takeFromBoard();
    return hasMessage(new MatchKey(context, source, ANY));
  }

  synchronized boolean hasMessage(MatchKey wanted) {
    return table.peek(wanted) != null;
  }

  /** Tries to cancel an operation; whether that succeeded, its completion says. */
  public void cancel(MessageOperation operation) {
    switch (operation) {
      case ReceiveOperation receive -> {
        if (withdraw(receive)) {
          receive.cancelled();
        }
      }
      case SendOperation send -> outgoing.cancel(send);
      default -> {} // complete
    }
  }

  /** Fails an operation that has not begun to complete. */
  void fail(MessageOperation operation, Failure why) {
    switch (operation) {
      case ReceiveOperation receive -> {
        if (withdraw(receive)) {
          receive.fail(why);
        }
      }
      case SendOperation send -> outgoing.fail(send, why);
      default -> {} // complete
    }
  }

  private synchronized boolean withdraw(ReceiveOperation receive) {
    return table.remove(receive);
  }

  synchronized boolean withdraw(SendOperation send) {
    return table.take(send.key().source(), send.id()) != null;
  }

  // Waiting

  /** Does work for an operation that would otherwise need another thread. */
  public void help(MessageOperation operation) {
    takeFromBoard();
    operation.help();
  }

  /** Waits until an operation has ended, and returns how. */
  public Completion await(MessageOperation operation) {
    return await(operation, null);
  }

  /**
   * Waits until an operation has ended, and returns how.
   *
   * @param delayed runs from time to time while the wait lasts, on a thread that may send notices
   */
  public Completion await(MessageOperation operation, @Nullable Runnable delayed) {
    if (!operation.isDone()) {
      waits.await(new @Nullable MessageOperation[] {operation}, delayed);
    }
    return operation.completion();
  }

  /**
   * Waits until one of several operations has ended.
   *
   * @param operations may contain null, but not only
   */
  public void awaitAny(@Nullable MessageOperation[] operations) {
    waits.await(operations, null);
  }

  /** Waits until a wait of the current thread is over. */
  public void await(RankWait wait) {
    waits.await(wait);
  }

  /** Lets all waits of this rank look again. */
  public void wakeAll() {
    waits.wakeAll();
  }

  RankWaits waits() {
    return waits;
  }

  /** Sets what tells whether the rank has no thread but the one that waits. */
  public void onThreads(BooleanSupplier isAlone) {
    deadlocks.onThreads(isAlone);
  }

  void searchDeadlock(RankWait wait) {
    deadlocks.begin(wait);
  }

  /** Names what a receive takes. */
  String describe(MatchKey wanted) {
    var source = wanted.source() == ANY ? "any rank" : network.describe(wanted.source());
    return (wanted.context() & 1) == 1
        ? source
        : source + (wanted.tag() == ANY ? " with any tag" : " with tag " + wanted.tag());
  }

  /** Adds the ranks that can send what a receive takes. */
  void addAwaited(MatchKey wanted, BitSet ranks) {
    if (wanted.source() == ANY) {
      synchronized (this) {
        losses.addMembers(wanted.context(), ranks);
      }
    } else {
      ranks.set(wanted.source());
    }
  }

  /** Removes ranks that are lost; returns those that it has removed. */
  synchronized BitSet removeLost(BitSet ranks) {
    return losses.removeLost(ranks);
  }

  // Losses and broken collectives

  /** Records that ranks are lost. Neither blocks nor runs code of users' classes. */
  public void lost(List<Integer> ranks, String why) {
    Map<ReceiveOperation, Failure> failed = new LinkedHashMap<>();
    takeFromBoard(); // what they had sent is received
    synchronized (this) {
      var news = losses.add(ranks, why); // a rank may end, and its node be lost later
      isAnyLost = true;
      for (var each : table.removeAll(key -> losses.needed(key, news) >= 0)) {
        failed.put(each, losses.tell(each.key(), losses.needed(each.key(), news)));
      }
    }
    failed.forEach(ReceiveOperation::fail);
    outgoing.failLost();
    expected.failLost(this::lossOf);
    waits.wakeAll();
  }

  /** Returns the failure of operations that need a rank; {@code null} if the rank is not lost. */
  synchronized @Nullable Failure lossOf(int which) {
    var why = losses.why(which);
    return why == null ? null : losses.failure(which, why);
  }

  private void checkLost(int to, int context) {
    Failure failure;
    synchronized (this) {
      failure = losses.ofSend(to, context);
    }
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  /** Fails all collectives of a context, now and later. */
  public void breakCollectives(int context, Failure why) {
    List<ReceiveOperation> failed;
    synchronized (this) {
      losses.breakCollectives(context, why);
      isAnyBroken = true;
      failed = table.removeAll(key -> key.context() == (context | 1));
    }
    failed.forEach(each -> each.fail(why));
    waits.wakeAll();
  }

  /** Returns whether any rank is lost. */
  public boolean isAnyLost() {
    return isAnyLost;
  }

  /** Returns why the collectives of a context have failed; {@code null} if they have not. */
  public @Nullable Failure brokenBy(int context) {
    if (!isAnyBroken) {
      return null;
    }
    synchronized (this) {
      return losses.brokenBy(context);
    }
  }

  /**
   * Returns why a collective of a context cannot be completed by its member on another rank; {@code
   * null} if it can.
   */
  public @Nullable Failure hopeless(int context) {
    if (!isAnyLost && !isAnyBroken) {
      return null;
    }
    synchronized (this) {
      return losses.hopeless(new MatchKey(context | 1, rank, ANY));
    }
  }
}
