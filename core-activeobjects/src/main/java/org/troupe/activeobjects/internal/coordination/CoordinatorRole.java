package org.troupe.activeobjects.internal.coordination;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.listing.Statements;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.MemoryUsage;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.activeobjects.internal.service.NodeServices;
import org.troupe.activeobjects.internal.service.ThreadedTask;

/** The decisions of the coordinator of one grid on its members, and their announcement. */
public final class CoordinatorRole {

  /*
   * Design: decisions and announcements
   *
   * Each decision is a change of the table of members. It is applied here first and then announced to all members, in
   * the order of its number. MemberAnnouncements puts joins and deaths together; ObjectDirectory decides on objects, and
   * learns of each loss.
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

  private static final int MOST_DEATHS = 1_000;

  private final NodeObjects node;
  private final PeerTable peers;
  private final MemberTable members;
  private final LiveNodes live;
  private final NodeServices services;
  private final SilenceLimits limits;
  private final LongSupplier clock;
  private final Supplier<String> ownPause;
  private final Map<NodeId, Suspicion> suspicions = new ConcurrentHashMap<>();
  private final Set<NodeId> postMortems = ConcurrentHashMap.newKeySet(); // in progress
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

  private final Statements statements = new Statements(); // guarded by members

  private final Set<NodeId> leaving = new HashSet<>(); // guarded by members
  private final ObjectDirectory objects;
  private final MemberAnnouncements announcements;

  private volatile boolean closed;
  private volatile boolean isEnding;
  private volatile Function<String, CompletableFuture<Void>> postMortem =
      name -> CompletableFuture.completedFuture(null);

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
   * @param ownPause describes a pause of this JVM that may explain a death
   * @param restarter makes an object anew on this node
   */
  public CoordinatorRole(
      NodeObjects node,
      MovedObjects moved,
      PeerTable peers,
      MemberTable members,
      LiveNodes live,
      NodeServices services,
      SilenceLimits limits,
      LongSupplier clock,
      Supplier<String> ownPause,
      LocalRestarter restarter) {
    this.node = node;
    this.peers = peers;
    this.members = members;
    this.live = live;
    this.services = services;
    this.limits = limits;
    this.clock = clock;
    this.ownPause = ownPause;
    objects = new ObjectDirectory(node, moved, members, leaving::contains, services, restarter);
    announcements = new MemberAnnouncements(node, members, services, () -> closed);
  }

  /** Returns the decisions on objects. */
  public ObjectDirectory objects() {
    return objects;
  }

  /** Registers the post-mortem that {@link #suspect} runs. */
  public void onSuspicion(Function<String, CompletableFuture<Void>> action) {
    postMortem = action;
  }

  /** Restarts no objects from now on, because the nodes of the grid are about to end. */
  public void endSupervision() {
    isEnding = true; // before any call fails for that
    objects.supervisor().close();
  }

  /** Returns whether the nodes of the grid are about to end. */
  public boolean isEnding() {
    return isEnding;
  }

  /** Refuses joins from now on, and announces nothing more. */
  public void close() {
    closed = true;
    endSupervision();
  }

  /** Adds a node to the grid; returns the view of the grid after that. */
  public MembershipView.View joined(NodeDescription member) {
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
            "the grid has a node '" + name + "' already; give this node a name of its own");
      }
      publish(new MembershipView.Change.Joined(members.nextNumber(), member));
      objects.supervisor().place();
      return members.view();
    }
  }

  /** Removes a node that leaves in an orderly way. */
  public void left(NodeId member) {
    left(member, "it has left the grid");
  }

  private void left(NodeId member, String reason) {
    synchronized (members) {
      var known = members.get(member);
      if (known.isPresent()) {
        var number = members.nextNumber();
        publish(new MembershipView.Change.Left(number, member, reason, objects.outlive(member)));
        lost(number, known.get(), reason, Optional.empty());
      }
    }
  }

  private void lost(long number, NodeDescription member, String why, Optional<ExitReport> exit) {
    var others = members.list().stream().map(NodeDescription::id).toList();
    objects.supervisor().lost(number, member, why, exit, others);
  }

  /** Ends a node in an orderly way, as its launcher wishes. */
  public CompletableFuture<Void> retire(NodeId leaver, String reason) {
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
  public void askedToLeave(NodeId leaver, String reason) {
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
  public void ended(String name, ExitReport exit) {
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
        publish(new MembershipView.Change.Died(number, member, whole, objects.outlive(member)));
        lost(number, described.get(), whole.toString(), Optional.of(whole));
      }
    }
  }

  /** Applies a change, and announces it to all members. */
  private void publish(MembershipView.Change change) {
    members.apply(change);
    announcements.add(change);
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
  public void stated(NodeId member, long view) {
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
    announcements.flush(); // first: a lost member that has not stated anything does not count
    for (var member : members.list()) {
      if (!member.id().equals(node.id())) {
        services.of(member).settled(view);
      }
    }
    node.exports().settled(this, view);
  }

  /** Returns the number of the last change of the grid. */
  public long lastChange() {
    return members.nextNumber() - 1;
  }

  /** Forgets the reports on a node, which has died. */
  public void forget(NodeId member) {
    suspicions.remove(member);
  }

  /**
   * Handles the report of a member that it cannot reach another.
   *
   * @return whether the suspect is still a member, or how it died
   */
  public MembershipView.Standing suspected(NodeId witness, NodeId suspect, String evidence) {
    synchronized (members) {
      if (!members.has(suspect)) {
        announcements.flush(); // the witness should learn the reason
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
        announcements.flush();
      } else {
        check(suspect);
      }
      return standing(suspect);
    }
  }

  /** Returns whether a node is a member, or how it died. */
  public MembershipView.Standing standing(NodeId id) {
    synchronized (members) {
      return new MembershipView.Standing(
          members.has(id), Optional.ofNullable(deaths.get(id)), objects.outlive(id));
    }
  }

  /** Sends a sign of life to a node, which detects whether the node is dead. */
  public void check(NodeId id) {
    var peer = peers.known(id);
    if (peer != null) {
      peer.ping();
    }
  }

  /**
   * Handles a member that this node itself cannot reach. Its process has most likely ended, which
   * the post-mortem confirms with a better reason.
   */
  public void suspect(NodeId suspect, String evidence) {
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
