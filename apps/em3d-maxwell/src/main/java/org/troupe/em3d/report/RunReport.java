package org.troupe.em3d.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.problem.ExpectedResult;
import org.troupe.em3d.state.RunPosition;

/**
 * The results and the cost of a run.
 *
 * @param problem name of the problem; empty if only a mesh was named
 * @param division the division of a cube; empty for a mesh from a file
 * @param partitioner description of the partitioner; empty for a cube
 * @param order the polynomial order of the fields
 * @param faces all triangles, walls included
 * @param borderFaces faces between sub-domains, counted on both sides
 * @param drivers names of the link drivers, as the transport calls them
 * @param steps number of steps executed
 * @param stepsAsked number of steps asked for; larger if the run was stopped
 * @param dtSeconds the time step
 * @param energyInitial in joules
 * @param energyDriftRelative the largest difference of energies, relative to the first; NaN after a
 *     single step
 * @param isOpen whether energy may leave through walls
 * @param errorRelativeL2 of E against the exact fields, or {@code null} where they are not known
 * @param haloBytesPerStep border values sent by all sub-domains together
 * @param haloWaitFraction of the time loop spent waiting for neighbours, mean over sub-domains
 * @param peakRssBytes sum over all JVMs, the launcher included; 0 if the system does not report it
 * @param nodesPeakRssBytes sum over the JVMs of the nodes; 0 if the system does not report it
 * @param kernel description of the inner loops
 * @param threads number of threads that advanced the fields, over all sub-domains
 * @param segments the segments of the run, in order
 * @param energies in normalised units
 * @param pace the times at which the last segment passed the steps with sums of energy
 * @param checks expected and found values
 * @param unchecked number of expected values that were not compared, as the run was stopped
 * @param warnings plausibility warnings of the problem
 * @param phases the parts of the time before the steps took their usual time, in order; those of
 *     the set-up belong to the last segment
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
    @Nullable Double errorRelativeL2,
    long haloBytesPerStep,
    double haloWaitFraction,
    long peakRssBytes,
    long nodesPeakRssBytes,
    String kernel,
    int threads,
    List<Segment> segments,
    List<RunPosition.Sample> energies,
    List<RunPosition.Passed> pace,
    List<ExpectedResult.Verdict> checks,
    int unchecked,
    List<String> warnings,
    List<Phase> phases) {

  /** The transport of a run that has no other JVM. */
  public static final String NO_TRANSPORT = "none";

  /**
   * A segment of the run, between two changes of its nodes.
   *
   * @param from the first step
   * @param to a step that all sub-domains had passed at the end
   * @param nodes number of nodes with sub-domains
   * @param division the division of a cube; empty for a mesh from a file
   * @param end the reason of the end
   */
  public record Segment(int from, int to, int nodes, int subdomains, String division, String end) {

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
      return "steps %,d to %,d on %d %s%s: %s"
          .formatted(
              from,
              to,
              nodes,
              nodes == 1 ? "node" : "nodes",
              division.isEmpty() ? "" : " (" + division + ")",
              end);
    }
  }

  /** A part of the time before the steps took their usual time. */
  public record Phase(String name, double seconds) {

    public static Phase ofNanos(String name, long nanos) {
      return new Phase(name, nanos / 1e9);
    }
  }

  /** Returns the report as one JSON object. */
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
    values.put("legs", segments.stream().map(Segment::values).toList());
    values.put("pace", pace.stream().map(each -> List.of(each.step(), each.millis())).toList());
    values.put("checks", checks.stream().map(ExpectedResult.Verdict::values).toList());
    values.put("warnings", warnings);
    Map<String, Object> seconds = new LinkedHashMap<>();
    phases.forEach(each -> seconds.put(each.name(), each.seconds()));
    values.put("phases", seconds);
    return lines(values);
  }

  /** Returns values as one JSON object, one value per line. */
  static String lines(Map<String, Object> values) {
    return values.entrySet().stream()
        .map(entry -> "  \"" + entry.getKey() + "\": " + JsonText.of(entry.getValue()))
        .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
  }

  /** Returns lines of {@code step,time,energy}: seconds, joules, 17 significant digits. */
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

  /** Returns the transport and the link drivers. */
  private String connection() {
    return transport.equals(NO_TRANSPORT)
        ? "this JVM"
        : Stream.concat(Stream.of(transport), drivers.stream()).collect(Collectors.joining(", "));
  }

  private String partitioning() {
    if (!division.isEmpty()) {
      return division;
    }
    return borderFaces == 0
        ? partitioner
        : "%s; %,d faces are cut".formatted(partitioner, borderFaces / 2);
  }

  /** Returns the report as a short table. */
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

  /** Returns the rows of the table: names and values, which may have several lines. */
  Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    if (!problem.isEmpty()) {
      rows.put("problem", problem);
    }
    rows.put("mesh", mesh);
    rows.put("cells", "%,d  (order %d)".formatted(cells, order.degree()));
    rows.put("sub-domains", subdomains + "  (" + partitioning() + ")");
    rows.put("nodes", jvms + "  (" + connection() + ")");
    rows.put(
        "steps",
        steps < stepsAsked
            ? "stopped at step %,d of %,d, of %.4g s each".formatted(steps, stepsAsked, dtSeconds)
            : "%,d of %.4g s".formatted(steps, dtSeconds));
    if (segments.size() > 1) {
      rows.put("legs", segments.stream().map(Segment::toString).collect(Collectors.joining("\n")));
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
    if (!phases.isEmpty()) {
      rows.put(
          "set-up",
          phases.stream()
              .map(each -> "%s %.2f s".formatted(each.name(), each.seconds()))
              .collect(Collectors.joining(", ")));
    }
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
