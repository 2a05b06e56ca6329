package com.example.lasting;

import java.nio.file.Path;
import java.time.Duration;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.deployment.Grid;

/**
 * An object moves to another node while it has callers, and moves back by itself when that node leaves.
 *
 * <p>Arguments: a descriptor, or nothing for two JVMs on this machine.
 */
public final class Moving {

  private Moving() {}

  /** An ordinary class. */
  public static class Counter {
    private int count; // travels with the object

    public int next() {
      return ++count;
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Calls a counter by a reference that it got before the counter moved. */
  public static class Client {
    private final Counter counter;

    public Client(Counter counter) {
      this.counter = counter;
    }

    public int count() {
      return counter.next();
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (Grid grid = arguments.length > 0 ? Grid.deploy(Path.of(arguments[0])) : Grid.local(2)) {
      Nodes nodes = grid.nodes().await(Nodes.atLeast(2), Duration.ofMinutes(5));
      Node first = nodes.get(0);
      Node second = nodes.get(1);
      Options options = Options.STANDARD.leavingAlong(); // moves when its node leaves
      Counter counter = ActiveObjects.on(first).with(options).create(Counter.class);
      Client client = ActiveObjects.on(first).create(Client.class, counter);
      print(client.count(), counter);

      ActiveObjects.ref(counter).move(second.id()).join(); // after the request that it serves
      print(client.count(), counter); // the old reference leads to the new place

      nodes.release(second).join(); // the node leaves; the counter moves first
      print(client.count(), counter);
    }
  }

  private static void print(int count, Counter counter) {
    System.out.println("call " + count + " was served on " + counter.place());
  }
}
