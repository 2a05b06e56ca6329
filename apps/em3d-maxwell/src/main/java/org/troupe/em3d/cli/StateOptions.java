package org.troupe.em3d.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.output.FolderLock;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.run.RunListener;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.state.RunCheckpoint;
import picocli.CommandLine.Option;

/** The options of saved states. */
final class StateOptions {

  private static final String LOCK = ".lock";

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description = "write each saved state and the final one into this folder")
  private @Nullable Path checkpoint;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "N",
      description =
          "steps between two saved states, from which the run continues when a node is lost; 0:"
              + " only at planned changes and the end (default: "
              + RunOptions.CHECKPOINT_EVERY
              + ")")
  private @Nullable Integer every;

  @Option(
      names = "--restart",
      paramLabel = "DIR",
      description = "continue from the state in this folder, on any nodes")
  private @Nullable Path restart;

  /** Reports errors of these options. */
  void check(OptionErrors wrong) {
    if (every != null && every < 0) {
      wrong.add("--checkpoint-every " + every + ": give at least 1, or 0 for none");
    }
    if (checkpoint != null && Files.exists(checkpoint) && !Files.isDirectory(checkpoint)) {
      wrong.add("--checkpoint " + checkpoint + " is no folder; name one, new or old");
    } else if (checkpoint != null) {
      checkFree(wrong, checkpoint);
    }
  }

  private void checkFree(OptionErrors wrong, Path folder) {
    if (RunCheckpoint.isIn(folder) && !isRestart(folder)) {
      wrong.add(
          ("--checkpoint %s holds a state already; continue from it with --restart %s, or name another"
                  + " folder")
              .formatted(folder, folder));
    }
  }

  /**
   * Creates the folder for states, and reserves it for this run until the lock is closed.
   *
   * @return {@code null} if no folder was named, or it cannot be reserved
   */
  @Nullable FolderLock lock(OptionErrors wrong, RunListener watcher) {
    if (checkpoint == null) {
      return null;
    }
    FolderLock lock = null;
    try {
      Files.createDirectories(checkpoint);
      lock = FolderLock.take(checkpoint.resolve(LOCK));
    } catch (FolderLock.HeldException e) {
      wrong.add(
          "--checkpoint %s: %s; name another folder, or wait for its end"
              .formatted(checkpoint, e.getMessage()));
    } catch (IOException e) {
      wrong.add(
          "--checkpoint %s cannot be written to: %s; mend that, or name another folder"
              .formatted(checkpoint, AtomicFile.reason(e)));
    }
    if (lock != null && !lock.isEffective()) {
      watcher.news(
          "no file can be locked in %s; make sure that no other run writes states there"
              .formatted(checkpoint));
    }
    checkFree(wrong, checkpoint); // another run may have ended meanwhile
    return lock;
  }

  private boolean isRestart(Path folder) {
    return restart != null
        && folder.toAbsolutePath().normalize().equals(restart.toAbsolutePath().normalize());
  }

  /** Returns the state to continue from, without its fields; {@code null} if there is none. */
  @Nullable RunCheckpoint header(OptionErrors wrong) {
    var folder = restart;
    return folder == null ? null : wrong.attempt(() -> RunCheckpoint.readHeader(folder));
  }

  /**
   * Reports errors of these options and of the state that a problem starts with, for this problem.
   *
   * @param state the state from {@link #header}
   * @param steps the number of steps; {@code null} if it is not known
   */
  void check(
      OptionErrors wrong,
      @Nullable RunCheckpoint state,
      MaxwellProblem problem,
      double cfl,
      @Nullable Integer steps) {
    if (problem.start() instanceof InitialFields.Kept(String beginning)) {
      checkBeginning(wrong, problem, cfl, beginning);
    }
    var folder = restart;
    if (state != null && folder != null) {
      wrong.check(() -> state.run().requireSame(problem.checkpointRun(cfl), folder));
      if (steps != null && state.position().step() > steps) {
        wrong.add(
            "--steps %d: the state in %s is of step %d already; give more"
                .formatted(steps, folder, state.position().step()));
      }
    }
    if (areWanted() && !fit(problem, cfl)) {
      wrong.add(
          "a state of '%s' takes %,d MB while it is saved, and this JVM may use %,d; give it more"
                  .formatted(
                      problem.description(),
                      RunCheckpoint.memory(problem.checkpointRun(cfl)) >> 20,
                      memory() >> 20)
              + ", with JDK_JAVA_OPTIONS=-Xmx..g, or leave --checkpoint, --checkpoint-every and --restart"
              + " out");
    }
  }

  /**
   * Checks the state that a problem starts with. Its H is half a time step earlier than its E, so
   * the time steps must be equal.
   */
  private static void checkBeginning(
      OptionErrors wrong, MaxwellProblem problem, double cfl, String folder) {
    var kept = RunCheckpoint.readHeader(Path.of(folder));
    var dt = cfl * problem.stepBound();
    if (kept.run().order() != problem.order() || Math.abs(kept.position().dt() / dt - 1) > 1e-6) {
      wrong.add(
          "the state in '%s', with which %s starts, has time steps of %.6g m and order %d, this run %.6g m and %d; choose equal --cfl and --order"
              .formatted(
                  folder,
                  problem.setup().name(),
                  kept.position().dt(),
                  kept.run().order().degree(),
                  dt,
                  problem.order().degree()));
    }
  }

  private boolean areWanted() {
    return checkpoint != null || restart != null || every != null && every > 0;
  }

  private static boolean fit(MaxwellProblem problem, double cfl) {
    return RunCheckpoint.memory(problem.checkpointRun(cfl)) < memory();
  }

  /** Returns the bytes of this JVM's heap that states may take. */
  private static long memory() {
    return Runtime.getRuntime().maxMemory() / 4 * 3;
  }

  /** Returns the folder for states, or {@code null}. */
  @Nullable Path checkpoint() {
    return checkpoint;
  }

  /** Returns the folder of the state to continue from, or {@code null}. */
  @Nullable Path restart() {
    return restart;
  }

  /**
   * Returns run options that save states as often as these options ask for, if there is enough
   * memory.
   *
   * @param isHere whether this JVM computes by itself, so that a state in its memory only would be
   *     lost with the run
   */
  RunOptions withStates(
      RunOptions usual, MaxwellProblem problem, boolean isHere, RunListener watcher) {
    if (every != null) {
      return usual.withCheckpointEvery(every);
    }
    if (isHere && !areWanted()) {
      return usual.withoutStates();
    }
    if (!fit(problem, usual.cfl())) {
      watcher.news(
          "states of this mesh do not fit into the memory of this JVM, so none is saved: if a node"
              + " is lost the run begins anew, and nodes that join are not taken in");
      return usual.withoutStates();
    }
    return usual;
  }
}
