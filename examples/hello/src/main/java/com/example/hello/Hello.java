package com.example.hello;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/** Creates a worker on each node of a grid and calls all of them. */
public final class Hello {

  private static final List<String> TEXTS =
      List.of("Call me Ishmael.", "Some years ago", "never mind how long precisely");

  public static void main(String[] arguments) throws Exception {
    Path descriptor = Path.of(arguments.length == 0 ? "grid.xml" : arguments[0]);
    try (Grid grid = Grid.deploy(descriptor)) {
      Nodes nodes = grid.nodes("workers").await(Nodes.all(), Duration.ofMinutes(1));
      List<Worker> workers = new ArrayList<>();
      for (Node node : nodes) {
        workers.add(ActiveObjects.on(node).create(Worker.class, node.name()));
      }

      // Waits for each answer.
      for (Worker worker : workers) {
        System.out.println(worker.greeting());
      }

      // Does not wait: all workers count at the same time. The first use of a count waits for it.
      List<Count> counts = new ArrayList<>();
      for (int i = 0; i < TEXTS.size(); i++) {
        counts.add(workers.get(i % workers.size()).count(TEXTS.get(i)));
      }
      System.out.println("words: " + counts.stream().mapToInt(Count::words).sum());

      // Asks explicitly: the result is a future of the JDK instead of a value to wait for.
      CompletableFuture<Integer> texts =
          ActiveObjects.ref(workers.getFirst()).ask(Worker::texts);
      System.out.println("texts of the first worker: " + texts.join());
    }
  }

  private Hello() {}
}
