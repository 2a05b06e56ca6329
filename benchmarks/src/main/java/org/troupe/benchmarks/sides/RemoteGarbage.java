package org.troupe.benchmarks.sides;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Drops the references to many active objects of another JVM, which then collects them. */
public final class RemoteGarbage {

  /** How many references are dropped. */
  public static final int OBJECTS = 100_000;

  private static final int GIVEN = 1_000_000;
  private static final int IN_A_CALL = 1_000;
  private static final long POLL_MILLIS = 20;
  private static final long LIMIT_SECONDS = 120;

  /** The measured quantity. */
  public enum Quantity {
    /** Seconds from the drop until the collector of the other JVM has cleared all objects. */
    SECONDS,
    /** Bytes for each object that the dropping JVM has sent until then. */
    BYTES,
    /** Bytes by which both heaps grow for each of a million references given and dropped. */
    GROWTH
  }

  /** An object of the other JVM. */
  static class Item {

    static final ConcurrentLinkedQueue<WeakReference<Item>> ALL = new ConcurrentLinkedQueue<>();

    Item() {
      ALL.add(new WeakReference<>(this));
    }

    void work() {}
  }

  /** Makes objects in the other JVM. */
  static class Nursery {

    List<Item> make(int count) {
      List<Item> made = new ArrayList<>(count);
      for (var i = 0; i < count; i++) {
        made.add(ActiveObjects.here().create(Item.class));
      }
      return made;
    }

    /** Collects garbage, and returns how many objects are left. */
    int collect() {
      System.gc();
      Item.ALL.removeIf(each -> each.refersTo(null));
      return Item.ALL.size();
    }

    /** Takes references, and drops them. */
    int take(List<Item> items) {
      return items.size();
    }

    long heap() {
      return heapAfterCollection();
    }
  }

  private RemoteGarbage() {}

  static void main(String[] arguments) throws Exception {
    var quantity = Quantity.valueOf(arguments[0]);
    try (var grid = ServerGrid.of(1)) {
      var nursery = ActiveObjects.on(grid.nodes().getFirst()).create(Nursery.class);
      measure(nursery, quantity); // warm-up
      TurnProtocol.serve(() -> measure(nursery, quantity));
    }
  }

  private static long heapAfterCollection() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Gives references to objects of this JVM again and again. */
  private static double growth(Nursery nursery) {
    List<Item> items = new ArrayList<>(IN_A_CALL);
    for (var i = 0; i < IN_A_CALL; i++) {
      items.add(ActiveObjects.here().create(Item.class));
    }
    nursery.take(items);
    var before = heapAfterCollection() + nursery.heap();
    for (var given = 0; given < GIVEN; given += IN_A_CALL) {
      nursery.take(items);
    }
    var after = heapAfterCollection() + nursery.heap();
    return (double) (after - before) / GIVEN;
  }

  private static double measure(Nursery nursery, Quantity quantity) throws InterruptedException {
    if (quantity == Quantity.GROWTH) {
      return growth(nursery);
    }
    holdAndDrop(nursery);
    var sent = ActiveObjects.traffic();
    var began = System.nanoTime();
    System.gc();
    while (nursery.collect() > 0) {
      if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
        throw new IllegalStateException(
            "objects are left after %d s; is troupe.collect off?".formatted(LIMIT_SECONDS));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    var nanos = System.nanoTime() - began;
    return switch (quantity) {
      case SECONDS -> nanos / 1e9;
      case BYTES -> (double) ActiveObjects.traffic().since(sent).bytes() / OBJECTS;
      case GROWTH -> throw new AssertionError(quantity);
    };
  }

  /** Holds references in a frame of its own, which has ended when they are dropped. */
  private static void holdAndDrop(Nursery nursery) {
    var held = List.copyOf(nursery.make(OBJECTS));
    if (held.size() != OBJECTS) {
      throw new AssertionError(held.size());
    }
  }
}
