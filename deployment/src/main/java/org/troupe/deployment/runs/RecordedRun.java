package org.troupe.deployment.runs;

import java.io.IOException;
import java.lang.System.Logger.Level;
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
 * A deployment of this user that is recorded on this machine: one that runs, or one that was killed
 * and has left processes, jobs or files behind. Its methods contact other machines and block until
 * these answer.
 */
public final class RecordedRun {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** How long a program may take to end its deployment in order. */
  private static final Duration ENDING = Duration.ofSeconds(45);

  /** The state of a run. */
  enum State {
    RUNNING,
    HELD,
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
   * Returns all recorded runs, in the order of their ids.
   *
   * <p>A record that cannot be read, as it is of a newer version, is logged and left out.
   *
   * @throws IOException if the folder of the records cannot be read
   */
  public static List<RecordedRun> all() throws IOException {
    return all(RunJournal.home());
  }

  static List<RecordedRun> all(Path home) throws IOException {
    if (!Files.isDirectory(home)) {
      return List.of();
    }
    var all = new ArrayList<RecordedRun>();
    try (var folders = Files.list(home)) {
      for (var each : folders.sorted().toList()) {
        try {
          RunRecord.read(each).ifPresent(recorded -> all.add(new RecordedRun(each, recorded)));
        } catch (IOException unread) {
          LOG.log(
              Level.WARNING,
              "run ''{0}'' is left out: {1}; the version of Troupe that has written it can show and clean it",
              each.getFileName(),
              unread.getMessage());
        }
      }
    }
    return all;
  }

  /** Returns statuses as a JSON array. */
  public static String toJson(List<RunStatus> runs) {
    return ControlJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(runs);
  }

  /** Returns its id, which is random. */
  public String id() {
    return folder.getFileName().toString();
  }

  /** Returns whether it has no program, but holds machines for others. */
  public boolean isHold() {
    return recorded.isHeld();
  }

  /**
   * Returns whether its program may still run: on this machine, or on one whose processes are not
   * visible here. Asks the batch system whether machines are still held.
   */
  public boolean mayRun() {
    return isHold()
        ? look().things().stream().anyMatch(RecordedRun::isOfHold)
        : state() != State.LEFT_BEHIND;
  }

  /** A machine or batch system that cannot be asked may still hold. */
  private static boolean isOfHold(Thing thing) {
    return thing.isLeft() && (thing.kind().equals("job") || thing.kind().equals("machine"));
  }

  private State state() {
    if (isHold()) {
      return State.HELD;
    }
    if (!recorded.launcher().isOfThisMachine()) {
      return State.ELSEWHERE;
    }
    return recorded.launcher().process().isPresent() ? State.RUNNING : State.LEFT_BEHIND;
  }

  /**
   * Finds its processes, jobs and files: asks its program, if that runs on this machine; otherwise
   * all its machines.
   */
  public RunStatus look() {
    var state = state();
    if (state == State.RUNNING) {
      return status(state, reported());
    }
    try (var remains = new RunCleanup(id(), recorded)) {
      var things = remains.look();
      return status(
          state == State.HELD && things.stream().noneMatch(RecordedRun::isOfHold)
              ? State.LEFT_BEHIND
              : state,
          things);
    }
  }

  /**
   * Removes its leftovers: cancels its jobs, ends its JVMs, removes its folders, and finally its
   * record, if nothing is left.
   *
   * @param force whether to end a running program first, and to remove the record even if a machine
   *     cannot be reached, on which something may remain
   * @throws RefusedRequestException if the program may still run, and {@code force} is false
   */
  public RunStatus clean(boolean force) {
    if (isHold() && !force && mayRun()) {
      throw new RefusedRequestException(
          "%s holds machines; 'troupe cancel --of %s' ends it".formatted(id(), id()));
    }
    if (!isHold() && mayRun() && !force) {
      throw new RefusedRequestException(
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

  /**
   * Ends a hold: cancels its jobs and removes their folders, and finally its record, if nothing is
   * left.
   */
  public RunStatus giveBack() {
    List<Thing> things = new ArrayList<>();
    try (var remains = new RunCleanup(id(), recorded)) {
      things.addAll(remains.remove());
    }
    things.add(removeRecord(things.stream().noneMatch(Thing::isLeft)));
    return status(State.HELD, things);
  }

  /**
   * Returns the status that its program reports, or why it cannot; empty if the program has just
   * started or is about to end.
   */
  private List<Thing> reported() {
    for (var grid : RunningGrid.all()) {
      if (!grid.id().split("-")[0].equals(Long.toString(recorded.launcher().pid()))) {
        continue;
      }
      try {
        var status = grid.status();
        if (status.run().equals(id())) {
          return status.nodes().stream().map(RecordedRun::thing).toList();
        }
      } catch (SilentProgramException | MissingResultException | InternalFaultException e) {
        return List.of(unanswered(e));
      } catch (IOException e) {
        // The deployment has ended meanwhile.
      }
    }
    return List.of();
  }

  private Thing unanswered(Exception e) {
    var launcher = recorded.launcher();
    return new Thing(
        "process",
        Long.toString(launcher.pid()),
        launcher.host(),
        String.valueOf(e.getMessage()),
        true);
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

  /** Returns the record as it is now; a program that has ended in order has removed it. */
  private RunRecord current() {
    try {
      return RunRecord.read(folder)
          .orElseGet(() -> new RunRecord(recorded.launcher(), List.of(), List.of(), List.of()));
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
              ? "killed, since it did not end when asked"
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
      return new Thing("record", path, "this machine", "kept, since something is left", true);
    }
    try {
      RunJournal.remove(folder);
      return new Thing("record", path, "this machine", "removed", false);
    } catch (IOException e) {
      return new Thing("record", path, "this machine", "cannot be removed: " + e, true);
    }
  }
}
