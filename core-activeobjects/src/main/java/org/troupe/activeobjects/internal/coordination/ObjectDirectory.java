package org.troupe.activeobjects.internal.coordination;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.call.CallSettings;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.activeobjects.internal.relocation.RecentEnds;
import org.troupe.activeobjects.internal.service.NodeServices;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/**
 * The coordinator's knowledge of objects, and its decisions on them: the place of each object that
 * has moved or is supervised, the moves that are granted, and the names of objects.
 */
public final class ObjectDirectory {

  /*
   * Threads: the monitor of the table of members guards the places, so that the grants of moves and the changes of the
   * grid have one order.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final String RESTART_WAIT = "troupe.restart.wait";
  private static final Duration DEFAULT_RESTART_WAIT = Duration.ofSeconds(60);

  private final NodeObjects node;
  private final MovedObjects moved;
  private final MemberTable members;
  private final Predicate<NodeId> isLeaving; // called with the monitor of the members
  private final NodeServices services;
  private final PlaceDirectory<ObjectIdentity> places =
      new PlaceDirectory<>(); // guarded by members
  private final RecentEnds ended = new RecentEnds(); // of objects that had a place
  private final Set<NodeId> outlived = new HashSet<>(); // of earlier runs; guarded by members
  private final Supervisor supervisor;
  private final NamedObjects names;

  ObjectDirectory(
      NodeObjects node,
      MovedObjects moved,
      MemberTable members,
      Predicate<NodeId> isLeaving,
      NodeServices services,
      LocalRestarter restarter) {
    this.node = node;
    this.moved = moved;
    this.members = members;
    this.isLeaving = isLeaving;
    this.services = services;
    var hosts = new ObjectHosts(node, members, isLeaving, services, restarter);
    var wait = CallSettings.duration(RESTART_WAIT, System.getProperty(RESTART_WAIT));
    supervisor = new Supervisor(members, places, hosts, wait == null ? DEFAULT_RESTART_WAIT : wait);
    names = new NamedObjects(members, hosts);
    supervisor.tell(names);
  }

  /** Returns what decides on the objects that are restarted when their node is lost. */
  public Supervisor supervisor() {
    return supervisor;
  }

  /** Returns the table of named objects. */
  public NamedObjects names() {
    return names;
  }

  /**
   * Grants moves of objects between two members, and announces them to both.
   *
   * @param objects in the epochs in which they are on the first of these
   * @return which moves are granted
   */
  public boolean[] granted(ObjectEpoch[] objects, NodeId from, NodeId to) {
    synchronized (members) {
      var isGranted = new boolean[objects.length];
      var former = members.get(from);
      var host = members.get(to);
      if (former.isEmpty() || host.isEmpty() || isLeaving.test(to)) {
        return isGranted;
      }
      List<ObjectEpoch> granted = new ArrayList<>();
      for (var i = 0; i < objects.length; i++) {
        var each = objects[i];
        isGranted[i] = places.grant(each.object(), new Place(from, each.epoch()), to) != null;
        if (isGranted[i]) {
          supervisor.moved(each.object(), host.get());
          granted.add(each);
        }
      }
      if (!granted.isEmpty()) {
        var moves = granted.toArray(ObjectEpoch[]::new);
        announce(former.get(), moves, from, to);
        announce(host.get(), moves, from, to);
      }
      return isGranted;
    }
  }

  private void announce(NodeDescription host, ObjectEpoch[] moves, NodeId from, NodeId to) {
    if (host.id().equals(node.id())) {
      moved.hosted().granted(moves, from, to);
    } else {
      try {
        services.of(host).granted(moves, from, to);
      } catch (NodeLostException e) {
        // Its death follows. The answer must not fail, from which the former host would conclude
        // that the object stays.
      }
    }
  }

  /** Returns where an object is that is supervised, has moved, or was created on a node. */
  public RelocationGrid.Located located(ObjectIdentity object) {
    synchronized (members) {
      var known = places.place(object);
      var place = known == null ? new Place(object.birth(), 0) : known;
      var host = members.get(place.node());
      var supervised = supervisor.standing(object);
      var end = supervised == null ? ended.of(object) : supervised.end().orElse(null);
      return new RelocationGrid.Located(
          place.node(),
          host.map(NodeDescription::address).orElse(""),
          place.epoch(),
          standing(supervised, end, host.isPresent()),
          supervised == null ? "" : supervised.loss(),
          supervised == null ? "" : supervised.provenance(),
          supervised != null && supervised.isKept(),
          end);
    }
  }

  private static RelocationGrid.Standing standing(
      Supervisor.@Nullable Standing supervised, @Nullable End end, boolean hasHost) {
    if (end != null) {
      return RelocationGrid.Standing.LOST;
    }
    if (supervised == null || supervised.isPresent()) {
      return hasHost ? RelocationGrid.Standing.PRESENT : RelocationGrid.Standing.LOST;
    }
    return supervised.failsFast()
        ? RelocationGrid.Standing.REFUSING
        : RelocationGrid.Standing.RESTARTING;
  }

  /** Returns where an object is when it is not being made anew any more. */
  public CompletableFuture<RelocationGrid.Located> settled(ObjectIdentity object) {
    return supervisor.settled(object).thenApply(settled -> located(object));
  }

  /** Lets the objects of earlier runs go on in this grid; they sleep until they are called. */
  public void resume(ObjectKeeper.Earlier earlier) {
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
  public List<NodeId> outlived() {
    synchronized (members) {
      return List.copyOf(outlived);
    }
  }

  /** Supervises an object of a member. */
  public void supervise(ObjectIdentity object, NodeId host, Supervised what) {
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
  public void forget(ObjectIdentity object, NodeId host, End end) {
    synchronized (members) {
      var place = places.place(object);
      if (place != null && place.node().equals(host)) {
        supervisor.forget(object, host, end);
        places.forget(object);
        ended.add(object, end);
      }
    }
  }

  /**
   * Returns whether objects that were created on a node, or are there, may be on other nodes, have
   * ended there or be made anew, or may have their last copy there; called with the monitor of the
   * members.
   */
  boolean outlive(NodeId node) {
    return places.anyMatch(
            (object, place) -> object.birth().equals(node) || place.node().equals(node))
        || ended.haveAnyOf(node)
        || supervisor.mayLoseCopies();
  }
}
