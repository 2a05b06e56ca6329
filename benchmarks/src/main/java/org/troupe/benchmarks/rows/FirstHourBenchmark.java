package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.DistributionCommand;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.MeasurementEffort;

/**
 * The steps of a new user until the first result: on this machine, beside users of Ray and Dask,
 * and on two sites of the test grid.
 */
public final class FirstHourBenchmark implements Benchmark {

  /*
   * The program is the first one of the README, so its commands and its text are those that a user reads. Each product
   * is installed once, and its program is run once, since only a first run is slow.
   */
  private static final Pattern FIRST =
      Pattern.compile("(?s)```java\n((?:(?!```).)*public class First .*?)```");
  private static final String LOCAL = "Grid.local(2)";
  private static final String TWO_SITES = "Grid.deploy(java.nio.file.Path.of(\"grid.xml\"))";
  private static final String RESULT = "pi is about 3.14159";

  private static final String GRID =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <include file="sites/alpha.xml"/>
        <include file="sites/beta.xml"/>
      </troupe>
      """;

  /** A product for Python: the packages for pip, and the program. */
  private record Peer(String name, String packages, String program) {}

  private static final List<Peer> PEERS =
      List.of(
          new Peer("ray", "ray", "ray_pi.py"), new Peer("dask", "dask[distributed]", "dask_pi.py"));

  /**
   * The time that one product takes.
   *
   * @param install seconds until the product is there
   * @param result seconds from there to the result
   */
  private record Effort(double install, double result, int commands, int files) {}

  @Override
  public String name() {
    return "first-hour";
  }

  @Override
  public String about() {
    return "from the archive to the first results, beside Ray and Dask";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var checkout = DistributionCommand.path().map(Path::getParent);
    if (checkout.isEmpty()) {
      return unmeasured("this JVM was not started by ./troupe");
    }
    var archive = archive(checkout.get());
    if (archive.isEmpty()) {
      return unmeasured("there is no archive; 'mvn -f dist package' makes it");
    }
    var program = firstProgram(checkout.get());
    var rows = new ArrayList<BenchmarkRow>();
    var ours = onThisMachine(archive.get(), program);
    for (var peer : PEERS) {
      rows.addAll(beside(peer, ours));
    }
    rows.addAll(onTwoSites(archive.get(), program));
    return rows;
  }

  private static Optional<Path> archive(Path checkout) throws IOException {
    var folder = checkout.resolve("dist/target");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (var files = Files.newDirectoryStream(folder, "troupe-*.tar.gz")) {
      var found = files.iterator();
      return found.hasNext() ? Optional.of(found.next().toAbsolutePath()) : Optional.empty();
    }
  }

  private static String firstProgram(Path checkout) throws IOException {
    var block = FIRST.matcher(Files.readString(checkout.resolve("README.md")));
    if (!block.find()) {
      throw new IOException("the README has no program 'First'");
    }
    return block.group(1);
  }

  private static Effort onThisMachine(Path archive, String program)
      throws IOException, InterruptedException {
    try (var user = new FirstUse()) {
      var install = user.type("tar", "-xzf", archive.toString());
      user.write("First.java", program);
      var result = compileAndRun(user, archive);
      return new Effort(install, result, user.commands(), user.files());
    }
  }

  private static double compileAndRun(FirstUse user, Path archive)
      throws IOException, InterruptedException {
    var unpacked = archive.getFileName().toString().replace(".tar.gz", "");
    var compiler = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
    return user.type(compiler, "-cp", unpacked + "/lib/*", "-d", "classes", "First.java")
        + user.typeFor(
            RESULT, unpacked + "/bin/troupe", "run", "--class-path", "classes", "--main", "First");
  }

  private static List<BenchmarkRow> beside(Peer peer, Effort ours) throws InterruptedException {
    var names = namesBeside(peer);
    Effort theirs;
    try {
      theirs = of(peer);
    } catch (IOException e) {
      return unmeasured(names, String.valueOf(e.getMessage()));
    }
    return List.of(
        row(names.get(0), "s", ours.install(), theirs.install()),
        row(names.get(1), "s", ours.result(), theirs.result()),
        row(names.get(2), "commands", ours.commands(), theirs.commands()),
        row(names.get(3), "files", ours.files(), theirs.files()));
  }

  private static List<String> namesBeside(Peer peer) {
    return names("first-hour-%s-by-" + peer.name());
  }

  private static List<String> namesOnTwoSites() {
    return names("first-hour-two-sites-%s");
  }

  private static List<String> names(String pattern) {
    return List.of(
        pattern.formatted("install"),
        pattern.formatted("result"),
        pattern.formatted("commands"),
        pattern.formatted("files"));
  }

  private static Effort of(Peer peer) throws IOException, InterruptedException {
    try (var user = new FirstUse()) {
      var install =
          user.type("python3", "-m", "venv", "venv")
              + user.type("venv/bin/pip", "install", "-q", peer.packages());
      user.write("pi.py", source(peer.program()));
      var result = user.typeFor(RESULT, "venv/bin/python", "pi.py");
      return new Effort(install, result, user.commands(), user.files());
    }
  }

  private static String source(String name) throws IOException {
    try (var text =
        Objects.requireNonNull(FirstHourBenchmark.class.getResourceAsStream(name), name)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Runs the program on a node of each of two clusters, which have different batch systems. */
  private static List<BenchmarkRow> onTwoSites(Path archive, String program)
      throws IOException, InterruptedException {
    var names = namesOnTwoSites();
    var hosts = System.getenv("TESTGRID_SSH_CONFIG");
    if (hosts == null) {
      return unmeasured(names, "there is no test grid; 'testgrid/testgrid up' makes one");
    }
    try (var user = new FirstUse("-Dtroupe.ssh.config=" + hosts)) {
      var install = user.type("tar", "-xzf", archive.toString());
      var troupe = archive.getFileName().toString().replace(".tar.gz", "/bin/troupe");
      var result = user.type(troupe, "site", "add", "alpha", "alpha-fe");
      result += user.type(troupe, "site", "add", "beta", "beta-fe");
      user.write("grid.xml", GRID);
      user.write("First.java", program.replace(LOCAL, TWO_SITES));
      result += compileAndRun(user, archive);
      return List.of(
          row(names.get(0), "s", install),
          row(names.get(1), "s", result),
          row(names.get(2), "commands", user.commands()),
          row(names.get(3), "files", user.files()));
    }
  }

  private static List<BenchmarkRow> unmeasured(String reason) {
    return Stream.concat(
            PEERS.stream().map(FirstHourBenchmark::namesBeside), Stream.of(namesOnTwoSites()))
        .flatMap(names -> unmeasured(names, reason).stream())
        .toList();
  }

  private static List<BenchmarkRow> unmeasured(List<String> names, String reason) {
    return List.of(
        BenchmarkRow.unmeasured(names.get(0), "s", null, reason),
        BenchmarkRow.unmeasured(names.get(1), "s", null, reason),
        BenchmarkRow.unmeasured(names.get(2), "commands", null, reason),
        BenchmarkRow.unmeasured(names.get(3), "files", null, reason));
  }

  private static BenchmarkRow row(String name, String unit, double ours, double theirs) {
    return new BenchmarkRow(name, unit, one(ours), one(theirs), null);
  }

  private static BenchmarkRow row(String name, String unit, double ours) {
    return new BenchmarkRow(
        name, unit, one(ours), null, null, "Ray and Dask offer no grid of two sites");
  }

  private static FigureSpread one(double figure) {
    return FigureSpread.of(List.of(figure));
  }
}
