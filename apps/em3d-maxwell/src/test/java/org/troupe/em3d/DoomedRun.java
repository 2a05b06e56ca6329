package org.troupe.em3d;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.troupe.testing.QuickNodesExtension;

/**
 * The program in a process of its own, to which something is going to happen. All that it starts,
 * on whatever host of the test grid, carries its name and is found by it.
 */
final class DoomedRun {

  static final int STEPS = 200;

  /** The relative error of E after these steps on these cubes. */
  static final double ERROR = 0.5947694301280609;

  /** The time limit of a run, generous enough for a busy machine. */
  private static final long BOUND_SECONDS = 240;

  private static final long POLL_MILLIS = 50;
  private static final String NODE = "org.troupe.deployment.node.NodeMain";

  private final String name;
  private final Path folder;
  private final Process process;

  /**
   * @param name in the environment and the job names of all that it starts
   * @param folder of its own
   * @param temporary its folder for temporary files
   * @param home where it notes what it starts
   * @param infrastructure of its descriptor, with NAME for its name
   */
  DoomedRun(
      String name, Path folder, Path temporary, Path home, List<String> ids, String infrastructure)
      throws IOException {
    this.name = name;
    this.folder = folder;
    Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="solvers"/></virtualNodes>
          <mapping>%s</mapping>
          <infrastructure>%s</infrastructure>
        </troupe>
        """
            .formatted(
                ids.stream()
                    .map(id -> "<map virtualNode='solvers' to='" + name + id + "'/>")
                    .collect(joining()),
                infrastructure.replace("NAME", name).replace("TEMPORARY", temporary.toString())));
    var config = System.getenv("TESTGRID_SSH_CONFIG");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dtroupe.ssh.config=" + config,
                "-Djava.io.tmpdir=" + temporary,
                "-Duser.home=" + home,
                "-cp",
                classPath(),
                "org.troupe.em3d.cli.Main",
                "--grid",
                folder.resolve("grid.xml").toString(),
                "--mesh",
                "cube:9",
                "--steps",
                Integer.toString(STEPS),
                "--checkpoint-every",
                "20",
                "--checkpoint",
                folder.resolve("states").toString(),
                "--wait",
                "40s",
                "--report",
                report().toString()));
    command.addAll(1, QuickNodesExtension.programOptions());
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().put("TROUPE_ROUND", name);
    process = builder.start();
  }

  /** That of this JVM, whose modules are on the module path if Maven has started it. */
  private static String classPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(System::getProperty)
        .filter(Objects::nonNull)
        .collect(joining(File.pathSeparator));
  }

  Path report() {
    return folder.resolve("report.json");
  }

  Path state() {
    return folder.resolve("states").resolve("state.em3d");
  }

  Process process() {
    return process;
  }

  /** Returns the whole output. */
  String said() throws IOException {
    return Files.readString(folder.resolve("said"));
  }

  // Time

  /** Waits for this time, or until the run ends. */
  void pass(long millis) throws InterruptedException {
    process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Waits until a file is there, or the end. */
  void await(Path file) throws InterruptedException {
    while (!Files.exists(file) && process.isAlive()) {
      pass(POLL_MILLIS);
    }
  }

  /** Waits for the end; after the time limit, fails with the stacks of the program. */
  int end() throws Exception {
    if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
      Disaster.signal("QUIT", process.pid()); // the JVM prints its threads
      process.waitFor(5, TimeUnit.SECONDS);
      process.destroyForcibly();
      throw new AssertionError("no end within " + BOUND_SECONDS + " s; it said:\n" + said());
    }
    return process.exitValue();
  }

  // What there is of it

  /** A process of this run on any host of the test grid; this machine sees all of them. */
  record Left(long pid, String command) {

    boolean isNode() {
      return command.contains(NODE);
    }
  }

  /** Returns the present processes of the run. */
  List<Left> processes() throws IOException {
    var found = new ArrayList<Left>();
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var each : all) {
        var command = text(each.resolve("cmdline"));
        if (command.contains(name) || text(each.resolve("environ")).contains(name)) {
          found.add(new Left(Long.parseLong(each.getFileName().toString()), command));
        }
      }
    }
    return found;
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).replace('\0', ' ');
    } catch (IOException e) {
      return ""; // ended meanwhile, or of another user
    }
  }

  /** Returns its nodes, waiting for the first. */
  List<Left> nodes() throws Exception {
    while (true) {
      var nodes = processes().stream().filter(Left::isNode).toList();
      if (!nodes.isEmpty() || !process.isAlive()) {
        return nodes;
      }
      pass(POLL_MILLIS);
    }
  }
}
