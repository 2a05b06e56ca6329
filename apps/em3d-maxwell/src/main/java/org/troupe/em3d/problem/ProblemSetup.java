package org.troupe.em3d.problem;

import java.util.List;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Physics;

/**
 * What is solved on a mesh.
 *
 * @param name of the problem, as {@code --problem} takes it; empty if there was none
 * @param fingerprint tells problems on one mesh apart
 * @param physics what the fields live in
 * @param start the fields in the beginning
 * @param monitors what is measured while it goes on
 * @param outputs what is written while it goes on
 * @param expectations what has to come out
 * @param warnings what can be computed, but is probably not meant; see {@link PlausibilityCheck}
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

  /** Whether anything is measured or drawn. */
  public boolean hasOutput() {
    return !monitors.isEmpty() || !outputs.isEmpty();
  }

  /** The same, of which nothing is expected. */
  ProblemSetup withoutExpectations() {
    return new ProblemSetup(
        name, fingerprint, physics, start, monitors, outputs, List.of(), warnings);
  }

  /** A cavity, or what else a mesh says itself, from a known field. */
  static ProblemSetup usual(Physics physics, InitialFields start, List<String> warnings) {
    return new ProblemSetup("", 0, physics, start, List.of(), List.of(), List.of(), warnings);
  }
}
