package org.troupe.deployment.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.runs.RunStatus.Thing;

/**
 * A deployment of this user, as it was recorded on this machine before it started anything: one
 * that runs, or one that was killed and has left things behind. Its methods reach out to other
 * machines, and wait for their answers.
 */
public final class RecordedRun {

  /** How long a program may take to end its deployment in order. */
  private static final Duration ENDING = Duration.ofSeconds(45);

  /** Where a run is in its life. */
  enum State {
    RUNNING,
    LEFT_BEHIND,
    ELSEWHERE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final Path folder;
  private final RunRecord recorded;

  private RecordedRun(Path folder, RunRecord recorded) {
    this.folder = folder;
    this.recorded = recorded;
  }

  /**
   * Returns those that there are, in the order of their ids.
   *
   * @throws IOException if a record cannot be read
   */
  public static List<RecordedRun> all() throws IOException {
    return all(RunJournal.home());
  }

  public static List<RecordedRun> all(Path home) throws IOException {
    if (!Files.isDirectory(home)) {
      return List.of();
    }
    var all = new ArrayList<RecordedRun>();
    try (var folders = Files.list(home)) {
      for (var each : folders.sorted().toList()) {
        RunRecord.read(each).ifPresent(recorded -> all.add(new RecordedRun(each, recorded)));
      }
    }
    return all;
  }

  /** Returns the same for programs: a JSON array. */
  public static String toJson(List<RunStatus> runs) {
    return ControlServer.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(runs);
  }

  /** Returns its name, a random one. */
  public String id() {
    return folder.getFileName().toString();
  }

  /** Returns whether its program may still run: on this machine, or on one that we cannot see. */
  public boolean mayRun() {
    return state() != State.LEFT_BEHIND;
  }

  private State state() {
    if (!recorded.launcher().isOfThisMachine()) {
      return State.ELSEWHERE;
    }
    return recorded.launcher().process().isPresent() ? State.RUNNING : State.LEFT_BEHIND;
  }

  /**
   * Looks for what there is of it: asks its program, if that runs on this machine, or else all its
   * machines.
   */
  public RunStatus look() {
    var state = state();
    if (state == State.RUNNING) {
      return status(state, told());
    }
    try (var remains = new RunCleanup(id(), recorded)) {
      return status(state, remains.look());
    }
  }

  /**
   * Removes what it has left behind: cancels its jobs, ends its JVMs, removes its folders, and at
   * last its record, if nothing is left.
   *
   * @param force whether a program that runs is ended first, and the record removed though
   *     something may be left on a machine that cannot be reached
   * @throws IllegalStateException if the program may still run, and there is no force
   */
  public RunStatus clean(boolean force) {
    if (mayRun() && !force) {
      throw new IllegalStateException(
          "%s is %s: process %d on %s; '--force' ends it"
              .formatted(id(), state(), recorded.launcher().pid(), recorded.launcher().host()));
    }
    var state = state();
    List<Thing> things = new ArrayList<>(endProgram());
    try (var remains = new RunCleanup(id(), current())) {
      things.addAll(remains.remove());
    }
    things.add(removeRecord(force || things.stream().noneMatch(Thing::isLeft)));
    return status(state, things);
  }

  /** What its program says; a program that has just begun, or is about to end, says nothing. */
  private List<Thing> told() {
    for (var grid : RunningGrid.all()) {
      if (!grid.id().split("-")[0].equals(Long.toString(recorded.launcher().pid()))) {
        continue;
      }
      try {
        var status = grid.status();
        if (status.run().equals(id())) {
          return status.nodes().stream().map(RecordedRun::thing).toList();
        }
      } catch (IOException e) {
        // It has ended meanwhile.
      }
    }
    return List.of();
  }

  private static Thing thing(GridStatus.NodeLine node) {
    return new Thing(
        "process",
        node.pid() == 0 ? "" : Long.toString(node.pid()),
        node.host(),
        "node '%s' %s%s"
            .formatted(
                node.name(), node.state(), node.detail().isEmpty() ? "" : ", " + node.detail()),
        !node.state().equals("ended"));
  }

  private RunStatus status(State state, List<Thing> things) {
    var launcher = recorded.launcher();
    return new RunStatus(
        id(),
        state.toString(),
        launcher.pid(),
        launcher.host(),
        launcher.since().toString(),
        launcher.program(),
        things);
  }

  /** The record as it is now: a program that has ended in order has none any more. */
  private RunRecord current() {
    try {
      return RunRecord.read(folder)
          .orElseGet(() -> new RunRecord(recorded.launcher(), List.of(), List.of()));
    } catch (IOException e) {
      return recorded;
    }
  }

  private List<Thing> endProgram() {
    var running = recorded.launcher().process();
    if (running.isEmpty()) {
      return List.of();
    }
    var process = running.get();
    process.destroy();
    var how = "asked to end, and it has";
    if (!RunningGrid.hasEnded(process, ENDING)) {
      process.destroyForcibly();
      how =
          RunningGrid.hasEnded(process, ENDING)
              ? "killed, as it did not end when asked"
              : "cannot be ended";
    }
    return List.of(
        new Thing(
            "process",
            Long.toString(process.pid()),
            recorded.launcher().host(),
            how,
            process.isAlive()));
  }

  private Thing removeRecord(boolean isWanted) {
    var path = folder.toString();
    if (!isWanted) {
      return new Thing("record", path, "this machine", "kept, since not all is gone", true);
    }
    try {
      RunJournal.remove(folder);
      return new Thing("record", path, "this machine", "removed", false);
    } catch (IOException e) {
      return new Thing("record", path, "this machine", "cannot be removed: " + e, true);
    }
  }
}
