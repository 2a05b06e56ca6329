package org.troupe.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.pages.PageOptions;

/** The page while a program of the user is stopped: its socket accepts, and nothing answers. */
@Timeout(60)
class SilentProgramTest {

  private static final String TEMPORARY = "java.io.tmpdir";
  private static final int MORE_THAN_A_QUEUE = 100;

  @TempDir private Path folder;
  private final String usual = System.getProperty(TEMPORARY);
  private final List<AutoCloseable> open = new ArrayList<>();
  private Dashboard dashboard;
  private HttpClient browser;

  @BeforeEach
  void startPrograms() throws IOException {
    System.setProperty(TEMPORARY, folder.toString());
    stopped(1);
    answering(2, "healthy");
    dashboard = Dashboard.open(PageOptions.standard(), List.of());
    browser = HttpClient.newHttpClient();
  }

  @AfterEach
  void end() throws Exception {
    System.setProperty(TEMPORARY, usual);
    browser.shutdownNow();
    dashboard.close();
    for (var each : open) {
      each.close();
    }
  }

  private ServerSocketChannel socket(int number) throws IOException {
    var sockets = folder.resolve("troupe-control-" + System.getProperty("user.name"));
    if (!Files.exists(sockets)) {
      Files.createDirectory(
          sockets,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    open.add(server);
    var file = sockets.resolve(ProcessHandle.current().pid() + "-" + number + ".sock");
    return server.bind(UnixDomainSocketAddress.of(file));
  }

  private void stopped(int number) throws IOException {
    var address = socket(number).getLocalAddress();
    for (var i = 0; i < MORE_THAN_A_QUEUE; i++) {
      var client = SocketChannel.open(StandardProtocolFamily.UNIX);
      open.add(client);
      client.configureBlocking(false);
      try {
        client.connect(address);
      } catch (IOException e) {
        return; // the queue is full
      }
    }
  }

  private void answering(int number, String run) throws IOException {
    answering(number, run, _ -> "");
  }

  /** Answers its identity, or what the function says to a verb. */
  private void answering(int number, String run, UnaryOperator<String> answers) throws IOException {
    var server = socket(number);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  try (var client = server.accept()) {
                    var request = ByteBuffer.allocate(1000);
                    if (client.read(request) < 0) {
                      continue; // it only looks whether the program is there
                    }
                    var verb = new String(request.array(), UTF_8).split("\t", 2)[0];
                    var answer = answers.apply(verb);
                    var identity =
                        "ok\n{\"id\":\"1\",\"run\":\"%s\",\"pid\":1,\"program\":\"P\",\"startedMillis\":5}"
                            .formatted(run);
                    client.write(
                        ByteBuffer.wrap((answer.isEmpty() ? identity : answer).getBytes(UTF_8)));
                  }
                }
              } catch (IOException e) {
                // Closed.
              }
            });
  }

  private HttpResponse<String> get(String path) throws Exception {
    return sent(path, "token", HttpRequest.Builder::GET);
  }

  private HttpResponse<String> post(String path) throws Exception {
    return sent(path, "act", its -> its.POST(BodyPublishers.noBody()));
  }

  private HttpResponse<String> sent(
      String path, String right, UnaryOperator<HttpRequest.Builder> method) throws Exception {
    var address = URI.create(dashboard.address());
    var token = address.getFragment().replaceFirst(".*\\b" + right + "=([^&]*).*", "$1");
    var request =
        HttpRequest.newBuilder(address.resolve(path)).header("Authorization", "Bearer " + token);
    return browser.send(method.apply(request).build(), BodyHandlers.ofString());
  }

  @Test
  void aFaultAndAMissingResultAreNoSuccess() throws Exception {
    answering(
        3,
        "other version",
        verb ->
            switch (verb) {
              case "observe" -> "ok\n";
              case "settings" -> "fault java.lang.IllegalStateException: no view\n";
              case "collect" -> "no node 'a' is not there now\n";
              default -> "";
            });

    var observed = post("/api/observe?run=other%20version&tier=times");
    assertThat(observed.statusCode()).isEqualTo(502);
    assertThat(observed.body()).contains("without a result").doesNotContain("nothing was done");
    var settings = get("/api/settings?run=other%20version");
    assertThat(settings.statusCode()).isEqualTo(502);
    assertThat(settings.body())
        .contains("an internal fault of Troupe: java.lang.IllegalStateException: no view");
    var refused = post("/api/collect?run=other%20version&node=a");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).contains("node 'a' is not there now", "nothing was done");
  }

  @Test
  void doesNotHideTheOthers() throws Exception {
    var runs = get("/api/runs");

    assertThat(runs.statusCode()).isEqualTo(200);
    assertThat(runs.body()).contains("\"healthy\"");
  }

  @Test
  void aReportDoesNotHideTheProgramThatStillRuns() throws Exception {
    dashboard.close();
    var report =
        Files.writeString(
            folder.resolve("run.ndjson"),
            """
            {"record":"begin","version":1,"id":"1","run":"healthy","program":"Recorded","intervalSeconds":1,"isWhole":true}
            """);
    dashboard = Dashboard.open(PageOptions.standard(), List.of(report));

    assertThat(get("/api/runs").body())
        .containsOnlyOnce("\"healthy\"")
        .contains("\"isRunning\":true")
        .doesNotContain("Recorded");
    assertThat(get("/api/settings?run=healthy").body()).contains("\"startedMillis\":5");
  }

  @Test
  void isNotTakenForAnEndedOne() throws Exception {
    var answer = get("/api/status?run=other");

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body())
        .contains("run 'other'", "1 program does not answer", "may be stopped");
  }
}
