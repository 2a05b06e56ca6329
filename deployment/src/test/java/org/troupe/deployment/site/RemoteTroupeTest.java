package org.troupe.deployment.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.ssh.OverEachSshClient;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.testing.Polling;

/** The command troupe of another machine, over one ssh connection. */
@Timeout(60)
class RemoteTroupeTest extends OverEachSshClient {

  private static final String CONFIG = "troupe.ssh.config";

  private SshServerForTests server;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    server = new SshServerForTests(folder);
    System.setProperty(CONFIG, server.writeConfig("").toString());
  }

  @AfterEach
  void stop() throws IOException {
    System.clearProperty(CONFIG);
    server.close();
  }

  private Path command(String path, String script) throws IOException {
    var file = server.home.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private int run(Optional<String> command, String... arguments) throws IOException {
    return new RemoteTroupe(server.login(), command, "troupe 1.0", Optional.of("24 80"))
        .run(List.of(arguments), out, err);
  }

  @Test
  void passesArgumentsOutputAndTheExitCode() throws Exception {
    command(
        "troupe-1.0/bin/troupe",
        "printf '%s\\n' \"$@\"; echo \"$TROUPE_CALLER_VERSION $TROUPE_TERMINAL\" >&2; exit 3\n");

    assertThat(run(Optional.empty(), "logs", "--of=a b", "it's $HOME", "-f")).isEqualTo(3);

    assertThat(out.toString()).isEqualTo("logs\n--of=a b\nit's $HOME\n-f\n");
    assertThat(err.toString()).isEqualTo("troupe 1.0 24 80\n");
    server.awaitNoConnections(); // nothing stays
  }

  @Test
  void theCommandHasNoInput() throws IOException {
    var named = command("elsewhere/t", "wc -c\n");

    assertThat(run(Optional.of(named.toString()))).isZero();

    assertThat(out.toString().strip()).isEqualTo("0");
  }

  @Test
  void theCommandMayBeNamedFromTheHomeDirectory() throws IOException {
    command("elsewhere/t", "echo \"$1\"\n");
    command("plain", "echo \"$1\"\n");

    assertThat(run(Optional.of("~/elsewhere/t"), "first")).isZero();
    assertThat(run(Optional.of("elsewhere/t"), "second")).isZero();
    assertThat(run(Optional.of("plain"), "third")).isZero(); // which is not on the PATH

    assertThat(out.toString()).isEqualTo("first\nsecond\nthird\n");
  }

  @Test
  void offersThePageOfTheCommandHere() throws Exception {
    var stop = server.home.resolve("stop");
    try (var page = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread.ofVirtual().start(() -> answer(page));
      command(
          "bin/troupe",
          "echo hello\necho 'http://127.0.0.1:%d/me/#token=x&act=y'\necho \"$@\"\nwhile [ ! -e %s ]; do sleep 0.1; done\nexit 4\n"
              .formatted(page.getLocalPort(), stop));
      var shown = new CompletableFuture<String>();
      var code = CompletableFuture.supplyAsync(() -> runPage(shown));

      var address = URI.create(shown.get(30, TimeUnit.SECONDS));

      assertThat(address.toString()).matches("http://127\\.0\\.0\\.1:\\d+/me/#token=x&act=y");
      assertThat(address.getPort()).isNotEqualTo(page.getLocalPort());
      try (var browser = new Socket(address.getHost(), address.getPort())) {
        browser.getOutputStream().write("GET /\n".getBytes(UTF_8));
        assertThat(new String(browser.getInputStream().readAllBytes(), UTF_8)).isEqualTo("hello");
      }
      Files.writeString(stop, "");
      assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(4);
    }
    assertThat(out.toString()).isEqualTo("hello\ndashboard 17\n");
    server.awaitNoConnections(); // nothing stays
  }

  private int runPage(CompletableFuture<String> shown) {
    try {
      return new RemoteTroupe(server.login(), Optional.empty(), "troupe 1.0", Optional.empty())
          .runPage(List.of("dashboard", "17"), shown::complete, out, err);
    } catch (IOException e) {
      shown.completeExceptionally(e);
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(ServerSocket page) {
    try {
      while (true) {
        try (var browser = page.accept()) {
          if (browser.getInputStream().read(new byte[1000]) > 0) {
            browser.getOutputStream().write("hello".getBytes(UTF_8));
          }
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  @Test
  void saysThatThePageOfTheCommandIsOutOfReach() throws Exception {
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = closed.getLocalPort();
    }
    command("bin/troupe", "echo http://127.0.0.1:%d/\nread -r nothing\n".formatted(port));

    assertThatThrownBy(
            () ->
                new RemoteTroupe(server.login(), Optional.empty(), "1", Optional.empty())
                    .runPage(List.of("dashboard"), _ -> {}, out, err))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ssh does not lead to the page there; ask for AllowTcpForwarding");
  }

  @Test
  void aCommandThatIsNotThereIsNamedWithTheRemedy() {
    assertThatThrownBy(() -> run(Optional.of("/no/such/troupe"), "status"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no command '/no/such/troupe'; correct '--at-command'");
  }

  @Test
  void aFailedLoginSaysWhatToDo() throws IOException {
    Files.writeString(server.knownHosts, "");

    assertThatThrownBy(() -> run(Optional.empty(), "status"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1")
        .hasMessageContaining("key");
  }

  @Test
  void aBrokenConnectionEndsTheCommandThere() throws Exception {
    var ended = server.home.resolve("ended");
    command(
        "bin/troupe",
        "trap 'echo over >%s; exit 0' TERM\necho begun\nwhile :; do sleep 0.1; done\n"
            .formatted(ended));
    var begun = new CountDownLatch(1);
    var lines =
        new StringWriter() {
          @Override
          public void flush() {
            begun.countDown();
          }
        };
    var failure = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                new RemoteTroupe(server.login(), Optional.empty(), "troupe 1.0", Optional.empty())
                    .run(List.of("top"), lines, err);
              } catch (IOException e) {
                failure.countDown();
              }
            });
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    server.breakConnections();

    assertThat(failure.await(30, TimeUnit.SECONDS)).as("the caller notices").isTrue();
    Polling.until("the command there is terminated", () -> Files.exists(ended));
  }
}
