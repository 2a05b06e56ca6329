package org.troupe.activeobjects.internal.supervision;

import java.lang.System.Logger.Level;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.activeobjects.internal.relocation.RecentEnds;
import org.troupe.activeobjects.store.LostJournalException;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.futures.FutureRuntime;

/** The coordinator's decisions on the objects that are restarted when their node is lost. */
public final class Supervisor {

  /*
   * Design: one embodiment is heard
   *
   *   PRESENT --its node dies--> LOST --all members have applied the death--> PAUSING --> READY --> MAKING
   *
   * An object that sleeps when its node dies goes to ASLEEP instead of PAUSING, and to READY when a caller asks for it.
   *
   * From MAKING it goes to PRESENT when it is served, to LOST if its new node dies, and to PAUSING if that node cannot
   * make it.
   *
   * An object is made anew by a grant only, which counts its epochs. Grants and deaths are decided under one lock and
   * announced in one order. The grant follows when each member has acknowledged that it has applied the death: that it
   * takes no frame from the dead node any more, even if that node still runs and is only cut off. A member that does
   * not acknowledge is suspected as usual, and its own death replaces its acknowledgement. No clock is involved.
   *
   * Each loss and each failure on a node counts against the budget of the object. The loss of a node on which the
   * object was being made does not count: it says more about the node. But when WORST_MAKING nodes in succession are
   * lost so, the object is given up, since its constructor probably ends them. A request of a plain object needs no such
   * rule, because it is not served again after a loss.
   *
   * The journal of an object in Store.copies(2) may have been lost with its nodes. When a death has been acknowledged, the
   * supervisor asks all members which journals they have, for the objects that were lost and for those that wait for a node
   * or sleep. An object without a journal is given up at once rather than wait for a node. The answer is reliable then: no
   * member takes a copy from the dead node any more.
   *
   * RestartPlacement finds the nodes for objects that are READY.
   *
   * Threads: any thread. The lock is that of the table of members, so nothing waits while it is held.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int WORST_MAKING = 3;
  private static final int MOST_LISTED = 8;

  private final Object lock;
  private final Grid grid;
  private final PlaceDirectory<ObjectIdentity> places; // guarded by the lock, as all that follows
  private final Duration wait;
  private final Map<ObjectIdentity, SupervisedObject> objects = new LinkedHashMap<>();
  private final Map<Long, DeathAcknowledgements> unacknowledged =
      new HashMap<>(); // by the numbers of the deaths
  private final RestartPlacement placement;
  private @Nullable NamedObjects names; // null: nothing has a name
  private boolean isClosed;

  private final RecentEnds givenUp = new RecentEnds();

  /** The grid as the supervisor uses it. */
  public interface Grid {

    /** Returns the members that may get new objects. */
    List<NodeDescription> members();

    /** Requests the number of objects on a member. */
    CompletableFuture<Integer> objects(NodeDescription member);

    /**
     * Tells a member to make an object; does not block.
     *
     * @return completes when the object is served there, or if the member has given it up
     */
    CompletableFuture<Made> embody(NodeDescription member, Order order);

    /**
     * Requests which of some journals in the memory of nodes no member has any more, with the
     * reasons.
     */
    CompletableFuture<Map<String, String>> lostCopies(Set<String> journals);

    /** Returns the time, in nanoseconds. */
    long nanoTime();

    /** Runs a short action later. */
    void schedule(Runnable action, long nanos);
  }

  /**
   * Tells a node to make an object. Travels.
   *
   * @param restarts how many orders for the object there were, this one included
   */
  public record Order(ObjectIdentity identity, int epoch, int restarts, Supervised object) {}

  /**
   * The result of an order. Travels.
   *
   * @param end the end of the object, if it was given up
   * @param provenance the image, log or constructor from which it was made, in the words of
   *     messages; may be empty
   */
  public record Made(Optional<End> end, String provenance) {}

  /**
   * The state of an object, as callers learn it.
   *
   * @param isPresent whether it is, or has ended, where the directory says
   * @param failsFast whether calls fail while it is not present
   * @param loss how it was lost last; empty if it never was
   * @param provenance the image, log or constructor from which it was made after that; may be empty
   * @param isKept whether it is made from a stored image
   * @param end its end if it was given up
   */
  public record Standing(
      boolean isPresent,
      boolean failsFast,
      String loss,
      String provenance,
      boolean isKept,
      Optional<End> end) {}

  /**
   * Creates a supervisor without objects.
   *
   * @param lock puts grants and deaths in one order
   * @param wait how long a restart waits for a node
   */
  public Supervisor(Object lock, PlaceDirectory<ObjectIdentity> places, Grid grid, Duration wait) {
    this.lock = lock;
    this.places = places;
    this.grid = grid;
    this.wait = wait;
    placement = new RestartPlacement(lock, grid, this::embody);
  }

  /** Lets a table know of objects with names. */
  public void tell(NamedObjects table) {
    synchronized (lock) {
      names = table;
    }
  }

  /** Ends all waiting, because the grid ends. */
  public void close() {
    synchronized (lock) {
      isClosed = true;
      var ended = new CompletionException("the grid has been closed", null);
      objects.values().forEach(each -> each.settled().completeExceptionally(ended));
      objects.clear();
      placement.clear();
    }
  }

  // Reports of nodes

  /** Supervises an object of a member from now on; does nothing if it does already. */
  public void register(ObjectIdentity identity, NodeDescription host, Supervised object) {
    synchronized (lock) {
      places.born(identity, host.id());
      objects.computeIfAbsent(
          identity,
          each ->
              new SupervisedObject(each, object, host.id(), host.virtualNodes(), grid.nanoTime()));
      if (names != null) {
        names.isSupervised(identity, object);
      }
    }
  }

  /**
   * Supervises an object of an earlier run, which sleeps on no node.
   *
   * @param last where it was
   * @param isToWake whether it is made again at once, and not by the first call
   * @param run the earlier run
   * @return {@code false} if its name is that of another object, so that it is not resumed
   */
  public boolean resume(
      ObjectIdentity identity, Place last, Supervised object, boolean isToWake, String run) {
    synchronized (lock) {
      if (objects.containsKey(identity)) {
        return true; // its store is given twice, and it may be on its way to a node
      }
      if (names != null && !names.isSupervised(identity, object)) {
        return false;
      }
      places.resumed(identity, last);
      var resumed = new SupervisedObject(identity, object, last.node(), List.of(), grid.nanoTime());
      resumed.state = SupervisedObject.State.ASLEEP;
      resumed.isAsleep = true;
      resumed.loss = resumed.name() + " was kept by the run '" + run + "'";
      resumed.unsettled();
      objects.put(identity, resumed);
      if (isToWake) {
        call(resumed);
      }
      return true;
    }
  }

  /** Records the grant of a move. */
  public void moved(ObjectIdentity identity, NodeDescription to) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object != null) {
        object.node = to.id();
        object.virtualNodes = to.virtualNodes();
      }
    }
  }

  /** Records whether an object sleeps on its node. */
  public void isAsleep(ObjectIdentity identity, NodeId host, boolean isAsleep) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object != null && object.node.equals(host)) {
        object.isAsleep = isAsleep;
      }
    }
  }

  /** Counts a failure of an object on its node, which restarts it. */
  public void failed(ObjectIdentity identity, NodeId host, String what) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object != null && object.node.equals(host)) {
        var random = ThreadLocalRandom.current().nextDouble();
        object.budget.failed(grid.nanoTime(), what, random); // that node decides on the restart
      }
    }
  }

  /**
   * Records that an object watches another. The object may have left the node that reports it: its
   * next node watches the same object.
   */
  public void watches(ObjectIdentity identity, ObjectIdentity leader, Object stubOfLeader) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object != null) {
        object.leaders.put(leader, stubOfLeader);
      }
    }
  }

  /** Records that an object on a node does not watch another any more, which has ended. */
  public void watchesNoLonger(ObjectIdentity identity, NodeId host, ObjectIdentity leader) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object != null && object.node.equals(host)) {
        object.leaders.remove(leader);
      }
    }
  }

  /** Forgets an object that has ended on its node. */
  public void forget(ObjectIdentity identity, NodeId host, End end) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object != null && object.node.equals(host)) {
        objects.remove(identity);
        nameHasEnded(object, end);
        object.settled().complete(null);
      }
    }
  }

  /** Returns what callers learn of an object; {@code null} if it is not supervised. */
  public @Nullable Standing standing(ObjectIdentity identity) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object == null) {
        var end = givenUp.of(identity);
        return end == null ? null : new Standing(false, false, "", "", false, Optional.of(end));
      }
      return new Standing(
          object.state == SupervisedObject.State.PRESENT,
          object.original.policy().failsFast() && !object.isAsleep && !object.isWaking,
          object.loss,
          object.provenance,
          object.isKept(),
          Optional.empty());
    }
  }

  /** Returns a future that completes when an object is present, or given up, or unknown. */
  public CompletableFuture<Void> settled(ObjectIdentity identity) {
    synchronized (lock) {
      var object = objects.get(identity);
      if (object == null) {
        return CompletableFuture.completedFuture(null);
      }
      placement.prefer(object);
      var settled = object.settled().thenApply(each -> each);
      call(object);
      return settled;
    }
  }

  /** Wakes an object that sleeps on no node. */
  private void call(SupervisedObject object) {
    object.isCalled = true;
    if (object.state == SupervisedObject.State.ASLEEP) {
      isReady(object);
    }
  }

  /**
   * Returns whether the loss of any node may be that of the last copy of an object, so that all
   * members are to acknowledge it.
   */
  public boolean mayLoseCopies() {
    synchronized (lock) {
      return objects.values().stream().anyMatch(SupervisedObject::mayLoseCopies);
    }
  }

  /** Returns the objects that are lost, and are to be made anew. */
  public List<ObjectIdentity> unsettled() {
    synchronized (lock) {
      return objects.values().stream()
          .filter(each -> each.state != SupervisedObject.State.PRESENT)
          .filter(each -> each.state != SupervisedObject.State.ASLEEP)
          .map(each -> each.identity)
          .toList();
    }
  }

  /** Returns the journals of the objects whose requests are logged. */
  public Set<String> loggedJournals() {
    synchronized (lock) {
      return objects.values().stream()
          .map(each -> each.original.origin())
          .filter(
              each ->
                  each instanceof Origin.Stored(var options, _, _) && options.keep().logsCalls())
          .map(each -> ((Origin.Stored) each).journal())
          .collect(Collectors.toSet());
    }
  }

  /** Returns the objects that sleep on no node. */
  public List<ObjectIdentity> asleepOnNoNode() {
    synchronized (lock) {
      return objects.values().stream()
          .filter(each -> each.state == SupervisedObject.State.ASLEEP)
          .map(each -> each.identity)
          .toList();
    }
  }

  /** Returns how many objects sleep, on their nodes or on none. */
  public long sleeping() {
    synchronized (lock) {
      return objects.values().stream().filter(each -> each.isAsleep).count();
    }
  }

  // Deaths

  /**
   * Handles the death of a member, or its leave, in the same step in which it is decided.
   *
   * @param number the number of the change
   * @param members the members after it
   */
  public void lost(
      long number,
      NodeDescription dead,
      String why,
      Optional<ExitReport> exit,
      List<NodeId> members) {
    synchronized (lock) {
      if (isClosed) {
        return; // the nodes leave since the grid ends, and objects may have been registered since
      }
      placement.lost(dead.id());
      var acknowledgements = new DeathAcknowledgements(dead.id(), why, members);
      List<SupervisedObject> restarted = new ArrayList<>();
      for (var object : List.copyOf(objects.values())) {
        if (object.node.equals(dead.id())) {
          if (lost(object, dead.id(), why, exit)) {
            acknowledgements.add(object);
            if (!object.isAsleep && object.copiedJournal() == null) {
              restarted.add(object);
            }
          }
        } else if (object.mayLoseCopies()) {
          acknowledgements.add(object); // this may have been the last node with a copy
        }
      }
      if (!acknowledgements.objects().isEmpty()) {
        unacknowledged.put(number, acknowledgements);
      }
      logRestart(dead.id(), why, restarted);
      List.copyOf(unacknowledged.keySet()).forEach(each -> acknowledge(dead.id(), each));
    }
  }

  private static void logRestart(NodeId dead, String why, List<SupervisedObject> lost) {
    if (lost.isEmpty()) {
      return;
    }
    LOG.log(
        Level.WARNING,
        () ->
            "%s lost with node '%s' and restarted on another node: %s%s (node '%s' is gone: %s)"
                .formatted(
                    lost.size() == 1 ? "1 object is" : lost.size() + " objects are",
                    dead,
                    lost.stream()
                        .limit(MOST_LISTED)
                        .map(SupervisedObject::name)
                        .collect(Collectors.joining(", ")),
                    lost.size() > MOST_LISTED ? " .." : "",
                    dead,
                    why));
  }

  /** Returns whether an object is to be made anew. */
  private boolean lost(
      SupervisedObject object, NodeId dead, String why, Optional<ExitReport> exit) {
    var wasMaking = object.state == SupervisedObject.State.MAKING;
    object.state = SupervisedObject.State.LOST;
    object.isLossAcknowledged = false;
    object.unsettled();
    object.loss = object.name() + " was lost with node '" + dead + "' (" + why + ")";
    object.exitReport = exit;
    if (object.isAsleep) {
      object.isCalled = false;
      object.dueNanos = grid.nanoTime();
      return true; // that is no failure
    }
    if (!wasMaking) {
      object.brokenOff.clear();
      return count(object, "node '" + dead + "' is gone: " + why);
    }
    object.brokenOff.add("node '" + dead + "' is gone: " + why);
    if (object.brokenOff.size() < WORST_MAKING) {
      object.dueNanos = grid.nanoTime();
      return true;
    }
    giveUp(
        object,
        object.end(
            End.How.LOST,
            "%s is given up: its node ended %d times in succession while it was made anew: %s"
                .formatted(object.name(), WORST_MAKING, String.join("; ", object.brokenOff))));
    return false;
  }

  /** Counts a failure; returns whether a restart is left, or gives the object up. */
  private boolean count(SupervisedObject object, String what) {
    var now = grid.nanoTime();
    var pause = object.budget.failed(now, what, ThreadLocalRandom.current().nextDouble());
    object.dueNanos = now + pause.orElse(0);
    if (pause.isPresent()) {
      return true;
    }
    var isLost = object.state == SupervisedObject.State.LOST;
    giveUp(
        object,
        object.end(
            isLost ? End.How.LOST : End.How.FAILED,
            "%s has failed %d times within %s: %s%s"
                .formatted(
                    object.name(),
                    object.budget.count(),
                    object.original.policy().within(),
                    object.budget.causes(),
                    object.original.origin().remedy())));
    return false;
  }

  private void giveUp(SupervisedObject object, End end) {
    LOG.log(Level.WARNING, end::why);
    objects.remove(object.identity);
    placement.remove(object);
    givenUp.add(object.identity, end);
    nameHasEnded(object, end);
    object.settled().complete(null);
  }

  private void nameHasEnded(SupervisedObject object, End end) {
    if (names == null) {
      return;
    }
    if (end.how() == End.How.TERMINATED) {
      names.hasEnded(object.identity, object.original);
    } else {
      names.isGivenUp(object.identity, object.original, end);
    }
  }

  /** Handles the acknowledgement of a member that it has applied a death. */
  public void acknowledged(NodeId member, long number) {
    synchronized (lock) {
      acknowledge(member, number);
    }
  }

  private void acknowledge(NodeId member, long number) {
    var acknowledgements = unacknowledged.get(number);
    if (acknowledgements == null) {
      return;
    }
    acknowledgements.hasCome(member);
    if (acknowledgements.areComplete()) {
      unacknowledged.remove(number);
      List<SupervisedObject> copied = new ArrayList<>();
      for (var each : acknowledgements.objects()) {
        each.isLossAcknowledged |= each.node.equals(acknowledgements.dead());
        if (each.copiedJournal() == null) {
          pause(each);
        } else {
          copied.add(each);
        }
      }
      if (!copied.isEmpty()) {
        findCopies(acknowledgements, copied);
      }
    }
  }

  /** Gives up the objects whose journals are lost, and lets the others be restarted. */
  private void findCopies(DeathAcknowledgements death, List<SupervisedObject> asked) {
    Set<String> journals = new HashSet<>();
    asked.forEach(each -> journals.add(Objects.requireNonNull(each.copiedJournal())));
    grid.lostCopies(journals)
        .exceptionally(unknown -> Map.of()) // the node that makes the object will find out
        .thenAccept(
            gone -> {
              synchronized (lock) {
                found(death, asked, gone);
              }
            });
  }

  private void found(
      DeathAcknowledgements death, List<SupervisedObject> asked, Map<String, String> gone) {
    List<SupervisedObject> restarted = new ArrayList<>();
    for (var each : asked) {
      if (objects.get(each.identity) != each || !each.isOnNoNode()) {
        continue;
      }
      var why = gone.get(Objects.requireNonNull(each.copiedJournal()));
      if (why == null) {
        if (each.state == SupervisedObject.State.LOST && each.isLossAcknowledged) {
          restarted.add(each);
        }
      } else if (unacknowledged.values().stream().noneMatch(other -> other.has(each))) {
        giveUp(each, each.end(End.How.LOST, "%s, and %s".formatted(each.loss, why)));
      } // else a copy may be on its way from that node; all are asked again
    }
    logRestart(
        death.dead(), death.why(), restarted.stream().filter(each -> !each.isAsleep).toList());
    restarted.forEach(this::pause);
  }

  // Restarts

  private void pause(SupervisedObject object) {
    if (objects.get(object.identity) != object) {
      return; // it was given up
    }
    if (object.isAsleep && !object.isCalled) {
      object.state = SupervisedObject.State.ASLEEP;
      return;
    }
    object.state = SupervisedObject.State.PAUSING;
    var left = object.dueNanos - grid.nanoTime();
    if (left <= 0) {
      isReady(object);
    } else {
      grid.schedule(
          () -> {
            synchronized (lock) {
              if (object.state == SupervisedObject.State.PAUSING) {
                isReady(object);
              }
            }
          },
          left);
    }
  }

  private void isReady(SupervisedObject object) {
    if (isClosed || objects.get(object.identity) != object) {
      return;
    }
    object.state = SupervisedObject.State.READY;
    placement.add(object);
    var attempt = ++object.attempts;
    grid.schedule(() -> waitedFor(object, attempt), FutureRuntime.nanos(wait));
    place();
  }

  /** Gives up an object for which there was no node. */
  private void waitedFor(SupervisedObject object, int attempt) {
    synchronized (lock) {
      if (isClosed
          || object.state != SupervisedObject.State.READY
          || object.attempts != attempt
          || objects.get(object.identity) != object) {
        return;
      }
      var mayComeLater = // those of a resumed grid are just being started
          object.virtualNodes.isEmpty() && object.blind.isEmpty();
      if (placement.candidates(object).isEmpty() && !mayComeLater) {
        giveUp(
            object,
            object.end(
                End.How.LOST,
                "%s, and no node of %s was there within %s on which it could be restarted%s; start"
                        .formatted(
                            object.loss, names(object.virtualNodes), wait, object.blindness())
                    + " more nodes, or give a longer troupe.restart.wait"));
      } else { // only busy
        grid.schedule(() -> waitedFor(object, attempt), FutureRuntime.nanos(wait));
      }
    }
  }

  private static String names(List<String> virtualNodes) {
    return virtualNodes.isEmpty()
        ? "a virtual node"
        : virtualNodes.stream()
            .map(each -> "virtual node '" + each + "'")
            .collect(Collectors.joining(" or "));
  }

  /** Finds nodes for the objects that are to be made; called when one or the other is new. */
  public void place() {
    synchronized (lock) {
      placement.place();
    }
  }

  private void embody(SupervisedObject object, NodeDescription host) {
    object.state = SupervisedObject.State.MAKING;
    object.isWaking |= object.isAsleep;
    object.isAsleep = false;
    object.node = host.id();
    var place = places.embody(object.identity, host.id());
    var failures = object.budget.history(grid.nanoTime());
    object.restarts++;
    var order =
        new Order(
            object.identity,
            place.epoch(),
            object.restarts,
            object.original.with(failures, object.leaders));
    ordered(host, order).whenComplete((made, failure) -> embodied(object, place, made, failure));
  }

  private CompletableFuture<Made> ordered(NodeDescription host, Order order) {
    try {
      return grid.embody(host, order);
    } catch (RuntimeException | Error failure) { // counts as a failure of this object only
      return CompletableFuture.failedFuture(failure);
    }
  }

  private void embodied(
      SupervisedObject object, Place place, @Nullable Made made, @Nullable Throwable failure) {
    synchronized (lock) {
      placement.made(place.node());
      if (object.state == SupervisedObject.State.MAKING
          && place.equals(places.place(object.identity))
          && objects.get(object.identity) == object) {
        if (made != null) {
          present(object, made);
        } else if (cause(failure) instanceof MissingJournalException unseen) {
          object.blind.put(place.node(), String.valueOf(unseen.getMessage()));
          object.dueNanos = grid.nanoTime(); // no failure of the object
          pause(object);
        } else if (cause(failure) instanceof LostJournalException gone) {
          giveUp(
              object,
              object.end(End.How.LOST, "%s, and %s".formatted(object.loss, gone.getMessage())));
        } else if (!(cause(failure) instanceof NodeLostException)) { // else its death will follow
          var why = Objects.toString(cause(failure).getMessage(), cause(failure).toString());
          var what = "node '" + place.node() + "' could not make it anew: " + why;
          if (count(object, what)) {
            pause(object);
          }
        }
      }
      place();
    }
  }

  private static Throwable cause(@Nullable Throwable failure) {
    Objects.requireNonNull(failure, "a failure, or a result");
    return failure instanceof CompletionException && failure.getCause() instanceof Throwable cause
        ? cause
        : failure;
  }

  private void present(SupervisedObject object, Made made) {
    var end = made.end().orElse(null);
    object.isWaking = false;
    object.provenance = made.provenance();
    object.state = SupervisedObject.State.PRESENT;
    object.brokenOff.clear();
    if (end != null) {
      objects.remove(object.identity);
      places.forget(object.identity);
      givenUp.add(object.identity, end); // before callers are told to ask
      nameHasEnded(object, end);
    }
    object.settled().complete(null);
  }
}
