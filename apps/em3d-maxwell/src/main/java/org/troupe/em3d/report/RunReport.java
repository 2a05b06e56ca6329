package org.troupe.em3d.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.problem.ExpectedResult;
import org.troupe.em3d.state.RunPosition;

/**
 * What a run did and what it cost.
 *
 * @param problem its name; empty if only a mesh was named
 * @param division how the cube was divided; empty for a mesh from a file
 * @param partitioner what cut a mesh from a file, in words; empty for a cube
 * @param order what the fields were made of in each cell
 * @param faces all triangles, walls included
 * @param borderFaces faces between sub-domains, counted on both sides
 * @param drivers what carried the calls, as the transport calls it; for people only
 * @param steps how many were done
 * @param stepsAsked how many were to be done; more if the run was stopped
 * @param dtSeconds the time step
 * @param energyInitial in joules
 * @param energyDriftRelative the largest difference of energies, relative to the first; NaN after a
 *     single step
 * @param isOpen whether energy may leave through walls
 * @param errorRelativeL2 of E against the exact fields, or {@code null} where they are not known
 * @param haloBytesPerStep border values sent by all sub-domains together
 * @param haloWaitFraction of the time loop spent waiting for neighbours, mean over sub-domains
 * @param peakRssBytes sum over all JVMs, the launcher's too; 0 where the system does not tell
 * @param nodesPeakRssBytes the same without the launcher's
 * @param kernel what the inner loops computed with
 * @param threads that advanced the fields, of all sub-domains together
 * @param legs what happened, one after the other
 * @param energies in normalised units
 * @param pace when the last leg passed the steps at which the energy is summed
 * @param checks what was expected of the solution, and found
 * @param unchecked how many expectations were left, as the run was stopped
 * @param warnings what was computed, but is probably not meant
 */
public record RunReport(
    String problem,
    String mesh,
    String division,
    String partitioner,
    PolynomialOrder order,
    long cells,
    long faces,
    long borderFaces,
    int subdomains,
    int jvms,
    String transport,
    Set<String> drivers,
    int steps,
    int stepsAsked,
    double dtSeconds,
    double secondsPerStep,
    double cellUpdatesPerSecond,
    double energyInitial,
    double energyDriftRelative,
    boolean isOpen,
    Double errorRelativeL2,
    long haloBytesPerStep,
    double haloWaitFraction,
    long peakRssBytes,
    long nodesPeakRssBytes,
    String kernel,
    int threads,
    List<Leg> legs,
    List<RunPosition.Sample> energies,
    List<RunPosition.Passed> pace,
    List<ExpectedResult.Verdict> checks,
    int unchecked,
    List<String> warnings) {

  /**
   * A part of the run between two changes of its nodes.
   *
   * @param from the first step
   * @param to the step that all sub-domains had passed in the end
   * @param nodes how many had something to do
   * @param division how a cube was divided; empty for a mesh from a file
   * @param end why it ended
   */
  public record Leg(int from, int to, int nodes, int subdomains, String division, String end) {

    Map<String, Object> values() {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("from", from);
      values.put("to", to);
      values.put("nodes", nodes);
      values.put("subdomains", subdomains);
      values.put("division", division);
      values.put("end", end);
      return values;
    }

    @Override
    public String toString() {
      return "steps %,d to %,d on %d nodes%s: %s"
          .formatted(from, to, nodes, division.isEmpty() ? "" : " (" + division + ")", end);
    }
  }

  /** The report as one JSON object. */
  public String toJson() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("problem", problem);
    values.put("mesh", mesh);
    values.put("partitioner", partitioner);
    values.put("order", order.degree());
    values.put("cells", cells);
    values.put("faces", faces);
    values.put("borderFaces", borderFaces);
    values.put("subdomains", subdomains);
    values.put("jvms", jvms);
    values.put("transport", transport);
    values.put("steps", steps);
    values.put("stepsAsked", stepsAsked);
    values.put("dtSeconds", dtSeconds);
    values.put("secondsPerStep", secondsPerStep);
    values.put("cellUpdatesPerSecond", cellUpdatesPerSecond);
    values.put("energyInitial", energyInitial);
    values.put("energyDriftRelative", energyDriftRelative);
    values.put("errorRelativeL2", errorRelativeL2);
    values.put("haloBytesPerStep", haloBytesPerStep);
    values.put("haloWaitFraction", haloWaitFraction);
    values.put("peakRssBytes", peakRssBytes);
    values.put("nodesPeakRssBytes", nodesPeakRssBytes);
    values.put("kernel", kernel);
    values.put("threads", threads);
    values.put("legs", legs.stream().map(Leg::values).toList());
    values.put("pace", pace.stream().map(each -> List.of(each.step(), each.millis())).toList());
    values.put("checks", checks.stream().map(ExpectedResult.Verdict::values).toList());
    values.put("warnings", warnings);
    return lines(values);
  }

  /** Values as one JSON object, each in a line. */
  static String lines(Map<String, Object> values) {
    return values.entrySet().stream()
        .map(entry -> "  \"" + entry.getKey() + "\": " + JsonText.of(entry.getValue()))
        .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
  }

  /** The lines {@code step,time,energy}: seconds, joules, 17 significant digits. */
  public String toEnergyCsv() {
    return energyCsv(energies, dtSeconds);
  }

  public static String energyCsv(List<RunPosition.Sample> energies, double dtSeconds) {
    var csv = new StringBuilder("step,time,energy\n");
    for (var each : energies) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%d,%.17g,%.17g%n",
              each.step(),
              each.step() * dtSeconds,
              each.energy() * Physics.VACUUM_PERMITTIVITY));
    }
    return csv.toString();
  }

  /** The transport, and what carried the calls. */
  private String way() {
    return Stream.concat(Stream.of(transport), drivers.stream()).collect(Collectors.joining(", "));
  }

  private String cutting() {
    if (!division.isEmpty()) {
      return division;
    }
    return borderFaces == 0
        ? partitioner
        : "%s; %,d faces are cut".formatted(partitioner, borderFaces / 2);
  }

  /** A table of a few lines for people. */
  public String toTable() {
    return rows().entrySet().stream()
        .map(
            row ->
                "  %-14s  %s%n"
                    .formatted(
                        row.getKey(),
                        row.getValue().replace("\n", "%n".formatted() + " ".repeat(18))))
        .collect(Collectors.joining());
  }

  /** The same as names and values; these may have several lines. */
  Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    if (!problem.isEmpty()) {
      rows.put("problem", problem);
    }
    rows.put("mesh", mesh);
    rows.put("cells", "%,d  (order %d)".formatted(cells, order.degree()));
    rows.put("sub-domains", subdomains + "  (" + cutting() + ")");
    rows.put("nodes", jvms + "  (" + way() + ")");
    rows.put(
        "steps",
        steps < stepsAsked
            ? "stopped at step %,d of %,d, of %.4g s each".formatted(steps, stepsAsked, dtSeconds)
            : "%,d of %.4g s".formatted(steps, dtSeconds));
    if (legs.size() > 1) {
      rows.put("legs", legs.stream().map(Leg::toString).collect(Collectors.joining("\n")));
    }
    rows.put(
        "time per step",
        Double.isNaN(secondsPerStep)
            ? "no step was left to do"
            : "%.3f ms  (%.1f million cells/s, kernel: %s, threads: %d, %.1f %% waiting for borders)"
                .formatted(
                    secondsPerStep * 1e3,
                    cellUpdatesPerSecond / 1e6,
                    kernel,
                    threads,
                    haloWaitFraction * 100));
    rows.put(
        "energy drift",
        Double.isNaN(energyDriftRelative)
            ? "not measured in a single step"
            : Double.isInfinite(energyDriftRelative)
                ? "of no meaning, as it began without energy"
                : "%.1e  (relative%s)"
                    .formatted(energyDriftRelative, isOpen ? "; absorbing walls let it out" : ""));
    rows.put(
        "error of E",
        errorRelativeL2 == null
            ? "no exact solution known"
            : "%.4g  (relative L2, against the exact mode)".formatted(errorRelativeL2));
    if (!checks.isEmpty()) {
      rows.put(
          "expected",
          checks.stream().map(ExpectedResult.Verdict::toString).collect(Collectors.joining("\n")));
    }
    if (!warnings.isEmpty()) {
      rows.put("warnings", String.join("\n", warnings));
    }
    if (unchecked > 0) {
      rows.put("expected", "not checked, as the run was stopped before its end");
    }
    return rows;
  }
}
