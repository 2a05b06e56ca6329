package org.troupe.activeobjects.internal.mobility;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.coordination.GridCoordinator;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.Deadline;
import org.troupe.activeobjects.internal.object.Links;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.observe.ProgramFrames;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.service.Luggage;
import org.troupe.activeobjects.internal.service.ThreadedTask;
import org.troupe.futures.FutureRuntime;

/** Moves the active objects of this node to others. */
public final class ObjectMover {

  /*
   * Design: the steps of a move
   *
   * The object's node waits for a safe point, and sends the image of the object to the other node, which decodes it and
   * answers that it is ready. Until then any failure lets the object go on where it is. The coordinator then grants the
   * move, unless one of the nodes has died, and announces the grant to both of them, in one order with deaths. From
   * the grant on the object is on the other node, which now watches the objects that it is linked to. MovedObjects forwards the queue and the calls that come later.
   */

  private static final long CHECK_MILLIS = 10;
  private static final long LEAST_NANOS_TO_LEAVE = TimeUnit.SECONDS.toNanos(1);

  private final MovingGrid grid;
  private final GridCoordinator coordinator;
  private final ObjectRestarter restarter;
  private final MovedLinks links;
  private final NodeObjects node;
  private final MovedObjects moved;
  private final LeavingWatch leavingWatch;

  ObjectMover(
      MovingGrid grid,
      GridCoordinator coordinator,
      ObjectRestarter restarter,
      MovedLinks links,
      NodeObjects node,
      MovedObjects moved) {
    this.grid = grid;
    this.coordinator = coordinator;
    this.restarter = restarter;
    this.links = links;
    this.node = node;
    this.moved = moved;
    this.leavingWatch = new LeavingWatch(node.timer());
  }

  /** Moves the object of a reference. */
  public CompletableFuture<Void> move(Reference<?> reference, NodeId to, Duration patience) {
    var nanos = FutureRuntime.nanos(patience);
    var moving =
        switch (reference.target()) {
          case Reference.Target.Here(Body body) when !body.hasLeft() -> moveHere(body, to, nanos);
          case Reference.Target other -> move(moved.identityOf(other), to, nanos);
        };
    var done = new CompletableFuture<Void>(); // a dependent stage would wrap the failure
    moving.whenComplete(
        (_, failure) -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(unwrapped(failure));
          }
          java.lang.ref.Reference.reachabilityFence(reference); // not collected before
        });
    return done;
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() instanceof Throwable cause
        ? cause
        : failure;
  }

  /** Moves an object, which may be on another node; returns the epoch in which it is there. */
  public CompletableFuture<Integer> move(ObjectIdentity object, NodeId to, long patienceNanos) {
    var decision = moved.decision(object);
    if (decision != null) {
      return decision.thenComposeAsync(
          _ -> move(object, to, patienceNanos), Thread::startVirtualThread);
    }
    var place = moved.place(object.birth(), object.number());
    return moveAt(place == null ? object.birth() : place.node(), object, to, patienceNanos);
  }

  private CompletableFuture<Integer> moveAt(
      NodeId host, ObjectIdentity object, NodeId to, long patienceNanos) {
    if (!host.equals(node.id())) {
      return ThreadedTask.start(() -> moveFrom(host, object, to, patienceNanos));
    }
    var guest = moved.here(object.birth(), object.number());
    var isBornHere = object.birth().equals(node.id());
    var body = guest == null && isBornHere ? node.body(object.number()) : guest;
    if (body != null && !body.hasLeft()) {
      return moveHere(body, to, patienceNanos);
    }
    var next = moved.placeElsewhere(object);
    return next == null
        ? CompletableFuture.failedFuture(refused(object.toString(), to, "it has ended"))
        : moveAt(next.node(), object, to, patienceNanos);
  }

  /** Lets the host of an object move it; finds the host again if it was lost. */
  private int moveFrom(NodeId host, ObjectIdentity object, NodeId to, long patienceNanos)
      throws ExecutionException, InterruptedException {
    try {
      var epoch = grid.serviceOf(host).move(object, to, patienceNanos).get();
      learn(object, new Place(to, epoch));
      return epoch;
    } catch (ExecutionException failure) {
      if (!(failure.getCause() instanceof NodeLostException)) {
        throw failure;
      }
      var located = grid.settled(object).get();
      if (located.isLost() || located.host().equals(host)) {
        throw failure;
      }
      return moveAt(located.host(), object, to, patienceNanos).get();
    }
  }

  /** Lets the next calls and moves of this node take no detour. */
  private void learn(ObjectIdentity object, Place place) {
    if (place.epoch() > 0 && moved.isIn(grid)) { // else it was there, and has never moved
      var host = grid.described(place.node());
      moved.learn(object, place, host == null ? "" : host.address(), grid.access());
    }
  }

  /** Moves an object of this node; returns the epoch in which it is on the other one. */
  private CompletableFuture<Integer> moveHere(Body body, NodeId to, long patienceNanos) {
    if (to.equals(node.id())) {
      return CompletableFuture.completedFuture(moved.epoch(moved.identityOf(body)));
    }
    var leaving = leave(body, to, patienceNanos);
    if (leaving.isCompletedExceptionally() && body.hasLeft()) {
      return move(moved.identityOf(body), to, patienceNanos); // it has just left
    }
    return leaving
        .thenCompose(there -> arrival(to, List.of(there)).thenApply(_ -> there.epoch()))
        .whenCompleteAsync((_, _) -> {}, Thread::startVirtualThread); // not on a receiving thread
  }

  /**
   * Lets an object leave this node; returns the object in its next epoch when it has left, and is
   * about to {@linkplain #arrival arrive}.
   */
  CompletableFuture<ObjectEpoch> leave(Body body, NodeId to, long patienceNanos) {
    var member = grid.described(to);
    var own = obstacle(body);
    var obstacle = own == null && member != null ? obstacle(to, member) : own;
    if (obstacle != null) {
      return CompletableFuture.failedFuture(refused(body.toString(), to, obstacle));
    }
    MoveStep.ASKED.passes(node.id());
    return begin(body, to, member != null, Deadline.in(patienceNanos));
  }

  /** Returns a future that completes when objects that have left are served on another node. */
  CompletableFuture<Void> arrival(NodeId to, List<ObjectEpoch> objects) {
    return grid.serviceOf(to).settled(objects.toArray(ObjectEpoch[]::new));
  }

  /**
   * Begins a move.
   *
   * @param isKnown whether this node has heard of the join of the other one, and may send the image
   */
  private CompletableFuture<ObjectEpoch> begin(
      Body body, NodeId to, boolean isKnown, Deadline patience) {
    ObjectKeeper.Departing kept;
    try {
      kept = node.host().keeper().departing(body);
    } catch (IllegalStateException problem) {
      return CompletableFuture.failedFuture(
          refused(body.toString(), to, String.valueOf(problem.getMessage())));
    }
    var move = new Move(body, to, isKnown, kept, patience);
    var departures = body.departures();
    var departure =
        kept == null
            ? departures.begin(move::obstacle, move::makeImage)
            : departures.announce(move::obstacle, move::makeImage);
    if (departure == null) {
      if (kept != null) {
        kept.stays();
      }
      return CompletableFuture.failedFuture(
          refused(body.toString(), to, "another move of it has not ended"));
    }
    Thread.startVirtualThread(() -> move.run(departure));
    return move.done;
  }

  /** Returns why an object can leave for no node; {@code null} if it can. */
  private @Nullable String obstacle(Body body) {
    if (!moved.isIn(grid)) {
      return "its node takes part in several grids";
    }
    if (NodeObjects.isService(body.identity())) {
      return "it is the service of its node";
    }
    if (body.type().scheduling().hasOwnService() && !body.canDepart()) {
      return "its class has a service loop; annotate it with @Resumable if serve() may be left and"
          + " entered again";
    }
    if (!body.canDepart()) {
      return "its class has @Concurrent methods, which leave no moment between two requests";
    }
    if (body.hasExtensions()) {
      return body.standings().stream()
          .findFirst()
          .map(
              each ->
                  "it is rank %d of %d in a group in step, whose members stay where they are; to have them elsewhere, use Group.checkpoint(store), and Groups.on(nodes).restore(type, store)"
                      .formatted(each.rank(), each.size()))
          .orElse("it belongs to a program of ranks or tasks, which need it where it is");
    }
    return null;
  }

  /** Returns why no object can leave for a node; {@code null} if objects can. */
  private @Nullable String obstacle(NodeId to, @Nullable NodeDescription member) {
    if (member == null) {
      return "node '" + to + "' is no member of the grid";
    }
    if (member.virtualNodes().isEmpty()) {
      return "node '" + to + "' belongs to no virtual node; move it to one of the grid's nodes()";
    }
    moved.knows(to, member.address());
    return null;
  }

  private static MoveException refused(String object, NodeId to, String why) {
    return refused(object, to, why, null);
  }

  private static MoveException refused(
      String object, NodeId to, String why, @Nullable Throwable cause) {
    return new MoveException(
        object + " was not moved to node '" + to + "': " + why + "; it goes on where it is", cause);
  }

  private static @Nullable Throwable causeOf(Exception failure) {
    return failure instanceof ExecutionException ? failure.getCause() : failure;
  }

  private static String text(@Nullable Throwable failure) {
    return failure == null ? "the reason is unknown" : String.valueOf(failure.getMessage());
  }

  /** One move of one object. */
  private final class Move {

    private final Body body;
    private final NodeId to;
    private final ObjectKeeper.@Nullable Departing kept;
    private final ObjectIdentity identity;
    private final int epoch;
    private final CompletableFuture<ObjectEpoch> done = new CompletableFuture<>();
    private final CompletableFuture<CompletableFuture<Boolean>> image = new CompletableFuture<>();
    private final Deadline patience;
    private final AtomicBoolean hasLeft = new AtomicBoolean(); // or is too late, and stays
    private volatile boolean isDestinationKnown;
    private volatile boolean isStoreReady;
    private List<Reference<?>> leaders = List.of(); // whose ends go with it; published by the image

    Move(
        Body body,
        NodeId to,
        boolean isDestinationKnown,
        ObjectKeeper.@Nullable Departing kept,
        Deadline patience) {
      this.patience = patience;
      this.body = body;
      this.to = to;
      this.isDestinationKnown = isDestinationKnown;
      this.kept = kept;
      this.isStoreReady = kept == null;
      this.identity = moved.identityOf(body);
      this.epoch = moved.hosted().prepare(body);
    }

    /** Sends the image, on the thread that serves the object. */
    void makeImage(Departure departure) {
      try {
        MoveStep.FROZEN.passes(node.id());
        var object = Objects.requireNonNull(body.target(), "an object that has begun");
        if (object instanceof LifeCycle living) {
          leave(living);
        }
        // The object is encoded by its own fields, not as a reference to itself.
        var nobody = new ServiceContext(null, ServicePolicy.IN_TURN).enter();
        try {
          moved.hosted().departs(identity, departure, to);
          leaders = Links.leaders(body);
          if (body.departures().isEndDeferred()) {
            throw new IllegalStateException(
                "it ends, as an object that it was linked to has ended");
          }
          if (kept != null) {
            kept.makeImage(object);
          }
          var luggage =
              Luggage.of(
                  options(body),
                  stubs(leaders),
                  origin(),
                  body.failures(),
                  body.restartsElsewhere(),
                  body instanceof LoggedBody ? List.of() : grid.peers().accountsOfCallers(body),
                  moved.releases().mayBeCollected(body) ? self() : null);
          image.complete(grid.serviceOf(to).arrive(identity, epoch + 1, object, luggage));
        } finally {
          nobody.leave();
        }
        MoveStep.IMAGE_SENT.passes(node.id());
      } catch (Throwable failure) {
        image.completeExceptionally(failure);
      }
    }

    private static Object[] stubs(List<Reference<?>> references) {
      var stubs = new Object[references.size()];
      for (var i = 0; i < stubs.length; i++) {
        stubs[i] = references.get(i).stub();
      }
      return stubs;
    }

    /**
     * Notifies the object that it leaves. If it does not return within the patience, the move fails
     * at once, and the object goes on here when it has returned.
     */
    private void leave(LifeCycle living) {
      var thread = Thread.currentThread();
      var nanos = Math.max(patience.left(), LEAST_NANOS_TO_LEAVE);
      var limit = leavingWatch.begin(nanos, () -> tooLate(living, thread, nanos));
      boolean isLate;
      try {
        living.leaving();
      } finally {
        limit.end();
        isLate = !hasLeft.compareAndSet(false, true); // then the move has failed already
      }
      if (isLate) {
        throw new IllegalStateException("its leaving() had not returned in time");
      }
    }

    private void tooLate(LifeCycle living, Thread thread, long nanos) {
      if (!hasLeft.compareAndSet(false, true)) {
        return;
      }
      String why;
      try {
        why = late(living, thread, nanos);
      } catch (RuntimeException | Error failure) { // the move must not hang for its message
        why = "its leaving() had not returned in time";
      }
      done.completeExceptionally(refused(body.toString(), to, why, null));
    }

    private static String late(LifeCycle living, Thread thread, long nanos) {
      return "%s.leaving() had not returned after %s%s; let it return, or move with more patience"
          .formatted(
              living.getClass().getSimpleName(),
              Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos)),
              line(living, thread.getStackTrace()).map(" (it was at %s)"::formatted).orElse(""));
    }

    /** Returns the line of the program, or of the object's {@code leaving()}, in a stack trace. */
    private static Optional<String> line(LifeCycle living, StackTraceElement[] trace) {
      return ProgramFrames.first(Arrays.stream(trace))
          .or(
              () ->
                  Arrays.stream(trace)
                      .filter(each -> each.getClassName().equals(living.getClass().getName()))
                      .findFirst()
                      .map(StackTraceElement::toString));
    }

    /** Returns a reference to the object, by a type that each node knows. */
    private Reference<?> self() {
      return Reference.to(body).as(Runnable.class);
    }

    /** Returns how the next node makes the object after failures. */
    private @Nullable Origin origin() {
      var its = node.host().keeper().stored(body);
      var madeBy = its == null ? body.madeBy() : its;
      return madeBy == null ? null : madeBy.travelling();
    }

    /** Returns what the safe point has to wait for, beside requests and stages. */
    @Nullable String obstacle() {
      if (!isStoreReady) {
        return "an image of it had not been stored";
      }
      if (!isDestinationKnown) {
        return "node '" + to + "' was not found";
      }
      return kept == null ? null : kept.obstacle();
    }

    /**
     * Waits until a kept object can make the image of a move; it begins no request meanwhile.
     * Returns {@code false} if the move has failed.
     */
    private boolean preparesStore(Departure departure) {
      if (kept == null) {
        return true;
      }
      try {
        kept.prepare(patience);
        isStoreReady = true;
        departure.becomesDue();
        return true;
      } catch (InterruptedException | RuntimeException problem) {
        givesUp(departure, text(problem), problem);
        return false;
      }
    }

    /**
     * Looks up a destination of whose join this node has not heard; the object begins no request
     * meanwhile. Returns {@code false} if the move has failed.
     */
    private boolean findsDestination(Departure departure) {
      if (isDestinationKnown) {
        return true;
      }
      @Nullable String why;
      @Nullable Throwable cause = null;
      try {
        var found = grid.find(to).get(Math.max(0, patience.left()), TimeUnit.NANOSECONDS);
        why = ObjectMover.this.obstacle(to, found);
        isDestinationKnown = why == null;
      } catch (TimeoutException e) {
        why = "the coordinator had not answered after " + patience + " whether it is a member";
      } catch (ExecutionException | InterruptedException | RuntimeException failure) {
        cause = causeOf(failure);
        why = "the coordinator did not say whether it is a member: " + text(cause);
      }
      if (why == null) {
        return true;
      }
      givesUp(departure, why, cause);
      return false;
    }

    /** Lets the object go on here, whose image was not made; no effect if it was. */
    private boolean givesUp(Departure departure, String why, @Nullable Throwable cause) {
      if (!departure.giveUp()) {
        return false;
      }
      keptStays();
      done.completeExceptionally(refused(body.toString(), to, why, cause));
      return true;
    }

    void run(Departure departure) {
      if (!preparesStore(departure) || !findsDestination(departure)) {
        return;
      }
      departure.checkHere(); // an idle object needs no other thread
      if (!isReady(departure)) {
        return;
      }
      departure.completion().thenRun(() -> grid.peers().forgetAccounts(body));
      if (kept != null) {
        departure.completion().thenRunAsync(kept::left, Thread::startVirtualThread);
      }
      var here = new ObjectEpoch(identity, epoch);
      if (isGranted(departure, here)) {
        departure.completion().join();
        passOnLinks();
        done.complete(here.next());
      }
    }

    /** Returns whether the other node has read the image; else the object stays. */
    private boolean isReady(Departure departure) {
      try {
        var ready = awaitImage(departure);
        if (ready == null) {
          return false;
        }
        if (kept != null) {
          kept.writeImage(); // the next node may be lost before it has written one
        }
        ready.get();
        restarter.superviseLate(body);
        MoveStep.READY.passes(node.id());
        return true;
      } catch (IOException failure) {
        staysAfterImage(departure, "its image could not be written: " + text(failure), failure);
      } catch (ExecutionException | InterruptedException | RuntimeException failure) {
        var cause = causeOf(failure);
        staysAfterImage(departure, "node '" + to + "' could not read it: " + text(cause), cause);
      }
      return false;
    }

    /**
     * Returns whether the coordinator grants the move; else the object stays. A grant is announced
     * before it is answered, so a request that fails was not granted, or this node has lost the
     * grid.
     */
    private boolean isGranted(Departure departure, ObjectEpoch here) {
      try {
        MoveStep.GRANT_ASKED.passes(node.id());
        if (coordinator.grant(here, to).get()) {
          return true;
        }
        staysAfterImage(departure, "node '" + to + "' or its own node is leaving the grid", null);
      } catch (ExecutionException | InterruptedException | RuntimeException failure) {
        var cause = causeOf(failure);
        if (!(cause instanceof NodeLostException)) {
          withdrawImage();
        } // else the other node learns which came first, the grant or the loss of this node
        stays(departure, "the coordinator did not grant the move: " + text(cause), cause);
      }
      return false;
    }

    private void staysAfterImage(Departure departure, String why, @Nullable Throwable cause) {
      withdrawImage();
      stays(departure, why, cause);
    }

    /**
     * Lets the other node forget the image, before this one may send another for the same epoch:
     * requests about the object would wait there for a grant.
     */
    private void withdrawImage() {
      image
          .thenCompose(ready -> ready)
          .thenCompose(_ -> grid.serviceOf(to).dismiss(identity, epoch + 1))
          .exceptionally(_ -> null) // it could not read the image, or is lost with it
          .join();
    }

    /**
     * Lets the next node watch the objects to which this one was linked after its image was made.
     * Only when the object has left is none of them missing: a later link finds it there. One that
     * has ended meanwhile is withdrawn before its end is looked at.
     */
    private void passOnLinks() {
      List<CompletableFuture<?>> passedOn = new ArrayList<>();
      for (var each : Links.withdraw(body)) {
        if (!leaders.contains(each)) {
          passedOn.add(links.follow(identity, each).asCompletableFuture());
        }
      }
      var end = body.departures().deferredEnd();
      if (end != null) {
        passedOn.add(links.end(identity, end).asCompletableFuture());
      }
      if (!passedOn.isEmpty()) {
        CompletableFuture.allOf(passedOn.toArray(CompletableFuture<?>[]::new))
            .exceptionally(lost -> null) // with its node, and made anew on none
            .join();
      }
    }

    /** Waits for the image; returns {@code null} if the move has failed. */
    private @Nullable CompletableFuture<Boolean> awaitImage(Departure departure)
        throws InterruptedException {
      for (; ; ) {
        try {
          return image.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
          stays(departure, text(failure.getCause()), failure.getCause());
          return null;
        } catch (TimeoutException e) {
          if (body.hasEnded() && givesUp(departure, "it has ended", null)) {
            return null;
          }
          if (patience.isOver()
              && givesUp(
                  departure,
                  body.departures().delay()
                      + " after "
                      + patience
                      + "; let them end, or move with more patience",
                  null)) {
            return null;
          }
          departure.check();
        }
      }
    }

    private void keptStays() {
      if (kept != null) {
        kept.stays();
      }
    }

    private void stays(Departure departure, String why, @Nullable Throwable cause) {
      if (body.target() instanceof LifeCycle living) {
        var back = new CompletableFuture<Void>();
        body.execute( // tasks are served while the object leaves, requests are not
            () -> {
              try {
                living.arrived();
              } finally {
                back.complete(null);
              }
            });
        back.join();
      }
      keptStays();
      moved.hosted().stays(identity, epoch);
      departure.cancel(); // even if it was not recorded before its failure
      done.completeExceptionally(refused(body.toString(), to, why, cause));
    }
  }

  /** Returns the options that an object takes along. */
  private Options options(Body body) {
    var stored = node.host().keeper().stored(body);
    if (stored != null) {
      return stored.options();
    }
    var options = ObjectRestarter.options(body).withQueueBound(body.queueBound());
    return body.statedBound() < 0 ? options.refusing() : options;
  }
}
