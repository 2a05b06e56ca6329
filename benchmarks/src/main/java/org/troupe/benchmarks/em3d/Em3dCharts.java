package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.report.RowCharts;

/**
 * Charts of the measurements of {@link Em3dBenchmark} on a cube.
 *
 * @param cube the name of the mesh
 * @param most the largest number of processes; all numbers are powers of two
 * @param unit the unit of the time of a step
 * @param samples the measurements, by the names of {@code Em3dBenchmark}
 * @param memories MiB by seconds, by name of the run
 */
record Em3dCharts(
    String cube,
    int most,
    String unit,
    RoundSamples samples,
    Map<String, SortedMap<Double, Double>> memories) {

  private static final String PROCESSES = "processes";

  /**
   * Draws the time of a step, the speed-up, the bytes sent and the memory over the number of
   * processes, and the memory over time.
   */
  void write(Path folder) throws IOException {
    Map<String, SortedMap<Integer, Double>> steps = new LinkedHashMap<>();
    steps.put("Troupe, ibis", byProcesses(cube + "-%d-ibis"));
    steps.put("Troupe, rmi", byProcesses(cube + "-%d-rmi"));
    steps.put("Fortran, MPI", byProcesses("fortran-%d"));
    // One process sends nothing, so its figure holds for both transports.
    var alone = steps.get("Troupe, ibis").get(1);
    if (alone != null) {
      steps.get("Troupe, rmi").put(1, alone);
    }
    Map<String, SortedMap<Integer, Double>> speedUps = new LinkedHashMap<>();
    steps.forEach((name, millis) -> speedUps.put(name, speedUp(millis)));
    RowCharts.write(folder.resolve("em3d-step.png"), cube, PROCESSES, unit, steps);
    RowCharts.write(folder.resolve("em3d-speed-up.png"), cube, PROCESSES, "speed-up", speedUps);
    RowCharts.write(
        folder.resolve("em3d-sent.png"),
        cube,
        PROCESSES,
        "KiB/step",
        Map.of("border values", byProcesses(cube + "-%d-ibis-sent")));
    Map<String, SortedMap<Integer, Double>> memory = new LinkedHashMap<>();
    memory.put("Troupe, all JVMs", byProcesses(cube + "-%d-ibis-memory"));
    memory.put("Troupe, nodes", byProcesses(cube + "-%d-ibis-memory-nodes"));
    memory.put("Fortran, MPI", byProcesses("fortran-%d-memory"));
    RowCharts.write(folder.resolve("em3d-memory.png"), cube, PROCESSES, "B/cell", memory);
    RowCharts.write(
        folder.resolve("em3d-memory-over-time.png"),
        cube + ", all processes of a run together",
        "s",
        "MiB resident",
        memories);
  }

  private SortedMap<Integer, Double> byProcesses(String name) {
    SortedMap<Integer, Double> figures = new TreeMap<>();
    for (var processes = 1; processes <= most; processes *= 2) {
      var spread = samples.of(name.formatted(processes));
      if (spread != null) {
        figures.put(processes, spread.median());
      }
    }
    return figures;
  }

  private static SortedMap<Integer, Double> speedUp(SortedMap<Integer, Double> millis) {
    SortedMap<Integer, Double> speedUps = new TreeMap<>();
    if (millis.containsKey(1)) {
      millis.forEach((processes, each) -> speedUps.put(processes, millis.get(1) / each));
    }
    return speedUps;
  }
}
