package org.troupe.dashboard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.runs.RunAction;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.pages.PageOptions;
import org.troupe.testing.QuickJvm;

/**
 * Requests to the page of a running program, of paths, parameters, headers and bodies that are
 * wrong in part: none fails in the server, none hangs, and none acts without the token to act. A
 * fault would be logged as a warning, which fails the test, too.
 *
 * <p>The seeds are fixed. {@code -Dtroupe.long=true} tries 20,000, {@code -Dtroupe.fuzz=N} as many
 * as wanted, {@code -Dtroupe.fuzz.seed=S} others.
 */
@Timeout(1800)
class MutatedRequestsTest {

  private static final int REQUESTS =
      Integer.getInteger("troupe.fuzz", Boolean.getBoolean("troupe.long") ? 20_000 : 300);
  private static final long SEED = Long.getLong("troupe.fuzz.seed", 42);

  private static final int MOST_READ = 1 << 17;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  private static final List<String> LOOKING =
      List.of(
          ("runs about watch status stacks logs jobs object "
                  + "futures pair trace.pftrace settings no/such Watch watch/ %77atch ")
              .split(" ", -1));

  private static final List<String> ACTING =
      List.of(
          "cancel", "observe", "release", "request", "collect", "log-level", "heap-dump", "press");

  /** Actions that do no harm when the token to act allows them. */
  private static final List<String> HARMLESS = List.of("observe", "press", "collect");

  private static final List<String> NAMES =
      List.of(
          ("run node peer number rows cursor interval poll began "
                  + "tier seconds panel button virtualNode nodes level logger x ")
              .split(" ", -1));

  private static final List<String> VALUES =
      List.of(
          "",
          "local-1",
          "main",
          "n9",
          "0",
          "1",
          "-1",
          "5",
          "99999999999",
          "1e9",
          "NaN",
          "times",
          "off",
          "nodes,pairs",
          "nope",
          "%00",
          "%0a",
          "%09a",
          "%zz",
          "%",
          "%c3%28",
          "%f0%9f%98%80",
          "..%2f..%2fetc",
          "<script>",
          "a".repeat(250),
          "a".repeat(3000),
          "DEBUG");

  private static final List<String> HEADERS =
      List.of(
          "Host: localhost",
          "Host: evil.example",
          "Host: 127.0.0.1:1",
          "Host: [::1]",
          "Origin: http://evil.example",
          "Origin: null",
          "Origin: http://127.0.0.1:PORT",
          "Authorization: Bearer",
          "Authorization: Bearer x",
          "Authorization: Basic eA==",
          "Accept: " + "a/b,".repeat(2000),
          "X-Big: " + "y".repeat(50_000),
          "Content-Length: 7",
          "Content-Length: -5",
          "Content-Length: 1\r\nContent-Length: 2",
          "Content-Type: application/json",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: gzip",
          "Expect: 100-continue",
          "Range: bytes=0-1",
          "If-None-Match: *",
          "Connection: Upgrade\r\nUpgrade: websocket",
          "Cookie: token=x",
          ": x",
          "no colon",
          "\u0000: \u0001",
          "\u00e9: \u00ff");

  private static final List<String> BODIES =
      List.of(
          "",
          "",
          "{}",
          "{\"tier\":\"off\"}",
          "[".repeat(2000),
          "{\"a\":" + "9".repeat(400) + "}",
          "\u0000\u0001\u00ff",
          "5\r\nabcde\r\n0\r\n\r\n",
          "zz\r\n",
          "x".repeat(70_000));

  private static Grid grid;
  private static Dashboard dashboard;

  @BeforeAll
  static void startARun() throws IOException {
    grid = Grid.local(1, GridOptions.standard().withJvmOptions(QuickJvm.OPTIONS));
    dashboard =
        Dashboard.open(PageOptions.standard().withTimeLimit(Duration.ofSeconds(5)), List.of());
  }

  @AfterAll
  static void end() {
    dashboard.close();
    grid.close();
  }

  private static String token(String kind) {
    return fragment().replaceFirst(".*\\b" + kind + "=([^&]*).*", "$1");
  }

  private static String fragment() {
    return URI.create(dashboard.address()).getFragment();
  }

  private static int port() {
    return URI.create(dashboard.address()).getPort();
  }

  @Test
  void withoutTheTokenToActOnlyLook() throws IOException {
    var paths = Stream.concat(LOOKING.stream(), ACTING.stream()).toList();
    for (var i = 0; i < REQUESTS; i++) {
      var random = new Random(SEED + i);
      check(SEED + i, requests(paths, one(List.of("", "x", token("token")), random), random));
    }

    assertThat(rows(WatchRecord.Event.class))
        .extracting(WatchRecord.Event::event)
        .doesNotContainAnyElementsOf(ACTING);
    assertThat(rows(WatchRecord.Node.class))
        .allSatisfy(
            node -> {
              assertThat(node.state()).isEqualTo("joined");
              assertThat(node.load().observed()).isEqualTo("counts");
            });
    assertThat(rows(WatchRecord.Node.class)).hasSize(2);
  }

  @Test
  void withTheTokenToActAreAnsweredOrRefused() throws IOException {
    var paths = Stream.concat(LOOKING.stream(), HARMLESS.stream()).toList();
    try {
      for (var i = 0; i < REQUESTS; i++) {
        var random = new Random(SEED + i);
        check(SEED + i, requests(paths, token("act"), random));
      }
    } finally {
      var id = RunningGrid.ofThisProgram(grid.run()).orElseThrow();
      id.act(new RunAction.Observe("counts", 0)); // as this JVM goes on
    }

    assertThat(rows(WatchRecord.Node.class))
        .hasSize(2)
        .allSatisfy(node -> assertThat(node.state()).isEqualTo("joined"));
  }

  /** Returns the rows of a kind that the program now has. */
  private static <T extends WatchRecord> List<T> rows(Class<T> kind) throws IOException {
    List<T> rows = new ArrayList<>();
    RunningGrid.ofThisProgram(grid.run())
        .orElseThrow()
        .watch(
            Duration.ofSeconds(1),
            "",
            "",
            line -> {
              var read = WatchCodec.record(line);
              read.filter(kind::isInstance).map(kind::cast).ifPresent(rows::add);
              return read.filter(WatchRecord.Round.class::isInstance).isEmpty();
            });
    return rows;
  }

  /** Returns one request, or a few in one connection, of which the last may be cut off. */
  private static String requests(List<String> paths, String token, Random random) {
    var text =
        IntStream.range(0, random.nextInt(8) == 0 ? 3 : 1)
            .mapToObj(_ -> request(paths, token, random))
            .collect(joining());
    return random.nextInt(8) == 0 ? text.substring(0, random.nextInt(text.length())) : text;
  }

  private static String request(List<String> paths, String token, Random random) {
    var name = one(paths, random);
    var query =
        IntStream.range(0, random.nextInt(5))
            .mapToObj(_ -> one(NAMES, random) + "=" + one(VALUES, random))
            .collect(joining("&"));
    var isAction = ACTING.contains(name);
    var method =
        random.nextInt(6) > 0
            ? isAction ? "POST" : "GET"
            : one(List.of("HEAD", "POST", "PUT", "OPTIONS"), random);
    var text = new StringBuilder("%s /api/%s?%s HTTP/1.1\r\n".formatted(method, name, query));
    text.append(random.nextInt(8) > 0 ? "Host: 127.0.0.1:" + port() + "\r\n" : "");
    text.append("Authorization: Bearer ").append(token).append("\r\n");
    for (var left = random.nextBoolean() ? random.nextInt(4) : 0; left > 0; left--) {
      text.append(one(HEADERS, random).replace("PORT", "" + port())).append("\r\n");
    }
    return text.append("\r\n").append(one(BODIES, random)).toString();
  }

  private static String one(List<String> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  private static void check(long seed, String requests) {
    var name =
        "seed %d: %s"
            .formatted(
                seed,
                requests
                    .substring(0, Math.min(400, requests.length()))
                    .replaceAll("\\p{Cc}+", " "));
    var answer = answer(name, requests);
    STATUS
        .matcher(answer)
        .results()
        .forEach(
            each -> assertThat(Integer.parseInt(each.group(1))).as(name).isNotIn(500, 502, 503));
    assertThat(answer).as(name).doesNotContain("internal fault", "\tat org.troupe");
  }

  /** Sends requests; returns the answers, of a stream only the beginning. */
  private static String answer(String name, String requests) {
    try (var socket = new Socket("127.0.0.1", port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(requests.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      var answer = new ByteArrayOutputStream();
      var part = new byte[8192];
      for (int read;
          answer.size() < MOST_READ && (read = socket.getInputStream().read(part)) >= 0; ) {
        answer.write(part, 0, read);
        if (answer.toString(ISO_8859_1).contains("{\"record\":\"round\"")) {
          break; // the stream would go on
        }
      }
      return answer.toString(ISO_8859_1);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("no answer in 30 s to " + name, e);
    } catch (IOException e) {
      return ""; // reset by the server, which had not read everything
    }
  }
}
