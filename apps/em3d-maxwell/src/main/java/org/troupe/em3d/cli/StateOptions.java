package org.troupe.em3d.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.output.FolderLock;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.run.RunListener;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.state.Checkpoint;
import picocli.CommandLine.Option;

/** The options that say where the states of a run go to, and where they come from. */
final class StateOptions {

  private static final String LOCK = ".lock";

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description = "write each saved state and the final one into this folder")
  private Path checkpoint;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "N",
      description =
          "steps between two saved states, from which the run continues when a node is lost; 0:"
              + " only at planned changes and the end (default: "
              + RunOptions.CHECKPOINT_EVERY
              + ")")
  private Integer every;

  @Option(
      names = "--restart",
      paramLabel = "DIR",
      description = "continue from the state in this folder, on any nodes")
  private Path restart;

  /** Adds what is wrong with them. */
  void check(OptionErrors wrong) {
    if (every != null && every < 0) {
      wrong.add("--checkpoint-every " + every + ": give at least 1, or 0 for none");
    }
    if (checkpoint != null && Files.exists(checkpoint) && !Files.isDirectory(checkpoint)) {
      wrong.add("--checkpoint " + checkpoint + " is no folder; name one, new or old");
    } else if (checkpoint != null) {
      checkFree(wrong);
    }
  }

  private void checkFree(OptionErrors wrong) {
    if (Checkpoint.isIn(checkpoint) && !isRestart(checkpoint)) {
      wrong.add(
          ("--checkpoint %s holds a state already; go on from it with --restart %s, or name another"
                  + " folder")
              .formatted(checkpoint, checkpoint));
    }
  }

  /**
   * Makes the folder that states go to, and keeps it to this run until the lock is closed.
   *
   * @return {@code null} if there is no such folder
   */
  FolderLock lock(OptionErrors wrong, RunListener watcher) {
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
          "no file can be locked in %s; see to it that no other run writes states there"
              .formatted(checkpoint));
    }
    checkFree(wrong); // another run may have ended meanwhile
    return lock;
  }

  private boolean isRestart(Path folder) {
    return restart != null
        && folder.toAbsolutePath().normalize().equals(restart.toAbsolutePath().normalize());
  }

  /** The state to go on from, without its fields; {@code null} if there is none. */
  Checkpoint header(OptionErrors wrong) {
    return restart == null ? null : wrong.attempt(() -> Checkpoint.readHeader(restart));
  }

  /**
   * Adds what is wrong with them, and with the state that a problem begins with, for a problem.
   *
   * @param state that of {@link #header}
   * @param steps {@code null} if that is not known
   */
  void check(
      OptionErrors wrong, Checkpoint state, MaxwellProblem problem, double cfl, Integer steps) {
    if (problem.start() instanceof InitialFields.Kept(String folder)) {
      checkBeginning(wrong, problem, cfl, folder);
    }
    if (state != null) {
      wrong.attempt(
          () -> {
            state.run().requireSame(problem.checkpointRun(cfl), restart);
            return null;
          });
      if (steps != null && state.point().step() > steps) {
        wrong.add(
            "--steps %d: the state in %s is of step %d already; give more"
                .formatted(steps, restart, state.point().step()));
      }
    }
    if (areWanted() && !fit(problem, cfl)) {
      wrong.add(
          "a state of '%s' takes %,d MB while it is saved, and this JVM may use %,d; give it more"
                  .formatted(
                      problem.words(),
                      Checkpoint.memory(problem.checkpointRun(cfl)) >> 20,
                      memory() >> 20)
              + ", with JDK_JAVA_OPTIONS=-Xmx..g, or leave --checkpoint, --checkpoint-every and --restart"
              + " out");
    }
  }

  /** Its H is that of half a step before its E, so steps must be equal. */
  private static void checkBeginning(
      OptionErrors wrong, MaxwellProblem problem, double cfl, String folder) {
    var kept = Checkpoint.readHeader(Path.of(folder));
    var dt = cfl * problem.stepBound();
    if (kept.run().order() != problem.order() || Math.abs(kept.point().dt() / dt - 1) > 1e-6) {
      wrong.add(
          "the state in '%s', which %s begins with, has time steps of %.6g m and order %d, this run %.6g m and %d; choose --cfl and --order alike"
              .formatted(
                  folder,
                  problem.setup().name(),
                  kept.point().dt(),
                  kept.run().order().degree(),
                  dt,
                  problem.order().degree()));
    }
  }

  private boolean areWanted() {
    return checkpoint != null || restart != null || every != null && every > 0;
  }

  private static boolean fit(MaxwellProblem problem, double cfl) {
    return Checkpoint.memory(problem.checkpointRun(cfl)) < memory();
  }

  /** How much of this JVM's memory states may take. */
  private static long memory() {
    return Runtime.getRuntime().maxMemory() / 4 * 3;
  }

  /** The folder that states go to, or {@code null}. */
  Path checkpoint() {
    return checkpoint;
  }

  /** The folder of the state to go on from, or {@code null}. */
  Path restart() {
    return restart;
  }

  /** Makes a run save states as they say, or as there is memory for. */
  RunOptions applied(RunOptions usual, MaxwellProblem problem, RunListener watcher) {
    if (every != null) {
      return usual.withCheckpointEvery(every);
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
