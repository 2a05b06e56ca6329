package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.testing.QuickJvm;

/** The dashboard and the program that it shows, each as a process. */
@Timeout(120)
class DashboardOfProcessesTest {

  private static final GridOptions QUICK = GridOptions.standard().withJvmOptions(QuickJvm.OPTIONS);
  private static final int TERMINATED = 130; // as after Ctrl-C

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();
  private final HttpClient browser = HttpClient.newHttpClient();

  /** Deploys two nodes, and waits to be ended. */
  static final class Deployed {
    public static void main(String[] arguments) throws InterruptedException {
      try (var grid = Grid.local(2, QUICK)) {
        System.out.println(grid.run());
        new CountDownLatch(1).await();
      }
    }
  }

  /** Loses a node, and fails for that reason. */
  static final class Failing {
    public static void main(String[] arguments) throws InterruptedException {
      try (var grid = Grid.local(1, QUICK)) {
        System.out.println(grid.run());
        var left = new CountDownLatch(1);
        grid.nodes().onLeave((node, reason) -> left.countDown());
        ProcessHandle.of(grid.status().getFirst().pid().orElseThrow())
            .orElseThrow()
            .destroyForcibly();
        left.await();
        if (arguments.length > 0) {
          grid.close();
          if (arguments[0].equals("return")) {
            return;
          }
          System.exit(Integer.parseInt(arguments[0]));
        }
        throw new IllegalStateException("no node is left");
      }
    }
  }

  @AfterEach
  void end() {
    browser.shutdownNow();
    processes.forEach(Process::destroyForcibly);
  }

  /** Starts {@code troupe} with arguments. */
  private Process troupe(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "-Duser.home=" + folder,
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(0, QuickJvm.OPTIONS);
    command.addFirst(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectError(folder.resolve("err").toFile()).start();
    processes.add(process);
    return process;
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private HttpResponse<String> ask(URI address, String path, String token) throws Exception {
    var bearer = address.getFragment().replaceFirst(".*\\b" + token + "=([^&]*).*", "$1");
    var request =
        HttpRequest.newBuilder(address.resolve(path)).header("Authorization", "Bearer " + bearer);
    return browser.send(
        (token.equals("act") ? request.POST(BodyPublishers.noBody()) : request).build(),
        BodyHandlers.ofString());
  }

  @Test
  void showsARunAndEndsIt() throws Exception {
    var program = troupe("run", "--main", Deployed.class.getName());
    var run = output(program).readLine();
    var dashboard = troupe("dashboard", run);
    var address = URI.create(output(dashboard).readLine());

    assertThat(ask(address, "/api/runs", "token").body()).contains(run);
    var round = ask(address, "/api/watch?poll&run=" + run, "token").body();
    assertThat(round.lines().filter(line -> line.startsWith("{\"record\":\"node\""))).hasSize(3);

    assertThat(ask(address, "/api/cancel?run=" + run, "token").statusCode()).isEqualTo(405);
    assertThat(ask(address, "/api/cancel?run=" + run, "act").statusCode()).isEqualTo(200);
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(program.exitValue()).isEqualTo(TERMINATED);
    var gone = ask(address, "/api/watch?poll&run=" + run, "token");
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.body()).contains("no run '" + run + "'", "remedy");
    assertThat(dashboard.isAlive()).isTrue();
  }

  @Test
  void aFailedRunLeavesAReport() throws Exception {
    var program = troupe("run", "--main", Failing.class.getName());
    var run = output(program).readLine();
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();

    var report = folder.resolve(".local/state/troupe/reports/" + run + ".html");
    assertThat(program.exitValue()).isEqualTo(1);
    assertThat(folder.resolve("err")).content().contains(report.toString(), "no node is left");
    assertThat(Files.readString(report))
        .contains("\"reason\":\"the program failed: ", "no node is left")
        .contains("\"event\":\"left\"", "\"record\":\"settings\"");

    var address = URI.create(output(troupe("dashboard", run)).readLine());
    assertThat(address.getFragment()).endsWith("&run=" + run);
    assertThat(ask(address, "/api/runs", "token").body())
        .contains("\"isRunning\":false", report.toString());
    assertThat(ask(address, "/api/watch?run=" + run, "token").body())
        .startsWith("{\"record\":\"begin\"")
        .contains("\"record\":\"recording\"");
  }

  /** Succeeds. */
  static final class Succeeding {
    public static void main(String[] arguments) {
      try (var grid = Grid.local(1, QUICK)) {
        System.out.println(grid.run());
      }
    }
  }

  @Test
  void aSuccessfulRunLeavesAReportIfItIsAskedFor() throws Exception {
    var program = troupe("run", "--report-html", "--main", Succeeding.class.getName());
    var run = output(program).readLine();
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(program.exitValue()).isZero();
    assertThat(folder.resolve("err"))
        .content()
        .startsWith("a report of the run is in ")
        .hasLineCount(1);
    assertThat(folder.resolve(".local/state/troupe/reports/" + run + ".html"))
        .content()
        .contains("\"reason\":\"the run has ended\"", "\"event\":\"joined\"");
  }

  @Test
  void aRunThatHasLostANodeLeavesAReportWhenItsProgramExits() throws Exception {
    var program = troupe("run", "--main", Failing.class.getName(), "3");
    var run = output(program).readLine();
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(program.exitValue()).isEqualTo(3);
    assertThat(folder.resolve(".local/state/troupe/reports/" + run + ".html"))
        .content()
        .contains("\"reason\":\"lost nodes: local-1\"");
    assertThat(folder.resolve("err"))
        .content()
        .contains("node 'local-1' was lost while the program ran; a report of the run is in ");
  }

  @Test
  void theReportOfASuccessfulProgramIsNoFailure() throws Exception {
    var program = troupe("run", "--main", Failing.class.getName(), "return");
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(program.exitValue()).isZero();
    assertThat(folder.resolve("err"))
        .content()
        .contains("the program has succeeded, although node 'local-1' was lost; a report of");
  }
}
