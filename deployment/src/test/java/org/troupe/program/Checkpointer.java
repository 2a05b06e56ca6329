package org.troupe.program;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;

/** A program whose group makes a checkpoint after each step, and goes on from the last one. */
public final class Checkpointer {

  /** The number of members. */
  public static final int MEMBERS = 4;

  private Checkpointer() {}

  /**
   * Runs the program.
   *
   * @param arguments the store, the number of nodes, the number of steps
   */
  public static void main(String[] arguments) throws Exception {
    var store = Store.directory(Path.of(arguments[0]));
    var steps = Integer.parseInt(arguments[2]);
    try (var grid = Grid.local(Integer.parseInt(arguments[1]), Quick.GRID)) {
      var nodes = grid.nodes("default").await(Nodes.all(), Duration.ofMinutes(1));
      System.out.println(
          "pids "
              + grid.status().stream()
                  .map(each -> Long.toString(each.pid().orElseThrow()))
                  .collect(joining(" ")));
      var group = group(nodes, store);
      for (var done = group.ask(Walker::steps).get(0); done < steps; done++) {
        group.ask(each -> each.walk(1)).toList();
        group.checkpoint(store).join();
        System.out.println("done " + (done + 1));
      }
      System.out.println("values " + group.ask(Walker::value).toList());
    }
  }

  private static Group<Walker> group(Nodes nodes, Store store) {
    var present = Groups.on(nodes).restoreIfPresent(Walker.class, store);
    if (present.isPresent()) {
      var restored = Group.of(present.get());
      System.out.println("restored " + restored.ask(Walker::steps).toList());
      return restored;
    }
    var made =
        Group.of(Groups.on(nodes).placed(Placement.roundRobin(MEMBERS)).<Walker>spmd(Walker.class));
    made.ask(Walker::begin).toList();
    made.checkpoint(store).join();
    System.out.println("begun");
    return made;
  }

  /** Returns the last line of a run. */
  public static String lastLine(int steps) {
    return "values " + Arrays.toString(Walker.expected(MEMBERS, steps));
  }
}
