package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Array;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeContact;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.classes.CodeSources;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.AccrualDetector;
import org.troupe.activeobjects.internal.peer.Inbox;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.MemoryUsage;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.MessageCodec;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.NodeToken;
import org.troupe.activeobjects.internal.peer.NodesToken;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.ReceiveLimits;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.futures.FutureRuntime;
import org.troupe.serialization.SerializationException;

/**
 * A node's membership in one grid: its endpoint, the list of members, and which of them are alive.
 */
public final class GridMembership implements GridMember, Membership, Transport.Receiver {

  /*
   * Design: one coordinator decides
   *
   * Only the coordinator decides which nodes belong to the grid. A member that cannot reach another reports
   * it, and the coordinator then tries to reach the suspect itself. If it fails, the suspect is dead at once.
   * If it succeeds but the witness fails for longer than the allowed silence, the suspect is declared dead,
   * too, because a grid in which not all members can communicate hangs.
   *
   * A node that has lost the coordinator can no longer learn of deaths, so it gives up all other nodes: at
   * once if the coordinator cannot be reached, since its process has then ended. A coordinator that is silent
   * while its machine keeps the connection may have been stopped, as by Ctrl-Z. The node waits much longer for
   * it, unless it takes part in a new connection, which a stopped process does not.
   *
   * Joins are announced in batches. When the coordinator announced each join separately, and each node kept a
   * peer for every other one, 1,000 hosts needed 138 s to join. Batches, and peers only for nodes with
   * communication, reduced that to between 33 and 43 s (./troupe bench deploy, row deploy-1000-posing-hosts,
   * 12b7a20, 2026-11-22).
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");
  private static final int BEATS_PER_SILENCE = 5;
  private static final int MOST_ADDED_SILENCES = 16;

  /**
   * Deadlock searches run with each heartbeat, so the interval is bounded however long a node may
   * be silent.
   */
  private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(30);

  /**
   * Suspicions are repeated with every heartbeat; one is forgotten after this number of heartbeats
   * without.
   */
  private static final int BEATS_TO_FORGET = 3;

  /** How many times the allowed silence a node waits for a silent coordinator. */
  private static final int COORDINATOR_SILENCES = 12;

  /**
   * For how many times the allowed silence a pause of this JVM may explain deaths that become
   * known.
   */
  private static final int SILENCES_TO_FORGET_A_PAUSE = 6;

  private static final Duration FAREWELL = Duration.ofSeconds(1);

  /**
   * The pause between two announcements, per member: otherwise each of a thousand starting nodes
   * would be notified of each other one. A notification takes about 15 us per member.
   */
  private static final long QUIET_MILLIS_PER_MEMBER = 1;

  private final LocalNode node;
  private final Settings settings;
  private final LongSupplier clock;
  private final Transport.Endpoint endpoint;
  private final LiveNodes live = new LiveNodes(this);
  private final Map<NodeId, Suspicion> suspicions = new ConcurrentHashMap<>();
  private final Set<NodeId> inquests = ConcurrentHashMap.newKeySet(); // in progress
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final AtomicBoolean leaving = new AtomicBoolean();
  private ScheduledFuture<?> beats; // null: driven by hand
  private ScheduledFuture<?> looks; // the checks of the carriers; null: driven by hand
  private CarrierWatchdog carriers = CarrierWatchdog.OF_JVM;
  private boolean toldOfTrouble; // accessed only by the timer
  private final Map<NodeId, NodeDescription> members = new LinkedHashMap<>(); // guarded by this
  private final Set<NodeId> ending =
      new HashSet<>(); // former members, not lost yet; guarded by this
  private final ReceiveLimits receiveLimits;
  private final Set<Long> ignored = ConcurrentHashMap.newKeySet(); // incarnations
  private volatile boolean hasIgnoredOthers; // more than are recorded
  private long changes; // the number of changes that led to these members; guarded by this
  private final List<MembershipView.Change> untold = new ArrayList<>(); // guarded by this
  private boolean isQuiet; // an announcement was just made, and further ones wait; guarded by this
  private final Map<Long, MembershipView.Change> early = new HashMap<>(); // guarded by this
  private final Map<String, String> ended = new HashMap<>(); // reasons by name; guarded by this
  private volatile Peer coordinator; // null at the coordinator, and before the node has joined
  private volatile boolean coordinates;
  private Peer lastHeard; // set by any reader without a lock, as a shortcut past the map
  private volatile boolean closed;
  private volatile String givenUp; // why this node no longer communicates with any other, or null
  private volatile Consumer<Node> launcher = node -> {};
  private volatile Function<String, CompletableFuture<Void>> inquest =
      name -> CompletableFuture.completedFuture(null);
  private volatile long lastBeatNanos; // 0 before the first; written only by the heartbeat
  private volatile Pause lastPause; // null if there was none that others could have noticed

  /** A time during which this JVM stood still. */
  private record Pause(long nanos, long endNanos) {}

  /** The period in which members have reported that a node cannot be reached. */
  private record Suspicion(long since, long last) {

    Suspicion confirmed(long now, long forgottenNanos) {
      return new Suspicion(now - last > forgottenNanos ? now : since, now);
    }

    long nanos() {
      return last - since;
    }
  }

  /** Opens a node to a grid, with the given clock; {@link #beat} is called by hand. */
  public GridMembership(LocalNode node, Settings settings, Transport transport, LongSupplier clock)
      throws IOException {
    this(node, settings, transport, clock, ReceiveLimits.ofHeap(Runtime.getRuntime().maxMemory()));
  }

  public GridMembership(
      LocalNode node,
      Settings settings,
      Transport transport,
      LongSupplier clock,
      ReceiveLimits receiveLimits)
      throws IOException {
    this.node = node;
    this.settings = settings;
    this.clock = clock;
    this.receiveLimits = receiveLimits;
    this.endpoint = transport.open(settings.endpoint(), this);
    node.memberships().add(this);
  }

  /** Opens any node of this JVM to a grid. */
  public static GridMembership open(LocalNode node, Settings settings, Transport transport)
      throws IOException {
    var access = new GridMembership(node, settings, transport, System::nanoTime);
    var interval = access.interval();
    access.beats =
        node.objects()
            .timer()
            .scheduleAtFixedRate(access::beatInTime, interval, interval, TimeUnit.NANOSECONDS);
    access.looks =
        node.objects()
            .timer()
            .scheduleWithFixedDelay(
                access::lookAtCarriers,
                CarrierWatchdog.PERIOD_NANOS,
                CarrierWatchdog.PERIOD_NANOS,
                TimeUnit.NANOSECONDS);
    return access;
  }

  // Frames

  @Override
  public Object array(Class<?> element, int length) {
    var spare = ArrayPool.take(element, length);
    return spare == null ? Array.newInstance(element, length) : spare;
  }

  @Override
  public ReceiveBuffer room(byte[] header, Class<?> element, int length) {
    var in = MessageCodec.header(header);
    try {
      var sender = node.peers().known(in.readLong());
      return closed || sender == null ? null : sender.inbox().room(in, element, length);
    } catch (SerializationException e) {
      return null; // reported when the frame is processed
    }
  }

  public void receiveWhile(BooleanSupplier isWaiting) {
    endpoint.receiveWhile(isWaiting);
  }

  @Override
  public void received(Frame frame, Transport.Exchange exchange) {
    if (closed) {
      return; // its exchanges have ended, too
    }
    Peer sender;
    var in = MessageCodec.header(frame);
    try {
      var incarnation = in.readLong();
      sender = lastHeard;
      if (sender == null || sender.id().incarnation() != incarnation) {
        sender = node.peers().known(incarnation);
      }
      if (sender == null) {
        sender = introduced(incarnation, frame);
      }
      if (sender == null) {
        ignore(incarnation);
        sender = node.peers().known(incarnation); // it may have been introduced meanwhile
      }
    } catch (SerializationException e) {
      Inbox.decline(exchange);
      throw e;
    }
    if (sender == null) {
      LOG.log(Level.DEBUG, "a frame came before the greeting, and is ignored");
      Inbox.decline(exchange);
      return;
    }
    lastHeard = sender;
    sender.inbox().receive(frame, in, exchange);
  }

  @Override
  public Object sender(byte[] header) {
    return header.length < Long.BYTES ? null : MessageCodec.header(header).readLong();
  }

  /**
   * Returns the sender of a greeting, which was unknown before; {@code null} if the frame is not a
   * greeting.
   */
  private Peer introduced(long incarnation, Frame frame) {
    if (!(MessageCodec.greeting(frame)
        instanceof Message.Hello(String name, String itsAddress, long taken, boolean missed))) {
      return null;
    }
    var id = new NodeId(name, incarnation);
    if (!isMember(id) && strangers() >= receiveLimits.strangers()) {
      throw new SerializationException(
          "node '%s' greets and is no member of the grid, as %d others have done"
              .formatted(id, receiveLimits.strangers()));
    }
    return node.peers().named(id, this, itsAddress);
  }

  private synchronized long strangers() {
    return peers().filter(peer -> !members.containsKey(peer.id()) && !peer.isLost()).count();
  }

  private void ignore(long incarnation) {
    if (ignored.size() < receiveLimits.ignored()) {
      ignored.add(incarnation);
    } else {
      hasIgnoredOthers = true;
    }
  }

  /**
   * Returns whether a frame of a node may have arrived before the node was known, and was not
   * taken.
   */
  @Override
  public boolean hasIgnored(NodeId id) {
    return hasIgnoredOthers || ignored.contains(id.incarnation());
  }

  @Override
  public ReceiveLimits receiveLimits() {
    return receiveLimits;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public long nanoTime() {
    return clock.getAsLong();
  }

  private long interval() {
    return Math.min(silenceNanos() / BEATS_PER_SILENCE, LONGEST_INTERVAL.toNanos());
  }

  /**
   * Returns how long a node may be silent, limited so that a few of these can be added without
   * overflow.
   */
  private long silenceNanos() {
    return Math.min(FutureRuntime.nanos(settings.silence()), Long.MAX_VALUE / MOST_ADDED_SILENCES);
  }

  @Override
  public Transport.Connection connect(String address) throws IOException {
    if (closed) {
      throw new IOException("this node has left the grid");
    }
    return endpoint.connect(address);
  }

  /**
   * Beats. If this is late, as after a garbage collection or on an overloaded machine, it first
   * excuses the peers: their frames have not been processed meanwhile.
   */
  void beatInTime() {
    var now = nanoTime();
    var late = lateNanos(now);
    if (late > interval() / 2) {
      LOG.log(Level.DEBUG, () -> "this JVM stood still for " + late / 1_000_000 + " ms");
      peers().forEach(peer -> peer.stoodStill(late));
    }
    if (late > settings.silence().toNanos()) {
      lastPause = new Pause(late, now);
      LOG.log(
          Level.WARNING,
          () ->
              "node '%s' stood still for %.1f s, as if it had been stopped, or its machine suspended; %s"
                  .formatted(
                      node.id().name(),
                      late / 1e9,
                      coordinates
                          ? "its nodes wait for it for %d s, and then end"
                              .formatted(coordinatorPatience().toSeconds())
                          : "others may have given it up after %d s"
                              .formatted(settings.silence().toSeconds())));
    }
    lastBeatNanos = now;
    beat();
  }

  /** Returns by how much the next heartbeat is late. */
  private long lateNanos(long now) {
    return lastBeatNanos == 0 ? 0 : Math.max(0, now - lastBeatNanos - interval());
  }

  /**
   * Returns the part of the message that relates a death to a pause of this JVM; empty if there was
   * none.
   */
  private String ownPause() {
    var now = nanoTime();
    var pause = lastPause;
    var isRecent =
        pause != null
            && now - pause.endNanos() < SILENCES_TO_FORGET_A_PAUSE * settings.silence().toNanos();
    var nanos = Math.max(lateNanos(now), isRecent ? pause.nanos() : 0);
    return nanos < coordinatorPatience().toNanos()
        ? ""
        : "; this program itself stood still for %.0f s, as if it had been stopped, or its machine suspended: nodes wait %d s for it"
            .formatted(nanos / 1e9, coordinatorPatience().toSeconds());
  }

  private Duration coordinatorPatience() {
    return settings.silence().multipliedBy(COORDINATOR_SILENCES);
  }

  /** Ensures that requests are served, and reports if that has failed for too long. */
  private void lookAtCarriers() {
    carriers.look();
    var trouble = carriers.trouble(settings.silence().toNanos());
    if (!trouble.isEmpty() && !toldOfTrouble) {
      node.objects().failures().reportStandstill(trouble);
    }
    toldOfTrouble = !trouble.isEmpty();
  }

  /** Replaces the watchdog by one that is checked by hand. */
  public void watchCarriers(CarrierWatchdog other) {
    carriers = other;
    lookAtCarriers();
  }

  /**
   * Returns what has prevented this node from serving requests for longer than the allowed silence,
   * or an empty text.
   */
  String trouble() {
    return carriers.trouble(settings.silence().toNanos());
  }

  /** Sends signs of life and checks those of others. */
  public void beat() {
    try {
      peers().forEach(peer -> peer.beat(silenceNanos()));
      node.deadlocks().searchAll();
      var told = coordinator;
      if (told != null && told.isLinked() && !told.isLost()) {
        told.tell(MemoryUsage.ofThisJvm());
      }
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "the heartbeat failed", e);
    }
  }

  // What the host of the node sees

  @Override
  public Node self() {
    synchronized (this) {
      var member = members.get(node.id());
      return new MemberNode(this, member == null ? describeSelf() : member);
    }
  }

  @Override
  public String address() {
    return endpoint.address();
  }

  @Override
  public String contact() {
    return new NodeContact(node.id(), endpoint.address()).toString();
  }

  @Override
  public void coordinate() {
    coordinates = true;
    joined(describeSelf());
  }

  @Override
  public void join(String coordinatorContact, Duration timeout) throws IOException {
    var contact = NodeContact.parse(coordinatorContact);
    coordinator = node.peers().peer(contact.id(), this, contact.address());
    try {
      install(
          service(coordinator)
              .join(describeSelf())
              .get(FutureRuntime.nanos(timeout), TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NodeLostException lost) {
        throw new IOException(
            "cannot join the grid at " + contact.address() + ": " + lost.getMessage(), e);
      }
      throw new IOException("the coordinator refused this node: " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "the coordinator at " + contact.address() + " did not answer within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while joining", e);
    }
  }

  @Override
  public NodeDescription describeSelf() {
    return new NodeDescription(
        node.id(),
        endpoint.address(),
        settings.virtualNodes(),
        settings.host(),
        settings.attributes());
  }

  @Override
  public Nodes nodes(String virtualNode) {
    return live.of(virtualNode);
  }

  @Override
  public synchronized Optional<Node> member(String name) {
    return members.values().stream()
        .filter(member -> member.id().name().equals(name))
        .<Node>map(this::memberNode)
        .findFirst();
  }

  @Override
  public synchronized Optional<Node> member(NodeId id) {
    return Optional.ofNullable(members.get(id)).map(this::memberNode);
  }

  /** This access's own node, as another one of the same grid holds it. */
  public Node selfFor(GridMembership other) {
    return new MemberNode(other, describeSelf());
  }

  private MemberNode memberNode(NodeDescription member) {
    return new MemberNode(this, member);
  }

  @Override
  public SortedSet<String> drivers() {
    return peers()
        .map(peer -> peer.outbox().connection())
        .filter(Objects::nonNull)
        .map(Transport.Connection::driver)
        .filter(driver -> !driver.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public CompletableFuture<NodeReport> report(Node other) {
    return other.isLocal()
        ? CompletableFuture.completedFuture(SelfReport.of(node.objects().bodies(), trouble()))
        : ((MemberNode) other).service().report();
  }

  @Override
  public CompletableFuture<String> stack(Node other) {
    try {
      return other.isLocal()
          ? CompletableFuture.completedFuture(SelfReport.stack(node.objects().bodies()))
          : ((MemberNode) other).service().stack();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void expect(String name, List<String> virtualNodes, Supplier<String> progress) {
    live.expect(name, virtualNodes, progress);
  }

  @Override
  public synchronized void ended(String name, ExitReport certificate) {
    ended.putIfAbsent(name, certificate.toString());
    for (var member : members.values()) {
      if (member.id().name().equals(name)) {
        declareDead(member.id(), certificate);
        return;
      }
    }
    live.missing(name, certificate.toString());
  }

  @Override
  public void onJoin(Consumer<Node> who) {
    launcher = who;
  }

  @Override
  public void onSuspicion(Function<String, CompletableFuture<Void>> who) {
    inquest = who;
  }

  @Override
  public void provide(Provider provider) {
    live.provide(provider);
  }

  @Override
  public void onEnd(Consumer<String> action) {
    end.thenAccept(action);
  }

  @Override
  public void settle(Duration atMost) {
    var deadline = System.nanoTime() + FutureRuntime.nanos(atMost);
    var settling = new ArrayList<Thread>();
    for (var peer : node.peers().all()) {
      if (peer.access() == this && peer.outbox().hasUnservedCalls()) {
        settling.add(Thread.startVirtualThread(() -> awaitServed(peer, deadline)));
      }
    }
    try {
      for (var each : settling) {
        each.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller no longer wants to wait
    }
  }

  @Override
  public CompletableFuture<Void> endAll(String reason) {
    List<NodeDescription> all;
    synchronized (this) {
      all = List.copyOf(members.values());
    }
    return CompletableFuture.allOf(
        all.stream()
            .filter(member -> !member.id().equals(node.id()))
            .map(member -> service(peer(member)).end(reason).exceptionally(failure -> null))
            .toArray(CompletableFuture<?>[]::new));
  }

  @Override
  public void close() {
    if (!leaving.compareAndSet(false, true)) {
      return;
    }
    sayFarewell();
    vanish();
    live.close("the grid has been closed");
    peers().forEach(peer -> peer.lose(givenUp));
    node.peers().forget(this);
  }

  /** Announces the end of this node, which would otherwise be declared dead some time later. */
  private void sayFarewell() {
    var told = coordinator;
    if (closed || told == null || told.isLost()) {
      return;
    }
    try {
      service(told).leave(node.id()).get(FAREWELL.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "the coordinator did not hear that this node leaves", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends this node's membership as if its process had been killed: no other node is notified. */
  public void vanish() {
    givenUp = "this node has left the grid";
    closed = true;
    if (beats != null) {
      beats.cancel(false);
      looks.cancel(false);
    }
    endpoint.close();
    node.memberships().remove(this);
  }

  // Membership, at the coordinator

  synchronized MembershipView.View joined(NodeDescription member) {
    if (closed) {
      throw new IllegalStateException("the grid is being closed");
    }
    var reason = ended.get(member.id().name());
    if (reason != null) { // its request was on the way when its process ended
      throw new IllegalStateException("its process has ended: " + reason);
    }
    for (var other : members.values()) {
      if (other.id().name().equals(member.id().name())) {
        throw new IllegalStateException(
            "the grid has a node '" + member.id().name() + "' already; names are unique");
      }
    }
    publish(new MembershipView.Change.Joined(changes + 1, member));
    return new MembershipView.View(changes, List.copyOf(members.values()));
  }

  void left(NodeId member) {
    left(member, "it has left the grid");
  }

  private synchronized void left(NodeId member, String reason) {
    if (members.containsKey(member)) {
      publish(new MembershipView.Change.Left(changes + 1, member, reason));
    }
  }

  @Override
  public CompletableFuture<Void> retire(Node leaver, String reason) {
    return retired(leaver.id(), reason, () -> left(leaver.id(), reason));
  }

  @Override
  public CompletableFuture<Void> askToLeave(String reason) {
    return coordinatorService().askToLeave(node.id(), reason);
  }

  /**
   * Handles a request to leave. Its cause is about to end the node, and the way that the node ends
   * is the better reason.
   */
  void askedToLeave(NodeId leaver, String reason) {
    retired(
        leaver,
        reason,
        () ->
            inquest.apply(leaver.name()).whenComplete((nothing, failure) -> left(leaver, reason)));
  }

  private CompletableFuture<Void> retired(NodeId leaver, String reason, Runnable atItsEnd) {
    Peer peer;
    synchronized (this) {
      if (!members.containsKey(leaver)) {
        return CompletableFuture.completedFuture(null);
      }
      peer = peer(members.get(leaver));
      publish(new MembershipView.Change.Leaving(changes + 1, leaver, reason));
    }
    return live.told()
        .thenCompose(heard -> service(peer).end(reason).exceptionally(failure -> null))
        .thenRun(atItsEnd);
  }

  private void declareDead(NodeId member, String reason) {
    declareDead(member, ExitReport.of(reason));
  }

  private synchronized void declareDead(NodeId member, ExitReport certificate) {
    if (members.containsKey(member)) {
      var known = node.peers().known(member);
      var last = known == null ? MemoryUsage.NONE : known.vitals();
      var whole =
          certificate
              .withMemory(last.heapUsedBytes(), last.heapMostBytes(), last.residentBytes())
              .because(ownPause());
      LOG.log(Level.DEBUG, () -> "node '" + member + "' is dead: " + whole); // reported by onLeave
      publish(new MembershipView.Change.Died(changes + 1, member, whole));
    }
  }

  /**
   * Announces changes to all members, in one order. Joins and deaths, which occur by the hundred,
   * wait if an announcement was just made; other changes are announced at once, with all that are
   * waiting.
   */
  private void publish(MembershipView.Change change) {
    apply(change);
    untold.add(change);
    if (!isQuiet || !change.canWait()) {
      tell();
    }
  }

  /**
   * Announces the changes. The lock is held until the last frame is numbered, which does not block.
   */
  private void tell() {
    var news = List.copyOf(untold);
    untold.clear();
    for (var member : members.values()) {
      if (!member.id().equals(node.id()) && !knows(member, news)) {
        service(peer(member)).changed(news);
      }
    }
    if (!isQuiet) {
      isQuiet = true;
      node.objects()
          .timer()
          .schedule(
              this::endQuiet, members.size() * QUIET_MILLIS_PER_MEMBER, TimeUnit.MILLISECONDS);
    }
  }

  /** Returns whether a member learnt of the changes by the answer to its joining. */
  private static boolean knows(NodeDescription member, List<MembershipView.Change> news) {
    return news.getLast() instanceof MembershipView.Change.Joined(long number, NodeDescription last)
        && last == member;
  }

  private synchronized void endQuiet() {
    isQuiet = false;
    tellAtOnce();
  }

  private void tellAtOnce() {
    if (!untold.isEmpty() && !closed) {
      tell();
    }
  }

  /**
   * Handles the report of a member that it cannot reach another.
   *
   * @return whether the suspect is still a member
   */
  synchronized boolean suspected(NodeId witness, NodeId suspect, String evidence) {
    if (!members.containsKey(suspect)) {
      tellAtOnce(); // the witness should learn the reason
      return false;
    }
    if (!members.containsKey(witness) || suspect.equals(node.id())) {
      return true; // dead nodes are no witnesses: of two that are cut off from each other, one
      // remains
    }
    LOG.log(Level.DEBUG, () -> witness + " suspects " + suspect + ": " + evidence);
    var now = nanoTime();
    var suspicion =
        suspicions.compute(
            suspect,
            (id, before) ->
                before == null
                    ? new Suspicion(now, now)
                    : before.confirmed(now, BEATS_TO_FORGET * interval()));
    if (suspicion.nanos() > silenceNanos()) {
      declareDead(suspect, "node '" + witness + "' cannot reach it: " + evidence);
      tellAtOnce();
      return false;
    }
    check(suspect);
    return true;
  }

  /** Sends a sign of life to a node, which detects whether the node is dead. */
  public void check(NodeId id) {
    var peer = node.peers().known(id);
    if (peer != null) {
      peer.ping();
    }
  }

  // Membership, everywhere

  /** Handles a peer that has been silent for some time. */
  @Override
  public void silent(
      NodeId peer,
      AccrualDetector detector,
      long silenceNanos,
      long allowedNanos,
      boolean hasConnected) {
    if (!isCoordinator(peer) || hasConnected) {
      if (detector.isOver(silenceNanos, allowedNanos)) {
        suspect(peer, detector.evidence(silenceNanos));
      }
    } else if (silenceNanos > Math.max(allowedNanos, coordinatorPatience().toNanos())) {
      suspect(
          peer,
          detector.evidence(silenceNanos)
              + "; a node waits %d s for a program that is stopped"
                  .formatted(coordinatorPatience().toSeconds()));
    }
  }

  /** Handles a peer that could not be reached for some time. */
  @Override
  public void unreachable(NodeId peer, long silentNanos, Exception why) {
    if (isCoordinator(peer) && isTimeout(why) && silentNanos < coordinatorPatience().toNanos()) {
      return; // its machine accepts connections that its stopped process does not answer
    }
    suspect(peer, "it cannot be reached: " + why.getMessage());
  }

  private boolean isCoordinator(NodeId id) {
    var known = coordinator;
    return known != null && known.id().equals(id);
  }

  private static boolean isTimeout(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }

  /** Handles a peer of this grid that cannot be reached, is silent, or sends malformed frames. */
  @Override
  public void suspect(NodeId suspect, String evidence) {
    if (closed) {
      return;
    }
    if (coordinates) {
      if (isMember(suspect)) {
        // The process has most likely ended, which the inquest confirms with a better reason.
        if (inquests.add(suspect)) {
          inquest
              .apply(suspect.name())
              .whenComplete(
                  (nothing, failure) -> {
                    declareDead(suspect, evidence);
                    inquests.remove(suspect);
                  });
        }
      } else {
        loseStranger(suspect, evidence);
      }
    } else if (coordinator == null || coordinator.id().equals(suspect)) {
      cutOff("the coordinator is lost: " + evidence);
    } else {
      service(coordinator)
          .suspect(node.id(), suspect, evidence)
          .thenAccept(
              isMember -> {
                if (!isMember) {
                  loseStranger(suspect, "it is no member of the grid any more");
                }
              });
    }
  }

  /**
   * Loses a node that never was a member; a former member is lost with the announcement of its end.
   */
  private void loseStranger(NodeId id, String reason) {
    synchronized (this) {
      if (members.containsKey(id) || ending.contains(id)) {
        return;
      }
    }
    var peer = node.peers().known(id);
    if (peer != null && !peer.isLost()) {
      peer.lose(reason);
    }
  }

  /** Gives up all nodes, because no announcement can reach this node any more. */
  private void cutOff(String reason) {
    givenUp = reason;
    toEnd(reason);
    peers().forEach(peer -> peer.lose(reason));
  }

  private Stream<Peer> peers() {
    return node.peers().all().stream().filter(peer -> peer.access() == this);
  }

  private synchronized void install(MembershipView.View joined) {
    changes = joined.number();
    joined.members().forEach(this::arrived);
    early.keySet().removeIf(number -> number <= changes);
    applyEarly();
  }

  /**
   * Applies changes announced by the coordinator. Changes announced before the answer to this
   * node's joining wait for that answer, which may include them.
   */
  synchronized void changed(List<MembershipView.Change> news) {
    for (var change : news) {
      if (changes == 0 || change.number() > changes) {
        early.put(change.number(), change);
      }
    }
    if (changes != 0) {
      applyEarly();
    }
  }

  private void applyEarly() {
    for (MembershipView.Change next; (next = early.remove(changes + 1)) != null; ) {
      apply(next);
    }
  }

  private void apply(MembershipView.Change change) {
    changes = change.number();
    switch (change) {
      case MembershipView.Change.Joined(long number, NodeDescription member) -> arrived(member);
      case MembershipView.Change.Leaving(long number, NodeId id, String reason) ->
          live.leaving(id, reason);
      case MembershipView.Change.Left(long number, NodeId id, String reason) -> {
        var member = remove(id);
        live.remove(id, reason);
        // Its last answers may be in transit.
        node.objects()
            .timer()
            .schedule(() -> lose(member, reason, null), FAREWELL.toNanos(), TimeUnit.NANOSECONDS);
      }
      case MembershipView.Change.Died(long number, NodeId id, ExitReport certificate) -> {
        var member = remove(id);
        suspicions.remove(id);
        live.remove(id, certificate.toString());
        Thread.startVirtualThread(() -> lose(member, certificate.toString(), certificate));
      }
    }
  }

  private void arrived(NodeDescription member) {
    members.put(member.id(), member);
    if (!member.virtualNodes().isEmpty()) {
      var joined = memberNode(member);
      live.add(joined);
      Thread.startVirtualThread(() -> launcher.accept(joined));
    }
  }

  private NodeDescription remove(NodeId id) {
    ending.add(id);
    return members.remove(id);
  }

  /** Returns the service of a peer. */
  NodeServiceClient service(RemoteNode peer) {
    return new NodeServiceClient(node.objects(), peer);
  }

  @Override
  public ClassProvider classesOf(RemoteNode peer) {
    return new PeerClasses(peer);
  }

  /** A peer as a provider of classes; the coordinator knows the code sources of the program. */
  private final class PeerClasses implements ClassProvider {
    private final RemoteNode peer;

    PeerClasses(RemoteNode peer) {
      this.peer = peer;
    }

    @Override
    public NodeId id() {
      return peer.id();
    }

    @Override
    public CompletableFuture<CodeSources.Source> sourceOf(String className) {
      return service(peer).sourceOf(className);
    }

    @Override
    public CompletableFuture<byte[]> archivePart(String hash, int offset) {
      return service(peer).archivePart(hash, offset);
    }

    @Override
    public CompletableFuture<ClassAccess.Announced> announced(String hash) {
      var asked = coordinatorService();
      return asked == null ? null : asked.announced(hash);
    }
  }

  @Override
  public CompletableFuture<Void> whenEnded(RemoteNode peer, long number) {
    return service(peer).whenEnded(number);
  }

  @Override
  public NodeToken node(NodeDescription description) {
    return memberNode(description);
  }

  @Override
  public NodesToken liveNodes(String virtualNode) {
    return live.of(virtualNode);
  }

  private void awaitServed(Peer peer, long deadlineNanos) {
    peer.outgoing().awaitServed(service(peer)::served, deadlineNanos);
  }

  /** Loses a member, even one without a peer, for which none may be created later. */
  private void lose(NodeDescription member, String reason, ExitReport certificate) {
    if (givenUp == null) {
      peer(member).lose(reason, certificate);
    }
    synchronized (this) {
      ending.remove(member.id());
    }
  }

  private synchronized boolean isMember(NodeId id) {
    return members.containsKey(id);
  }

  /** Returns whether a former member is still alive, as far as this node knows. */
  boolean isAlive(NodeId member) {
    var known = node.peers().known(member);
    return known == null ? givenUp == null : !known.isLost();
  }

  /** Returns why this node no longer communicates with any other; {@code null} while it does. */
  @Override
  public String givenUp() {
    return givenUp;
  }

  /**
   * Returns the peer of a member. Peers are created on demand, because a node communicates with few
   * of a thousand members.
   */
  Peer peer(NodeDescription member) {
    return node.peers().peer(member.id(), this, member.address());
  }

  /** Returns the service of the coordinator; {@code null} at the coordinator itself. */
  private NodeServiceClient coordinatorService() {
    var other = coordinator;
    return other == null ? null : service(other);
  }

  public LocalNode node() {
    return node;
  }

  void toEnd(String reason) {
    Thread.startVirtualThread(() -> end.complete(reason));
  }
}
