package org.troupe.classics.sor;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.classics.ProgramVersion;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;

/**
 * The version that makes checkpoints in a store, and continues from the last one: when it is run
 * again, and on the nodes that are left when one is lost.
 */
final class CheckpointedPlate implements ProgramVersion<double[]> {

  /** The number of checkpoints of a whole run, besides that of the beginning. */
  private static final int CHECKPOINTS = 10;

  private final Nodes nodes;
  private final int points;
  private final int iterations;
  private final Store store;
  private final Consumer<String> progress;
  private List<Node> used = List.of();

  @SuppressWarnings("NullAway.Init") // prepare() sets it
  private Group<PlateStrip> strips;

  /**
   * Prepares a run.
   *
   * @param points the number of points along one side of the plate
   * @param progress receives lines about the run
   */
  CheckpointedPlate(
      Nodes nodes, int points, int iterations, Store store, Consumer<String> progress) {
    this.nodes = nodes;
    this.points = points;
    this.iterations = iterations;
    this.store = store;
    this.progress = progress;
  }

  @Override
  public void prepare() {
    used = nodes.list();
    if (restores()) {
      progress.accept("continuing from the checkpoint of iteration " + done());
      return;
    }
    strips =
        Group.of(
            Groups.on(used)
                .placed(Placement.roundRobin(used.size()))
                .spmd(PlateStrip.class, points));
    strips.tell(PlateStrip::prepare).join();
    strips.checkpoint(store).join();
  }

  /** Restores the group of the last checkpoint; returns {@code false} if there is none. */
  private boolean restores() {
    var restored = Groups.on(nodes).restoreIfPresent(PlateStrip.class, store);
    if (restored.isEmpty()) {
      return false;
    }
    strips = Group.of(restored.get());
    var size = strips.one(0, PlateStrip::size).gather().get(0);
    if (size != points) {
      throw new IllegalStateException(
          "the checkpoint in %s is one of a plate of %d x %<d points, and not of %d; give another directory"
              .formatted(store, size, points));
    }
    if (done() > iterations) {
      throw new IllegalStateException(
          "the checkpoint in %s is one of iteration %d, and --iterations is %d; give at least as many, or another directory"
              .formatted(store, done(), iterations));
    }
    return true;
  }

  private int done() {
    return strips.one(0, PlateStrip::done).gather().get(0);
  }

  @Override
  public void run() {
    for (; ; ) {
      try {
        relax();
        return;
      } catch (CallException | CompletionException failure) {
        goOnWithout(failure);
      }
    }
  }

  private void relax() {
    var most = Math.max(1, iterations / CHECKPOINTS);
    for (var done = done(); done < iterations; ) {
      var next = Math.min(most, iterations - done);
      strips.tell(strip -> strip.relax(next)).join();
      strips.checkpoint(store).join();
      done += next;
    }
  }

  /**
   * Continues from the last checkpoint on the nodes that are left.
   *
   * @throws RuntimeException the failure, if no node was lost
   */
  private void goOnWithout(RuntimeException failure) {
    var left = nodes.list();
    var lost = used.stream().filter(each -> !left.contains(each)).map(Node::name).toList();
    if (lost.isEmpty() || left.isEmpty()) {
      throw failure;
    }
    strips.terminate();
    used = left;
    try {
      restores(); // there is a checkpoint of the beginning
      progress.accept(
          "node '%s' is lost; continuing from iteration %d; nodes: %d"
              .formatted(String.join("', '", lost), done(), left.size()));
    } catch (CallException | CompletionException again) {
      goOnWithout(again); // another node may be lost
    }
  }

  @Override
  public double[] result() {
    return strips.ask(PlateStrip::rows).stream().flatMapToDouble(Arrays::stream).toArray();
  }
}
