package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.testing.PlainFiles;

/** Commands on a system whose files have no permissions of POSIX, such as Windows. */
@Timeout(120)
class SystemWithoutPosixTest {

  private static final Pattern REPORT =
      Pattern.compile("a report of the run is in (.*); 'troupe dashboard (.*)' shows it");

  @TempDir private Path folder;

  @Test
  void initMakesAProject() throws Exception {
    var project = folder.resolve("mine");

    var output = command("init", project.toString());

    assertThat(output).contains("made '" + project + "'");
    assertThat(project.resolve("mvnw")).isExecutable();
    assertThat(project.resolve("grid.xml")).isNotEmptyFile();
  }

  @Test
  void aFailedRunLeavesAReport() throws Exception {
    var classes = Programs.class.getProtectionDomain().getCodeSource().getLocation().getPath();

    var output =
        command("run", "--class-path", classes, "--main", Programs.FailingGrid.class.getName());

    var report = REPORT.matcher(output);
    assertThat(report.find()).as(output).isTrue();
    assertThat(command("report", report.group(2), "-o", "run.html")).contains("has the report");
    assertThat(folder.resolve("run.html"))
        .hasSameBinaryContentAs(Path.of(report.group(1)))
        .content()
        .contains("the parts do not fit");
  }

  /** Runs a command in a JVM that sees such files, as do its nodes; returns its output. */
  private String command(String... arguments) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Duser.home=" + folder);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    var output = Files.createTempFile(folder, "output", "");
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JDK_JAVA_OPTIONS", PlainFiles.JVM_OPTION);
    var program = builder.start();
    try {
      program.waitFor();
      return Files.readString(output);
    } finally {
      program.destroyForcibly();
    }
  }
}
