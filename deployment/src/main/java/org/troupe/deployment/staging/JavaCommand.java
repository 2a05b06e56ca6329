package org.troupe.deployment.staging;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ProgramClassPath;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.node.NodeMain;
import org.troupe.deployment.process.HiddenValues;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.SourceProblem;

/**
 * The command that starts a node's JVM. Its options are known from the descriptor, the paths of
 * Java and of the classes once the machine is known.
 *
 * @param run the journal whose id and options the JVM gets
 */
public record JavaCommand(Jvm jvm, RunJournal run) {

  /** The property that names the AOT cache of this JVM (JEP 483), if it has one. */
  private static final String AOT_CACHE = "troupe.aotCache";

  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");

  /** Options of the program that are omitted if the user chooses a collector. */
  private static final Pattern HEAP = Pattern.compile(COLLECTOR + "|-Xm[nsx].*");

  /**
   * A JVM that has run out of memory may have lost any of its threads, so it ends. Precedes the
   * user's options, which can revoke it.
   */
  private static final String EXIT_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

  /**
   * Multiplies the numbers of calls after which the JVM compiles a method. With the JVM's own
   * numbers the compilation of methods that only the start of a node calls often takes as much
   * processor time as the rest of the start, and the nodes of a machine start at the same time. A
   * method that computes reaches the larger numbers within milliseconds.
   */
  private static final String COMPILE_LATER = "-XX:CompileThresholdScaling=5";

  /**
   * The heap begins with a thousandth of the memory instead of a 64th, so that an idle node does
   * not keep the garbage of its start. Unlike {@code -Xms}, it may exceed the user's largest heap.
   */
  private static final String SMALL_HEAP = "-XX:InitialRAMPercentage=0.1";

  /** The JVM's own choice for a machine with fewer than two processors. */
  private static final String SERIAL = "-XX:+UseSerialGC";

  /** The jar that each class path with Troupe has. */
  private static final Pattern CORE =
      Pattern.compile("troupe-core-activeobjects-(\\d.*?)(?:-sources|-javadoc|-tests)?\\.jar");

  /**
   * Options that are compatible with any cache: sizes, properties, assertions, logs, compilers,
   * large pages, and the serial collector, which can load the heap objects of a cache that was made
   * under G1.
   */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "-(Xm[nsx]|Xss|D|ea|da|esa|dsa|Xlog:).*|-XX:\\+Use(SerialGC|TransparentHugePages)"
              + "|-XX:TieredStopAtLevel=\\d");

  /**
   * Returns the command for this machine.
   *
   * @param jvms how many JVMs share its processors
   */
  public List<String> here(int jvms) {
    var command = here();
    if (Runtime.getRuntime().availableProcessors() / 2 < jvms
        && !choosesCollector()
        && run.jvmOptions().stream().noneMatch(COLLECTOR.asPredicate())) {
      command.add(1, SERIAL);
    }
    return command;
  }

  /** Returns the command for a machine that sees the same files as this one. */
  public List<String> here() {
    var command =
        with(
            java(jvm).toString(),
            Stream.concat(jvm.classPath().stream(), ProgramClassPath.entries().stream())
                .map(Path::toString)
                .collect(joining(File.pathSeparator)));
    command.addAll(1, aotCache());
    return command;
  }

  /**
   * Returns the options for this JVM's AOT cache, if the node starts with the same classes and
   * options.
   */
  private List<String> aotCache() {
    var cache = System.getProperty(AOT_CACHE);
    var isAlike =
        jvm.javaHome().isEmpty()
            && jvm.classPath().isEmpty()
            && Stream.concat(jvm.options().stream(), run.jvmOptions().stream())
                .allMatch(HARMLESS.asMatchPredicate());
    return cache == null || !isAlike
        ? List.of()
        : List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off");
  }

  /** Returns the command for a machine to which the program has been copied. */
  public List<String> on(Installation there) {
    var command = with(there.java(), String.join(":", there.classPath()));
    command.add(1, "-D" + ProgramFiles.APPLICATION + "=" + there.application());
    return command;
  }

  private List<String> with(String java, String classPath) {
    var command = new ArrayList<String>();
    command.add(java);
    command.add(run.option());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED"); // callers serve idle objects
    command.add(EXIT_WITHOUT_MEMORY);
    command.add(COMPILE_LATER);
    command.add(SMALL_HEAP);
    command.addAll(options());
    command.add("-cp");
    command.add(classPath);
    command.add(NodeMain.class.getName());
    return command;
  }

  /** Returns the options and properties from the program and the descriptor. */
  public List<String> options() {
    var options = new ArrayList<String>();
    run.jvmOptions().stream()
        .filter(choosesCollector() ? HEAP.asMatchPredicate().negate() : option -> true)
        .forEach(options::add);
    options.addAll(jvm.options());
    jvm.properties().forEach((name, value) -> options.add("-D" + name + "=" + value));
    return options;
  }

  /**
   * Returns a text that has this command, in any quoting, as other people may see it: without the
   * values of properties, and of variables that sound like secrets.
   */
  public String withoutValues(String text) {
    var options = new ArrayList<>(options());
    jvm.environment()
        .forEach(
            (name, value) -> {
              options.add(name + "=" + value);
              options.addAll(List.of(value.split(" +"))); // such as JDK_JAVA_OPTIONS
            });
    return HiddenValues.text(text, options);
  }

  /** Returns whether the user chooses a collector, in the descriptor or for all JVMs at once. */
  private boolean choosesCollector() {
    return Stream.of(
            jvm.options().stream(),
            jvm.environment().values().stream(),
            Stream.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
                .map(name -> System.getenv().getOrDefault(name, "")))
        .flatMap(each -> each)
        .anyMatch(COLLECTOR.asPredicate());
  }

  /** Returns the entries of a JVM's class path, with wildcards expanded. */
  static List<Path> classPath(Jvm jvm) throws IOException {
    return Stream.concat(ownClassPath(jvm).stream(), ProgramClassPath.entries().stream())
        .distinct()
        .toList();
  }

  private static List<Path> ownClassPath(Jvm jvm) throws IOException {
    var entries = new ArrayList<Path>();
    for (var entry : jvm.classPath()) {
      if (isWildcard(entry)) {
        try (var jars = Files.newDirectoryStream(entry.getParent(), "*.{jar,JAR}")) {
          jars.forEach(entries::add);
        }
      } else {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Returns the visible problems of running the JVM on this machine. */
  public List<String> problems() {
    var problems = new ArrayList<>(classPathProblems());
    if (!Files.isExecutable(java(jvm))) {
      problems.add(
          new SourceProblem(
                  jvm.place(),
                  "there is no program '" + java(jvm) + "', so no JVM can be started",
                  "name the folder of a JDK or JRE as javaHome, or leave it out to use the Java of"
                      + " this program")
              .toString());
    }
    return problems;
  }

  /** Returns the problems of the class path, on whichever machine the JVM runs. */
  public List<String> classPathProblems() {
    return Stream.concat(
            jvm.classPath().stream()
                .filter(entry -> !Files.exists(isWildcard(entry) ? entry.getParent() : entry))
                .map(this::missing),
            ofOtherVersion(ProgramClassPath.location(ProgramClassPath.class)).stream())
        .map(SourceProblem::toString)
        .toList();
  }

  private SourceProblem missing(Path entry) {
    return new SourceProblem(
        jvm.place(),
        "the classPath entry '" + entry + "' is not there",
        "build or copy it, or correct the entry; relative ones start from the descriptor's folder");
  }

  /**
   * Returns a problem if the classPath, which precedes that of the program, has another version of
   * Troupe.
   *
   * @param ours the jar that this program runs
   */
  Optional<SourceProblem> ofOtherVersion(Optional<Path> ours) {
    var version = ours.flatMap(JavaCommand::troupeVersion);
    try {
      return version.isEmpty()
          ? Optional.empty()
          : ownClassPath(jvm).stream()
              .filter(
                  jar -> troupeVersion(jar).filter(its -> !its.equals(version.get())).isPresent())
              .findFirst()
              .map(
                  jar ->
                      new SourceProblem(
                          jvm.place(),
                          "the classPath has '%s', but the program runs Troupe %s"
                              .formatted(jar, version.get()),
                          "leave Troupe's jars out of it, since nodes get those of the program"));
    } catch (IOException e) {
      return Optional.empty(); // a folder that is missing, which is a problem of its own
    }
  }

  private static Optional<String> troupeVersion(Path jar) {
    return Optional.of(CORE.matcher(String.valueOf(jar.getFileName())))
        .filter(Matcher::matches)
        .map(name -> name.group(1));
  }

  private static boolean isWildcard(Path entry) {
    return entry.endsWith("*");
  }

  private static Path java(Jvm jvm) {
    return jvm.javaHome()
        .orElseGet(() -> Path.of(System.getProperty("java.home")))
        .resolve("bin")
        .resolve("java");
  }
}
