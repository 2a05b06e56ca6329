package org.troupe.em3d.problem;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.descriptors.xml.XmlForm;
import org.troupe.descriptors.xml.XmlForm.Rule;

/** The form of problem files, and the problems that come with the solver. */
final class ProblemForm {

  /*
   * The schema for editors, problem.xsd, must agree with FORM; ProblemFormTest compares them.
   */

  static final List<String> READY_MADE =
      List.of("cube", "sphere", "cube-hole", "dielectric-slab", "dipole", "plane-wave-scattering");

  private static final Rule[] PULSES = {
    Rule.of("gaussian", "peak", "width").once(),
    Rule.of("wave", "frequency", "rise?", "begin?").once()
  };

  static final XmlForm FORM =
      new XmlForm(
          "problem",
          "urn:troupe:em3d:problem:1",
          Rule.of("problem")
              .holding(
                  Rule.of("mesh", "cube?", "file?").once(),
                  Rule.of("box", "name", "from", "to"),
                  Rule.of("material", "group?", "box?", "epsilon?", "mu?", "conductivity?"),
                  Rule.of("boundary", "group?", "is"),
                  Rule.of("start")
                      .once()
                      .holding(
                          Rule.of("zero").once(),
                          Rule.of("cavityMode", "numbers").once(),
                          Rule.of("sphereMode").once(),
                          Rule.of("state", "folder").once()),
                  Rule.of("planeWave", "direction", "amplitude").holding(PULSES),
                  Rule.of("dipole", "at", "moment", "radius").holding(PULSES),
                  Rule.of("probe", "name", "at", "radius?", "every?"),
                  Rule.of("flux", "name", "box?", "group?", "every?"),
                  Rule.of("vtk", "every").once(),
                  Rule.of("picture", "name", "component", "plane", "every"),
                  Rule.of("run", "steps?", "duration?", "periods?", "cfl?", "order?").once(),
                  Rule.of("expect")
                      .once()
                      .holding(
                          Rule.of("energyDrift", "atMost").once(),
                          Rule.of("energyLeft", "atMost").once(),
                          Rule.of("errorOfE", "atMost").once(),
                          Rule.of("openSpace", "within").once(),
                          Rule.of("frequency", "probe", "component", "is?", "within"))));

  private ProblemForm() {}

  /** Returns the text of the schema, in XML Schema 1.0. */
  static String xsd() {
    return resource("problem.xsd");
  }

  /** Returns the text of a problem that comes with the solver. */
  static String readyMade(String name) {
    return resource(name + ".xml");
  }

  private static String resource(String name) {
    try (var in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String name) {
    return ProblemForm.class.getResourceAsStream(name);
  }

  /**
   * Copies a mesh that comes with the solver into a folder.
   *
   * @return the file
   */
  static Path mesh(String name, Path folder) throws IOException {
    var file = folder.resolve(name);
    try (var in = open(name)) {
      AtomicFile.create(file, channel -> in.transferTo(Channels.newOutputStream(channel)));
    }
    return file;
  }
}
