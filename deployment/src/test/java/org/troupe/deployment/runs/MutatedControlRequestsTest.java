package org.troupe.deployment.runs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.Grid;
import org.troupe.program.Quick;

/**
 * Requests to the control socket as no {@code troupe} sends them: each is answered or disconnected,
 * and none is a fault, which would be logged as a warning.
 *
 * <p>The seeds are fixed. {@code -Dtroupe.long=true} tries 20,000, {@code -Dtroupe.fuzz=N} as many
 * as wanted, {@code -Dtroupe.fuzz.seed=S} others.
 */
@Timeout(1800)
class MutatedControlRequestsTest {

  private static final int REQUESTS =
      Integer.getInteger("troupe.fuzz", Boolean.getBoolean("troupe.long") ? 20_000 : 200);
  private static final long SEED = Long.getLong("troupe.fuzz.seed", 42);

  private static final List<String> VERBS =
      List.of(
          ("status logs follow stack object objects futures pair watch trace flight "
                  + "identity settings lines follow-lines recording observe press collect log-level release heap-dump STATUS ")
              .split(" ", -1));

  /** Verbs that would change the grid if their words were right. */
  private static final List<String> ONLY_WRONG =
      List.of("flight", "release", "heap-dump", "log-level");

  private static final List<String> WORDS =
      List.of(
          "",
          "main",
          "local-1",
          "local-1/1",
          "0",
          "1",
          "-1",
          "20",
          "007",
          "9223372036854775807",
          "99999999999999999999",
          "1e3",
          "NaN",
          "times",
          "counts",
          "off",
          "vitals,nodes",
          "nodes,,",
          "panels",
          "DEBUG",
          "WARNING",
          "../../etc/passwd",
          "{\"a\":[",
          "<b>",
          "\u0000\u001b[2J",
          "\u00e9\u00ff",
          "a".repeat(500),
          "' or 1=1",
          "%s%n");

  private static final List<String> WRONG_WORDS = List.of("", "n9", "a/b", "\u00ff", "<b>");

  private static Grid grid;

  /** An active object. */
  public static class Worker {
    public int step() {
      return 1;
    }
  }

  @BeforeAll
  static void deploy() {
    grid = Grid.local(1, Quick.GRID);
    ActiveObjects.on(grid.nodes().first()).create(Worker.class).step();
  }

  @AfterAll
  static void end() throws IOException {
    ours().act(new RunAction.Observe("counts", 0)); // this JVM goes on
    grid.close();
  }

  private static RunningGrid ours() throws IOException {
    return RunningGrid.ofThisProgram(grid.run()).orElseThrow();
  }

  private static Path socket() throws IOException {
    var id = ours().id();
    return ControlFolder.sockets().stream()
        .filter(each -> ControlFolder.id(each).equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void areAnsweredOrDisconnected() throws Exception {
    var socket = socket();
    List<SocketChannel> halfSent = new ArrayList<>();
    for (var i = 0; i < REQUESTS; i++) {
      var random = new Random(SEED + i);
      var request = request(random);
      var name = "seed %d: '%s'".formatted(SEED + i, request.replaceAll("\\p{Cc}", "?"));
      if (random.nextInt(10) == 0) {
        var channel = connected(socket);
        send(channel, request.substring(0, random.nextInt(request.length() + 1)).strip());
        halfSent.add(channel); // and says no more
      } else {
        assertThat(firstLine(socket, request)).as(name).matches("(?s)(ok|(no|failed) .+|)");
      }
      if (halfSent.size() > 20) {
        halfSent.removeFirst().close();
      }
    }

    assertThat(ours().identity().run()).isEqualTo(grid.run());
    for (var each : halfSent) {
      each.close();
    }
    assertThat(ours().status().nodes())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.state()).isEqualTo("joined");
              assertThat(node.load()).isNotNull();
            });
  }

  private static SocketChannel connected(Path socket) throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    return channel;
  }

  private static void send(SocketChannel channel, String text) throws IOException {
    for (var bytes = ByteBuffer.wrap(text.getBytes(ISO_8859_1)); bytes.hasRemaining(); ) {
      channel.write(bytes);
    }
  }

  /** Sends a request; returns the first line of the answer, of which it reads no more. */
  private static String firstLine(Path socket, String request) throws IOException {
    try (var channel = connected(socket)) {
      try {
        send(channel, request);
        channel.shutdownOutput();
        var answer = ByteBuffer.allocate(1 << 16);
        while (answer.hasRemaining() && !line(answer).contains("\n") && channel.read(answer) >= 0) {
          // until there is a line
        }
        return line(answer).split("\n", -1)[0];
      } catch (IOException e) {
        return ""; // disconnected before all was sent
      }
    }
  }

  private static String line(ByteBuffer answer) {
    return new String(answer.array(), 0, answer.position(), UTF_8);
  }

  private static String request(Random random) {
    var verb = one(VERBS, random);
    var isHarmful = ONLY_WRONG.contains(verb);
    var words = isHarmful ? WRONG_WORDS : WORDS;
    var rest =
        IntStream.range(0, random.nextInt(6))
            .mapToObj(_ -> "\t" + one(words, random))
            .collect(Collectors.joining());
    return (isHarmful ? verb + rest : mutated(verb + rest, random)) + "\n";
  }

  private static String one(List<String> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  /** Changes, removes or repeats some characters of every other request. */
  private static String mutated(String request, Random random) {
    var mutated = new StringBuilder(request);
    for (var left = random.nextBoolean() ? random.nextInt(5) : 0; left > 0; left--) {
      if (mutated.length() < 2) {
        break;
      }
      var at = random.nextInt(mutated.length());
      switch (random.nextInt(4)) {
        case 0 -> mutated.setCharAt(at, (char) random.nextInt(256));
        case 1 -> mutated.deleteCharAt(at);
        case 2 -> mutated.insert(at, mutated.substring(at).repeat(1 + random.nextInt(3)));
        default -> mutated.insert(at, '\t');
      }
    }
    return mutated.toString();
  }
}
