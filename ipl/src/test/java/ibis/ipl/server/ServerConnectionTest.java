package ibis.ipl.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.ForkedJvm;
import ibis.ipl.Ibis;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisProperties;
import ibis.ipl.TestPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerConnectionTest {

  private static final long LONG = 50_000;

  @TempDir private Path folder;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream output = new PrintStream(printed, true, UTF_8);

  /** Runs in a JVM of its own, whose default properties name the secret of the server. */
  static final class Questioner {
    private Questioner() {}

    static void main(String[] arguments) throws IOException {
      var connection = new ServerConnection(arguments[0], (Object) null);
      RegistryServiceInterface registry = connection.getRegistryService();
      System.out.println("sizes: " + registry.getPoolSizes());
      System.out.println("pools: " + List.of(registry.getPools()));
      System.out.println("members: " + List.of(registry.getMembers("pool")));
      System.out.println("locations: " + List.of(registry.getLocations("pool")));
      System.out.println("nobody: " + registry.getMembers("no pool").length);
    }
  }

  @Test
  void poolsAreKnownInAnotherProcess() throws Exception {
    try (var pool = new TestPool().with("ibis.location", "desk@room")) {
      Ibis first = pool.join(TestPool.ALL);
      Ibis second = pool.join(TestPool.ALL);
      List<String> options =
          List.of("-Dibis.secret=" + pool.properties().getProperty("ibis.secret"));

      try (var questioner =
          ForkedJvm.start(folder, Questioner.class, options, pool.server().getAddress())) {
        assertThat(questioner.await("sizes: ")).isEqualTo("{pool=2}");
        assertThat(questioner.await("pools: ")).isEqualTo("[pool]");
        assertThat(questioner.await("members: "))
            .isEqualTo(List.<IbisIdentifier>of(first.identifier(), second.identifier()).toString());
        assertThat(questioner.await("locations: ")).isEqualTo("[desk@room]");
        assertThat(questioner.await("nobody: ")).isEqualTo("0");
      }
    }
  }

  @Test
  void startedServerSaysItsAddressAndEndsWithTheConnection() throws Exception {
    var commands = new PipedOutputStream();
    var in = new PipedInputStream(commands);
    var answers = new PipedOutputStream();
    var out = new PipedInputStream(answers);
    String secret = IbisProperties.SECRET + "=" + "00".repeat(32);
    CompletableFuture<Integer> exit =
        CompletableFuture.supplyAsync(
            () -> {
              try (var print = new PrintStream(answers, true, UTF_8)) {
                String[] options = {"--remote", "--port", "0", "--address", "127.0.0.1", secret};
                return ServerCommand.run(options, in, print, System.err);
              }
            });

    var connection = new ServerConnection(out, commands, output, "server: ", LONG, null);

    assertThat(connection.getAddress()).startsWith("127.0.0.1:");
    assertThat(connection.getServiceNames()).containsExactly("registry");
    assertThat(connection.getHubs()).isEmpty();
    connection.end(0);
    assertThat(exit.get(50, TimeUnit.SECONDS)).isZero();
    connection.closeConnection();
  }

  @Test
  void addressIsFoundAmongOtherLines() throws Exception {
    var gone = new CompletableFuture<Void>();
    var stdin = endOf(gone);

    var connection =
        new ServerConnection(
            text("welcome\nIBIS SERVER RUNNING ON: host:1234EOA\n"),
            stdin,
            output,
            "> ",
            LONG,
            null);

    assertThat(connection.getAddress()).isEqualTo("host:1234");
    assertThat(printed.toString(UTF_8)).isEqualTo("> welcome" + System.lineSeparator());
    assertThat(gone).isNotDone();
    connection.closeConnection();
    assertThat(gone).isDone();
  }

  @Test
  void serverThatEndsWithoutAnAddressIsReported() {
    var gone = new CompletableFuture<Void>();

    assertThatThrownBy(
            () -> new ServerConnection(text("no room\n"), endOf(gone), output, "> ", LONG, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ended before it said its address");
    assertThat(printed.toString(UTF_8)).contains("> no room");
    assertThat(gone).isDone();
  }

  @Test
  void serverThatSaysNothingIsGivenUpAndEnded() throws Exception {
    var gone = new CompletableFuture<Void>();
    try (var silent = new PipedOutputStream();
        var stdout = new PipedInputStream(silent)) {

      assertThatThrownBy(() -> new ServerConnection(stdout, endOf(gone), output, "", 1, null))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("within 1 ms");
    }
    assertThat(gone).isDone();
  }

  @Test
  void serverOfOthersIsNotEnded() throws Exception {
    try (var pool = new TestPool()) {
      var connection = new ServerConnection(pool.server().getAddress(), "a hub");

      assertThatThrownBy(() -> connection.end(0)).hasMessageContaining("started by others");
      assertThat(pool.join(TestPool.ALL).identifier()).isNotNull();
    }
  }

  private static InputStream text(String lines) {
    return new ByteArrayInputStream(lines.getBytes(UTF_8));
  }

  private static OutputStream endOf(CompletableFuture<Void> closed) {
    return new OutputStream() {
      @Override
      public void write(int ignored) {
        throw new AssertionError("nothing is written to a server");
      }

      @Override
      public void close() {
        closed.complete(null);
      }
    };
  }
}
