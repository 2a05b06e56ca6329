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

/** Reads VTK files with other programs, for tests: meshio, or VTK's own library. */
public final class VtkReader {

  private static final Path OWN = Path.of("target", "meshio");
  private static final String MESHIO_SCRIPT =
      """
      import sys, meshio, numpy
      sums = {'cells': 0, 'volume': 0, 'E': 0, 'H': 0}
      for file in sys.argv[1:]:
          grid = meshio.read(file)
          corners = grid.points[grid.cells_dict['tetra']]
          sums['cells'] += len(corners)
          sums['volume'] += numpy.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6
          for field in 'EH':
              sums[field] += (grid.cell_data[field][0] ** 2).sum()
          sums['StepOfH'] = grid.field_data['StepOfH'][0]
      for name, value in sums.items():
          print(name, repr(float(value)))
      """;

  private static final String VTK_SCRIPT =
      """
      import sys
      from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
      from vtkmodules.vtkFiltersCore import vtkArrayCalculator
      from vtkmodules.vtkFiltersParallel import vtkIntegrateAttributes
      from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter, vtkMeshQuality
      reader = vtkXMLPUnstructuredGridReader()
      reader.SetFileName(sys.argv[1])
      sizes = vtkCellSizeFilter()
      sizes.SetInputConnection(reader.GetOutputPort())
      sizes.Update()
      volumes = sizes.GetOutput().GetCellData().GetArray('Volume')
      square = vtkArrayCalculator()
      square.SetInputConnection(reader.GetOutputPort())
      square.SetAttributeTypeToCellData()
      square.AddVectorArrayName('E')
      square.SetFunction('dot(E,E)')
      square.SetResultArrayName('EE')
      integral = vtkIntegrateAttributes()
      integral.SetInputConnection(square.GetOutputPort())
      integral.Update()
      quality = vtkMeshQuality()
      quality.SetInputConnection(reader.GetOutputPort())
      quality.SetTetQualityMeasureToScaledJacobian()
      quality.Update()
      jacobians = quality.GetOutput().GetCellData().GetArray('Quality')
      totals = integral.GetOutput().GetCellData()
      print('cells', float(reader.GetOutput().GetNumberOfCells()))
      print('smallestVolume', repr(volumes.GetRange()[0]))
      print('volumes', repr(sum(volumes.GetValue(k) for k in range(volumes.GetNumberOfValues()))))
      print('smallestJacobian', repr(jacobians.GetRange()[0]))
      print('volume', repr(totals.GetArray('Volume').GetValue(0)))
      print('EE', repr(totals.GetArray('EE').GetValue(0)))
      """;

  private final String python;
  private final String script;

  private VtkReader(String python, String script) {
    this.python = python;
    this.script = script;
  }

  /**
   * Uses VTK's own library of the Python that the property {@code troupe.python} names, or of
   * {@code python3}; skips the test, with a word, where it is missing. It has hundreds of megabytes
   * and is not fetched.
   */
  public static VtkReader ofVtkOrSkip() throws Exception {
    var python = System.getProperty("troupe.python", "python3");
    Assumptions.assumeTrue(
        works(python, "-c", "import vtkmodules.vtkFiltersVerdict"),
        "SKIPPED: "
            + python
            + " lacks VTK (pip install vtk), so its filters have not seen our files");
    return new VtkReader(python, VTK_SCRIPT);
  }

  /**
   * Finds it, or fetches it from Python's registry into a folder of the build; skips the test, with
   * a word, where neither is possible.
   */
  public static VtkReader openOrSkip() throws Exception {
    var own = OWN.resolve("bin").resolve("python").toAbsolutePath().toString();
    for (var python : List.of("python3", own)) {
      if (works(python, "-c", "import meshio")) {
        return new VtkReader(python, MESHIO_SCRIPT);
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
    return new VtkReader(own, MESHIO_SCRIPT);
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
      return false; // not installed
    }
  }

  /**
   * What is found in files together: by meshio in pieces the sums of squares of E and H, and more;
   * by VTK in the index of a step the volume by three of its filters and the integral of E squared.
   */
  public Map<String, Double> read(List<Path> pieces) throws Exception {
    List<String> command = new ArrayList<>(List.of(python, "-c", script));
    pieces.forEach(piece -> command.add(piece.toString()));
    var output = Files.createTempFile("vtk", ".txt");
    try {
      var code =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      var text = Files.readString(output);
      if (code != 0) {
        throw new AssertionError(python + ": " + text);
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
