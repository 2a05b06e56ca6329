package org.troupe.em3d.problem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.ProblemCollector;
import org.troupe.descriptors.xml.XmlForm;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.GmshReader;
import org.troupe.em3d.mesh.MeshException;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.Physics;

/**
 * Reads a problem file. All errors of the file, and of its references to the mesh, are reported
 * together.
 */
public final class ProblemReader {

  private static final double DEFAULT_CFL = 0.9;
  private static final Set<String> NO_PART_OF_THE_PROBLEM =
      Set.of("mesh", "vtk", "picture", "run", "expect");

  private final String name;
  private final ProblemCollector problems = new ProblemCollector();
  private final BiConsumer<String, Double> reading;
  private final ProblemElement root;
  private final Set<String> variables;
  private @Nullable WholeMesh mesh; // null if it could not be read
  private String meshName = "";
  private @Nullable MeshQuery query; // null with the mesh
  private OptionalDouble omega =
      OptionalDouble.empty(); // of the initial fields or, if they have none, of the sources

  private ProblemReader(
      String name, Map<String, String> given, BiConsumer<String, Double> reading) {
    this.name = name;
    this.reading = reading;
    var content = content(name, given, problems);
    root = new ProblemElement(content.root(), problems);
    variables = content.variables();
  }

  /**
   * Reads a problem.
   *
   * @param name a file, or the name of one that comes with the solver
   * @param given values of variables; variables that the file does not declare are ignored
   * @param reading receives the mesh and the fraction of it that has been read
   * @throws DescriptorException with all errors
   */
  public static ProblemRun read(
      String name,
      Map<String, String> given,
      String division,
      @Nullable Integer subDomains,
      MeshPartitioner partitioner,
      BiConsumer<String, Double> reading) {
    return new ProblemReader(name, given, reading).problemRun(division, subDomains, partitioner);
  }

  private ProblemRun problemRun(
      String division, @Nullable Integer subDomains, MeshPartitioner partitioner) {
    readMesh();
    var setup = setup();
    var run = root.children("run").stream().findFirst();
    var cfl = run.flatMap(each -> each.positive("cfl", PhysicalDimension.NONE)).orElse(DEFAULT_CFL);
    var order =
        run.flatMap(each -> each.choice("order", List.of("0", "1"), "order"))
            .map(degree -> PolynomialOrder.of(Integer.parseInt(degree)))
            .orElse(PolynomialOrder.CONSTANT);
    var length = length(run);
    problems.throwIfAny();
    var whole = Objects.requireNonNull(mesh, "a mesh that could not be read is a problem");
    var problem =
        MaxwellProblem.of(meshName, whole, setup, division, subDomains, partitioner)
            .withOrder(order);
    return new ProblemRun(problem, cfl, length.orElseThrow(), variables);
  }

  private static XmlForm.Content content(
      String name, Map<String, String> given, ProblemCollector problems) {
    if (isReadyMade(name)) {
      return ProblemForm.FORM.read(name, ProblemForm.readyMade(name), given, problems);
    }
    if (!name.contains(".") && !name.contains("/") && Files.notExists(Path.of(name))) {
      throw new IllegalArgumentException(
          "--problem %s is no file, and none of those that come with em3d; %s"
              .formatted(
                  name, SpellingHints.choice(name, ProblemForm.READY_MADE, "there is none")));
    }
    return ProblemForm.FORM.read(Path.of(name), given, problems);
  }

  private static boolean isReadyMade(String name) {
    return ProblemForm.READY_MADE.contains(name);
  }

  // Mesh

  private void readMesh() {
    var entry = root.children("mesh").stream().findFirst().orElse(null);
    if (entry == null) {
      root.error("", "'problem' lacks the element 'mesh'", "add <mesh cube=\"33\"/>");
      return;
    }
    var which = entry.oneOf("cube", "file").orElse("");
    if (which.equals("cube")) {
      entry
          .count("cube")
          .ifPresent(
              points -> {
                meshName = "cube:" + points;
                mesh =
                    entry
                        .made("cube", () -> MaxwellProblem.mesh(meshName, read -> {}))
                        .orElse(null);
              });
    } else if (which.equals("file")) {
      readFile(entry, entry.text("file").orElse(""));
    }
    if (mesh != null) {
      query = new MeshQuery(mesh);
    }
  }

  private void readFile(ProblemElement entry, String file) {
    meshName = file;
    try {
      if (isReadyMade(name)) {
        var folder = Files.createTempDirectory("em3d");
        try {
          mesh = GmshReader.read(ProblemForm.mesh(file, folder), read -> {});
        } finally {
          Files.deleteIfExists(folder.resolve(file));
          Files.delete(folder);
        }
      } else {
        var path = Path.of(name).resolveSibling(file);
        meshName = path.toString();
        mesh = GmshReader.read(path, read -> reading.accept(file, read));
      }
    } catch (MeshException e) {
      entry.error("file", "the mesh cannot be used: " + e.getMessage(), "correct that first");
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  // Physics, initial fields, monitors and outputs

  private ProblemSetup setup() {
    var filling = new MediaReader(root, mesh, query);
    var media = filling.media();
    var surfaces = new BoundaryReader(root, mesh);
    var boundaries = surfaces.boundaries();
    var starts =
        new InitialFieldsReader(
            root, mesh, meshName, isReadyMade(name) ? Path.of("") : Path.of(name));
    var start = starts.start(media);
    omega = starts.omega(start);
    var sources = new SourceReader(root, query, boundaries, media).sources();
    var physics = new Physics(media, boundaries, sources);
    List<String> warnings = new ArrayList<>(filling.warnings());
    if (mesh instanceof TetrahedralMesh file && !surfaces.saysOthers()) {
      PlausibilityCheck.checkSurface(meshName, file, warnings);
    }
    var monitors = new MonitorReader(root, mesh, query, filling.boxes(), boundaries);
    var all = monitors.monitors();
    var isKnown = mesh == null || start instanceof InitialFields.Cavity; // avoids a second error
    return new ProblemSetup(
        name,
        fingerprint(),
        physics,
        start,
        all,
        new OutputReader(root, mesh).outputs(),
        new ExpectedResultReader(root, all, physics, isKnown, omega).expectations(),
        warnings);
  }

  // Duration

  private Optional<ProblemRun.Length> length(Optional<ProblemElement> run) {
    if (run.isEmpty()) {
      root.error("", "'problem' lacks the element 'run'", "add <run duration=\"10 ns\"/>");
      return Optional.empty();
    }
    var entry = run.get();
    return entry
        .oneOf("steps", "duration", "periods")
        .flatMap(
            which ->
                switch (which) {
                  case "steps" -> entry.count("steps").map(ProblemRun.Length.Steps::new);
                  case "duration" ->
                      entry
                          .positive("duration", PhysicalDimension.TIME)
                          .map(s -> new ProblemRun.Length.Time(s * Physics.SPEED_OF_LIGHT));
                  default -> periods(entry);
                });
  }

  private Optional<ProblemRun.Length> periods(ProblemElement entry) {
    var count = entry.positive("periods", PhysicalDimension.NONE);
    if (omega.isEmpty()) {
      entry.error(
          "periods",
          "no period is known: neither the start nor a source of the problem has a frequency",
          "give a duration, or steps");
      return Optional.empty();
    }
    return count.map(
        periods -> new ProblemRun.Length.Time(periods * 2 * Math.PI / omega.getAsDouble()));
  }

  // Identification

  /** Returns a checksum of all inputs apart from the mesh that determine fields and readings. */
  private long fingerprint() {
    var sum = new CRC32C();
    for (var child : root.element().children()) {
      if (!NO_PART_OF_THE_PROBLEM.contains(child.name())) {
        sum.update(canonical(child).getBytes(StandardCharsets.UTF_8));
      }
    }
    return sum.getValue();
  }

  private static String canonical(Element element) {
    var text = new StringBuilder("<").append(element.name());
    new TreeMap<>(element.attributes())
        .forEach(
            (attribute, value) ->
                text.append(' ').append(attribute).append('=').append(value.text().strip()));
    element.children().forEach(child -> text.append(canonical(child)));
    return text.append('>').toString();
  }
}
