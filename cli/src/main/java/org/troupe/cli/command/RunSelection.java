package org.troupe.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RecordedRun;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;

/** Finds running deployments and recorded runs by the ids that users have. */
public final class RunSelection {

  /** What a verb that asks a program says if there is none. */
  static final String NONE =
      "no program of yours has a deployment on this machine now; start one first";

  private static final long PATIENCE_SECONDS = 2;

  private RunSelection() {}

  /**
   * Returns the deployment with an id, or the only one.
   *
   * @param id of its process, or in {@code ps}; empty for the only one
   * @param choice how the command takes an id
   * @throws RefusedRequestException if there is none, or there are several; the message lists them
   */
  public static RunningGrid one(String id, String choice) {
    var all = some(id);
    if (all.size() > 1) {
      throw new RefusedRequestException(
          "there are several deployments; choose one by its id, %s: %s"
              .formatted(choice, ids(all)));
    }
    if (all.isEmpty()) {
      throw new RefusedRequestException(NONE);
    }
    return all.getFirst();
  }

  /**
   * Returns the deployment with an id, or all, of which there may be none.
   *
   * @param id of its process, or in {@code ps}; empty for all
   * @throws RefusedRequestException if there is none with the id; the message lists the others
   */
  static List<RunningGrid> some(String id) {
    var all = RunningGrid.all();
    if (id.isEmpty()) {
      return all;
    }
    var named = all.stream().filter(each -> each.id().equals(id)).findFirst();
    return List.of(named.orElseGet(() -> ofRun(id, all)));
  }

  private static RunningGrid ofRun(String id, List<RunningGrid> all) {
    List<RunningGrid> silent = new ArrayList<>();
    for (var each : all) {
      var run = run(each);
      if (run.equals(Optional.of(id))) {
        return each;
      }
      if (run.isEmpty()) {
        silent.add(each);
      }
    }
    if (Files.isRegularFile(EndedRuns.report(id))) {
      throw new RefusedRequestException(
          "the run '%1$s' has ended; 'troupe dashboard %1$s' or 'troupe report %1$s' shows its report"
              .formatted(id));
    }
    throw new RefusedRequestException(
        "there is no deployment '"
            + id
            + "'; "
            + (all.isEmpty() ? "none is running" : "there are " + ids(all))
            + (silent.isEmpty()
                ? ""
                : ", but it may be one whose program does not answer: " + ids(silent)));
  }

  /**
   * Returns a recorded run.
   *
   * @param id its id in {@code ps}, or a beginning that only its id has
   * @param all the runs to choose from
   * @param kind the word for them, such as {@code run}
   * @param ifNone what the message says if there is none at all
   * @throws RefusedRequestException if there is none, or there are several; the message lists them
   */
  public static RecordedRun recorded(String id, List<RecordedRun> all, String kind, String ifNone) {
    var named = all.stream().filter(each -> !id.isEmpty() && each.id().startsWith(id)).toList();
    if (named.isEmpty()) {
      throw new RefusedRequestException(
          "there is no %s '%s'; %s"
              .formatted(kind, id, all.isEmpty() ? ifNone : "there are " + recordedIds(all)));
    }
    var whole = named.stream().filter(each -> each.id().equals(id)).findFirst();
    if (whole.isEmpty() && named.size() > 1) {
      throw new RefusedRequestException(
          "'%s' begins the ids of several %ss; choose one of %s"
              .formatted(id, kind, recordedIds(named)));
    }
    return whole.orElse(named.getFirst());
  }

  private static String recordedIds(List<RecordedRun> runs) {
    return runs.stream().map(RecordedRun::id).collect(Collectors.joining(", "));
  }

  /** Asks a program for its run; empty if it does not answer, as when it is stopped. */
  private static Optional<String> run(RunningGrid grid) {
    CompletableFuture<Optional<String>> asked =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Optional.of(grid.identity().run());
              } catch (IOException | RuntimeException e) {
                return Optional.of(""); // it has ended, or is of another version
              }
            },
            task -> Thread.ofVirtual().start(task));
    return asked.completeOnTimeout(Optional.empty(), PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  private static String ids(List<RunningGrid> grids) {
    return grids.stream().map(RunningGrid::id).collect(Collectors.joining(", "));
  }
}
