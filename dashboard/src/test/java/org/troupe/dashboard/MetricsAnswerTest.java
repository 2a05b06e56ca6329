package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.pages.PageOptions;

/** Requests of Prometheus, about the recording of a run. */
@Timeout(60)
class MetricsAnswerTest {

  @TempDir private Path folder;
  private Path recording;
  private Path tokenFile;

  @BeforeEach
  void record() throws IOException {
    recording = folder.resolve("run.ndjson");
    tokenFile = folder.resolve("token");
    Files.write(recording, GridMetricsTest.grid().stream().map(WatchCodec::line).toList());
  }

  private Dashboard withMetrics() throws IOException {
    return Dashboard.openWithMetrics(PageOptions.standard(), List.of(recording), tokenFile);
  }

  private static HttpResponse<String> get(Dashboard dashboard, String token) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var site = URI.create(dashboard.address().replaceFirst("#.*", ""));
      var request =
          HttpRequest.newBuilder(site.resolve("metrics?run=r1"))
              .header("Authorization", "Bearer " + token)
              .build();
      return client.send(request, BodyHandlers.ofString());
    }
  }

  @Test
  void areAnsweredWithTheTokenOfTheFile() throws Exception {
    try (var dashboard = withMetrics()) {
      var answer = get(dashboard, Files.readString(tokenFile));

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue(MetricsText.TYPE);
      assertThat(answer.body()).isEqualTo(GridMetricsTest.metrics(GridMetricsTest.grid()));
    }
  }

  @Test
  void areRefusedWithAnotherToken() throws Exception {
    try (var dashboard = withMetrics()) {
      assertThat(get(dashboard, "another").statusCode()).isBetween(401, 403);
    }
  }

  @Test
  void areNotAnsweredUnlessThatIsAskedFor() throws Exception {
    try (var dashboard = Dashboard.open(PageOptions.standard(), List.of(recording))) {
      var token = dashboard.address().replaceFirst(".*#token=([^&]*).*", "$1");

      assertThat(get(dashboard, token).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void needAFileThatOnlyTheUserCanReadAndThatIsRemovedAtTheEnd() throws Exception {
    Files.writeString(tokenFile, "of an earlier start");
    try (var _ = withMetrics()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tokenFile)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(tokenFile)).doesNotContain("earlier");
    }
    assertThat(tokenFile).doesNotExist();
  }

  @Test
  void doNotRemoveTheTokenOfAnotherProcess() throws Exception {
    try (var _ = withMetrics()) {
      Files.writeString(tokenFile, "another");
    }
    assertThat(tokenFile).hasContent("another");
  }

  @Test
  void nameAFileThatCannotBeWritten() {
    for (var file : List.of(folder, folder.resolve("missing/token"))) {
      assertThatThrownBy(
              () -> Dashboard.openWithMetrics(PageOptions.standard(), List.of(recording), file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("name a file");
    }
  }
}
