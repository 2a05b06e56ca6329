package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.copies.CopiedJournals;
import org.troupe.activeobjects.internal.listing.Statements;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.peer.MemoryUsage;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/** The decisions of the coordinator of one grid on its members, and their announcement. */
final class CoordinatorRole {

  /*
   * Design: decisions and announcements
   *
   * Each decision is a change of the table of members. It is applied here first and then announced to all members, in
   * the order of its number. Joins are announced in batches. When the coordinator announced each join separately, and
   * each node kept a peer for every other one, 1,000 hosts needed 138 s to join. Batches, and peers only for nodes
   * with communication, reduced that to between 33 and 43 s (./troupe bench deploy, row deploy-1000-posing-hosts,
   * 12b7a20, 2026-11-22).
   *
   * States of a suspicion: a first report opens it and makes the coordinator check the suspect itself; reports that
   * follow within a few heartbeats prolong it; it is forgotten after a pause. If it lasts for longer than the allowed
   * silence, the suspect is declared dead although the coordinator reaches it, because a grid in which not all members
   * can communicate hangs.
   *
   * Threads: requests of members arrive on the service of this node, others on any thread. The monitor of the table
   * guards the state. It is held until the last frame of an announcement is numbered, which does not block.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /**
   * Suspicions are repeated with every heartbeat; one is forgotten after this number of heartbeats
   * without.
   */
  private static final int HEARTBEATS_TO_FORGET = 3;

  /**
   * The pause between two announcements, per member: otherwise each of a thousand starting nodes
   * would be notified of each other one. A notification takes about 15 us per member.
   */
  private static final long BATCH_MILLIS_PER_MEMBER = 1;

  private static final int MOST_DEATHS = 1_000;

  private static final String RESTART_WAIT = "troupe.restart.wait";
  private static final Duration DEFAULT_RESTART_WAIT = Duration.ofSeconds(60);

  private final NodeObjects node;
  private final MovedObjects moved;
  private final PeerTable peers;
  private final MemberTable members;
  private final LiveNodes live;
  private final NodeServices services;
  private final SilenceLimits limits;
  private final LongSupplier clock;
  private final Supplier<String> ownPause;
  private final Restarter restarter;
  private final Map<NodeId, Suspicion> suspicions = new ConcurrentHashMap<>();
  private final Set<NodeId> postMortems = ConcurrentHashMap.newKeySet(); // in progress
  private final List<MembershipView.Change> unannounced = new ArrayList<>(); // guarded by members
  private boolean isBatching; // an announcement was just made; guarded by members
  private final Map<String, String> ended = new HashMap<>(); // reasons by name; guarded by members

  /** The most recent deaths, for nodes that joined after them; guarded by members. */
  private final Map<NodeId, ExitReport> deaths =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, ExitReport> eldest) {
          return size() > MOST_DEATHS;
        }
      };

  /**
   * The reasons of orderly ends that the launcher wishes, until they are over; guarded by members.
   */
  private final Map<NodeId, String> retiring = new HashMap<>();

  private final PlaceDirectory<ObjectIdentity> places =
      new PlaceDirectory<>(); // guarded by members

  private final Statements statements = new Statements(); // guarded by members

  private final Set<NodeId> leaving = new HashSet<>(); // guarded by members
  private final Set<NodeId> outlived = new HashSet<>(); // of earlier runs; guarded by members
  private final Supervisor supervisor;
  private final NamedObjects names;

  private volatile boolean closed;
  private volatile Function<String, CompletableFuture<Void>> postMortem =
      name -> CompletableFuture.completedFuture(null);

  /** Makes objects anew on this node. */
  interface Restarter {
    CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) throws IOException;

    /** Makes an object with a name. */
    ObjectIdentity create(NamedObjects.Request request) throws Exception;

    /** Returns the names of the journals that this node has in its memory. */
    List<String> copies();
  }

  /** The period in which members have reported that a node cannot be reached. */
  private record Suspicion(long since, long last) {

    Suspicion confirmed(long now, long forgottenNanos) {
      return new Suspicion(now - last > forgottenNanos ? now : since, now);
    }

    long nanos() {
      return last - since;
    }
  }

  /**
   * Makes the role, which a node has from the first join that it decides on.
   *
   * @param ownPause describes a pause of this JVM that may explain a death; see {@link Heartbeat}
   * @param restarter makes an object anew on this node
   */
  CoordinatorRole(
      NodeObjects node,
      MovedObjects moved,
      PeerTable peers,
      MemberTable members,
      LiveNodes live,
      NodeServices services,
      SilenceLimits limits,
      LongSupplier clock,
      Supplier<String> ownPause,
      Restarter restarter) {
    this.node = node;
    this.moved = moved;
    this.peers = peers;
    this.members = members;
    this.live = live;
    this.services = services;
    this.limits = limits;
    this.clock = clock;
    this.ownPause = ownPause;
    this.restarter = restarter;
    var wait = CallSettings.duration(RESTART_WAIT, System.getProperty(RESTART_WAIT));
    supervisor =
        new Supervisor(
            members, places, new SupervisedMembers(), wait == null ? DEFAULT_RESTART_WAIT : wait);
    names = new NamedObjects(members, new NamingMembers());
    supervisor.tell(names);
  }

  /** Returns the table of named objects. */
  NamedObjects names() {
    return names;
  }

  /** The members as the table of named objects uses them. */
  private final class NamingMembers implements NamedObjects.Grid {

    @Override
    public String journalOf(String key) {
      return node.host().keeper().journalOf(key);
    }

    @Override
    public List<NodeDescription> membersByLoad(List<NodeId> among) throws InterruptedException {
      Map<NodeDescription, CompletableFuture<Integer>> asked = new LinkedHashMap<>();
      List<NodeDescription> present;
      synchronized (members) {
        present =
            members.list().stream()
                .filter(each -> among.contains(each.id()) && !leaving.contains(each.id()))
                .toList();
      }
      present.forEach(each -> asked.put(each, objectsOf(each)));
      return NodeLoads.leastFirst(asked);
    }

    @Override
    public CompletableFuture<ObjectIdentity> create(
        NodeDescription member, NamedObjects.Request request) {
      return member.id().equals(node.id())
          ? ThreadedTask.start(() -> restarter.create(request))
          : services.of(member).createNamed(request);
    }
  }

  private CompletableFuture<Integer> objectsOf(NodeDescription member) {
    try {
      return member.id().equals(node.id())
          ? CompletableFuture.completedFuture(node.bodies().size())
          : services.of(member).objects();
    } catch (RuntimeException failure) { // it is lost already
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Returns what decides on the objects that are restarted when their node is lost. */
  Supervisor supervisor() {
    return supervisor;
  }

  /** The members as the supervisor uses them. */
  private final class SupervisedMembers implements Supervisor.Grid {

    @Override
    public List<NodeDescription> members() {
      synchronized (members) {
        return members.list().stream().filter(each -> !leaving.contains(each.id())).toList();
      }
    }

    @Override
    public CompletableFuture<Integer> objects(NodeDescription member) {
      return objectsOf(member);
    }

    @Override
    public CompletableFuture<Supervisor.Made> embody(
        NodeDescription member, Supervisor.Order order) {
      if (member.id().equals(node.id())) {
        return ThreadedTask.start(() -> restarter.embody(order).get());
      }
      try {
        return services.of(member).embody(order);
      } catch (RuntimeException failure) { // it cannot be encoded here
        return CompletableFuture.failedFuture(failure);
      }
    }

    @Override
    public CompletableFuture<Map<String, String>> lostCopies(Set<String> journals) {
      return ThreadedTask.start(() -> CopiedJournals.lost(journals, this::namesOfCopies));
    }

    private Map<NodeId, CompletableFuture<List<String>>> namesOfCopies() {
      Map<NodeId, CompletableFuture<List<String>>> asked = new LinkedHashMap<>();
      for (var each : CoordinatorRole.this.members.list()) {
        asked.put(each.id(), namesOfCopies(each));
      }
      return asked;
    }

    private CompletableFuture<List<String>> namesOfCopies(NodeDescription member) {
      try {
        return member.id().equals(node.id())
            ? CompletableFuture.completedFuture(restarter.copies())
            : services.of(member).copyNames().thenApply(List::of);
      } catch (RuntimeException failure) { // it is lost already
        return CompletableFuture.failedFuture(failure);
      }
    }

    @Override
    public long nanoTime() {
      return node.restartClock().nanoTime();
    }

    @Override
    public void schedule(Runnable action, long nanos) {
      node.restartClock().schedule(action, nanos);
    }
  }

  /** Registers the post-mortem that {@link #suspect} runs. */
  void onSuspicion(Function<String, CompletableFuture<Void>> action) {
    postMortem = action;
  }

  /** Restarts no objects from now on, because the nodes of the grid are about to end. */
  void endSupervision() {
    supervisor.close();
  }

  /** Refuses joins from now on, and announces nothing more. */
  void close() {
    closed = true;
    supervisor.close();
  }

  /** Adds a node to the grid; returns the view of the grid after that. */
  MembershipView.View joined(NodeDescription member) {
    synchronized (members) {
      var name = member.id().name();
      if (closed) {
        throw new IllegalStateException("the grid is being closed");
      }
      var reason = ended.get(name);
      if (reason != null) { // its request was in transit when its process ended
        throw new IllegalStateException("its process has ended: " + reason);
      }
      if (members.named(name).isPresent()) {
        throw new IllegalStateException(
            "the grid has a node '" + name + "' already; names are unique");
      }
      publish(new MembershipView.Change.Joined(members.nextNumber(), member));
      supervisor.place();
      return members.view();
    }
  }

  /** Removes a node that leaves in an orderly way. */
  void left(NodeId member) {
    left(member, "it has left the grid");
  }

  private void left(NodeId member, String reason) {
    synchronized (members) {
      var known = members.get(member);
      if (known.isPresent()) {
        var number = members.nextNumber();
        publish(new MembershipView.Change.Left(number, member, reason, hadMoved(member)));
        lost(number, known.get(), reason, Optional.empty());
      }
    }
  }

  private void lost(long number, NodeDescription member, String why, Optional<ExitReport> exit) {
    var others = members.list().stream().map(NodeDescription::id).toList();
    supervisor.lost(number, member, why, exit, others);
  }

  /** Ends a node in an orderly way, as its launcher wishes. */
  CompletableFuture<Void> retire(NodeId leaver, String reason) {
    synchronized (members) {
      retiring.put(leaver, reason);
    }
    return retire(leaver, reason, () -> left(leaver, reason))
        .whenComplete(
            (nothing, failure) -> {
              synchronized (members) {
                retiring.remove(leaver);
              }
            });
  }

  /**
   * Handles the request of a node to leave in an orderly way. The cause of the request is about to
   * end the process, and a report on how the process ended is better than the reason it gave.
   */
  void askedToLeave(NodeId leaver, String reason) {
    retire(
        leaver,
        reason,
        () ->
            postMortem
                .apply(leaver.name())
                .whenComplete((nothing, failure) -> left(leaver, reason)));
  }

  private CompletableFuture<Void> retire(NodeId leaver, String reason, Runnable atItsEnd) {
    NodeServiceClient service;
    synchronized (members) {
      var member = members.get(leaver);
      if (member.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      service = services.of(member.get());
      leaving.add(leaver);
      publish(new MembershipView.Change.Leaving(members.nextNumber(), leaver, reason));
    }
    return live.notified()
        .thenCompose(notified -> leaveAlong(service))
        .thenCompose(left -> service.end(reason).exceptionally(failure -> null))
        .thenRun(atItsEnd);
  }

  /** Lets objects leave with their node, whose answer waits for them. */
  private static CompletableFuture<@Nullable Void> leaveAlong(NodeServiceClient service) {
    return ThreadedTask.start(
        () -> {
          try {
            return service.leaveAlong().join();
          } catch (CompletionException | NodeLostException failure) {
            return null; // the node has ended before, and its objects are lost
          }
        });
  }

  /**
   * Handles the report of a launcher that the process of a node has ended. A node that was to end,
   * and did so without an error, has left; the report may only have overtaken the node's answer.
   */
  void ended(String name, ExitReport exit) {
    synchronized (members) {
      ended.putIfAbsent(name, exit.toString());
      var member = members.named(name).map(NodeDescription::id);
      if (member.isEmpty()) {
        live.missing(name, exit.toString());
      } else if (exit.exitCode() == 0 && retiring.containsKey(member.get())) {
        left(member.get(), retiring.get(member.get()));
      } else {
        declareDead(member.get(), exit);
      }
    }
  }

  private void declareDead(NodeId member, ExitReport exit) {
    synchronized (members) {
      var described = members.get(member);
      if (described.isPresent()) {
        var known = peers.known(member);
        var last = known == null ? MemoryUsage.NONE : known.memoryUsage();
        var whole =
            exit.withMemory(last.heapUsedBytes(), last.heapMostBytes(), last.residentBytes())
                .because(ownPause.get());
        // A listener of the launcher reports it at a higher level.
        LOG.log(Level.DEBUG, () -> "node '" + member + "' is dead: " + whole);
        deaths.put(member, whole);
        var number = members.nextNumber();
        publish(new MembershipView.Change.Died(number, member, whole, hadMoved(member)));
        lost(number, described.get(), whole.toString(), Optional.of(whole));
      }
    }
  }

  /**
   * Applies a change and announces it to all members. Joins and deaths, which occur by the hundred,
   * wait if an announcement was just made; other changes are announced at once, with all that are
   * waiting.
   */
  private void publish(MembershipView.Change change) {
    members.apply(change);
    unannounced.add(change);
    if (!isBatching || !change.canWait()) {
      announce();
    }
    switch (change) {
      case MembershipView.Change.Joined(long number, var member) ->
          statements.joined(member.id().incarnation(), number);
      case MembershipView.Change.Left(long number, var id, _, _) ->
          statements.lost(id.incarnation(), number);
      case MembershipView.Change.Died(long number, var id, _, _) ->
          statements.lost(id.incarnation(), number);
      case MembershipView.Change.Leaving _ -> {}
    }
    announceSettled();
  }

  /**
   * Records that a member has stated what it has received from the nodes that were lost up to a
   * view.
   */
  void stated(NodeId member, long view) {
    synchronized (members) {
      statements.stated(member.incarnation(), view);
      announceSettled();
    }
  }

  private void announceSettled() {
    var view = statements.newlySettled();
    if (view == 0 || closed) {
      return;
    }
    for (var member : members.list()) {
      if (!member.id().equals(node.id())) {
        services.of(member).settled(view);
      }
    }
    node.exports().settled(this, view);
  }

  private void announce() {
    var changes = List.copyOf(unannounced);
    unannounced.clear();
    for (var member : members.list()) {
      if (!member.id().equals(node.id()) && !knows(member, changes)) {
        services.of(member).changed(changes);
      }
    }
    if (!isBatching) {
      isBatching = true;
      node.timer()
          .schedule(
              this::endBatch, members.size() * BATCH_MILLIS_PER_MEMBER, TimeUnit.MILLISECONDS);
    }
  }

  /** Returns whether the answer to a member's join has included the changes. */
  private static boolean knows(NodeDescription member, List<MembershipView.Change> changes) {
    return changes.getLast()
            instanceof MembershipView.Change.Joined(long number, NodeDescription last)
        && last == member;
  }

  private void endBatch() {
    synchronized (members) {
      isBatching = false;
      announceRest();
    }
  }

  private void announceRest() {
    if (!unannounced.isEmpty() && !closed) {
      announce();
    }
  }

  /**
   * Grants the move of an object between two members, and announces it to both.
   *
   * @param epoch the epoch in which the object is on its node
   */
  boolean granted(ObjectIdentity object, NodeId from, int epoch, NodeId to) {
    synchronized (members) {
      var host = members.get(to);
      if (host.isEmpty()
          || !members.has(from)
          || leaving.contains(to)
          || places.grant(object, new Place(from, epoch), to) == null) {
        return false;
      }
      supervisor.moved(object, host.get());
      for (var id : List.of(from, to)) {
        var member = members.get(id).orElseThrow();
        var address = host.get().address();
        if (id.equals(node.id())) {
          moved.granted(object, epoch, from, to, address);
        } else {
          services.of(member).granted(object, epoch, from, to, address);
        }
      }
      return true;
    }
  }

  /** Returns the number of the last change of the grid. */
  long lastChange() {
    return members.nextNumber() - 1;
  }

  /** Returns where an object is that is supervised, has moved, or was created on a node. */
  RelocationGrid.Located located(ObjectIdentity object) {
    synchronized (members) {
      var known = places.place(object);
      var place = known == null ? new Place(object.birth(), 0) : known;
      var host = members.get(place.node());
      var supervised = supervisor.standing(object);
      return new RelocationGrid.Located(
          place.node(),
          host.map(NodeDescription::address).orElse(""),
          place.epoch(),
          standing(supervised, host.isPresent()),
          supervised == null ? "" : supervised.loss(),
          supervised == null ? "" : supervised.provenance(),
          supervised != null && supervised.isKept(),
          supervised == null ? null : supervised.end().orElse(null));
    }
  }

  private static RelocationGrid.Standing standing(
      Supervisor.@Nullable Standing supervised, boolean hasHost) {
    if (supervised == null || supervised.isPresent() || supervised.end().isPresent()) {
      var isLost = !hasHost || supervised != null && supervised.end().isPresent();
      return isLost ? RelocationGrid.Standing.LOST : RelocationGrid.Standing.PRESENT;
    }
    return supervised.failsFast()
        ? RelocationGrid.Standing.REFUSING
        : RelocationGrid.Standing.RESTARTING;
  }

  /** Returns where an object is when it is not being made anew any more. */
  CompletableFuture<RelocationGrid.Located> settled(ObjectIdentity object) {
    return supervisor.settled(object).thenApply(settled -> located(object));
  }

  /** Lets the objects of earlier runs go on in this grid; they sleep until they are called. */
  void resume(ObjectKeeper.Earlier earlier) {
    synchronized (members) {
      for (var each : earlier.objects()) {
        outlived.add(each.identity().birth());
        var options = each.origin().options();
        var policy = options.restart();
        var elsewhere =
            new Restart(
                Restart.Scope.ELSEWHERE,
                policy.times(),
                policy.within(),
                policy.failures(),
                policy.failsFast(),
                policy.retries());
        var next = options.withRestart(elsewhere).withQueueBound(0);
        var origin = new Origin.Stored(next, each.origin().journal(), each.origin().key());
        var isResumed =
            supervisor.resume(
                each.identity(),
                new Place(each.identity().birth(), each.epoch()),
                new Supervised(each.type(), next, origin, RestartBudget.History.NONE, Map.of()),
                each.isUnfinished(),
                each.run());
        if (!isResumed) {
          LOG.log(
              Level.ERROR,
              () ->
                  "the object '%s' of the store %s is not resumed: another store has one of that name"
                      .formatted(origin.key(), earlier));
        }
      }
    }
    earlier
        .problems()
        .forEach(
            (journal, problem) -> {
              names.isUnreadable(journal, problem);
              LOG.log(
                  Level.ERROR,
                  () ->
                      "the object in the journal '%s' of the store %s is not resumed: %s"
                          .formatted(journal, earlier, problem));
            });
  }

  /** Returns the nodes of earlier runs whose objects are in this grid. */
  List<NodeId> outlived() {
    synchronized (members) {
      return List.copyOf(outlived);
    }
  }

  /** Supervises an object of a member. */
  void supervise(ObjectIdentity object, NodeId host, Supervised what) {
    synchronized (members) {
      var member =
          members
              .get(host)
              .orElseThrow(
                  () -> new IllegalStateException("node '" + host + "' is leaving the grid"));
      supervisor.register(object, member, what);
    }
  }

  /** Forgets an object that has ended on its node. */
  void forget(ObjectIdentity object, NodeId host, End end) {
    synchronized (members) {
      var place = places.place(object);
      if (place != null && place.node().equals(host)) {
        supervisor.forget(object, host, end);
        places.forget(object);
      }
    }
  }

  private boolean hadMoved(NodeId node) {
    return places.anyMatch(
            (object, place) -> object.birth().equals(node) || place.node().equals(node))
        || supervisor.mayLoseCopies();
  }

  /** Forgets the reports on a node, which has died. */
  void forget(NodeId member) {
    suspicions.remove(member);
  }

  /**
   * Handles the report of a member that it cannot reach another.
   *
   * @return whether the suspect is still a member, or how it died
   */
  MembershipView.Standing suspected(NodeId witness, NodeId suspect, String evidence) {
    synchronized (members) {
      if (!members.has(suspect)) {
        announceRest(); // the witness should learn the reason
        return standing(suspect);
      }
      if (!members.has(witness) || suspect.equals(node.id())) {
        // Dead nodes are no witnesses: of two that are cut off from each other, one remains.
        return standing(suspect);
      }
      LOG.log(Level.DEBUG, () -> witness + " suspects " + suspect + ": " + evidence);
      var now = clock.getAsLong();
      var suspicion =
          suspicions.compute(
              suspect,
              (id, before) ->
                  before == null
                      ? new Suspicion(now, now)
                      : before.confirmed(now, HEARTBEATS_TO_FORGET * limits.intervalNanos()));
      if (suspicion.nanos() > limits.nanos()) {
        declareDead(suspect, ExitReport.of("node '" + witness + "' cannot reach it: " + evidence));
        announceRest();
      } else {
        check(suspect);
      }
      return standing(suspect);
    }
  }

  /** Returns whether a node is a member, or how it died. */
  MembershipView.Standing standing(NodeId id) {
    synchronized (members) {
      return new MembershipView.Standing(
          members.has(id), Optional.ofNullable(deaths.get(id)), hadMoved(id));
    }
  }

  /** Sends a sign of life to a node, which detects whether the node is dead. */
  void check(NodeId id) {
    var peer = peers.known(id);
    if (peer != null) {
      peer.ping();
    }
  }

  /**
   * Handles a member that this node itself cannot reach. Its process has most likely ended, which
   * the post-mortem confirms with a better reason.
   */
  void suspect(NodeId suspect, String evidence) {
    if (postMortems.add(suspect)) {
      postMortem
          .apply(suspect.name())
          .whenComplete(
              (nothing, failure) -> {
                declareDead(suspect, ExitReport.of(evidence));
                postMortems.remove(suspect);
              });
    }
  }
}
