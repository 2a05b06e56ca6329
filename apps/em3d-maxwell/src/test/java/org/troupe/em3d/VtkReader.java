package org.troupe.em3d;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Reads files of VTK with meshio, a library of others, for tests. */
final class VtkReader {

  private static final Path OWN = Path.of("target", "meshio");
  private static final String SCRIPT =
      """
      import sys, meshio, numpy
      sums = {'cells': 0, 'volume': 0, 'E': 0, 'H': 0}
      for file in sys.argv[1:]:
          grid = meshio.read(file)
          corners = grid.points[grid.cells_dict['tetra']]
          sums['cells'] += len(corners)
          sums['volume'] += numpy.abs(numpy.linalg.det(corners[:, 1:] - corners[:, :1])).sum() / 6
          for field in 'EH':
              sums[field] += (grid.cell_data[field][0] ** 2).sum()
          sums['StepOfH'] = grid.field_data['StepOfH'][0]
      for name, value in sums.items():
          print(name, repr(float(value)))
      """;

  private final String python;

  private VtkReader(String python) {
    this.python = python;
  }

  /**
   * Finds it, or fetches it from Python's registry into a folder of the build; skips the test, with
   * a word, where neither is possible.
   */
  static VtkReader openOrSkip() throws Exception {
    var own = OWN.resolve("bin").resolve("python").toAbsolutePath().toString();
    for (var python : List.of("python3", own)) {
      if (works(python, "-c", "import meshio")) {
        return new VtkReader(python);
      }
    }
    var made =
        works("python3", "-m", "venv", OWN.toString())
            && works(
                own,
                "-m",
                "pip",
                "install",
                "-q",
                "--disable-pip-version-check",
                "--no-compile", // which would take longer than all else
                "--retries",
                "0",
                "meshio==5.3.5");
    Assumptions.assumeTrue(
        made, "SKIPPED: meshio cannot be fetched, so no other reader has seen our files of VTK");
    return new VtkReader(own);
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  /** The sums of squares of E and H, and more, of some pieces together. */
  Map<String, Double> read(List<Path> pieces) throws Exception {
    List<String> command = new ArrayList<>(List.of(python, "-c", SCRIPT));
    pieces.forEach(piece -> command.add(piece.toString()));
    var output = Files.createTempFile("meshio", ".txt");
    try {
      var code =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      var text = Files.readString(output);
      if (code != 0) {
        throw new AssertionError("meshio: " + text);
      }
      Map<String, Double> values = new HashMap<>();
      text.lines()
          .map(line -> line.split(" "))
          .forEach(words -> values.put(words[0], Double.valueOf(words[1])));
      return values;
    } finally {
      Files.delete(output);
    }
  }
}
