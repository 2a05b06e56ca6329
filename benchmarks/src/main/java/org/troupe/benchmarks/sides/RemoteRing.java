package org.troupe.benchmarks.sides;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Drops a ring of active objects over this JVM and another, which the grid then collects. */
public final class RemoteRing {

  /** How many objects the ring has. */
  public static final int OBJECTS = 1_000;

  /** How long an object is idle before it is a suspect. */
  static final Duration IDLE = Duration.ofSeconds(5);

  private static final long POLL_MILLIS = 50;
  private static final int LIMIT_IDLE_TIMES = 20;

  /** An object of the ring. */
  static class Link {

    static final ConcurrentLinkedQueue<WeakReference<Link>> ALL = new ConcurrentLinkedQueue<>();

    private @Nullable Link next;

    Link() {
      ALL.add(new WeakReference<>(this));
    }

    boolean follow(Link other) {
      next = other;
      return next != null;
    }

    /** Returns how many objects of this JVM are left. */
    static int left() {
      ALL.removeIf(each -> each.refersTo(null));
      return ALL.size();
    }
  }

  /** Makes objects in the other JVM. */
  static class Nursery {

    List<Link> make(int count) {
      List<Link> made = new ArrayList<>(count);
      for (var i = 0; i < count; i++) {
        made.add(ActiveObjects.here().create(Link.class));
      }
      return made;
    }

    int left() {
      return Link.left();
    }
  }

  private RemoteRing() {}

  static void main(String[] arguments) throws Exception {
    try (var grid = ServerGrid.of(1)) {
      var nursery = ActiveObjects.on(grid.nodes().getFirst()).create(Nursery.class);
      TurnProtocol.serve(() -> measure(nursery));
    }
  }

  /** Returns how many idle times pass until both JVMs have cleared all objects. */
  private static double measure(Nursery nursery) throws InterruptedException {
    makeAndDrop(nursery);
    var began = System.nanoTime();
    while (Link.left() + nursery.left() > 0) {
      if (System.nanoTime() - began > LIMIT_IDLE_TIMES * IDLE.toNanos()) {
        throw new IllegalStateException(
            "objects are left after %d idle times; is troupe.collect cycles?"
                .formatted(LIMIT_IDLE_TIMES));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return (double) (System.nanoTime() - began) / IDLE.toNanos();
  }

  /** Holds references in a frame of its own, which has ended when they are dropped. */
  private static void makeAndDrop(Nursery nursery) {
    var far = List.copyOf(nursery.make(OBJECTS / 2));
    List<Link> near = new ArrayList<>();
    for (var i = 0; i < far.size(); i++) {
      near.add(ActiveObjects.here().create(Link.class));
    }
    for (var i = 0; i < far.size(); i++) {
      near.get(i).follow(far.get(i));
      far.get(i).follow(near.get((i + 1) % far.size()));
    }
  }
}
