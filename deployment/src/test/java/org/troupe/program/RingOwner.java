package org.troupe.program;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/** A program that drops rings of objects over the JVMs of two nodes, and keeps two. */
public final class RingOwner {

  private static final long SECONDS = 60;

  private RingOwner() {}

  public static void main(String[] arguments) throws Exception {
    try (var grid = Grid.local(2, Quick.GRID)) {
      var nodes = grid.nodes().await(Nodes.all(), Duration.ofSeconds(SECONDS));
      var kept = ring(nodes);
      holdByField(nodes);
      var caller = ActiveObjects.on(nodes.list().getFirst()).create(RingLink.class);
      System.out.println("held before " + caller.callHeld());
      for (var i = 1; i <= 2; i++) { // the second one while the first one has been tried
        var end = endOfRing(nodes).get(SECONDS, TimeUnit.SECONDS);
        System.out.println("dropped " + i + " " + end.how());
      }
      System.out.println("held after " + caller.callHeld());
      System.out.println("kept " + kept.call());
    }
  }

  private static RingLink ring(Nodes nodes) {
    var one = ActiveObjects.on(nodes.list().getFirst()).create(RingLink.class);
    var other = ActiveObjects.on(nodes.list().getLast()).create(RingLink.class);
    if (one.pid() == other.pid()) {
      throw new IllegalStateException("both nodes are in one JVM");
    }
    one.follow(other);
    other.follow(one);
    return one;
  }

  private static void holdByField(Nodes nodes) {
    ring(nodes).holdNext();
  }

  private static CompletableFuture<End> endOfRing(Nodes nodes) {
    return ActiveObjects.ref(ring(nodes)).end();
  }
}
