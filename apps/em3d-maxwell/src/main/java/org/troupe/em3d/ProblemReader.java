package org.troupe.em3d;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.Element;
import org.troupe.descriptors.Problems;
import org.troupe.descriptors.Spelling;
import org.troupe.descriptors.XmlForm;
import org.troupe.em3d.maxwell.Boundaries;
import org.troupe.em3d.maxwell.Boundary;
import org.troupe.em3d.maxwell.Box;
import org.troupe.em3d.maxwell.CavityMode;
import org.troupe.em3d.maxwell.Field;
import org.troupe.em3d.maxwell.Media;
import org.troupe.em3d.maxwell.Medium;
import org.troupe.em3d.maxwell.Order;
import org.troupe.em3d.maxwell.Physics;
import org.troupe.em3d.maxwell.SphereMode;
import org.troupe.em3d.maxwell.Vector;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.MeshException;
import org.troupe.em3d.mesh.Partitioner;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;

/**
 * Makes a task of a problem file. Everything that is wrong with it and with what it says of its
 * mesh is told at once; nothing is started.
 */
final class ProblemReader {

  private static final double DEFAULT_CFL = 0.9;
  private static final double FARTHEST = 1 + 1e-9; // sizes of the mesh that a box may reach out
  private static final Set<String> NO_PART_OF_THE_PROBLEM =
      Set.of("mesh", "vtk", "picture", "run", "expect");

  private final String name;
  private final Problems problems = new Problems();
  private final BiConsumer<String, Double> reading;
  private final Map<String, Box> boxes = new LinkedHashMap<>();
  private Entry root;
  private Set<String> variables;
  private WholeMesh mesh; // null if it cannot be had
  private String meshName = "";
  private Survey survey;

  private ProblemReader(String name, BiConsumer<String, Double> reading) {
    this.name = name;
    this.reading = reading;
  }

  /**
   * Reads a problem.
   *
   * @param name a file, or the name of one that comes with the solver
   * @param given values of variables; those of others than the file declares are left to others
   * @param reading is told how much of a mesh has been read
   * @throws DescriptorException with all that is wrong
   */
  static Task read(
      String name,
      Map<String, String> given,
      String division,
      Integer subDomains,
      Partitioner partitioner,
      BiConsumer<String, Double> reading) {
    return new ProblemReader(name, reading).task(given, division, subDomains, partitioner);
  }

  private Task task(
      Map<String, String> given, String division, Integer subDomains, Partitioner partitioner) {
    var content = content(given);
    root = new Entry(content.root(), problems);
    variables = content.variables();
    readMesh();
    var setup = setup();
    var run = root.children("run").stream().findFirst();
    var cfl = run.flatMap(each -> each.positive("cfl", Dimension.NONE)).orElse(DEFAULT_CFL);
    var order =
        run.flatMap(each -> each.choice("order", List.of("0", "1"), "order"))
            .map(degree -> Order.of(Integer.parseInt(degree)))
            .orElse(Order.CONSTANT);
    var length = length(run, setup);
    problems.throwIfAny();
    var problem =
        Problem.of(meshName, mesh, setup, division, subDomains, partitioner).withOrder(order);
    return new Task(problem, cfl, length.orElseThrow(), variables);
  }

  private XmlForm.Content content(Map<String, String> given) {
    if (isReadyMade()) {
      return ProblemForm.FORM.read(name, ProblemForm.readyMade(name), given, problems);
    }
    if (!name.contains(".") && !name.contains("/") && Files.notExists(Path.of(name))) {
      throw new IllegalArgumentException(
          "--problem %s is no file, and none of those that come with em3d; %s"
              .formatted(name, Spelling.choice(name, ProblemForm.READY_MADE, "there is none")));
    }
    return ProblemForm.FORM.read(Path.of(name), given, problems);
  }

  private boolean isReadyMade() {
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
                mesh = entry.made("cube", () -> Problem.mesh(meshName, read -> {})).orElse(null);
              });
    } else if (which.equals("file")) {
      readFile(entry, entry.text("file").orElse(""));
    }
    if (mesh != null) {
      survey = new Survey(mesh);
    }
  }

  private void readFile(Entry entry, String file) {
    meshName = file;
    try {
      if (isReadyMade()) {
        var folder = Files.createTempDirectory("em3d");
        var copy = ProblemForm.mesh(file, folder);
        try {
          mesh = TetrahedralMesh.read(copy, read -> {});
        } finally {
          Files.delete(copy);
          Files.delete(folder);
        }
      } else {
        var path = Path.of(name).resolveSibling(file);
        meshName = path.toString();
        mesh = TetrahedralMesh.read(path, read -> reading.accept(file, read));
      }
    } catch (MeshException e) {
      entry.error("file", "the mesh cannot be used: " + e.getMessage(), "correct that first");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // What is solved on it

  private Setup setup() {
    for (var entry : root.children("box")) {
      box(entry);
    }
    var media = media();
    var boundaries = boundaries();
    var start = start(media);
    var sources = new SourceReader(root, survey, boundaries, media).sources();
    var physics = new Physics(media, boundaries, sources);
    var gauges = new GaugeReader(root, mesh, survey, boxes, boundaries);
    var all = gauges.gauges();
    var isKnown = mesh == null || start instanceof Start.Cavity; // one mistake is enough
    return new Setup(
        name,
        fingerprint(),
        physics,
        start,
        all,
        outputs(),
        new ExpectationReader(root, all, gauges.points(), physics, isKnown, omega(start))
            .expectations());
  }

  private void box(Entry entry) {
    var from = entry.vector("from", Dimension.LENGTH);
    var to = entry.vector("to", Dimension.LENGTH);
    var itsName = entry.text("name").orElse("");
    if (from.isPresent() && to.isPresent()) {
      entry
          .made("from", () -> new Box(from.get(), to.get()))
          .ifPresent(
              box -> {
                if (boxes.putIfAbsent(itsName, box) != null) {
                  entry.error("name", "there is a box '" + itsName + "' already", "rename one");
                }
                requireNear(entry, "from", itsName, box.low());
                requireNear(entry, "to", itsName, box.high());
                if (survey != null && !survey.hasCellsIn(box)) {
                  entry.error(
                      "from",
                      "no cell of the mesh has its centre in the box '" + itsName + "'",
                      "correct its corners, which are in metres if no unit is named");
                }
              });
    }
  }

  /** A box may reach out of the mesh, but one that does so by far lacks a unit. */
  private void requireNear(Entry entry, String attribute, String box, Vector corner) {
    if (survey != null && survey.outside(corner) > FARTHEST * survey.size()) {
      entry.error(
          attribute,
          "the box '%s' reaches %.4g m out of the mesh, which is %.4g m large"
              .formatted(box, survey.outside(corner), survey.size()),
          "name the unit of this corner, such as 'cm', or move it nearer to the mesh");
    }
  }

  private Media media() {
    Map<String, Medium> groups = new TreeMap<>();
    groups.put("", Medium.VACUUM);
    if (mesh != null) {
      mesh.volumeGroups().forEach(group -> groups.put(group, Medium.VACUUM));
    }
    List<Media.Filled> filled = new ArrayList<>();
    Set<String> told = new HashSet<>();
    for (var entry : root.children("material")) {
      var where = entry.oneOf("group", "box").orElse("");
      var medium =
          entry.made(
              "",
              () ->
                  new Medium(
                      entry.positive("epsilon", Dimension.NONE).orElse(1.0),
                      entry.positive("mu", Dimension.NONE).orElse(1.0),
                      entry
                          .quantity(
                              "conductivity", Dimension.CONDUCTIVITY, x -> x >= 0, "of 0 or more")
                          .orElse(0.0)));
      if (where.equals("group") && mesh != null) {
        entry
            .choice("group", mesh.volumeGroups(), "physical volume")
            .ifPresent(group -> medium.ifPresent(m -> groups.put(group, m)));
        if (!told.add(entry.text("group").orElse(""))) {
          entry.error("group", "this physical volume has a material already", "leave one out");
        }
      } else if (where.equals("box")) {
        entry
            .choice("box", boxes.keySet(), "box")
            .ifPresent(
                box -> medium.ifPresent(m -> filled.add(new Media.Filled(boxes.get(box), m))));
      }
    }
    var uniform = uniform(groups);
    var elsewhere = uniform == null ? Media.byRegion(groups) : Media.uniform(uniform);
    return filled.isEmpty() ? elsewhere : Media.inBoxes(filled, elsewhere);
  }

  /** What fills all cells; {@code null} if they differ. */
  private Medium uniform(Map<String, Medium> groups) {
    Set<Medium> found = new HashSet<>();
    groups.forEach(
        (group, medium) -> {
          if (!group.isEmpty() || groups.size() == 1 || hasCellsInNoVolume()) {
            found.add(medium);
          }
        });
    return found.size() == 1 ? found.iterator().next() : null;
  }

  private boolean hasCellsInNoVolume() {
    return mesh instanceof TetrahedralMesh file
        && IntStream.range(0, file.cells()).anyMatch(cell -> file.region(cell).isEmpty());
  }

  private Boundaries boundaries() {
    Map<String, Boundary> told = new TreeMap<>();
    Boundary others = null;
    for (var entry : root.children("boundary")) {
      var boundary =
          entry
              .choice("is", List.of("pec", "pmc", "absorbing"), "boundary")
              .flatMap(Boundary::of)
              .orElse(Boundary.PEC);
      if (!entry.has("group")) {
        if (others != null) {
          entry.error("", "all other outer faces have a boundary already", "name a group");
        }
        others = boundary;
      } else if (mesh != null) {
        entry
            .choice("group", mesh.surfaceGroups(), "physical surface")
            .filter(group -> told.putIfAbsent(group, boundary) != null)
            .ifPresent(
                group ->
                    entry.error(
                        "group", "'" + group + "' has a boundary already", "leave one out"));
      }
    }
    Map<String, Boundary> all = new TreeMap<>();
    all.put("", others == null ? Boundary.PEC : others);
    if (mesh != null) {
      for (var group : mesh.surfaceGroups()) {
        all.put(group, told.containsKey(group) ? told.get(group) : untold(group, others));
      }
    }
    return Boundaries.bySurface(all);
  }

  /** A surface that the file does not name is what all others are, or else what it is called. */
  private Boundary untold(String group, Boundary others) {
    if (others != null) {
      return others;
    }
    var called = Boundary.of(group);
    if (called.isEmpty() && mesh instanceof TetrahedralMesh && !group.matches("\\d+")) {
      root.error(
          "",
          "the mesh has outer faces in a physical surface '"
              + group
              + "', of which nothing is said",
          "add <boundary group=\"" + group + "\" is=\"pec\"/>, or pmc, or absorbing");
    }
    return called.orElse(Boundary.PEC);
  }

  private Start start(Media media) {
    var entry = root.children("start").stream().findFirst().orElse(null);
    if (entry == null || entry.children().isEmpty()) {
      return new Start.Zero();
    }
    if (entry.children().size() > 1) {
      entry.error("", "'start' has more than one beginning", "leave one");
    }
    var how = entry.children().getFirst();
    return switch (how.name()) {
      case "cavityMode" -> cavity(how, media);
      case "sphereMode" -> new Start.AtRest();
      case "state" -> kept(how);
      default -> new Start.Zero();
    };
  }

  /** With one medium its fields are known; with several, or losses, or sources, they are not. */
  private Start cavity(Entry how, Media media) {
    var isKnown =
        media instanceof Media.Uniform(Medium medium)
            && medium.conductivity() == 0
            && root.children("planeWave", "dipole").isEmpty()
            && isClosedUnitCube();
    var filling = isKnown ? ((Media.Uniform) media).medium() : Medium.VACUUM;
    return how.numbers("numbers", Dimension.NONE, 3)
        .flatMap(
            numbers ->
                how.made(
                    "numbers",
                    () ->
                        new CavityMode(
                            whole(numbers[0]), whole(numbers[1]), whole(numbers[2]), filling)))
        .<Start>map(mode -> isKnown ? new Start.Cavity(mode) : new Start.CavityAtRest(mode))
        .orElse(new Start.Zero());
  }

  private boolean isClosedUnitCube() {
    return mesh instanceof CubeMesh && root.children("boundary").isEmpty()
        || mesh instanceof TetrahedralMesh file
            && Problem.isUnitCube(file)
            && root.children("boundary").isEmpty()
            && mesh.surfaceGroups().stream()
                .allMatch(group -> Boundary.of(group).orElse(Boundary.PEC) == Boundary.PEC);
  }

  private static int whole(double number) {
    if (number != Math.rint(number)) {
      throw new IllegalArgumentException(
          number + " is no number of half waves; write whole numbers, such as '1 1 0'");
    }
    return (int) number;
  }

  private Start kept(Entry how) {
    var folder = Path.of(how.text("folder").orElse(""));
    var path = isReadyMade() ? folder : Path.of(name).resolveSibling(folder);
    try {
      var run = Checkpoint.readHeader(path).run();
      if (mesh != null && run.fingerprint() != Problem.fingerprint(mesh)) {
        how.error(
            "folder",
            "the state in '%s' is of '%s' with %,d cells, not of '%s' with %,d"
                .formatted(path, run.mesh(), run.cells(), meshName, mesh.cells()),
            "name a state of this mesh");
      }
    } catch (CheckpointException e) {
      var message = e.getMessage();
      var split = message.indexOf("; ");
      how.error("folder", message.substring(0, split), message.substring(split + 2));
    }
    return new Start.Kept(path.toString());
  }

  /** The angular frequency of the fields of the beginning, or else of the sources, if it is one. */
  private OptionalDouble omega(Start start) {
    return switch (start) {
      case Start.Cavity(CavityMode mode) -> OptionalDouble.of(mode.omega());
      case Start.AtRest _ -> OptionalDouble.of(SphereMode.OMEGA);
      case Start.CavityAtRest _, Start.Zero _, Start.Kept _ ->
          root.children("planeWave", "dipole").stream()
              .flatMap(source -> source.children("wave").stream())
              .map(wave -> wave.text("frequency").isEmpty() ? null : wave)
              .findFirst()
              .flatMap(
                  wave ->
                      new Entry(wave.element(), new Problems())
                          .positive("frequency", Dimension.FREQUENCY))
              .map(hertz -> OptionalDouble.of(Dimension.omega(hertz)))
              .orElse(OptionalDouble.empty());
    };
  }

  // How long

  private Optional<Task.Length> length(Optional<Entry> run, Setup setup) {
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
                  case "steps" -> entry.count("steps").map(Task.Length.Steps::new);
                  case "duration" ->
                      entry
                          .positive("duration", Dimension.TIME)
                          .map(s -> new Task.Length.Time(s * Report.SPEED_OF_LIGHT));
                  default -> periods(entry, setup);
                });
  }

  private Optional<Task.Length> periods(Entry entry, Setup setup) {
    var omega = omega(setup.start());
    var count = entry.positive("periods", Dimension.NONE);
    if (omega.isEmpty()) {
      entry.error(
          "periods",
          "no period is known: neither the start nor a source of the problem has a frequency",
          "give a duration, or steps");
      return Optional.empty();
    }
    return count.map(periods -> new Task.Length.Time(periods * 2 * Math.PI / omega.getAsDouble()));
  }

  // What is written

  private List<Output> outputs() {
    List<Output> outputs = new ArrayList<>();
    for (var entry : root.children("vtk")) {
      entry.count("every").map(Output.Vtk::new).ifPresent(outputs::add);
    }
    Set<String> names = new HashSet<>();
    for (var entry : root.children("picture")) {
      var component = component(entry);
      var plane = entry.text("plane").orElse("").replace(" ", "");
      var every = entry.count("every");
      var axis = plane.isEmpty() ? -1 : "xyz".indexOf(plane.charAt(0));
      var position =
          axis >= 0 && plane.startsWith("=", 1) ? number(plane.substring(2)) : Double.NaN;
      if (!Double.isFinite(position)) {
        entry.error(
            "plane",
            "'" + plane + "' is no plane at right angles to an axis",
            "write such as 'z=0.5', in metres");
      } else if (mesh != null && !(mesh.low(axis) <= position && position <= mesh.high(axis))) {
        entry.error(
            "plane",
            "the plane '%s' does not cut the mesh, which reaches from %.4g to %.4g m there"
                .formatted(plane, mesh.low(axis), mesh.high(axis)),
            "move it; it is in metres");
      }
      var itsName = GaugeReader.name(entry, names);
      if (component >= 0 && every.isPresent() && Double.isFinite(position)) {
        outputs.add(
            new Output.Picture(
                itsName,
                component < 3 ? Field.E : Field.H,
                component % 3,
                axis,
                position,
                every.get()));
      }
    }
    return outputs;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** 0 to 5; negative, after a word on it, if it is none. */
  static int component(Entry entry) {
    var names = List.of("Ex", "Ey", "Ez", "Hx", "Hy", "Hz");
    return entry.choice("component", names, "component").map(names::indexOf).orElse(-1);
  }

  // Telling problems apart

  /** Of all that the fields and what is measured depend on, but the mesh. */
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
    new TreeSet<>(element.attributes().keySet())
        .forEach(
            each ->
                text.append(' ')
                    .append(each)
                    .append('=')
                    .append(element.attributes().get(each).text().strip()));
    element.children().forEach(child -> text.append(canonical(child)));
    return text.append('>').toString();
  }
}
