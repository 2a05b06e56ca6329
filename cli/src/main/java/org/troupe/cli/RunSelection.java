package org.troupe.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.troupe.deployment.runs.RunningGrid;

/** Finds running deployments by the ids that users have. */
final class RunSelection {

  private static final long PATIENCE_SECONDS = 2;

  private RunSelection() {}

  /**
   * Returns the deployment with an id, or the only one.
   *
   * @param id of its process, or in {@code ps}; empty for the only one
   * @throws IllegalArgumentException if there is none, or there are several; the message lists them
   */
  static RunningGrid one(String id) {
    var all = some(id);
    if (all.size() > 1) {
      throw new IllegalArgumentException(
          "there are several deployments; choose one by its id, with '--of' or as the argument: "
              + ids(all));
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "no program of yours has a deployment on this machine now; start one first");
    }
    return all.getFirst();
  }

  /**
   * Returns the deployment with an id, or all, of which there may be none.
   *
   * @param id of its process, or in {@code ps}; empty for all
   * @throws IllegalArgumentException if there is none with the id; the message lists the others
   */
  static List<RunningGrid> some(String id) {
    var all = RunningGrid.all();
    if (id.isEmpty()) {
      return all;
    }
    return List.of(
        all.stream()
            .filter(each -> each.id().equals(id))
            .findFirst()
            .or(() -> all.stream().filter(each -> isRun(each, id)).findFirst())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no deployment '"
                            + id
                            + "'; "
                            + (all.isEmpty() ? "none is running" : "there are " + ids(all)))));
  }

  /** Asks a program, which may be stopped and not answer. */
  private static boolean isRun(RunningGrid grid, String id) {
    var asked =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return grid.identity().run().equals(id);
              } catch (IOException | IllegalArgumentException e) {
                return false; // it has ended, or is of another version
              }
            },
            task -> Thread.ofVirtual().start(task));
    return asked.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  private static String ids(List<RunningGrid> grids) {
    return grids.stream().map(RunningGrid::id).collect(Collectors.joining(", "));
  }
}
