package org.troupe.em3d.state;

import java.io.IOException;
import java.nio.file.Path;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.groups.Group;
import org.troupe.groups.GroupCallException;
import org.troupe.groups.MemberOutcome;

/**
 * Keeps the last complete state of a run: an active object beside the collector, which outlives the
 * legs of the run. It takes the state in parts from the sub-domains of one division, and gives it
 * in other parts to those of the next.
 *
 * <p>A state takes the place of the one before when it is complete; a node that is lost meanwhile
 * spoils only the new one.
 */
public class StateArchive {

  private static final int NONE = -1;

  private final Checkpoint.Run run;
  private final Path folder; // null: states are kept in memory only
  private Checkpoint last; // null: the run has to begin at its beginning
  private Checkpoint beginning; // with which the run begins, if with one
  private Checkpoint spare; // its arrays are used for the next state
  private int written = NONE; // the step of the state in the folder
  private String trouble = "";

  /**
   * Prepares for a run.
   *
   * @param folder where each state is written to; empty: nowhere
   * @param restart the folder of the state to go on with; empty: none
   */
  public StateArchive(Checkpoint.Run run, String folder, String restart) {
    this.run = run;
    this.folder = folder.isEmpty() ? null : Path.of(folder);
    last = restart.isEmpty() ? null : Checkpoint.read(Path.of(restart));
    if (last != null && isSame(folder, restart)) {
      written = last.point().step();
    }
  }

  private static boolean isSame(String folder, String other) {
    return Path.of(folder)
        .toAbsolutePath()
        .normalize()
        .equals(Path.of(other).toAbsolutePath().normalize());
  }

  /** Returns how far the last state is; {@code null} if there is none. */
  public RunPosition last() {
    return last == null ? null : last.point();
  }

  /** Takes the fields of another run's state as those of the beginning. */
  public void beginWith(String otherFolder) {
    beginning = Checkpoint.read(Path.of(otherFolder));
  }

  /** Returns the fields of some cells at the beginning. */
  public FieldBlock beginning(int[] cells) {
    return new FieldBlock(0, cells, gathered(cells, beginning.e()), gathered(cells, beginning.h()));
  }

  /** Says whether the end of a run is worth a state too. */
  public boolean writes() {
    return folder != null;
  }

  /** Returns why states could not be written; empty if all is well. */
  public String trouble() {
    return trouble;
  }

  /** Returns what can be done with the last state when the run cannot go on. */
  public String advice() {
    if (last == null) {
      return "no state has been saved yet; begin anew";
    }
    if (folder == null) {
      return "the state of step "
          + last.point().step()
          + " is lost, as no folder was told to keep it in; give --checkpoint DIR next time";
    }
    return written == NONE
        ? "no state could be written to " + folder + "; make room there, and begin anew"
        : "the last state, of step %d, is in %s; go on with --restart %s --checkpoint %s"
            .formatted(written, folder, folder, folder);
  }

  /**
   * Writes the last state if that could not be done before.
   *
   * @return what is missing in the folder at the end of a run; empty if nothing is
   */
  public String finish() {
    if (folder == null || last != null && written == last.point().step()) {
      return "";
    }
    if (last != null) {
      write();
    }
    return trouble.isEmpty() && last != null
        ? ""
        : "the state of the end is not in %s; %s".formatted(folder, advice());
  }

  /**
   * Takes the state of all sub-domains, which rest at the same step, and keeps it. Waits for them.
   *
   * @throws GroupCallException if one of them is lost; the state before is still there
   */
  public void save(StateSource all, RunPosition point) {
    if (spare == null) {
      spare = blank();
    }
    var next = spare;
    var pieces = Group.of(all).ask(StateSource::piece);
    pieces
        .arrived()
        .forEach(
            outcome -> {
              if (outcome
                  instanceof MemberOutcome.Success<FieldBlock>(int rank, FieldBlock piece)) {
                requireStep(point, piece, rank);
                scatter(piece.cells(), piece.e(), next.e());
                scatter(piece.cells(), piece.h(), next.h());
              }
            });
    pieces.toList(); // fails if one is missing
    spare = last;
    last = new Checkpoint(run, point, next.e(), next.h());
    if (folder != null) {
      ActiveObjects.self(StateArchive.class).stub().write(); // while the run goes on
    }
  }

  /** Writes the last state; that this fails is no reason to end the run. */
  public void write() {
    try {
      last.write(folder);
      written = last.point().step();
      trouble = "";
    } catch (IOException e) {
      lacks(AtomicFile.reason(e));
    } catch (RuntimeException e) { // which nobody would hear of
      lacks(e.toString());
    }
  }

  private void lacks(String why) {
    trouble =
        "the state of step %d could not be written to %s: %s; the run goes on without"
            .formatted(last.point().step(), Checkpoint.file(folder), why);
  }

  /**
   * Returns the fields of some cells in the last state.
   *
   * @param step that of the state
   * @param cells their numbers in the whole mesh
   */
  public FieldBlock piece(int step, int[] cells) {
    if (last == null || last.point().step() != step) {
      throw new IllegalStateException(
          "the fields of step %d were asked for, but the last state is %s"
              .formatted(step, last == null ? "none" : "of step " + last.point().step()));
    }
    return new FieldBlock(step, cells, gathered(cells, last.e()), gathered(cells, last.h()));
  }

  private double[] gathered(int[] cells, double[] whole) {
    var n = run.order().cellValues();
    var values = new double[n * cells.length];
    for (var k = 0; k < cells.length; k++) {
      System.arraycopy(whole, n * cells[k], values, n * k, n);
    }
    return values;
  }

  private Checkpoint blank() {
    var values = Math.toIntExact(run.values());
    return new Checkpoint(run, null, new double[values], new double[values]);
  }

  private static void requireStep(RunPosition point, FieldBlock piece, int rank) {
    if (piece.step() != point.step()) {
      throw new IllegalStateException(
          "sub-domain %d gave its fields of step %d for a state of step %d"
              .formatted(rank, piece.step(), point.step()));
    }
  }

  private void scatter(int[] cells, double[] values, double[] whole) {
    var n = run.order().cellValues();
    for (var k = 0; k < cells.length; k++) {
      System.arraycopy(values, n * k, whole, n * cells[k], n);
    }
  }
}
