package org.troupe.em3d.state;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.groups.Group;
import org.troupe.groups.GroupCallException;
import org.troupe.groups.MemberOutcome;

/**
 * Keeps the last complete state of a run: an active object beside the collector, which outlives the
 * segments of the run. It gathers the state from the sub-domains of one division and distributes it
 * to those of the next.
 *
 * <p>A state replaces the one before only when it is complete; the loss of a node meanwhile affects
 * only the new one.
 */
public class StateArchive {

  private static final int NONE = -1;

  private final RunCheckpoint.Run run;
  private final @Nullable Path folder; // null: states are kept in memory only
  private @Nullable RunCheckpoint last; // null: no state is saved yet
  private @Nullable RunCheckpoint
      beginning; // the initial fields, if the problem takes them from a state; else null
  private @Nullable RunCheckpoint
      spare; // its arrays are reused for the next state; null before the first
  private int written = NONE; // the step of the state in the folder
  private String lastError = "";

  /**
   * Prepares for a run.
   *
   * @param folder the folder that each state is written to; empty: none
   * @param restart the folder of the state to continue from; empty: none
   */
  public StateArchive(RunCheckpoint.Run run, String folder, String restart) {
    this.run = run;
    this.folder = folder.isEmpty() ? null : Path.of(folder);
    last = restart.isEmpty() ? null : RunCheckpoint.read(Path.of(restart));
    if (last != null && isSame(folder, restart)) {
      written = last.position().step();
    }
  }

  private static boolean isSame(String folder, String other) {
    return Path.of(folder)
        .toAbsolutePath()
        .normalize()
        .equals(Path.of(other).toAbsolutePath().normalize());
  }

  /** Returns the position of the last state; {@code null} if there is none. */
  public @Nullable RunPosition last() {
    return last == null ? null : last.position();
  }

  /** Loads the initial fields from another run's state. */
  public void loadBeginning(String otherFolder) {
    beginning = RunCheckpoint.read(Path.of(otherFolder));
  }

  /** Returns the initial fields of some cells. */
  public FieldBlock beginning(int[] cells) {
    var initial = Objects.requireNonNull(beginning, "loadBeginning is called before");
    return new FieldBlock(0, cells, gather(cells, initial.e()), gather(cells, initial.h()));
  }

  /** Returns whether states are written to a folder, so that the end of a run is saved, too. */
  public boolean writes() {
    return folder != null;
  }

  /** Returns why the last state could not be written; empty if it could. */
  public String lastError() {
    return lastError;
  }

  /** Returns advice on the last state for a run that cannot continue. */
  public String advice() {
    if (last == null) {
      return "no state has been saved yet; start again";
    }
    if (folder == null) {
      return "the state of step "
          + last.position().step()
          + " is lost, as no folder was named to keep it in; give --checkpoint DIR next time";
    }
    return written == NONE
        ? "no state could be written to " + folder + "; make room there, and start again"
        : "the last state, of step %d, is in %s; go on with --restart %s --checkpoint %s"
            .formatted(written, folder, folder, folder);
  }

  /**
   * Writes the last state if that could not be done before.
   *
   * @return the state that is missing in the folder at the end of a run; empty if none is
   */
  public String finish() {
    if (folder == null || last != null && written == last.position().step()) {
      return "";
    }
    if (last != null) {
      write();
    }
    return lastError.isEmpty() && last != null
        ? ""
        : "the state of the end is not in %s; %s".formatted(folder, advice());
  }

  /**
   * Saves the state of all sub-domains, which must have stopped at the same step. Waits for them.
   *
   * @throws GroupCallException if one of them is lost; the previous state is kept
   */
  public void save(StateSource all, RunPosition position) {
    if (spare == null) {
      spare = blank(position);
    }
    var next = spare;
    var pieces = Group.of(all).ask(StateSource::piece);
    pieces
        .arrived()
        .forEach(
            outcome -> {
              if (outcome
                  instanceof MemberOutcome.Success<FieldBlock>(int rank, FieldBlock piece)) {
                requireStep(position, piece, rank);
                scatter(piece.cells(), piece.e(), next.e());
                scatter(piece.cells(), piece.h(), next.h());
              }
            });
    pieces.toList(); // fails if one is missing
    spare = last;
    last = new RunCheckpoint(run, position, next.e(), next.h());
    if (folder != null) {
      ActiveObjects.self(StateArchive.class).stub().write(); // while the run goes on
    }
  }

  /** Writes the last state; a failure does not end the run. */
  public void write() {
    var state = Objects.requireNonNull(last, "there is a state to write");
    var target = Objects.requireNonNull(folder, "there is a folder to write to");
    try {
      state.write(target);
      written = state.position().step();
      lastError = "";
    } catch (IOException e) {
      lastError = writeError(state, target, AtomicFile.reason(e));
    } catch (RuntimeException e) { // a one-way call: the caller sees no exception
      lastError = writeError(state, target, e.toString());
    }
  }

  private static String writeError(RunCheckpoint state, Path folder, String why) {
    return "the state of step %d could not be written to %s: %s; the run goes on without it"
        .formatted(state.position().step(), RunCheckpoint.file(folder), why);
  }

  /**
   * Returns the fields of some cells in the last state.
   *
   * @param step the step of the state
   * @param cells global numbers of the cells
   */
  public FieldBlock piece(int step, int[] cells) {
    if (last == null || last.position().step() != step) {
      throw new IllegalStateException(
          "the fields of step %d were asked for, but the last state is %s"
              .formatted(step, last == null ? "none" : "of step " + last.position().step()));
    }
    return new FieldBlock(step, cells, gather(cells, last.e()), gather(cells, last.h()));
  }

  private double[] gather(int[] cells, double[] whole) {
    var n = run.order().cellValues();
    var values = new double[n * cells.length];
    for (var k = 0; k < cells.length; k++) {
      System.arraycopy(whole, n * cells[k], values, n * k, n);
    }
    return values;
  }

  private RunCheckpoint blank(RunPosition position) {
    var values = Math.toIntExact(run.values());
    return new RunCheckpoint(run, position, new double[values], new double[values]);
  }

  private static void requireStep(RunPosition position, FieldBlock piece, int rank) {
    if (piece.step() != position.step()) {
      throw new IllegalStateException(
          "sub-domain %d gave its fields of step %d for a state of step %d"
              .formatted(rank, piece.step(), position.step()));
    }
  }

  private void scatter(int[] cells, double[] values, double[] whole) {
    var n = run.order().cellValues();
    for (var k = 0; k < cells.length; k++) {
      System.arraycopy(values, n * k, whole, n * cells[k], n);
    }
  }
}
