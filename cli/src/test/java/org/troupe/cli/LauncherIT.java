package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command as users start it: {@code ./troupe}, as a process, on the packed distribution. */
class LauncherIT {

  private static final Path CHECKOUT = Modules.checkout();
  private static final Path LAUNCHER = CHECKOUT.resolve("troupe");
  private static final String FUNCTIONS = "cli/src/main/launcher/lib/launcher.sh";
  private static final Path DISTRIBUTION = CHECKOUT.resolve("cli/target/troupe");
  private static final Path TEST_CLASSES = CHECKOUT.resolve("cli/target/test-classes");

  @TempDir private Path temporary;

  private Path folder; // its name has spaces, and it is no checkout
  private Path bin; // the only folder on the PATH
  private Map<String, String> environment = Map.of(); // in addition
  private int exitCode;
  private String out;
  private String err;

  @BeforeEach
  void makeFolders() throws IOException {
    folder = Files.createDirectory(temporary.resolve("a folder, with spaces"));
    bin = Files.createDirectory(temporary.resolve("bin"));
    for (String tool :
        List.of(
            "sh",
            "cat",
            "dirname",
            "basename",
            "readlink",
            "sed",
            "find",
            "head",
            "touch",
            "uname")) {
      Files.createSymbolicLink(bin.resolve(tool), whereIs(tool));
    }
  }

  /** Deletes links that lead out of the temporary folder, of which JUnit would warn. */
  @AfterEach
  void deleteSymbolicLinks() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      for (Path link : files.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  @Test
  void runsAVerbFromAnyWorkingDirectory() throws Exception {
    Files.writeString(folder.resolve("grid.xml"), "<nothing/>");

    run(LAUNCHER, "validate", "grid.xml");

    assertThat(err).startsWith("grid.xml:1:");
    assertThat(exitCode).isEqualTo(2);
  }

  @Test
  void runsThroughSymbolicLinks() throws Exception {
    Path first = Files.createSymbolicLink(temporary.resolve("first"), LAUNCHER);
    Path second = Files.createSymbolicLink(folder.resolve("second"), first.getFileName());
    Files.delete(second);
    Files.createSymbolicLink(second, Path.of("../first")); // relative to where it stands

    run(second, "--version");

    assertThat(out).startsWith("troupe ");
    assertThat(exitCode).isZero();
  }

  @Test
  void runsWhereItsPathHasSpaces() throws Exception {
    run(copy(), "--version");

    assertThat(out).startsWith("troupe ");
    assertThat(exitCode).isZero();
  }

  @Test
  void leavesArgumentsInputAndExitCodeToTheProgram() throws Exception {
    Process process =
        start(
            LAUNCHER,
            "run",
            "--class-path",
            TEST_CLASSES.toString(),
            "--main",
            Programs.Echo.class.getName(),
            "--help",
            "two words",
            "",
            "*",
            "--class-path",
            "none");
    try (OutputStream in = process.getOutputStream()) {
      in.write("what it reads\n".getBytes());
    }
    finish(process);

    assertThat(out).isEqualTo("[--help, two words, , *, --class-path, none]\nwhat it reads\n");
    assertThat(err).isEmpty();
    assertThat(exitCode).isEqualTo(42);
  }

  @Test
  void startsWhatTheManifestOfAJarNames() throws Exception {
    Path jar = folder.resolve("echo.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Programs.Echo.class.getName());
    String entry = Programs.Echo.class.getName().replace('.', '/') + ".class";
    try (var jarOut = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      jarOut.putNextEntry(new ZipEntry(entry));
      jarOut.write(Files.readAllBytes(TEST_CLASSES.resolve(entry)));
    }

    run(LAUNCHER, "run", "--class-path=echo.jar", "--steps", "5");

    assertThat(out).isEqualTo("[--steps, 5]\n");
    assertThat(exitCode).isEqualTo(42);
  }

  @Test
  void explainsAUsersClass() throws Exception {
    String name = Programs.Echo.class.getName().replace('$', '.');

    run(LAUNCHER, "explain", name, "--class-path", TEST_CLASSES.toString());

    assertThat(out).contains("Echo");
    assertThat(exitCode).isZero();
  }

  @Test
  void leavesArgumentsToTheBenchmarks() throws Exception {
    run(LAUNCHER, "bench", "--quick", "no-such-thing");

    assertThat(err).contains("benchmark", "no-such-thing");
    assertThat(exitCode).isEqualTo(2);
  }

  @Test
  @EnabledOnOs(OS.LINUX) // the test needs /dev/full
  void saysThatWhatItPrintedIsLost() throws Exception {
    Path kept = Files.createFile(folder.resolve("errors"));

    ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "schema");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TROUPE_BUILD", "never");
    builder.redirectOutput(Path.of("/dev/full").toFile()).redirectError(kept.toFile());

    exitCode = builder.start().waitFor();

    assertThat(kept).content().contains("some of the standard output is lost");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void whatOnlyBenchmarksNeedIsOnNoOtherClassPath() throws IOException {
    assertThat(jars("lib/bench"))
        .anyMatch(jar -> jar.startsWith("kryo"))
        .doesNotContainAnyElementsOf(jars("lib"));
  }

  @Test
  void leavesArgumentsToTheIbisServer() throws Exception {
    run(LAUNCHER, "ibis-server", "--help");

    assertThat(out).contains("Usage: troupe ibis-server", "--secret-file");
    assertThat(exitCode).isZero();
  }

  @Test
  void handsSignalsToTheProgram() throws Exception {
    Process process = start(LAUNCHER, programArguments(Programs.Waiting.class));
    BufferedReader lines = process.inputReader();
    assertThat(lines.readLine()).isEqualTo("waiting");

    process.toHandle().destroy(); // SIGTERM, to the only process

    assertThat(lines.readLine()).isEqualTo("ended");
    finish(process);
    assertThat(exitCode).isEqualTo(128 + 15);
  }

  @Test
  void livesAsLongAsTheProgramsThreads() throws Exception {
    run(LAUNCHER, programArguments(Programs.Lingering.class));

    assertThat(out).isEqualTo("last words\n");
    assertThat(exitCode).isZero();
  }

  @Test
  void printsTheTraceOfAProgramAsTheJvmWould() throws Exception {
    run(LAUNCHER, programArguments(Programs.Throwing.class));

    assertThat(err)
        .startsWith("Exception in thread \"main\" java.lang.IllegalStateException")
        .doesNotContain("picocli");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void saysWhichJavasAreTooOld() throws Exception {
    Path launcher = copy();
    needJava(999);

    run(launcher, "--version");

    assertThat(err)
        .startsWith("troupe: there is no JDK 999 or newer in JAVA_HOME")
        .contains("none is known that could be fetched for")
        .contains(System.getProperty("java.home") + " (" + Runtime.version().feature() + ")");
    assertThat(exitCode).isEqualTo(127);
  }

  @Test
  void buildsWhatIsNotBuilt() throws Exception {
    Path launcher = unbuiltCopy();
    mvn("mkdir -p cli/target && cp -r '" + DISTRIBUTION + "' cli/target/troupe");

    run(launcher, "--version");

    assertThat(err).isEqualTo("building Troupe (first run takes a minute) ...\n");
    assertThat(out).startsWith("troupe ");
    assertThat(exitCode).isZero();
  }

  @Test
  void buildsAgainOnlyWhatHasChanged() throws Exception {
    Path launcher = unbuiltCopy();
    mvn(
        "echo \"$*\" >> calls; mkdir -p cli/target; cp -r '"
            + DISTRIBUTION
            + "' cli/target;"
            + " date -u +%Y-%m-%dT%H:%M:%SZ > cli/target/troupe/built");
    Path calls = folder.resolve("calls");
    Path source = folder.resolve("cli/src/main/java/Some.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    settle();

    run(launcher, "--version");
    assertThat(calls).content().hasLineCount(1).contains("-DskipTests", "package");

    run(launcher, "--version");
    assertThat(calls).content().hasLineCount(1);

    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    run(launcher, "--version");
    assertThat(calls).content().hasLineCount(2);
    assertThat(exitCode).isZero();
  }

  @Test
  void printsTheBuildOnlyWhenItFails() throws Exception {
    Path launcher = unbuiltCopy();
    mvn("echo 'ERROR: no such symbol'; exit 1");

    run(launcher, "--version");

    assertThat(err).contains("ERROR: no such symbol\ntroupe: the build failed, see above;");
    assertThat(exitCode).isEqualTo(126);
  }

  @Test
  void buildsByTheWrapperWhereThereIsNoMaven() throws Exception {
    Path launcher = unbuiltCopy();
    script(bin.resolve("unzip"), "exit 1"); // only looked for here
    script(
        folder.resolve("mvnw"),
        "mkdir -p cli/target && cp -r '" + DISTRIBUTION + "' cli/target/troupe");

    run(launcher, "--version");

    assertThat(err).isEqualTo("building Troupe (first run takes a minute) ...\n");
    assertThat(out).startsWith("troupe ");
  }

  @Test
  void asksForMavenWhenThereIsNoWrapperEither() throws Exception {
    run(unbuiltCopy(), "--version");

    assertThat(err)
        .startsWith("troupe: Troupe is not built yet and there is no 'mvn' on the PATH;")
        .contains("'unzip'");
    assertThat(exitCode).isEqualTo(127);
  }

  @Test
  void printsHelpWithoutAJvm() throws Exception {
    Path launcher = standIns();
    Path help = Files.createDirectories(folder.resolve("cli/target/troupe/lib/help/plain"));
    Files.writeString(help.resolve("troupe.run"), "how to run\n");

    run(launcher, "run", "--help");
    assertThat(out).isEqualTo("how to run\n");

    run(launcher, "validate", "--help"); // of which there is no text
    assertThat(out).startsWith("java ").contains("validate --help");
  }

  @Test
  void forgetsCachesThatWereNotUsedForAMonth() throws Exception {
    Path launcher = standIns();
    Files.writeString(folder.resolve("cli/target/troupe/lib/jars"), "as in an archive");
    Path caches = Files.createDirectories(folder.resolve("cache/troupe"));
    for (String name : List.of("start-1-25.aot", "start-2-25.aot", "jdk-25")) {
      Files.writeString(caches.resolve(name), "");
    }
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(32)));
    Files.setLastModifiedTime(caches.resolve("start-1-25.aot"), old);
    Files.setLastModifiedTime(caches.resolve("jdk-25"), old);

    run(launcher, "run", "em3d");

    assertThat(err).startsWith("preparing fast starts");
    assertThat(out).contains("-XX:AOTCache=" + caches.resolve("start-"));
    assertThat(namesIn(caches))
        .doesNotContain("start-1-25.aot")
        .contains("start-2-25.aot", "jdk-25")
        .hasSize(3); // with the new one
  }

  @Test
  void preparesFastStartsAgainAfterAFailureButNotForever() throws Exception {
    Path launcher = standIns();
    Path cache = folder.resolve("cli/target/troupe/start-25.0.1.aot");
    Path failures = cache.resolveSibling(cache.getFileName() + ".failures");
    Files.createDirectories(cache.getParent());
    Path built = Files.writeString(cache.resolveSibling("built"), "");
    Files.setLastModifiedTime(built, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    Files.writeString(cache, ""); // what a failure left in earlier versions
    Files.writeString(folder.resolve("busy"), "");

    for (int failed = 1; failed <= 3; failed++) {
      run(launcher, "run", "em3d");
      assertThat(err).startsWith("preparing fast starts");
      assertThat(out).startsWith("java ").doesNotContain("-XX:AOTCache");
      assertThat(failures).content().hasLineCount(failed);

      run(launcher, "run", "em3d");
      assertThat(err).as("soon after a failure").isEmpty();
      Files.setLastModifiedTime(failures, FileTime.from(Instant.now().minusSeconds(3600)));
    }
    run(launcher, "run", "em3d");
    assertThat(err).as("after three failures").isEmpty();
    assertThat(namesIn(cache.getParent())).noneMatch(name -> name.matches(".*\\.aot\\.[^.]{6}"));

    Files.writeString(failures, "failed\n");
    Files.setLastModifiedTime(failures, FileTime.from(Instant.now().minusSeconds(3600)));
    Files.delete(folder.resolve("busy"));
    run(launcher, "run", "em3d");
    assertThat(out).contains("-XX:AOTCache=" + cache);
    assertThat(failures).doesNotExist();
  }

  @Test
  @EnabledOnOs(OS.LINUX) // which lists the files of processes
  void keepsAnOldCacheThatAJvmHasOpenThroughASymbolicLink() throws Exception {
    Path launcher = standIns();
    Files.writeString(folder.resolve("cli/target/troupe/lib/jars"), "as in an archive");
    Path caches = Files.createDirectories(folder.resolve("real/troupe"));
    Files.createSymbolicLink(folder.resolve("cache"), folder.resolve("real"));
    Path cache = Files.writeString(caches.resolve("start-1-25.aot"), "cache");
    Files.setLastModifiedTime(cache, FileTime.from(Instant.now().minus(Duration.ofDays(32))));

    try (FileChannel file = FileChannel.open(cache);
        Arena whileItIsMapped = Arena.ofConfined()) {
      file.map(MapMode.READ_ONLY, 0, file.size(), whileItIsMapped);
      run(launcher, "run", "em3d");
    }

    assertThat(err).startsWith("preparing fast starts");
    assertThat(cache).exists();
  }

  @Test
  void asksForNoColoursOnADumbTerminal() throws Exception {
    Path launcher = standIns();
    environment = new HashMap<>(environment);

    environment.put("TERM", "dumb");
    run(launcher, "validate", "grid.xml");
    assertThat(out).endsWith(", plain\n");

    environment.put("CLICOLOR_FORCE", "1"); // as of a user whose pager or log shows them
    run(launcher, "validate", "grid.xml");
    assertThat(out).doesNotEndWith(", plain\n");

    environment.remove("CLICOLOR_FORCE");
    environment.put("TERM", "xterm");
    run(launcher, "validate", "grid.xml");
    assertThat(out).doesNotEndWith(", plain\n");
  }

  @Test
  void findsFilesWithLettersThatTheLocaleLacks() throws Exception {
    Path launcher = standIns();
    Path start = folder.resolve("start");
    script(start, "exec ./troupe validate \"$(printf 'gr\\303\\274n.xml')\"");
    Map<String, String> usual = environment;

    environment = new HashMap<>(usual);
    environment.put("TERM", "xterm");
    environment.put("LC_ALL", "C");
    run(start);
    assertThat(out).startsWith("java ").endsWith(" in C.UTF-8\n");
    run(launcher, "validate", "grid.xml"); // which is ASCII
    assertThat(out).endsWith(" in C\n");

    environment.put("LC_ALL", "en_US.ISO-8859-1");
    run(start);
    assertThat(out).endsWith(" in en_US.ISO-8859-1\n");
  }

  /**
   * Returns a launcher with a JDK that prints its arguments, or makes the cache it is asked for.
   */
  private Path standIns() throws IOException {
    Files.createDirectories(folder.resolve("cli/target/troupe/lib"));
    Path jdk = Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(jdk.resolveSibling("release"), "JAVA_VERSION=\"25.0.1\"\n");
    script(jdk.resolve("javac"), "exit 1");
    script(
        jdk.resolve("java"),
        """
        case $1 in
          -XX:AOTCacheOutput=*) [ ! -e busy ] && echo made >"${1#*=}" ;;
          *) echo "java $* in ${LC_ALL-}${NO_COLOR+, plain}" ;;
        esac
        """);
    for (String tool : List.of("cksum", "grep", "mkdir", "mktemp", "mv", "rm")) {
      Files.createSymbolicLink(bin.resolve(tool), whereIs(tool));
    }
    environment = Map.of("JAVA_HOME", folder + "/jdk", "XDG_CACHE_HOME", folder + "/cache");
    return copyOfLauncher();
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static List<String> jars(String folder) throws IOException {
    return namesIn(DISTRIBUTION.resolve(folder)).stream()
        .filter(name -> name.endsWith(".jar"))
        .toList();
  }

  private static String[] programArguments(Class<?> main) {
    return new String[] {"run", "--class-path", TEST_CLASSES.toString(), "--main", main.getName()};
  }

  /** Returns a launcher with a distribution and without sources. */
  private Path copy() throws IOException {
    Path target = Files.createDirectories(folder.resolve("cli/target"));
    Files.createSymbolicLink(target.resolve("troupe"), DISTRIBUTION);
    return copyOfLauncher();
  }

  /** Returns a launcher with sources and without a distribution. */
  private Path unbuiltCopy() throws IOException {
    Files.writeString(folder.resolve("pom.xml"), "<project/>");
    return copyOfLauncher();
  }

  private Path copyOfLauncher() throws IOException {
    Path functions = folder.resolve(FUNCTIONS);
    Files.createDirectories(functions.getParent());
    Files.copy(CHECKOUT.resolve(FUNCTIONS), functions);
    return Files.copy(LAUNCHER, folder.resolve("troupe"));
  }

  /** Makes the copied launcher need another version of Java. */
  private void needJava(int version) throws IOException {
    Path functions = folder.resolve(FUNCTIONS);
    Files.writeString(
        functions, Files.readString(functions).replace("java_needed=25", "java_needed=" + version));
  }

  /** Makes all files old, so that only later changes are new. */
  private void settle() throws IOException {
    FileTime old = FileTime.from(Instant.now().minusSeconds(60));
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.setLastModifiedTime(file, old);
      }
    }
  }

  /** Puts a script on the PATH instead of Maven. */
  private void mvn(String script) throws IOException {
    script(bin.resolve("mvn"), script);
  }

  private static void script(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path whereIs(String tool) {
    return Stream.of("/usr/bin", "/bin")
        .map(place -> Path.of(place, tool))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  private void run(Path launcher, String... arguments) throws Exception {
    Process process = start(launcher, arguments);
    process.getOutputStream().close();
    finish(process);
  }

  private Process start(Path launcher, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(launcher.toString());
    builder.command().addAll(List.of(arguments));
    builder.directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("PATH", bin.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.putAll(this.environment);
    environment
        .keySet()
        .removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "NO_COLOR", "TROUPE_BUILD"));
    if (launcher.startsWith(CHECKOUT) || Files.isSymbolicLink(launcher)) {
      environment.put("TROUPE_BUILD", "never"); // a build runs these tests
    }
    return builder.redirectError(temporary.resolve("err").toFile()).start();
  }

  private void finish(Process process) throws Exception {
    out = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
    exitCode = process.exitValue();
    err = Files.readString(temporary.resolve("err"));
  }
}
