package org.troupe.deployment.staging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.SourcePosition;

/** JVM options of a program, combined with those of a descriptor. */
class JavaCommandTest {

  private static final List<String> OF_PROGRAM =
      List.of("--add-modules=java.sql", "-XX:+UseSerialGC", "-Xms16m", "-Xmn12m");

  /** More JVMs than any machine has processors. */
  private static final int MANY = 10_000;

  private final RunJournal run = RunJournal.create(OF_PROGRAM);

  @TempDir private Path folder;

  private static Jvm jvm(Map<String, String> environment, String... options) {
    return jvm(List.of(), environment, options);
  }

  private static Jvm jvm(List<Path> classPath, Map<String, String> environment, String... options) {
    return new Jvm(
        "j",
        Optional.of(Path.of("/jdk")),
        List.of(options),
        classPath,
        environment,
        Map.of(),
        false,
        new SourcePosition("grid.xml", 1, 1));
  }

  @Test
  void theDescriptorsOptionsComeAfterThoseOfTheProgram() {
    assertThat(new JavaCommand(jvm(Map.of(), "-Xms64m", "-Xmx1g"), run).here())
        .containsSubsequence(OF_PROGRAM)
        .containsSubsequence("-Xmn12m", "-Xms64m", "-Xmx1g", "-cp");
  }

  @Test
  void theOptionsAreThoseOfTheCommandThatUsersHaveGiven() {
    assertThat(new JavaCommand(jvm(Map.of(), "-XX:+UseZGC", "-Xmx1g"), run).options())
        .containsExactly("--add-modules=java.sql", "-XX:+UseZGC", "-Xmx1g");
  }

  @Test
  void theTextForOthersHasNoValuesOfProperties() {
    var java =
        new JavaCommand(
            jvm(
                Map.of("DB_PASSWORD", "hunter2", "JDK_JAVA_OPTIONS", "-Xmx1g -Ddb.login=hunter3"),
                "-Ddb.user=root"),
            run);
    var text = ShellLine.plain(java.here(), java.jvm().environment(), Optional.empty());

    assertThat(text).contains("hunter2", "hunter3", "root");
    assertThat(java.withoutValues(text))
        .contains("DB_PASSWORD=(hidden)", "-Xmx1g -Ddb.login=(hidden)", "-Ddb.user=(hidden)")
        .contains("-D" + "troupe.run=")
        .doesNotContain("hunter", "root");
  }

  @Test
  void whoChoosesACollectorChoosesTheHeapToo() {
    assertThat(new JavaCommand(jvm(Map.of(), "-XX:+UseZGC"), run).here())
        .contains("--add-modules=java.sql", "-XX:+UseZGC")
        .doesNotContain("-XX:+UseSerialGC", "-Xms16m", "-Xmn12m");
    assertThat(new JavaCommand(jvm(Map.of("JAVA_TOOL_OPTIONS", "-Da=b -XX:+UseG1GC")), run).here())
        .contains("--add-modules=java.sql")
        .doesNotContain("-XX:+UseSerialGC", "-Xms16m", "-Xmn12m");
  }

  @Test
  void jvmsWithFewerThanTwoProcessorsGetTheSerialCollector() {
    var free = RunJournal.create(List.of());
    var serial = "-XX:+UseSerialGC";

    assertThat(new JavaCommand(jvm(Map.of()), free).here(MANY)).contains(serial);
    assertThat(new JavaCommand(jvm(Map.of()), free).here(0)).doesNotContain(serial);
    assertThat(new JavaCommand(jvm(Map.of(), "-XX:+UseZGC"), free).here(MANY))
        .doesNotContain(serial);
    var parallel = RunJournal.create(List.of("-XX:+UseParallelGC"));
    assertThat(new JavaCommand(jvm(Map.of()), parallel).here(MANY)).doesNotContain(serial);
  }

  @Test
  void aClassPathWithAnotherVersionOfTroupeIsAProblem() throws IOException {
    Files.createFile(folder.resolve("troupe-core-activeobjects-0.0.9.jar"));
    var command = new JavaCommand(jvm(List.of(folder.resolve("*")), Map.of()), run);
    var ours = Path.of("lib/troupe-core-activeobjects-0.1.0.jar");

    assertThat(command.ofOtherVersion(Optional.of(ours)).orElseThrow())
        .asString()
        .contains("grid.xml:1:1", "-0.0.9.jar', but the program runs Troupe 0.1.0", "leave");
    Files.move(
        folder.resolve("troupe-core-activeobjects-0.0.9.jar"), folder.resolve(ours.getFileName()));
    Files.createFile(folder.resolve("troupe-core-activeobjects-0.1.0-sources.jar"));
    assertThat(command.ofOtherVersion(Optional.of(ours))).isEmpty();
    assertThat(command.ofOtherVersion(Optional.of(Path.of("target/classes")))).isEmpty();
  }

  @Test
  void theCacheOfThisJvmServesNodesWhoseOptionsItIsCompatibleWith() {
    var before = System.setProperty("troupe.aotCache", "/caches/start.aot");
    try {
      var cache = "-XX:AOTCache=/caches/start.aot";
      assertThat(here("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")).contains(cache);
      assertThat(here("-XX:+UseZGC")).doesNotContain(cache);
      assertThat(here("-XX:-UseCompressedOops")).doesNotContain(cache);
    } finally {
      if (before == null) {
        System.clearProperty("troupe.aotCache");
      } else {
        System.setProperty("troupe.aotCache", before);
      }
    }
  }

  private static List<String> here(String... options) {
    var jvm =
        new Jvm(
            "j",
            Optional.empty(),
            List.of(options),
            List.of(),
            Map.of(),
            Map.of(),
            false,
            new SourcePosition("grid.xml", 1, 1));
    return new JavaCommand(jvm, RunJournal.create(List.of())).here();
  }
}
