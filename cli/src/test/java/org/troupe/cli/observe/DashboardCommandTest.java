package org.troupe.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.cli.Main;
import org.troupe.deployment.runs.EndedRuns;

/** The verbs {@code dashboard} and {@code report}. */
@Timeout(60)
class DashboardCommandTest {

  private static final String BEGIN =
      "{\"record\":\"begin\",\"version\":1,\"id\":\"17\",\"run\":\"0a1b\",\"program\":\"P\"}\n";

  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();
  private final CompletableFuture<String> address = new CompletableFuture<>();

  /** Completes the address with the first line. */
  private final Writer out =
      new StringWriter() {
        @Override
        public void flush() {
          if (toString().contains("\n")) {
            address.complete(toString().strip());
          }
        }
      };

  private int run(String... arguments) {
    return Main.execute(new PrintWriter(out), new PrintWriter(err, true), arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "report -o none/run.html,there is no folder '/,/none'; make it",
    "record -o none/run.pftrace,there is no folder '/,/none'; make it",
    "record --jfr PT1S -o none/run.zip,there is no folder '/,/none'; make it",
    "dashboard none.html,there is no file 'none.html'; ,'troupe report' writes one",
    "dashboard --port 70000,port 70000 does not exist; ,or 0 for any free one",
    "dashboard --prefix me,the prefix 'me' is no path; ,such as /user/me",
    "report none,there is no deployment 'none'; ,",
  })
  void nameAMistakeAndItsRemedy(String line, String mistake, String remedy) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(mistake, remedy == null ? "" : remedy);
    assertThat(err.toString().lines()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dashboard", "report"})
  void namesTheNewestKeptReportsIfARunIsNotKnown(String verb) throws IOException {
    var home = System.setProperty("user.home", folder.toString());
    try {
      assertThat(run(verb, "none")).isEqualTo(2);
      assertThat(err.toString())
          .contains("there is no deployment 'none'; ", "; no report of an ended run is kept");

      Files.createDirectories(EndedRuns.reports());
      for (var i = 1; i <= 8; i++) {
        var kept = Files.writeString(EndedRuns.report("run" + i), "");
        var written = LocalDateTime.of(2026, 11, i, 12, 30).atZone(ZoneId.systemDefault());
        Files.setLastModifiedTime(kept, FileTime.from(written.toInstant()));
      }

      assertThat(run(verb, "none")).isEqualTo(2);
      assertThat(err.toString())
          .contains(
              "; reports of ended runs are kept in " + EndedRuns.reports() + ": run8 (2026-11-08 ",
              "12:30), run7 (2026-11-07 12:30), run6 ",
              ", run4 (2026-11-04 12:30) and 3 more");
    } finally {
      System.setProperty("user.home", home);
    }
  }

  /** Reports of tests would else push those of the user out, of which the last 20 are kept. */
  @Test
  void reportsOfTestsAreNotAmongThoseOfTheUser() {
    assertThat(EndedRuns.reports()).startsWithRaw(Path.of("target").toAbsolutePath());
  }

  @Test
  void servesAReportUntilItIsEnded() throws Exception {
    var file = Files.writeString(folder.resolve("run.ndjson"), BEGIN);
    var exit = new CompletableFuture<Integer>();
    var command =
        Thread.ofPlatform()
            .start(() -> exit.complete(run("dashboard", "--read-only", file.toString())));
    try (var browser = HttpClient.newHttpClient()) {
      var printed = URI.create(address.get(30, TimeUnit.SECONDS));
      assertThat(printed.getFragment()).matches("token=[\\w-]{22}&run=0a1b");
      var token = printed.getFragment().replaceFirst("token=([^&]*).*", "$1");
      var request =
          HttpRequest.newBuilder(printed.resolve("/api/watch?run=0a1b"))
              .header("Authorization", "Bearer " + token)
              .build();
      assertThat(browser.send(request, BodyHandlers.ofString()).body()).isEqualTo(BEGIN);
    } finally {
      command.interrupt();
    }
    assertThat(exit.get(30, TimeUnit.SECONDS)).isZero();
  }
}
