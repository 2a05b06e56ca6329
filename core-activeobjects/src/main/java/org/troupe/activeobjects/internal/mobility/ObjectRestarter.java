package org.troupe.activeobjects.internal.mobility;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.coordination.GridCoordinator;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.Links;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;
import org.troupe.serialization.ClassSource;

/**
 * The objects of this node that are restarted on another one if this is lost: lets the coordinator
 * supervise them, and makes those of lost nodes anew.
 */
public final class ObjectRestarter {

  /** The largest origin that the coordinator keeps in memory. */
  private static final long MOST_BYTES = 64 << 10;

  private static final Duration PATIENCE = Duration.ofSeconds(10); // for the coordinator

  private final GridCoordinator coordinator;
  private final MovedLinks links;
  private final NodeObjects node;
  private final MovedObjects moved;

  ObjectRestarter(
      GridCoordinator coordinator, MovedLinks links, NodeObjects node, MovedObjects moved) {
    this.coordinator = coordinator;
    this.links = links;
    this.node = node;
    this.moved = moved;
  }

  /**
   * Lets the coordinator restart an object on another node if this one is lost; waits for it.
   *
   * @throws IllegalArgumentException if the object cannot be restarted there
   */
  public void supervise(Body body, Origin origin) {
    if (body.queueBound() > 0) {
      throw new IllegalArgumentException(
          ("%s cannot be restarted on another node: its queue is bounded, and the places of its"
                  + " callers cannot move; create it without Options.withQueueBound, or %s")
              .formatted(body, whereThatIsNotAsked(origin)));
    }
    if (origin.size() > MOST_BYTES) {
      throw new IllegalArgumentException(
          ("%s cannot be restarted on another node: the arguments of its constructor take %d KiB,"
                  + " and the coordinator keeps at most %d KiB; pass the large ones by a call or a"
                  + " file, keep the object in a store (Options.withKeep), which has them without"
                  + " that limit, or create it with Restart.here()")
              .formatted(body, origin.size() + 1023 >> 10, MOST_BYTES >> 10));
    }
    body.holdForCalls(); // the coordinator would make an object anew that was collected
    var identity = moved.identityOf(body);
    var what =
        new Supervised(
            body.type().type().getName(),
            origin instanceof Origin.Stored stored ? stored.options() : options(body),
            origin,
            body.failures(),
            leaders(body));
    forgetAtItsEnd(body, identity, origin);
    try {
      coordinator.supervise(identity, what).get();
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failure.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          body + " was not created: its thread was interrupted while the coordinator was told", e);
    }
  }

  /** Returns how to create an object that need not be restarted on another node. */
  private static String whereThatIsNotAsked(Origin origin) {
    if (!(origin instanceof Origin.Stored stored)) {
      return "with Restart.here()";
    }
    var isNamed = !stored.key().isEmpty();
    var isInCopies = stored.options().keep().store() instanceof Store.Copies;
    if (!isNamed && !isInCopies) {
      return "with Restart.here()";
    }
    return (isNamed ? "without a name" : "")
        + (isNamed && isInCopies ? " and " : "")
        + (isInCopies ? "in another store" : "")
        + " with Restart.here(), since objects "
        + (isNamed ? "with a name" : "in copies")
        + " are restarted elsewhere under any policy";
  }

  /** Returns the options of an object that are kept for its next node. */
  public static Options options(Body body) {
    var options = Options.STANDARD.withRestart(body.restartPolicy());
    return body.leavesAlong() ? options.leavingAlong() : options;
  }

  private Map<ObjectIdentity, Object> leaders(Body body) {
    Map<ObjectIdentity, Object> leaders = new LinkedHashMap<>();
    Links.leaders(body).forEach(each -> leaders.put(identityOf(each), each.stub()));
    return leaders;
  }

  private ObjectIdentity identityOf(Reference<?> object) {
    return moved.identityOf(object.target());
  }

  /**
   * Lets the coordinator forget an object that ends other than with this node. The end of an object
   * that could be made again is known only then: the loss of its node would otherwise bring it
   * back, and its name would not be free.
   */
  void forgetAtItsEnd(Body body, ObjectIdentity identity, @Nullable Origin origin) {
    forgetAtItsEnd(body, identity, origin, () -> true);
  }

  private void forgetAtItsEnd(
      Body body, ObjectIdentity identity, @Nullable Origin origin, BooleanSupplier isToTell) {
    body.beforeEnd(
        end -> {
          if (!body.hasLeft() && end.how() != End.How.LOST && isToTell.getAsBoolean()) {
            var forgotten = coordinator.forget(identity, end);
            if (origin != null) {
              forgotten
                  .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                  .handle((done, failure) -> done) // without the coordinator, the grid ends
                  .join();
            }
          }
        });
  }

  /**
   * Makes an object with a name.
   *
   * @param classes the coordinator as a provider of classes; {@code null} if this node is it
   */
  public ObjectIdentity create(NamedObjects.Request request, @Nullable ClassProvider classes)
      throws Exception {
    RestartStep.NAME_GRANTED.passes(node.id());
    var type = node.classes().find(request.type(), classes);
    node.classes().trust(type);
    var arguments = request.arguments().decode(node.marshaller(), source(classes));
    try {
      var made = node.factory().createNamed(request.key(), type, request.options(), arguments);
      return moved.identityOf(made.target());
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private ClassSource source(@Nullable ClassProvider classes) {
    return classes == null ? node.classes().known() : node.classes().from(classes);
  }

  /**
   * Supervises an object before it moves, if it was created before this node joined the
   * coordinator.
   */
  void superviseLate(Body body) {
    var origin = body.madeBy();
    if (origin != null && body.restartPolicy().scope() == Restart.Scope.ELSEWHERE) {
      supervise(body, origin.travelling());
    }
  }

  /** Lets the coordinator record whether such an object sleeps. */
  public CompletableFuture<Void> isAsleep(Body body, boolean isAsleep) {
    return coordinator.isAsleep(moved.identityOf(body), isAsleep);
  }

  /** Reports a failure of such an object. */
  public void failed(Body body, String what) {
    var identity = moved.identityOf(body);
    Thread.startVirtualThread(() -> coordinator.failed(identity, what)); // the caller holds locks
  }

  /** Lets the coordinator record that such an object watches another. */
  public CompletableFuture<Void> watches(Body follower, Reference<?> leader) {
    var identity = moved.identityOf(follower);
    return CompletableFuture.supplyAsync( // the caller may be a thread that receives frames
            () -> coordinator.watches(identity, identityOf(leader), leader.stub()),
            Thread::startVirtualThread)
        .thenCompose(recorded -> recorded);
  }

  /** Lets the coordinator forget that such an object watched another. */
  public void watchesNoLonger(Body follower, Reference<?> leader) {
    var identity = moved.identityOf(follower);
    Thread.startVirtualThread(() -> coordinator.watchesNoLonger(identity, identityOf(leader)));
  }

  /**
   * Makes an object anew, by the grant of the coordinator.
   *
   * @param classes the coordinator as a provider of classes; {@code null} if this node is it
   * @return completes when the object is served, or given up here
   * @throws IOException if the object is kept, and its journal cannot be opened here
   */
  public CompletableFuture<Supervisor.Made> embody(
      Supervisor.Order order, @Nullable ClassProvider classes) throws IOException {
    RestartStep.GRANTED.passes(node.id());
    var object = order.object();
    if (!(object.origin() instanceof Origin.Stored stored)) {
      return embody(order, classes, body -> object.origin()).thenApply(end -> made(end, ""));
    }
    RestartStep.STORE_READ.passes(node.id());
    var journal = node.host().keeper().reopen(stored, order.epoch());
    try {
      return embody(order, classes, journal::keep)
          .thenApply(end -> made(end, end == null ? journal.provenance() : ""));
    } catch (RuntimeException | Error failure) {
      journal.close();
      throw failure;
    }
  }

  private static Supervisor.Made made(@Nullable End end, String provenance) {
    return new Supervisor.Made(Optional.ofNullable(end), provenance);
  }

  private CompletableFuture<@Nullable End> embody(
      Supervisor.Order order, @Nullable ClassProvider classes, Function<Body, Origin> origin) {
    var object = order.object();
    var type = node.classes().find(object.type(), classes);
    node.classes().trust(type);
    var body = BodyFactory.create(node, ActiveType.of(type), object.options());
    moved.comesFrom(body, order.identity(), null);
    body.continuesAfterRestarts(order.restarts());
    body.number(); // its calls name it
    var from = origin.apply(body);
    moved.hosted().embodied(order.identity(), order.epoch(), body);
    RestartStep.MAKING.passes(node.id());
    var isServed = new AtomicBoolean();
    // If it is given up here, the coordinator learns of its end by the answer.
    forgetAtItsEnd(
        body, order.identity(), object.origin(), () -> isServed.get() || body.target() != null);
    var made = body.embody(from, source(classes), object.failures());
    made.thenAccept(end -> isServed.set(end == null));
    for (var each : object.leaders().values()) {
      links.follow(order.identity(), Reference.require(each));
    }
    made.thenAccept(
        end -> {
          if (end == null) {
            node.observer()
                .events()
                .add(
                    NodeEvent.Kind.RESTARTED,
                    body.description(object.origin())
                        + ", which was created on node '"
                        + order.identity().birth().name()
                        + "'");
          }
        });
    made.thenRun(() -> RestartStep.REVIVED.passes(node.id()));
    return made;
  }
}
