package org.troupe.mpj.matching;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
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
   * Packets of one rank to another arrive in the order sent. A message of up to 64 KiB is one packet (EAGER), as
   * long as what the receiver has not consumed stays below 16 MiB per sender; the receiver gives credit back
   * after each 4 MiB (CREDIT). Any other message, and each synchronous one, asks first (ASK, which is matched like an
   * eager message). When a receive has matched, the receiver answers (CLEAR) and expects the data under the number
   * of the sender (DATA), which the link's reader puts directly into the receive's array. The sending thread
   * transmits the data if it waits, else a thread made for it, since readers of links must not block.
   *
   * A send that has only asked can be cancelled: WITHDRAW removes the message if it is unmatched, which
   * the receiver confirms by WITHDRAWN; otherwise its CLEAR is on the way.
   *
   * Matching happens under the lock of the engine (the table), in the order in which packets arrive and receives are
   * posted. No array is copied and no packet sent under it, except for the copy of an eager message on the same node,
   * which must take its place among the messages before the sender goes on.
   *
   * A rank on the same node is reached directly. Its engine matches on the sending thread, which copies
   * the elements once: into the array of the posted receive, or into an unexpected message. Larger unexpected messages
   * are copied by the receiver from the array of the waiting sender. All messages between two ranks take the same
   * way, so their order is that of the calls.
   *
   * Losses. A lost rank fails sends to it that have asked, and receives that name it. A receive from any rank fails,
   * too, if it is pending or the next one in its context, and once only: afterwards the program knows. All
   * receives of a collective fail if any member of its communicator is lost, as each depends on all.
   */
  public static final int ANY = -1;

  /** The number of bits of a tag. */
  public static final int TAG_BITS = 30;

  /** The largest tag. */
  public static final int MOST_TAG = (1 << TAG_BITS) - 1;

  /** The number of contexts; the lowest bit of a context says that it is for collectives. */
  public static final int CONTEXTS = 1 << 27;

  private static final long EAGER_BYTES = 64L << 10;
  private static final long CREDIT_BYTES = 16L << 20;
  private static final long RETURN_BYTES = 4L << 20;
  private static final long ENVELOPE_BYTES = 64; // that an eager message takes besides its elements

  private static final int KIND_SHIFT = 61;
  private static final int TYPE_SHIFT = 57;
  private static final int CONTEXT_SHIFT = TAG_BITS;
  private static final int EAGER = 0;
  private static final int ASK = 1;
  private static final int CLEAR = 2;
  private static final int DATA = 3;
  private static final int WITHDRAW = 4;
  private static final int WITHDRAWN = 5;
  private static final int CREDIT = 6;
  private static final int NOTICE = 7;
  private static final long NUMBER_MASK = (1L << KIND_SHIFT) - 1;

  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final System.Logger LOG = System.getLogger("org.troupe.mpj");

  private final int rank;
  private final RankNetwork network;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLongArray used; // credit, by receiver
  private final AtomicLongArray consumed; // and not given back, by sender
  private final Map<Long, SendOperation> asked = new ConcurrentHashMap<>();
  private final Map<Expected, ReceiveOperation> expected = new ConcurrentHashMap<>();
  private @Nullable Notices notices; // guarded by early
  private final List<Notice> early = new ArrayList<>(); // before there is a taker
  private volatile boolean isAnyLost;

  // Guarded by this
  private final MatchingTable table = new MatchingTable();
  private long order;
  private final Map<Integer, String> lost = new LinkedHashMap<>(); // why, by rank
  private final Map<Integer, BitSet> members = new HashMap<>(); // by even context
  private final Map<Integer, BitSet> known =
      new HashMap<>(); // losses that receives from any told of
  private final Map<Integer, Failure> broken = new HashMap<>(); // contexts of collectives
  private final List<Prober> probers = new ArrayList<>();

  private record Expected(int from, long id) {}

  private record Notice(int from, String[] words) {}

  private record Prober(MatchKey wanted, Waiter waiter) {}

  /** What ranks tell each other beside messages. Called by readers of links. */
  @FunctionalInterface
  public interface Notices {

    /** Takes what another rank has sent. */
    void received(int from, String[] words);
  }

  /** Creates the engine of a rank. */
  public MessageEngine(int rank, RankNetwork network) {
    this.rank = rank;
    this.network = network;
    this.used = new AtomicLongArray(network.size());
    this.consumed = new AtomicLongArray(network.size());
  }

  /** Returns the rank in the whole run. */
  public int rank() {
    return rank;
  }

  /** Returns the network. */
  public RankNetwork network() {
    return network;
  }

  /** Sets who takes notices. */
  public void onNotice(Notices taker) {
    List<Notice> came;
    synchronized (early) {
      notices = taker;
      came = List.copyOf(early);
      early.clear();
    }
    came.forEach(each -> taker.received(each.from(), each.words()));
  }

  private void noticed(int from, String[] words) {
    Notices taker;
    synchronized (early) {
      taker = notices;
      if (taker == null) {
        early.add(new Notice(from, words));
        return;
      }
    }
    taker.received(from, words);
  }

  /** Sends a notice to a rank. */
  public void notify(int to, String... words) {
    if (to == rank) {
      noticed(rank, words);
    } else {
      network.send(to, (long) NOTICE << KIND_SHIFT, words);
    }
  }

  /** Makes the ranks of a context known, on which its collectives depend. */
  public synchronized void open(int context, int[] ranks) {
    var all = new BitSet();
    for (var each : ranks) {
      all.set(each);
    }
    members.put(context & ~1, all);
  }

  /** Forgets a context and drops its messages. */
  public synchronized void close(int context) {
    members.remove(context & ~1);
    known.remove(context & ~1);
    broken.remove(context | 1);
    table.drop(key -> (key.context() & ~1) == (context & ~1));
  }

  /** Returns the number of point-to-point messages that no receive has taken. */
  public synchronized int unexpected() {
    return table.unexpectedCount();
  }

  // Sending

  /**
   * Begins a send.
   *
   * @param isSynchronous whether it completes only when a receive has matched
   */
  public Operation send(int context, int to, int tag, MessageBuffer data, boolean isSynchronous) {
    if (isAnyLost) {
      checkLost(to, context);
    }
    var key = new MatchKey(context, rank, tag);
    var near = to == rank ? this : network.near(to);
    if (near != null) {
      return sendNear(near, key, to, data, isSynchronous);
    }
    var bytes = data.bytes();
    if (!isSynchronous && bytes <= EAGER_BYTES && takeCredit(to, bytes + ENVELOPE_BYTES)) {
      transmit(to, envelope(EAGER, data.element(), key), data);
      return Operation.SENT;
    }
    var send = new SendOperation(this, key, to, numbers.incrementAndGet(), data);
    asked.put(send.id(), send);
    network.send(to, envelope(ASK, data.element(), key), new long[] {send.id(), data.elements()});
    if (isAnyLost) {
      failLostSends();
    }
    return send;
  }

  private boolean takeCredit(int to, long bytes) {
    if (used.addAndGet(to, bytes) <= CREDIT_BYTES) {
      return true;
    }
    used.addAndGet(to, -bytes);
    return false;
  }

  private static long envelope(int kind, ElementType element, MatchKey key) {
    return (long) kind << KIND_SHIFT
        | (long) element.ordinal() << TYPE_SHIFT
        | (long) key.context() << CONTEXT_SHIFT
        | key.tag();
  }

  private static long numbered(int kind, long number) {
    return (long) kind << KIND_SHIFT | number;
  }

  private void transmit(int to, long envelope, MessageBuffer data) {
    if (data.element() == ElementType.OBJECT) {
      try {
        network.send(to, envelope, data.packed());
      } catch (RuntimeException e) {
        throw unsendable(e);
      }
    } else if (data.element().isNumeric() && data.isContiguous()) {
      network.sendSlice(
          to, envelope, new Frame.Slice(data.array(), data.offset(), data.elements()));
    } else {
      network.give(to, envelope, data.packed());
    }
  }

  private static RuntimeException unsendable(RuntimeException why) {
    return MessagingError.of(
        ErrorClass.TYPE, "the objects of a message cannot be sent: " + why.getMessage(), why);
  }

  /** Sends the data that a receiver waits for. */
  void transmitData(SendOperation send) {
    transmit(send.to(), numbered(DATA, send.id()), send.data());
  }

  private Operation sendNear(
      MessageEngine receiver, MatchKey key, int to, MessageBuffer data, boolean isSynchronous) {
    var isEager = !isSynchronous && data.bytes() <= EAGER_BYTES;
    var row =
        data.element() == ElementType.OBJECT ? copied(data) : null; // no user code in the lock
    SendOperation waiting = null;
    ReceiveOperation receive;
    List<Waiter> woken = List.of();
    synchronized (receiver) {
      receive = receiver.table.takePosted(key);
      if (receive == null) {
        ArrivedMessage message;
        if (isEager) {
          message = ArrivedMessage.copied(key, data.element(), row == null ? data.packed() : row);
        } else {
          var held =
              row == null ? data : MessageBuffer.range(data.element(), row, 0, data.elements());
          waiting = new SendOperation(this, key, to, numbers.incrementAndGet(), held);
          message = ArrivedMessage.near(key, waiting);
        }
        woken = receiver.add(message);
      }
    }
    woken.forEach(Waiter::wake);
    if (receive == null) {
      return waiting == null ? Operation.SENT : waiting;
    }
    fillNear(receive, key, data, row);
    return Operation.SENT;
  }

  private Object copied(MessageBuffer data) {
    try {
      return network.copy(data.packed());
    } catch (RuntimeException e) {
      throw unsendable(e);
    }
  }

  private static void fillNear(
      ReceiveOperation receive, MatchKey key, MessageBuffer data, @Nullable Object copy) {
    var isRange = copy == null && data.isContiguous();
    var row = copy != null ? copy : isRange ? data.array() : data.packed();
    var failure =
        receive.into().fill(data.element(), row, isRange ? data.offset() : 0, data.elements());
    receive.filled(key.source(), key.tag(), data.element(), data.elements(), failure);
  }

  // Receiving

  /**
   * Begins a receive.
   *
   * @param source a rank of the whole run, or {@link #ANY}
   * @param tag a tag, or {@link #ANY}
   */
  public Operation receive(int context, int source, int tag, MessageBuffer into) {
    var wanted = new MatchKey(context, source, tag);
    ReceiveOperation receive;
    ArrivedMessage message;
    synchronized (this) {
      receive = new ReceiveOperation(this, wanted, into, order++);
      message = table.take(wanted);
      if (message == null) {
        var failure = isAnyLost || !broken.isEmpty() ? hopeless(wanted) : null;
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
      fillNear(receive, message.key(), near.data(), null);
      near.end(Completion.SENT);
    } else if (message.isRendezvous()) {
      receive.announced(message);
      expected.put(new Expected(message.source(), message.id()), receive);
      network.send(message.source(), numbered(CLEAR, message.id()), null);
      if (isAnyLost) {
        failLostReceives();
      }
    } else {
      receive.arrived(message);
    }
  }

  /** Adds an unexpected message; called under the lock. Returns who waits for it. */
  private List<Waiter> add(ArrivedMessage message) {
    table.add(message);
    if (probers.isEmpty()) {
      return List.of();
    }
    List<Waiter> woken = new ArrayList<>();
    for (var each : probers) {
      if (message.key().general(each.wanted().form()).equals(each.wanted())) {
        woken.add(each.waiter());
      }
    }
    return woken;
  }

  /** Takes a packet of another rank. Neither blocks nor runs code of users' classes. */
  public void received(int from, long tag, Packet packet) {
    var number = tag & NUMBER_MASK;
    switch ((int) (tag >>> KIND_SHIFT)) {
      case EAGER, ASK -> messageArrived(from, tag, packet);
      case CLEAR -> {
        var send = asked.remove(number);
        if (send != null) {
          send.matched();
        }
      }
      case DATA -> {
        var receive = expected.remove(new Expected(from, number));
        if (receive != null) {
          receive.dataArrived(packet);
        }
      }
      case WITHDRAW -> {
        ArrivedMessage message;
        synchronized (this) {
          message = table.take(from, number);
        }
        if (message != null) {
          network.send(from, numbered(WITHDRAWN, number), null);
        }
      }
      case WITHDRAWN -> {
        var send = asked.remove(number);
        if (send != null) {
          send.end(Completion.CANCELLED);
        }
      }
      case CREDIT -> used.addAndGet(from, -number);
      default -> {
        if (packet.value() instanceof String[] words) {
          noticed(from, words);
        }
      }
    }
  }

  private void messageArrived(int from, long tag, Packet packet) {
    var key =
        new MatchKey((int) (tag >>> CONTEXT_SHIFT) & CONTEXTS - 1, from, (int) tag & MOST_TAG);
    var type = (int) (tag >>> TYPE_SHIFT) & 15;
    if (type >= ElementType.ALL.size()) {
      LOG.log(
          Level.WARNING, () -> "dropped a message of unknown type from " + network.describe(from));
      return;
    }
    var element = ElementType.ALL.get(type);
    ArrivedMessage message;
    if (tag >>> KIND_SHIFT == EAGER) {
      message = ArrivedMessage.eager(key, element, packet);
    } else if (packet.value() instanceof long[] announced && announced.length == 2) {
      message =
          ArrivedMessage.rendezvous(
              key, element, announced[0], Math.clamp(announced[1], 0, Integer.MAX_VALUE));
    } else {
      LOG.log(Level.WARNING, () -> "dropped a damaged message from " + network.describe(from));
      return;
    }
    ReceiveOperation receive;
    List<Waiter> woken = List.of();
    synchronized (this) {
      receive = table.takePosted(key);
      if (receive == null) {
        woken = add(message);
      }
    }
    woken.forEach(Waiter::wake);
    if (receive != null) {
      match(receive, message);
    }
  }

  /** Returns the array for the data of a rendezvous, if it can be read there directly. */
  public @Nullable ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
    if (tag >>> KIND_SHIFT != DATA) {
      return null;
    }
    var receive = expected.get(new Expected(from, tag & NUMBER_MASK));
    return receive == null ? null : receive.lend(element, length);
  }

  /** Gives the credit of an eager message back that has left the table. */
  void consumed(ArrivedMessage message) {
    if (!message.isFromAfar()) {
      return;
    }
    var row = message.row();
    var bytes =
        ENVELOPE_BYTES
            + (message.element() == ElementType.OBJECT
                ? MessageBuffer.bytes(row, 0, message.elements())
                : (long) message.elements() * message.element().bytes());
    var from = message.source();
    if (consumed.addAndGet(from, bytes) >= RETURN_BYTES) {
      var all = consumed.getAndSet(from, 0);
      if (all > 0) {
        network.send(from, numbered(CREDIT, all), null);
      }
    }
  }

  // Probing and cancelling

  /** A message that a receive would take. */
  public record Probed(int source, int tag, int elements, ElementType element) {}

  /**
   * Returns the message that a receive with these arguments would take; {@code null} if there is
   * none.
   */
  public @Nullable Probed probe(int context, int source, int tag) {
    var wanted = new MatchKey(context, source, tag);
    ArrivedMessage message;
    Failure failure = null;
    synchronized (this) {
      message = table.peek(wanted);
      if (message == null && isAnyLost) {
        failure = hopeless(wanted);
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
    var waiter = new Waiter();
    var prober = new Prober(wanted, waiter);
    synchronized (this) {
      probers.add(prober);
    }
    try {
      var found = new Probed[1];
      await(
          waiter,
          () -> (found[0] = probe(context, source, tag)) != null,
          () -> "a probe for a message",
          () -> {},
          null);
      return Objects.requireNonNull(found[0], "awaited");
    } finally {
      synchronized (this) {
        probers.remove(prober);
      }
    }
  }

  /** Tries to cancel an operation; whether that succeeded, its completion says. */
  public void cancel(Operation operation) {
    switch (operation) {
      case ReceiveOperation receive -> {
        boolean isRemoved;
        synchronized (this) {
          isRemoved = table.remove(receive);
        }
        if (isRemoved) {
          receive.cancelled();
        }
      }
      case SendOperation send -> {
        var near = send.to() == rank ? this : network.near(send.to());
        if (near == null) {
          if (asked.containsKey(send.id())) {
            network.send(send.to(), numbered(WITHDRAW, send.id()), null);
          }
          return;
        }
        ArrivedMessage message;
        synchronized (near) {
          message = near.table.take(rank, send.id());
        }
        if (message != null) {
          send.end(Completion.CANCELLED);
        }
      }
      default -> {} // complete
    }
  }

  // Waiting

  /** Does work for an operation that would otherwise need another thread. */
  public void help(Operation operation) {
    operation.help();
  }

  /** Waits until an operation has ended, and returns how. */
  public Completion await(Operation operation) {
    if (!operation.isDone()) {
      awaitAny(new @Nullable Operation[] {operation});
    }
    return operation.completion();
  }

  /** Waits until an operation has ended, but not longer; returns whether it has. */
  public boolean await(Operation operation, long nanos) {
    if (!operation.isDone()) {
      awaitAny(new @Nullable Operation[] {operation}, System.nanoTime() + nanos);
    }
    return operation.isDone();
  }

  /**
   * Waits until one of several operations has ended.
   *
   * @param operations may contain null, but not only
   */
  public void awaitAny(@Nullable Operation[] operations) {
    awaitAny(operations, null);
  }

  private void awaitAny(@Nullable Operation[] operations, @Nullable Long deadline) {
    var waiter = new Waiter();
    try {
      for (var each : operations) {
        if (each != null && !each.enter(waiter)) {
          throw MessagingError.of(
              ErrorClass.PENDING,
              "another thread waits for "
                  + each.describe()
                  + "; let one thread wait for a request");
        }
      }
      await(
          waiter,
          () -> isAnyDone(operations),
          () -> describe(operations),
          () -> {
            for (var each : operations) {
              if (each != null) {
                each.help();
              }
            }
          },
          deadline);
    } finally {
      for (var each : operations) {
        if (each != null) {
          each.leave(waiter);
        }
      }
    }
  }

  private static boolean isAnyDone(@Nullable Operation[] operations) {
    for (var each : operations) {
      if (each != null && each.isDone()) {
        return true;
      }
    }
    return false;
  }

  private static String describe(@Nullable Operation[] operations) {
    List<String> all = new ArrayList<>();
    for (var each : operations) {
      if (each != null && !each.isDone() && all.size() < 4) {
        all.add(each.describe());
      }
    }
    return String.join(", ", all);
  }

  private void await(
      Waiter waiter,
      BooleanSupplier isOver,
      Supplier<String> what,
      Runnable helps,
      @Nullable Long deadline) {
    helps.run();
    if (isOver.getAsBoolean()) {
      return;
    }
    network.receiveWhile(() -> !waiter.isWoken());
    var began = System.nanoTime();
    var isReported = false;
    var isInterrupted = false;
    try {
      for (; ; ) {
        waiter.rearm();
        helps.run();
        if (isOver.getAsBoolean()) {
          return;
        }
        if (deadline == null) {
          waiter.sleep(REPORT_NANOS);
        } else {
          var left = deadline - System.nanoTime();
          if (left <= 0) {
            return;
          }
          waiter.sleepAtMost(left);
        }
        isInterrupted |= Thread.interrupted(); // restored: a message cannot be left halfway
        if (!isReported && System.nanoTime() - began >= REPORT_NANOS) {
          isReported = true;
          LOG.log(
              Level.INFO,
              () ->
                  network.describe(rank)
                      + " has waited 10 s for "
                      + what.get()
                      + "; does the other side call its counterpart?");
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // Losses and broken collectives

  /** Records that ranks are lost. Neither blocks nor runs code of users' classes. */
  public void lost(List<Integer> ranks, String why) {
    List<ReceiveOperation> failed = new ArrayList<>();
    List<Waiter> woken = new ArrayList<>();
    synchronized (this) {
      ranks.forEach(each -> lost.putIfAbsent(each, why));
      isAnyLost = true;
      for (var each :
          table.removeAll(
              key ->
                  key.source() == ANY
                      ? isMember(key.context(), ranks)
                      : lost.containsKey(key.source())
                          || (key.context() & 1) == 1 && isMember(key.context(), ranks))) {
        if (each.key().source() == ANY) {
          noteKnown(each.key().context());
        }
        failed.add(each);
      }
      probers.forEach(each -> woken.add(each.waiter()));
    }
    failed.forEach(each -> each.fail(lossOf(ranks.getFirst(), why)));
    failLostSends();
    failLostReceives();
    woken.forEach(Waiter::wake);
  }

  private boolean isMember(int context, List<Integer> ranks) {
    var all = members.get(context & ~1);
    return all == null || ranks.stream().anyMatch(all::get);
  }

  private void noteKnown(int context) {
    var told = known.computeIfAbsent(context & ~1, _ -> new BitSet());
    lost.keySet().forEach(told::set);
  }

  private Failure lossOf(int which, String why) {
    return new Failure(
        ErrorClass.PROC_FAILED,
        network.describe(which) + " is lost: " + why + "; what needs it cannot be completed");
  }

  private void failLostSends() {
    for (var each : List.copyOf(asked.values())) {
      var why = whyLost(each.to());
      if (why != null && asked.remove(each.id(), each)) {
        each.end(Completion.failed(ANY, ANY, lossOf(each.to(), why)));
      }
    }
  }

  private void failLostReceives() {
    for (var each : List.copyOf(expected.entrySet())) {
      var from = each.getKey().from();
      var why = whyLost(from);
      if (why != null && expected.remove(each.getKey(), each.getValue())) {
        each.getValue().fail(lossOf(from, why));
      }
    }
  }

  private synchronized @Nullable String whyLost(int which) {
    return lost.get(which);
  }

  private void checkLost(int to, int context) {
    Failure failure;
    synchronized (this) {
      failure =
          (context & 1) == 1
              ? hopeless(new MatchKey(context, to, ANY))
              : lost.containsKey(to) ? lossOf(to, String.valueOf(lost.get(to))) : null;
    }
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  /** Returns why a receive without a message cannot be completed; under the lock. */
  private @Nullable Failure hopeless(MatchKey wanted) {
    var context = wanted.context();
    var cause = broken.get(context);
    if (cause != null) {
      return cause;
    }
    for (var each : lost.entrySet()) {
      var concerns =
          wanted.source() == each.getKey()
              || (context & 1) == 1 && isMember(context, List.of(each.getKey()));
      if (!concerns && wanted.source() == ANY && isMember(context, List.of(each.getKey()))) {
        concerns = !known.computeIfAbsent(context & ~1, _ -> new BitSet()).get(each.getKey());
        if (concerns) {
          noteKnown(context);
        }
      }
      if (concerns) {
        return lossOf(each.getKey(), each.getValue());
      }
    }
    return null;
  }

  /** Fails all collectives of a context, now and later. */
  public void breakCollectives(int context, Failure why) {
    List<ReceiveOperation> failed;
    synchronized (this) {
      broken.putIfAbsent(context | 1, why);
      failed = table.removeAll(key -> key.context() == (context | 1));
    }
    failed.forEach(each -> each.fail(why));
  }

  /** Returns whether any rank is lost. */
  public boolean isAnyLost() {
    return isAnyLost;
  }

  /** Returns why the collectives of a context have failed; {@code null} if they have not. */
  public synchronized @Nullable Failure brokenBy(int context) {
    return broken.get(context | 1);
  }
}
