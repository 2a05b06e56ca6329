package com.example.lasting;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.spmd.Spmd;

/**
 * A group in step loses a node, and goes on from its last checkpoint on the nodes that are left.
 *
 * <p>Arguments: a folder for the checkpoint, or nothing for a temporary one.
 */
public final class Restored {

  private static final int STEPS = 30;
  private static final int STEPS_OF_A_PART = 10;

  private Restored() {}

  /** A member. Its fields are what a checkpoint has of it. */
  public static class Strip {
    private int done;
    private long sum;

    /** Does a part of the work, in step with the others. */
    public void compute(int steps) {
      Spmd<Strip> spmd = Spmd.here(Strip.class); // a view, which is no field
      for (int i = 0; i < steps; i++, done++) {
        sum += spmd.allReduce(spmd.rank(), Operation.SUM);
      }
    }

    public int done() {
      return done;
    }

    public String state() {
      return done + " steps, sum " + sum + " on " + ActiveObjects.node().name();
    }
  }

  /** Ends its whole JVM, as a crash would. */
  public static class Crash {
    public void now() {
      Runtime.getRuntime().halt(1);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempDirectory("strips");
    Store store = Store.directory(folder); // all nodes must see it
    try (Grid grid = Grid.local(2)) {
      Nodes nodes = grid.nodes();
      Crash crash = ActiveObjects.on(nodes.get(1)).create(Crash.class);
      Group<Strip> strips = Group.of(Groups.on(nodes).each(2).spmd(Strip.class));
      strips.tell(strip -> strip.compute(STEPS_OF_A_PART));
      strips.checkpoint(store).join(); // behind the call at each member

      crash.now();
      ActiveObjects.ref(crash).end().join(); // the loss is known here
      try {
        strips.tell(strip -> strip.compute(STEPS_OF_A_PART)).join();
      } catch (CompletionException lost) {
        System.out.println("a part of the work failed");
        strips.terminate();
        strips = Group.of(Groups.on(nodes).restore(Strip.class, store)); // on the nodes that are left
      }

      int done = strips.one(0, Strip::done).gather().get(0);
      System.out.println("the group goes on from step " + done);
      for (; done < STEPS; done += STEPS_OF_A_PART) {
        strips.tell(strip -> strip.compute(STEPS_OF_A_PART)).join();
        strips.checkpoint(store).join();
      }
      strips.ask(Strip::state).stream().forEach(System.out::println);
    }
  }
}
