package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.cli.Main;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.testing.QuickJvm;

/** The verb {@code record}, on a program with two JVMs. */
@Timeout(120)
class RecordCommandTest {

  private static final AtomicBoolean IS_OVER = new AtomicBoolean();

  private static Grid grid;
  private static CompletableFuture<Void> calling;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Counts. */
  public static class Counter {
    private int count;

    public int next() {
      return ++count;
    }
  }

  @BeforeAll
  static void deploy() {
    grid = Grid.local(2, GridOptions.standard().withJvmOptions(QuickJvm.OPTIONS));
    var counter = ActiveObjects.on(grid.nodes().first()).create(Counter.class);
    calling =
        CompletableFuture.runAsync(
            () -> {
              while (!IS_OVER.get()) {
                counter.next();
              }
            });
  }

  @AfterAll
  static void end() {
    IS_OVER.set(true);
    calling.join();
    grid.close();
  }

  private int record(String... arguments) throws IOException {
    var own = new String[arguments.length + 3];
    own[0] = "record";
    own[1] = "--of";
    own[2] = RunningGrid.ofThisProgram(grid.run()).orElseThrow().id();
    System.arraycopy(arguments, 0, own, 3, arguments.length);
    return Main.execute(new PrintWriter(out), new PrintWriter(err), own);
  }

  @Test
  void writesATableOfCalls() throws IOException {
    var file = folder.resolve("run.csv");
    assertThat(record("--for", "PT1H", "--most", "10", "-o", file.toString())).isZero();

    assertThat(Files.readAllLines(file)).anyMatch(line -> line.contains(",Counter.next(),"));
    assertThat(out.toString()).contains(" calls and waits of 3 nodes; clocks are known to ");
  }

  @Test
  void printsATableOfCalls() throws IOException {
    var before = System.out;
    var printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(record("--for", "PT1H", "--most", "10", "--format", "csv", "-o", "-")).isZero();
    } finally {
      System.setOut(before);
    }

    assertThat(printed.toString(StandardCharsets.UTF_8)).contains(",Counter.next(),");
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).startsWith("the recording has 10 calls and waits of 3 nodes");
  }

  @Test
  void endsEarlyWhenThereAreEnoughCalls() throws IOException {
    var file = folder.resolve("run.pftrace");
    assertThat(record("--for", "PT1H", "--most", "10", "-o", file.toString())).isZero();

    assertThat(Files.size(file)).isPositive();
    assertThat(out.toString()).contains("has 10 calls and waits", "https://ui.perfetto.dev");
    assertThat(err.toString()).contains("it has as many calls and waits as --most allows");
  }

  @Test
  void writesRecordingsOfAllJvmsIntoAZip() throws IOException {
    var file = folder.resolve("run.zip");
    assertThat(record("--jfr", "PT1S", "-o", file.toString())).as(err.toString()).isZero();

    try (var zip = new ZipFile(file.toFile())) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .hasSize(4)
          .contains("index.json")
          .filteredOn(each -> each.endsWith(".jfr"))
          .hasSize(3);
    }
    assertThat(out.toString()).contains("has 3 recordings of JVMs, and index.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          --for P1X, --for P1X is no duration up to PT1H; write one such as PT5S
          --for PT2H, --for PT2H is no duration up to PT1H
          --jfr PT0S, --jfr PT0S is no duration up to PT1H
          --most 0, --most 0 is no number of calls; give 1 or more
          --format svg, "--format: there is no format of traces 'svg'; choose from perfetto, chrome, csv"
          --jfr PT5S --for PT5S, "--for and --most belong to traces of calls; leave them out with --jfr"
          --jfr PT5S --format csv, "--format: there is no format of recordings 'csv'; choose from zip, folded"
          --jfr PT5S --mib 0, --mib 0 is no size; give 1 or more
          """)
  void saysWhatIsWrong(String arguments, String message) throws IOException {
    assertThat(record(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileThatCannotBeWrittenIsAnError() throws IOException {
    var file = folder.resolve("no folder").resolve("run.csv");
    assertThat(record("--for", "PT0.1S", "-o", file.toString())).isEqualTo(2);

    assertThat(err.toString()).contains(file.toString(), "there is no folder '", "make it");
    assertThat(record("--for", "PT0.1S", "-o", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("since it is a folder; name a file by -o");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void saysThatTheDiskIsFull() throws IOException {
    assertThat(record("--for", "PT0.1S", "--format", "csv", "-o", "/dev/full")).isEqualTo(1);

    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "'/dev/full' could not be written: No space left on device; its content is incomplete");
  }
}
