package org.troupe.activeobjects.internal.collection;

import static org.troupe.activeobjects.Waits.until;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** A grid in one JVM, whose collectors a test drives. */
final class CollectedGrid {

  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final ObjectIdentity[] NONE = {};
  private static final int ROUNDS = 6; // of messages: given, dropped, told, and statements

  /** The instances of {@link Subject}, by their names. */
  private static final Map<String, WeakReference<Object>> SUBJECTS = new ConcurrentHashMap<>();

  private CollectedGrid() {}

  static void register(String name, Object subject) {
    SUBJECTS.put(name, new WeakReference<>(subject));
  }

  static boolean isGone(String name) {
    return SUBJECTS.get(name).refersTo(null);
  }

  static NodeObjects main() {
    return NodeRuntime.main().objects();
  }

  /**
   * Lets each JVM collect, and each node tell, until something has happened; false if it has not.
   */
  static boolean eventually(InProcessGrid grid, BooleanSupplier happened) {
    var end = System.nanoTime() + BOUND_NANOS;
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      round(grid);
    }
    return true;
  }

  /** Lets each node collect and tell often enough that an unreferenced object would be gone. */
  static void settle(InProcessGrid grid) {
    for (var i = 0; i < ROUNDS; i++) {
      round(grid);
    }
  }

  private static void round(InProcessGrid grid) {
    System.gc();
    main().tell();
    for (var i = 0; i < grid.list().size(); i++) {
      grid.member(i).node().objects().tell();
    }
    awaitDelivery(grid);
  }

  /** Waits until each node has taken what the others have told it, unless one of them is lost. */
  private static void awaitDelivery(InProcessGrid grid) {
    awaitAnswers(grid.coordinator(), () -> true);
    for (var i = 0; i < grid.list().size(); i++) {
      awaitAnswers(grid.member(i), grid.get(i)::isAlive);
    }
  }

  /** Asks all other nodes something, behind what the asking one has told them. */
  private static void awaitAnswers(GridMembership asking, BooleanSupplier isAlive) {
    if (isAlive.getAsBoolean()) {
      var answers =
          asking.node().peers().all().stream()
              .filter(peer -> peer.access() == asking && !peer.isLost())
              .map(peer -> asking.moving().haveEnded(peer, NONE))
              .toList();
      until(
          () -> answers.stream().allMatch(CompletableFuture::isDone) || !isAlive.getAsBoolean(),
          "the answers to node '" + asking.node().id() + "'");
    }
  }
}
