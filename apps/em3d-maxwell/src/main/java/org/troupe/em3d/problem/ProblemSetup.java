package org.troupe.em3d.problem;

import java.util.List;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Physics;

/**
 * Physics, initial fields, monitors, outputs and expected results of a problem.
 *
 * @param name the argument of {@code --problem}; empty if there was none
 * @param fingerprint identifies the problem on its mesh
 * @param physics media, boundary conditions and sources
 * @param start the initial fields
 * @param monitors the quantities to be measured
 * @param outputs the fields to be written
 * @param expectations the expected results
 * @param warnings warnings of probable mistakes, see {@link PlausibilityCheck}
 */
public record ProblemSetup(
    String name,
    long fingerprint,
    Physics physics,
    InitialFields start,
    List<FieldMonitor> monitors,
    List<OutputRequest> outputs,
    List<ExpectedResult> expectations,
    List<String> warnings) {

  /** Returns whether the problem has monitors or outputs. */
  public boolean hasOutput() {
    return !monitors.isEmpty() || !outputs.isEmpty();
  }

  /** Returns this setup without expected results. */
  ProblemSetup withoutExpectations() {
    return new ProblemSetup(
        name, fingerprint, physics, start, monitors, outputs, List.of(), warnings);
  }

  /** Returns a setup without monitors, outputs and expected results. */
  static ProblemSetup usual(Physics physics, InitialFields start, List<String> warnings) {
    return new ProblemSetup("", 0, physics, start, List.of(), List.of(), List.of(), warnings);
  }
}
