package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeContact;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.hosting.NodeVitals;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.coordination.CoordinatorClient;
import org.troupe.activeobjects.internal.coordination.CoordinatorRole;
import org.troupe.activeobjects.internal.coordination.CycleCollector;
import org.troupe.activeobjects.internal.coordination.GridCoordinator;
import org.troupe.activeobjects.internal.coordination.LiveNodes;
import org.troupe.activeobjects.internal.coordination.LocalRestarter;
import org.troupe.activeobjects.internal.coordination.LossStatements;
import org.troupe.activeobjects.internal.coordination.MemberTable;
import org.troupe.activeobjects.internal.coordination.SavePoints;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSources;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.internal.mobility.MovingGrid;
import org.troupe.activeobjects.internal.mobility.ObjectMobility;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.AccrualDetector;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.NodeToken;
import org.troupe.activeobjects.internal.peer.NodesToken;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.ReceiveLimits;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeLoads;
import org.troupe.activeobjects.internal.service.NodeServices;
import org.troupe.activeobjects.internal.service.PeerClasses;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervisor;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;

/**
 * A node's membership in one grid. It owns the endpoint, assembles the parts of the membership, and
 * passes the changes of the grid on to them.
 */
public final class GridMembership implements GridMember, Membership {

  /*
   * Design: parts and states
   *
   * Parts: FrameRouter receives frames, MemberTable applies the changes of the grid, CoordinatorRole decides on them,
   * CoordinatorClient asks for them, Heartbeat sends signs of life and checks those of others, PeerSuspicions decides what
   * a silent peer means, StandstillReporter watches the virtual threads, and LiveNodes shows users the members.
   *
   * States: open, then coordinating or joined; cut off when the coordinator is lost, after which no node is reached;
   * closed. Threads: any thread may call each method. The monitor of the table of members guards the state that changes
   * together; the other fields are final or volatile.
   */

  /** How long the last answers of a node that has left may be in transit. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  private static final String LEFT = "this node has left the grid";

  /** Tells the runs of the grids apart that this JVM coordinates. */
  private static final AtomicLong RUNS = new AtomicLong();

  private final Memberships memberships;
  private final LocalNode node;
  private final Settings settings;
  private final LongSupplier clock;
  private final ReceiveLimits receiveLimits;
  private final MemberTable members = new MemberTable(this::applied);
  private final LiveNodes live = new LiveNodes(this);
  private final FrameRouter router;
  private final Heartbeat heartbeat;
  private final StandstillReporter standstill;
  private final NodeServices services;
  private final CoordinatorClient coordinatorClient;
  private final CoordinatorRole coordinatorRole;
  private final GridCoordinator coordinator;
  private final MovingGrid moving;
  private final ObjectMobility mobility;
  private final PeerSuspicions suspicions;
  private final LossStatements statements;
  private final CycleCollector cycles;
  private final ActivityReporter reporter;
  private final FlightReporter flight;
  private final SavePoints saves;
  private final GridEndInquiry gridEnd;
  private final Transport.Endpoint endpoint;
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final AtomicBoolean leaving = new AtomicBoolean();
  private volatile String run;
  private final List<ObjectKeeper.Earlier> resumed = new CopyOnWriteArrayList<>();
  private volatile boolean coordinates;
  private volatile boolean closed;
  private volatile @Nullable String givenUp;
  private volatile Consumer<Node> joinListener = node -> {};

  /** Opens a node to a grid, with the given clock; {@link #beat} is called by hand. */
  public GridMembership(
      Memberships memberships, Settings settings, Transport transport, LongSupplier clock)
      throws IOException {
    this(
        memberships,
        settings,
        transport,
        clock,
        ReceiveLimits.ofHeap(Runtime.getRuntime().maxMemory()));
  }

  /** Opens a node to a grid with limits on the memory for arriving frames. */
  public GridMembership(
      Memberships memberships,
      Settings settings,
      Transport transport,
      LongSupplier clock,
      ReceiveLimits receiveLimits)
      throws IOException {
    this.memberships = memberships;
    this.node = memberships.node();
    var number = RUNS.incrementAndGet();
    this.run = name(node.id()) + (number == 1 ? "" : "-" + number); // unless it joins another's
    this.settings = settings;
    this.clock = clock;
    this.receiveLimits = receiveLimits;
    var limits = new SilenceLimits(settings.silence());
    services = new NodeServices(node.objects(), node.peers(), this);
    coordinatorClient = new CoordinatorClient(node.objects(), node.peers(), limits);
    router = new FrameRouter(node.id(), node.peers(), this, members, receiveLimits);
    heartbeat =
        new Heartbeat(
            node.id(),
            limits,
            clock,
            this::peers,
            node.deadlocks(),
            coordinatorClient::peer,
            () -> coordinates,
            node.objects()::tick,
            new VitalsMeter(node.objects(), this::peers));
    standstill =
        new StandstillReporter(node.objects().failures(), limits.nanos(), CarrierWatchdog.OF_JVM);
    coordinatorRole =
        new CoordinatorRole(
            node.objects(),
            node.moved(),
            node.peers(),
            members,
            live,
            services,
            limits,
            clock,
            heartbeat::ownPause,
            new Restarter());
    coordinator =
        new GridCoordinator(node.id(), coordinatorClient, coordinatorRole, () -> coordinates);
    gridEnd =
        new GridEndInquiry(
            coordinator::isEnding,
            () -> coordinates || coordinatorClient.peer() != null,
            limits,
            this::cutOff);
    moving = new MovingGrid(node.objects(), node.moved(), members, services, coordinator);
    mobility = new ObjectMobility(node.objects(), node.moved(), moving, coordinator, live);
    suspicions =
        new PeerSuspicions(
            node, members, moving, coordinatorClient, coordinatorRole, limits, new Own());
    statements =
        new LossStatements(
            node.objects(), coordinatorClient, coordinatorRole, () -> coordinates, services);
    saves =
        new SavePoints(node.objects(), members, coordinatorRole.objects()::supervisor, services);
    cycles = new CycleCollector(node.objects(), members, coordinatorRole, services);
    reporter = new ActivityReporter(node.objects(), this::peers, services::of);
    flight =
        new FlightReporter(
            node.objects(), reporter::peers, () -> memberships.first().equals(Optional.of(this)));
    FlightSources.add(flight);
    endpoint = transport.open(settings.endpoint(), router);
    memberships.add(this);
    node.moved().joined(moving);
  }

  /** Opens any node of this JVM to a grid. */
  public static GridMembership open(Memberships memberships, Settings settings, Transport transport)
      throws IOException {
    var membership = new GridMembership(memberships, settings, transport, System::nanoTime);
    var timer = memberships.node().objects().timer();
    membership.heartbeat.start(timer);
    membership.standstill.start(timer);
    return membership;
  }

  // Its node, which is a member

  public LocalNode node() {
    return node;
  }

  /** Returns all memberships of the node. */
  public Memberships memberships() {
    return memberships;
  }

  @Override
  public Node self() {
    return memberNode(members.get(node.id()).orElseGet(this::describeSelf));
  }

  /** Returns the own node of this membership, as another member of the same grid represents it. */
  public Node selfFor(GridMembership other) {
    return new MemberNode(other, describeSelf());
  }

  private MemberNode memberNode(NodeDescription member) {
    return new MemberNode(this, member);
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
  public String address() {
    return endpoint.address();
  }

  @Override
  public String contact() {
    return new NodeContact(node.id(), endpoint.address()).toString();
  }

  @Override
  public long nanoTime() {
    return clock.getAsLong();
  }

  @Override
  public ReceiveLimits receiveLimits() {
    return receiveLimits;
  }

  @Override
  public boolean hasIgnored(NodeId id) {
    return router.mayHaveDropped(id);
  }

  @Override
  public Transport.Connection connect(String address) throws IOException {
    if (closed) {
      throw new IOException("this node has left the grid");
    }
    return endpoint.connect(address);
  }

  /** Lets the current platform thread poll for frames while it waits. */
  public void receiveWhile(BooleanSupplier isWaiting) {
    endpoint.receiveWhile(isWaiting);
  }

  /** Creates memory that nodes on this host can share; {@code null} if there can be none. */
  public @Nullable SharedSegment createMemory(long size) throws IOException {
    return endpoint.createMemory(size);
  }

  /** Opens memory of another node; {@code null} if it cannot be shared with this one. */
  public @Nullable SharedSegment openMemory(byte[] details, long size) throws IOException {
    return endpoint.openMemory(details, size);
  }

  /** Sends signs of life and checks those of others. */
  public void beat() {
    heartbeat.run();
  }

  Heartbeat heartbeat() {
    return heartbeat;
  }

  /** Replaces the watchdog of carriers by one that is checked by hand. */
  public void watchCarriers(CarrierWatchdog watchdog) {
    standstill.watch(watchdog);
  }

  /** Returns what has prevented this node from serving requests for too long, or an empty text. */
  String trouble() {
    return standstill.trouble();
  }

  // Joining and leaving

  @Override
  public void coordinate() {
    coordinates = true;
    coordinatorRole.joined(describeSelf());
    cycles.start();
  }

  @Override
  public void resume(Store store, Optional<String> savePoint) throws IOException {
    var earlier =
        node.objects()
            .host()
            .keeper()
            .resume(store, run, savePoint.map(SavePoints::requireName).orElse(null));
    resumed.add(earlier);
    coordinatorRole.objects().resume(earlier);
    moving.outlive(coordinatorRole.objects().outlived());
  }

  @Override
  public CompletableFuture<Void> save(String name) {
    return saves.save(name);
  }

  @Override
  public CompletableFuture<Void> deleteSave(String name) {
    return saves.delete(name);
  }

  @Override
  public void join(String coordinatorContact, Duration timeout) throws IOException {
    var admission = coordinatorClient.join(coordinatorContact, this, describeSelf(), timeout);
    run = admission.run();
    moving.outlive(admission.outlived());
    members.install(admission.view());
  }

  @Override
  public CompletableFuture<Void> askToLeave(String reason) {
    return coordinatorClient.askToLeave(reason);
  }

  /** Returns what the run of this grid is called in stores. */
  public String run() {
    return run;
  }

  /** Returns what the run of a coordinator, or of a node without grid, is called in stores. */
  public static String name(NodeId coordinator) {
    return coordinator.name() + "-" + HexFormat.of().toHexDigits(coordinator.incarnation());
  }

  @Override
  public void onEnd(Consumer<String> action) {
    end.thenAccept(action);
  }

  /** Runs the actions for the end of this node. */
  void toEnd(String reason) {
    Thread.startVirtualThread(() -> end.complete(reason));
  }

  @Override
  public List<String> withoutLastImage(boolean logsCalls) {
    return node.objects().host().keeper().withoutLastImage(logsCalls);
  }

  @Override
  public void settle(Duration atMost) {
    var deadline = System.nanoTime() + FutureRuntime.nanos(atMost);
    var settling = new ArrayList<Thread>();
    peers()
        .filter(peer -> peer.outbox().hasUnservedCalls())
        .forEach(
            peer -> settling.add(Thread.startVirtualThread(() -> awaitServed(peer, deadline))));
    try {
      for (var each : settling) {
        each.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller no longer wants to wait
    }
  }

  private void awaitServed(Peer peer, long deadlineNanos) {
    peer.outgoing().awaitServed(services.of(peer)::served, deadlineNanos);
  }

  @Override
  public void close() {
    if (!leaving.compareAndSet(false, true)) {
      return;
    }
    if (!closed) {
      if (givenUp == null && !coordinates) {
        moving.storeLastImages(); // before another node may go on with the objects
        memberships.copies().leave(this);
      }
      coordinatorClient.sayFarewell();
    }
    FlightSources.remove(flight);
    vanish();
    closeResumed();
    live.close("the grid has been closed");
    loseAll(LEFT);
    node.peers().forget(this);
  }

  /** Lets other runs use the stores whose objects this grid has resumed. */
  private void closeResumed() {
    for (var each : resumed) {
      try {
        each.close();
      } catch (IOException failure) {
        node.objects().failures().background("the store " + each, failure);
      }
    }
  }

  /** Ends this node's membership as if its process had been killed: no other node is notified. */
  public void vanish() {
    givenUp = LEFT;
    closed = true;
    router.close();
    coordinatorRole.close();
    cycles.abort();
    heartbeat.stop();
    standstill.stop();
    endpoint.close();
    memberships.remove(this);
    memberships.copies().left(this);
    node.objects().host().keeper().saves().end(); // no release will come
    node.moved().left(moving, LEFT);
  }

  /** Returns why this node no longer communicates with any other; {@code null} while it does. */
  @Override
  public @Nullable String givenUp() {
    return givenUp;
  }

  @Override
  public boolean isEnding() {
    return gridEnd.isEnding();
  }

  @Override
  public boolean isKnownToEnd() {
    return gridEnd.isKnown();
  }

  // For the launcher of the grid

  /** Returns the collector of cycles, on the coordinator. */
  public CycleCollector cycles() {
    return cycles;
  }

  CoordinatorRole coordinatorRole() {
    return coordinatorRole;
  }

  /** Returns the coordinator, which may be another node. */
  public GridCoordinator coordinator() {
    return coordinator;
  }

  NodeServices services() {
    return services;
  }

  @Override
  public void expect(String name, List<String> virtualNodes, Supplier<String> progress) {
    live.expect(name, virtualNodes, progress);
  }

  @Override
  public void ended(String name, ExitReport exit) {
    coordinatorRole.ended(name, exit);
  }

  /** Sends a sign of life to a node, which detects whether the node is dead. */
  public void check(NodeId id) {
    coordinatorRole.check(id);
  }

  @Override
  public void onJoin(Consumer<Node> listener) {
    joinListener = listener;
  }

  @Override
  public void onSuspicion(Function<String, CompletableFuture<Void>> postMortem) {
    coordinatorRole.onSuspicion(postMortem);
  }

  @Override
  public void provide(Provider provider) {
    live.provide(provider);
  }

  @Override
  public CompletableFuture<Void> retire(Node leaver, String reason) {
    return coordinatorRole.retire(leaver.id(), reason);
  }

  @Override
  public void endSupervision() {
    coordinatorRole.endSupervision();
  }

  @Override
  public CompletableFuture<Void> endAll(String reason) {
    coordinatorRole.endSupervision();
    return CompletableFuture.allOf(
        members.list().stream()
            .filter(member -> !member.id().equals(node.id()))
            .map(member -> services.of(member).end(reason).exceptionally(failure -> null))
            .toArray(CompletableFuture<?>[]::new));
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
  public AwaitedReport report(Node other, Duration visit) {
    return MemberNode.of(other).report(FutureRuntime.nanos(visit));
  }

  @Override
  public CompletableFuture<Boolean> observe(Node other, ObservationTier tier) {
    return MemberNode.of(other).observe(tier);
  }

  @Override
  public CompletableFuture<TracePart> trace(Node other, long from, int most) {
    return MemberNode.of(other).trace(from, most);
  }

  @Override
  public CompletableFuture<RecordingStart> startRecording(
      Node other, String settings, long seconds, long mostBytes) {
    return MemberNode.of(other).startRecording(settings, seconds, mostBytes);
  }

  @Override
  public CompletableFuture<byte[]> nextOfRecording(Node other, long id) {
    return MemberNode.of(other).nextOfRecording(id);
  }

  @Override
  public CompletableFuture<Boolean> discardRecording(Node other, long id) {
    return MemberNode.of(other).discardRecording(id);
  }

  FlightReporter flight() {
    return flight;
  }

  /** Returns the report of this node, which looks at its objects for some time. */
  NodeReport ownReport(long visitNanos) {
    return SelfReport.of(reporter.report(visitNanos), FutureListing.pending(node), trouble());
  }

  @Override
  public void onVitals(NodeVitals.Listener listener) {
    heartbeat.onVitals(listener);
  }

  @Override
  public CompletableFuture<List<NodeEvent>> events(Node other, long behind) {
    return MemberNode.of(other).events(behind);
  }

  @Override
  public CompletableFuture<Optional<ObjectDetail>> object(Node other, String birth, long number) {
    return MemberNode.of(other).object(birth, number);
  }

  @Override
  public CompletableFuture<FutureReport> futures(Node other, int most) {
    return MemberNode.of(other).futures(most);
  }

  @Override
  public CompletableFuture<Optional<PairDetail>> pair(Node sender, String other) {
    return MemberNode.of(sender).pair(other);
  }

  @Override
  public CompletableFuture<ObjectReport> objects(Node other, ObjectQuery query) {
    return MemberNode.of(other).objects(query);
  }

  @Override
  public CompletableFuture<Long> callsServed(Node caller) {
    return MemberNode.of(caller).callsServed();
  }

  /** Implements {@link #callsServed(Node)} for this node. */
  CompletableFuture<Long> ownCallsServed() {
    var sum = CompletableFuture.completedFuture(0L);
    for (var each : peers().toList()) {
      sum = sum.thenCombine(each.callsServed(), Long::sum);
    }
    return sum;
  }

  @Override
  public CompletableFuture<Boolean> failuresReported(Node caller) {
    return MemberNode.of(caller).failuresReported();
  }

  @Override
  public CompletableFuture<String> stack(Node other) {
    return MemberNode.of(other).stack();
  }

  // The members

  @Override
  public Nodes nodes(String virtualNode) {
    return live.of(virtualNode);
  }

  @Override
  public NodesToken liveNodes(String virtualNode) {
    return live.of(virtualNode);
  }

  @Override
  public Optional<Node> member(String name) {
    return members.named(name).map(this::memberNode);
  }

  @Override
  public Optional<Node> member(NodeId id) {
    return members.get(id).map(this::memberNode);
  }

  @Override
  public NodeToken node(NodeDescription description) {
    return memberNode(description);
  }

  /** Applies changes that the coordinator has announced. */
  void changed(List<MembershipView.Change> changes) {
    members.announced(changes);
  }

  /** Publishes a change in this JVM; called with the monitor of the table held. */
  private void applied(MembershipView.Change change, NodeDescription member) {
    statements.announced(change); // first: nothing is released from then on
    moving.announced(change);
    if (FlightSwitch.isOn()) {
      record(change, member);
    }
    switch (change) {
      case MembershipView.Change.Joined _ -> {
        if (!member.virtualNodes().isEmpty()) {
          var joined = memberNode(member);
          live.add(joined);
          Thread.startVirtualThread(() -> joinListener.accept(joined));
        }
      }
      case MembershipView.Change.Leaving(_, var id, var reason) -> live.leaving(id, reason);
      case MembershipView.Change.Left(long number, var id, var reason, _) -> {
        live.remove(id, reason);
        node.objects()
            .timer()
            .schedule(
                () -> lose(number, member, reason, null),
                LAST_ANSWERS.toNanos(),
                TimeUnit.NANOSECONDS);
      }
      case MembershipView.Change.Died(long number, var id, var exit, _) -> {
        coordinatorRole.forget(id);
        if (coordinates) {
          node.objects()
              .observer()
              .failures()
              .add(FailureGroup.Kind.DEATH, "node '" + id.name() + "'", exit.toString());
        }
        live.remove(id, exit.toString());
        Thread.startVirtualThread(() -> lose(number, member, exit.toString(), exit));
      }
    }
    memberships.copies().changed(this, change, member);
  }

  private static void record(MembershipView.Change change, NodeDescription member) {
    var name = member.id().name();
    switch (change) {
      case MembershipView.Change.Joined _ -> FlightEvents.node(name, "joined", "");
      case MembershipView.Change.Leaving(_, _, var reason) ->
          FlightEvents.node(name, "leaving", reason);
      case MembershipView.Change.Left(_, _, var reason, _) ->
          FlightEvents.node(name, "left", reason);
      case MembershipView.Change.Died(_, _, var exit, _) ->
          FlightEvents.node(name, "died", exit.toString());
    }
  }

  /** Loses a member, even one without a peer, for which none may be created later. */
  private void lose(long number, NodeDescription member, String reason, @Nullable ExitReport exit) {
    RestartStep.DEATH_TOLD.passes(node.id());
    if (givenUp == null) {
      services.peer(member).lose(reason, exit);
    }
    members.completed(member.id());
    if (givenUp == null) { // first: objects that have moved are held from now on
      statements.applied(number, member.id());
    } else {
      statements.abandoned(member.id());
    }
    moving.applied(number, member.id());
  }

  /** Makes objects on this node, if it is the coordinator. */
  private final class Restarter implements LocalRestarter {

    @Override
    public CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) throws IOException {
      return mobility.restarter().embody(order, null);
    }

    @Override
    public ObjectIdentity create(NamedObjects.Request request) throws Exception {
      return mobility.restarter().create(request, null);
    }

    @Override
    public List<String> copies() {
      return memberships.copies().table().names();
    }
  }

  // Objects that move

  /** Returns this grid as moved objects use it. */
  public MovingGrid moving() {
    return moving;
  }

  /** Returns what moves, restarts and links the objects of this node. */
  public ObjectMobility mobility() {
    return mobility;
  }

  /** Returns the nodes, those with the fewest objects first. */
  public List<Node> byLoad(List<Node> nodes) throws InterruptedException {
    Map<Node, CompletableFuture<Integer>> asked = new LinkedHashMap<>();
    for (var each : nodes) {
      asked.put(
          each,
          each.id().equals(node.id())
              ? CompletableFuture.completedFuture(node.objects().bodies().size())
              : MemberNode.of(each).service().objects());
    }
    return NodeLoads.leastFirst(asked);
  }

  /** Returns whether a former member is still alive, as far as this node knows. */
  boolean isAlive(NodeId member) {
    var known = node.peers().known(member);
    return known == null ? givenUp == null : !known.isLost();
  }

  // Peers

  /** Returns the nodes of this grid that this one has dealt with. */
  Stream<Peer> peers() {
    return node.peers().all().stream().filter(peer -> peer.access() == this);
  }

  /** Runs an action on the members before any further change. */
  void withMembers(Consumer<List<NodeDescription>> action) {
    synchronized (members) {
      action.accept(members.list());
    }
  }

  @Override
  public ClassProvider classesOf(RemoteNode peer) {
    return new PeerClasses(services.of(peer), coordinatorClient::service);
  }

  @Override
  public CallResult askForEnd(RemoteNode peer, long number) {
    return services.of(peer).endOf(number);
  }

  @Override
  public CompletableFuture<Long> askForServed(RemoteNode peer) {
    return services.of(peer).served();
  }

  @Override
  public CompletableFuture<Boolean> askWhenServed(RemoteNode peer, long calls) {
    return services.of(peer).whenServed(calls);
  }

  @Override
  public FutureResult<Void> askToFollow(RemoteNode peer, long number, Reference<?> leader) {
    return mobility.links().follow(Peer.of(peer), number, leader);
  }

  // Suspicions

  @Override
  public void silent(
      NodeId peer,
      AccrualDetector detector,
      long silenceNanos,
      long allowedNanos,
      boolean hasConnected) {
    suspicions.silent(peer, detector, silenceNanos, allowedNanos, hasConnected);
  }

  @Override
  public void unreachable(NodeId peer, long silentNanos, Exception why) {
    suspicions.unreachable(peer, silentNanos, why);
  }

  @Override
  public void suspect(NodeId suspect, String evidence) {
    suspicions.suspect(suspect, evidence);
  }

  /** This membership as suspicions concern it. */
  private final class Own implements PeerSuspicions.Own {

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public boolean coordinates() {
      return coordinates;
    }

    @Override
    public void cutOff(String reason) {
      GridMembership.this.cutOff(reason);
    }
  }

  /** Gives up all nodes, because no announcement can reach this node any more. */
  private void cutOff(String reason) {
    givenUp = reason;
    toEnd(reason);
    loseAll(reason); // before a record without a second copy counts as stable
    memberships.copies().left(this);
    node.objects().host().keeper().saves().end(); // no release will come
    node.moved().left(moving, reason);
  }

  /** Ends the communication with all nodes of the grid. */
  private void loseAll(String reason) {
    var all = peers().toList();
    all.forEach(peer -> peer.lose(reason));
    node.objects().exports().left(all.stream().map(peer -> peer.id().incarnation()).toList());
  }
}
