package org.troupe.activeobjects.internal.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.TroupeProperties;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.copies.CopiedJournals;
import org.troupe.activeobjects.internal.deadlock.DeadlockDetector;
import org.troupe.activeobjects.internal.deadlock.WaitPolicy;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.internal.keeping.KeptObjects;
import org.troupe.activeobjects.internal.marshal.CallTraces;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.membership.LocalNode;
import org.troupe.activeobjects.internal.membership.LocalNodeService;
import org.troupe.activeobjects.internal.membership.LoneNode;
import org.troupe.activeobjects.internal.membership.Memberships;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.CallerEnds;
import org.troupe.activeobjects.internal.object.CollectionMode;
import org.troupe.activeobjects.internal.object.NodeHost;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectImage;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.peer.ReferenceMarshaller;
import org.troupe.activeobjects.internal.peer.RemoteRequest;
import org.troupe.activeobjects.internal.peer.TrialImages;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.service.NodeService;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.futures.FutureResult;
import org.troupe.stubs.ObjectConstruction;

/** Assembles one node: its objects, its peers, its memberships of grids, and its own service. */
public final class NodeRuntime implements NodeHost {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** Holds the node of this JVM, which exists without any grid. */
  private static final class Main {
    static final @Nullable NodeRuntime NODE;
    static final @Nullable IllegalArgumentException BAD_SETTING;

    static {
      NodeRuntime node = null;
      IllegalArgumentException bad = null;
      try {
        requireProperties();
        node = new NodeRuntime(mainName);
      } catch (IllegalArgumentException e) { // of a system property; each use reports it
        bad = e;
      }
      NODE = node;
      BAD_SETTING = bad;
    }

    private static void requireProperties() {
      var problems = TroupeProperties.problems(System.getProperties());
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("\n", problems));
      }
    }
  }

  private static volatile String mainName = "main";

  private final ClassAccess classes = new ClassAccess(this::encodedClass, this::archiveFetched);
  private final NodeObjects objects;
  private final DeadlockDetector deadlocks;
  private final MovedObjects moved;
  private final PeerTable peers;
  private final Memberships memberships;
  private final LoneNode alone;
  private final KeptObjects kept;
  private final TrialImages images;

  /**
   * Starts a node.
   *
   * @param name unique in the grid that it will be part of
   */
  public NodeRuntime(String name) {
    this(name, CallSettings.of(System::getProperty));
  }

  /** Starts a node with settings of its own. */
  public NodeRuntime(String name, CallSettings settings) {
    TierSwitch.begin();
    ObserverBinding.begin();
    FlightSwitch.begin();
    objects =
        new NodeObjects(
            new NodeId(name, new SecureRandom().nextLong()),
            settings,
            classes,
            CollectionMode.of(System::getProperty),
            this,
            new WaitPolicy(),
            this::delegated,
            node -> new ReferenceMarshaller(node, classes, this::namedPeer, this::moved));
    moved = new MovedObjects(objects, new KnownPeers());
    deadlocks = new DeadlockDetector(objects);
    peers = new PeerTable(objects, deadlocks, moved);
    alone = new LoneNode(objects);
    memberships = new Memberships(new LocalNode(objects, classes, peers, deadlocks, moved));
    kept =
        new KeptObjects(
            objects,
            peers,
            moved,
            () -> memberships.first().orElse(null),
            () -> memberships.latest().orElse(null),
            this::runName,
            new CopiedJournals(memberships.copies().table()));
    images = new TrialImages(objects);
    var body = BodyFactory.create(objects, ActiveType.of(NodeService.class), Options.STANDARD);
    body.start(new LocalNodeService(memberships));
    objects.setService(body);
  }

  private @Nullable Class<?> encodedClass(String name) {
    return objects.marshaller().serializer().encodedClass(name);
  }

  private void delegated(CallResult call, FutureResult<?> future) {
    deadlocks.delegated(call, future);
  }

  private MovedObjects moved() {
    return moved;
  }

  /** The peers of this node, as moved objects use them. */
  private final class KnownPeers implements MovedObjects.Peers {

    @Override
    public Peer named(NodeId other, Membership membership, String address) {
      return peers.named(other, membership, address);
    }

    @Override
    public @Nullable Peer known(NodeId other) {
      return peers.known(other);
    }

    @Override
    public Iterable<Peer> all() {
      return peers.all();
    }
  }

  /** Returns a reference to the caller of a request. */
  Reference<?> reference(RemoteCaller caller) {
    var home = Peer.of(caller.home());
    var type = ActiveType.of(classes.find(caller.type(), home.classes()));
    var guest = moved.here(caller.birth(), caller.number());
    Reference.Target target;
    if (guest != null) {
      target = new Reference.Target.Here(guest);
    } else if (caller.birth().equals(objects.id())) {
      holdMoved(caller, home);
      objects.exports().named(caller.number());
      var body = objects.body(caller.number());
      if (body == null) {
        return Reference.toGone(objects, type, caller.identity());
      }
      target = new Reference.Target.Here(body);
    } else if (caller.isAtBirth()) {
      var object = home.keepFromNowOn(caller.number());
      target = new Reference.Target.Elsewhere(home, caller.number(), 0, "", object);
    } else {
      var birthplace = namedPeer(caller.birth(), home.access(), caller.address());
      holdMoved(caller, home);
      birthplace.send(new Message.ObjectKept(caller.number()));
      target = new Reference.Target.Elsewhere(birthplace, caller.number(), 0, "", null);
    }
    return new Reference<>(objects, type, target, null);
  }

  /**
   * Lets the node that has made a call hold its caller for good, which has moved there. That node
   * has the caller until the call is answered; its birthplace holds it for good when it has heard.
   */
  private static void holdMoved(RemoteCaller caller, Peer home) {
    if (caller.homeNumber() != 0) {
      home.send(new Message.ObjectKept(caller.homeNumber()));
    }
  }

  private Peer namedPeer(NodeId other, Membership membership, String address) {
    return peers.named(other, membership, address);
  }

  /** Returns the node of this JVM, which exists without any grid. */
  public static NodeRuntime main() {
    var node = Main.NODE;
    if (node == null) {
      var bad = Objects.requireNonNull(Main.BAD_SETTING, "the reason why there is no node");
      throw new IllegalArgumentException(bad.getMessage(), bad);
    }
    return node;
  }

  /** Returns the node of this JVM, giving it a name if this is the first use. */
  public static NodeRuntime main(String name) {
    mainName = name;
    return main();
  }

  /** Returns the objects of the node that the current thread works for. */
  public static NodeObjects current() {
    var body = ServiceContext.currentBody();
    return body == null ? main().objects : NodeObjects.of(body);
  }

  /** Returns its objects and their shared state. */
  public NodeObjects objects() {
    return objects;
  }

  /** Returns the other nodes that it communicates with. */
  public PeerTable peers() {
    return peers;
  }

  private void archiveFetched(String archive) {
    objects.observer().events().add(NodeEvent.Kind.ARCHIVE, archive);
  }

  /** Returns the classes that it can find. */
  public ClassAccess classes() {
    return classes;
  }

  /** Returns the memberships of the node, to which those of further grids are added. */
  public Memberships memberships() {
    return memberships;
  }

  @Override
  public Node self() {
    var context = ServiceContext.current();
    var membership =
        context != null && context.request instanceof RemoteRequest remote
            ? memberships.of(Peer.of(remote.peer()).access())
            : memberships.first();
    return membership.<Node>map(GridMembership::self).orElse(alone);
  }

  @Override
  public Optional<Node> member(NodeId id) {
    return peers.all().stream()
        .map(peer -> peer.access().member(id))
        .flatMap(Optional::stream)
        .findFirst();
  }

  @Override
  public NodeId nodeOf(Reference.Target object, NodeId otherwise) {
    var place = moved.place(object.birth(), object.number());
    return place == null ? otherwise : place.node();
  }

  @Override
  public @Nullable Body movedWith(CallResult call) {
    return moved.bodyWith(call);
  }

  @Override
  public Collection<? extends RemoteNode> mayHave(CallResult call) {
    return moved.mayHave(call);
  }

  @Override
  public CompletableFuture<Void> move(Reference<?> object, NodeId destination, Duration patience) {
    var grid = memberships.first();
    return grid.isEmpty()
        ? CompletableFuture.failedFuture(
            new MoveException(
                object
                    + " was not moved to node '"
                    + destination
                    + "': its node takes part in no grid; it goes on where it is",
                null))
        : grid.get().mobility().move(object, destination, patience);
  }

  // Named objects

  private static final int LONGEST_KEY = 1_000;

  /** Returns the object that has a name in the grid. */
  <T> CompletableFuture<T> named(
      @Nullable List<Node> hosts, String key, Class<T> type, Options options, Object[] arguments) {
    var grid = gridOf(key);
    var active = ActiveType.of(type);
    ObjectConstruction.requireArguments(arguments);
    if (options.keep().store() == null) {
      throw new IllegalArgumentException(
          "%s '%s' cannot be named: it is not kept; add withKeep(Keep.state(store)) to its options"
              .formatted(active.name(), key));
    }
    kept.require(active, options);
    classes.trust(type);
    var among = hosts == null ? List.of(objects.id()) : hosts.stream().map(Node::id).toList();
    var request =
        new NamedObjects.Request(
            key,
            type.getName(),
            options.withRestart(elsewhere(options.restart())),
            PortableValues.of(objects.marshaller(), arguments),
            among);
    return onThread(() -> reference(grid, grid.coordinator().named(request).get(), active).stub());
  }

  /** Returns the policy for an object that is to be found by its name as long as it is kept. */
  private static Restart elsewhere(Restart policy) {
    return new Restart(
        Restart.Scope.ELSEWHERE,
        policy.times(),
        policy.within(),
        policy.failures(),
        policy.failsFast(),
        policy.retries());
  }

  /** Returns a named object if there is one. */
  <T> CompletableFuture<Optional<T>> find(String key, Class<T> type) {
    var grid = gridOf(key);
    var active = ActiveType.of(type);
    return onThread(
        () -> {
          var found = grid.coordinator().find(key).get();
          if (found.isEmpty()) {
            return Optional.empty();
          }
          var itsType = found.get().type();
          if (isKnownAsOther(itsType, type)) {
            throw new IllegalArgumentException(
                "the key '%s' is that of %s, which is no %s; find it by its class, or give another key"
                    .formatted(key, IndefiniteArticle.before(itsType), type.getName()));
          }
          return Optional.of(reference(grid, found.get(), active).stub());
        });
  }

  /** Returns whether a class is known to be none of a type; nodes may lack it. */
  private boolean isKnownAsOther(String name, Class<?> type) {
    try {
      return !type.isAssignableFrom(classes.find(name, null));
    } catch (RuntimeException unknown) {
      return false;
    }
  }

  private GridMembership gridOf(String key) {
    Objects.requireNonNull(key, "the key of a named object is null");
    if (key.isEmpty() || key.length() > LONGEST_KEY) {
      throw new IllegalArgumentException(
          "an object cannot have a key of %d characters; give 1 to %d"
              .formatted(key.length(), LONGEST_KEY));
    }
    if (!UTF_8.newEncoder().canEncode(key)) { // its journal would be that of another key
      throw new IllegalArgumentException(
          "an object cannot have the key '%s', which has half of a surrogate pair; give text"
              .formatted(key));
    }
    return memberships
        .first()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "'%s' cannot be looked up: this program takes part in no grid; deploy one first"
                        .formatted(key)));
  }

  /** Waits for the coordinator on a thread of its own; a stage would be a request of the caller. */
  private <T> CompletableFuture<T> onThread(Callable<T> task) {
    var done = new CompletableFuture<T>();
    var site = CallTraces.callSite();
    var failures = objects.marshaller().failures();
    Thread.startVirtualThread(
        () -> {
          try {
            done.complete(task.call());
          } catch (ExecutionException failure) {
            var cause = Objects.requireNonNullElse(failure.getCause(), failure);
            done.completeExceptionally(failures.calledAt(site, cause));
          } catch (Exception | Error failure) {
            done.completeExceptionally(failures.calledAt(site, failure));
          }
        });
    return done;
  }

  private <T> Reference<T> reference(
      GridMembership grid, NamedObjects.Named named, ActiveType<T> type) {
    var object = named.object();
    var guest = moved.here(object.birth(), object.number());
    var isBornHere = object.birth().equals(objects.id());
    var body = guest == null && isBornHere ? objects.body(object.number()) : guest;
    if (isBornHere && body == null) {
      throw new ObjectTerminatedException(
          "%s on node '%s' has been terminated"
              .formatted(IndefiniteArticle.before(type.name()), objects.name()));
    }
    var target =
        body != null
            ? new Reference.Target.Here(body)
            : new Reference.Target.Elsewhere(
                namedPeer(object.birth(), grid, object.address()),
                object.number(),
                0,
                type.scheduling().immediates(),
                null);
    if (named.keepsCalls() && body == null) { // as of a reference that is read
      moved.keepsCalls(object);
    }
    return new Reference<>(objects, type, target, null);
  }

  /** Returns the node with the fewest objects among some. */
  Node leastLoaded(Nodes set, List<Node> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalStateException(set + " have no node now; await or request one");
    }
    try {
      return memberships.first().orElseThrow().byLoad(nodes).getFirst();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while nodes were asked for their loads", e);
    }
  }

  private String runName() {
    return memberships.run().orElseGet(() -> GridMembership.name(objects.id()));
  }

  @Override
  public void inOrder(Body body, Runnable action) {
    peers.inOrder(body, action);
  }

  @Override
  public boolean isFirst(CallName name, Body body, NamedReply.Sender sender, CallRequest request) {
    return peers.isFirst(name, body, sender, request);
  }

  @Override
  public CallerEnds callerEnds() {
    return moved.endedCallers();
  }

  @Override
  public ObjectKeeper keeper() {
    return kept;
  }

  @Override
  public ObjectImage imageOf(Object object) {
    return images.of(object);
  }

  @Override
  public CompletableFuture<Void> checkpoint(Reference<?> object) {
    var grid = memberships.first();
    return switch (object.target()) {
      case Reference.Target.Here(Body body) when !body.hasLeft() -> kept.checkpoint(body);
      case Reference.Target _ when grid.isEmpty() ->
          CompletableFuture.failedFuture(
              new IllegalStateException(
                  object
                      + " has no checkpoint: the node of this JVM takes part in no grid; deploy one first"));
      case Reference.Target _ -> grid.get().mobility().checkpoint(object);
    };
  }

  @Override
  public CompletableFuture<Boolean> areAllCallsServed() {
    var all = CompletableFuture.completedFuture(true);
    for (var each : peers.all()) {
      all = all.thenCombine(each.areCallsServed(), Boolean::logicalAnd);
    }
    return all;
  }

  @Override
  public @Nullable FutureResult<End> endOfMoved(Reference.Target object, Runnable whenMadeAgain) {
    return moved.end(object, whenMadeAgain);
  }

  @Override
  public void collectedGuest(RemoteNode birth, long number) {
    moved.releases().collectedGuest(birth, number);
  }

  @Override
  public void collected(long number) {
    moved.releases().collected(number);
  }

  @Override
  public void holdGuestAgain(long host, long number) {
    moved.releases().holdAgain(host, number);
  }

  @Override
  public boolean reviewMoved() {
    moved.releases().review();
    moved.review();
    return moved.size() > 0;
  }

  @Override
  public FutureResult<?> followMoved(Reference<?> follower, Reference<?> leader) {
    return memberships.first().orElseThrow().mobility().follow(follower, leader);
  }

  @Override
  public void supervise(Body body, Origin origin) {
    memberships.first().ifPresent(grid -> grid.mobility().restarter().supervise(body, origin));
  }

  @Override
  public CompletableFuture<Void> sleeps(Body body) {
    return isAsleep(body, true);
  }

  @Override
  public CompletableFuture<Void> wakes(Body body) {
    return isAsleep(body, false);
  }

  private CompletableFuture<Void> isAsleep(Body body, boolean isAsleep) {
    return memberships
        .first()
        .map(grid -> grid.mobility().restarter().isAsleep(body, isAsleep))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  @Override
  public void failed(Body body, String what) {
    memberships.first().ifPresent(grid -> grid.mobility().restarter().failed(body, what));
  }

  @Override
  public CompletableFuture<Void> watches(Body follower, Reference<?> leader) {
    return memberships
        .first()
        .map(grid -> grid.mobility().restarter().watches(follower, leader))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  @Override
  public void watchesNoLonger(Body follower, Reference<?> leader) {
    memberships
        .first()
        .ifPresent(grid -> grid.mobility().restarter().watchesNoLonger(follower, leader));
  }

  @Override
  public Traffic traffic() {
    return peers.traffic();
  }

  /** Lets the thread receive frames of the first grid, if there are several. */
  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {
    var membership = memberships.first();
    if (Thread.currentThread().isVirtual() || membership.isEmpty()) {
      return;
    }
    // The frames received do not belong to the object that the thread serves.
    var nobody = new ServiceContext(null, ServicePolicy.IN_TURN).enter();
    try {
      membership.get().receiveWhile(isWaiting);
    } finally {
      nobody.leave();
    }
  }

  @Override
  public @Nullable SharedSegment createMemory(long size) {
    return memory(grid -> grid.createMemory(size));
  }

  @Override
  public @Nullable SharedSegment openMemory(byte[] details, long size) {
    return memory(grid -> grid.openMemory(details, size));
  }

  /** A source of memory in a grid. */
  private interface MemorySource {
    @Nullable SharedSegment from(GridMembership grid) throws IOException;
  }

  private @Nullable SharedSegment memory(MemorySource source) {
    var membership = memberships.first();
    if (membership.isEmpty()) {
      return null;
    }
    try {
      return source.from(membership.get());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "memory cannot be shared with other nodes of this host", e);
      return null;
    }
  }

  /** Ends a node other than the JVM's own, with its objects and threads. */
  public void close() {
    objects.close();
  }
}
