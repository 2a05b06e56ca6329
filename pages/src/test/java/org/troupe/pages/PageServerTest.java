package org.troupe.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A site, as browsers and strangers see it. */
@Timeout(60)
class PageServerTest {

  private static final byte[] INDEX = "<title>p</title>".getBytes(UTF_8);

  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch ended = new CountDownLatch(1); // when the endless stream has ended
  private final PageSite site =
      PageSite.of(
              PageFile.ofResources(
                  name -> name.equals("index.html") ? new ByteArrayInputStream(INDEX) : null))
          .looking("api/echo", request -> PageAnswer.json("\"" + request.text("what") + "\""))
          .looking("api/lines", _ -> PageAnswer.lines(PageServerTest::threeLines))
          .looking("api/cut", request -> PageAnswer.lines(sink -> cut(request, sink)))
          .looking("api/endless", _ -> PageAnswer.lines(this::endless))
          .looking("api/number", request -> PageAnswer.json("" + request.number("of", 7, 1, 9)))
          .acting("api/act", request -> PageAnswer.json("\"" + request.body() + "\""));
  private final HttpClient browser = HttpClient.newHttpClient();
  private PageServer server = PageServer.open(PageOptions.standard(), site);

  private static void threeLines(PageAnswer.LineSink sink) {
    sink.send("1");
    sink.send("2");
    sink.send("3");
  }

  /** Fails behind a line, whose predecessor may have been sent. */
  private static void cut(PageRequest request, PageAnswer.LineSink sink) {
    sink.send("1");
    if (request.has("begun")) {
      sink.flush();
    }
    sink.send("2");
    throw new PageException(PageException.GONE, "it has ended", "choose another one");
  }

  private void endless(PageAnswer.LineSink sink) {
    while (sink.send("x".repeat(1000))) {
      // until the browser has gone
    }
    ended.countDown();
  }

  @AfterEach
  void close() {
    browser.shutdownNow();
    server.close();
  }

  private void reopen(PageOptions options) {
    server.close();
    server = new PageServer(options, site, nanos::get);
  }

  private String token(String name) {
    for (var each : URI.create(server.address()).getFragment().split("&")) {
      if (each.startsWith(name + "=")) {
        return each.substring(name.length() + 1);
      }
    }
    return "";
  }

  private HttpResponse<String> ask(String method, String path, String token, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server.origin()).resolve(path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return browser.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path, String token) throws Exception {
    return ask("GET", path, token, "");
  }

  @Test
  void servesFilesWithoutAToken() throws Exception {
    var index = get("", "");

    assertThat(index.statusCode()).isEqualTo(200);
    assertThat(index.body()).isEqualTo("<title>p</title>");
    assertThat(index.headers().map())
        .containsEntry("content-type", List.of("text/html; charset=utf-8"))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("x-frame-options", List.of("DENY"))
        .containsEntry("referrer-policy", List.of("no-referrer"))
        .containsEntry("cache-control", List.of("no-store"))
        .doesNotContainKey("set-cookie");
    assertThat(index.headers().firstValue("content-security-policy").orElse(""))
        .startsWith("default-src 'self';")
        .contains("frame-ancestors 'none'");
    assertThat(ask("HEAD", "", "", "").headers().firstValue("content-length")).contains("16");
    for (var missing : List.of("none.html", "index", "%2e%2e/index.html", "a/../index.html.")) {
      assertThat(get(missing, "").statusCode()).as(missing).isEqualTo(404);
    }
    assertThat(ask("POST", "", "", "").statusCode()).isEqualTo(405);
  }

  @Test
  void putsTheTokensBehindTheAddress() {
    assertThat(server.address())
        .matches("http://127\\.0\\.0\\.1:\\d+/#token=[\\w-]{22}&act=[\\w-]{22}");
    assertThat(token("token")).isNotEqualTo(token("act"));
  }

  @Test
  void answersOnlyWithAToken() throws Exception {
    assertThat(get("api/echo?what=a%20b", token("token")).body()).isEqualTo("\"a b\"");
    assertThat(get("api/echo", token("act")).statusCode()).isEqualTo(200);
    for (var wrong : List.of("", "AAAAAAAAAAAAAAAAAAAAAA", token("token") + "A")) {
      var answer = get("api/echo?token=" + token("token"), wrong);
      assertThat(answer.statusCode()).as(wrong).isEqualTo(401);
      assertThat(answer.body()).startsWith("{\"error\":").contains("\"remedy\":");
    }
  }

  @Test
  void actsOnlyWithTheTokenForActions() throws Exception {
    assertThat(ask("POST", "api/act", token("act"), "now").body()).isEqualTo("\"now\"");
    assertThat(ask("POST", "api/act", token("token"), "").statusCode()).isEqualTo(403);
    assertThat(get("api/act", token("act")).statusCode()).isEqualTo(405);
    assertThat(ask("POST", "api/act", token("act"), "x".repeat(70_000)).statusCode())
        .isEqualTo(413);

    reopen(PageOptions.standard().withReadOnly(true));

    assertThat(server.address()).doesNotContain("act=");
    assertThat(ask("POST", "api/act", token("token"), "").body()).contains("--read-only");
    assertThat(ask("POST", "api/act", "null", "").statusCode()).isEqualTo(401);
  }

  @Test
  void refusesOtherWrongTokensForAMinuteAfterTen() throws Exception {
    reopen(PageOptions.standard());
    for (var i = 0; i < 20; i++) {
      assertThat(get("api/echo", "").statusCode()).as("no guess").isEqualTo(401);
    }
    for (var i = 0; i < 10; i++) {
      assertThat(get("api/echo", "wrong").statusCode()).isEqualTo(401);
    }

    assertThat(get("api/echo", "wrong").statusCode()).isEqualTo(429);
    assertThat(get("api/echo", token("token")).statusCode()).as("of the owner").isEqualTo(200);
    assertThat(ask("POST", "api/act", token("act"), "").statusCode()).isEqualTo(200);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
    assertThat(get("api/echo", "wrong").statusCode()).isEqualTo(401);
  }

  @Test
  void forgetsWrongTokensOfEarlierMinutes() throws Exception {
    reopen(PageOptions.standard());
    for (var i = 0; i < 30; i++) {
      assertThat(get("api/echo", "wrong").statusCode()).isEqualTo(401);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
    }
  }

  @Test
  void refusesRequestsOfOtherSites() throws Exception {
    reopen(PageOptions.standard().withHosts(Set.of("hub.example", "Other.Example", "my_hub")));
    var own = "127.0.0.1:" + server.port();
    for (var mine :
        List.of(
            "Host: " + own,
            "Host: localhost:1",
            "Host: [::1]:" + server.port(),
            "Host: " + own + "\r\nOrigin: http://" + own,
            "Host: hub.example\r\nOrigin: https://hub.example",
            "Host: HUB.example:8000",
            "Host: other.example",
            "Host: my_hub:80",
            "Host: " + own + "\r\nOrigin: https://hub.example:8443",
            "Host: localhost:1\r\nOrigin: http://MY_HUB")) {
      assertThat(answer("GET / HTTP/1.1\r\n" + mine)).as(mine).startsWith("HTTP/1.1 200");
    }
    for (var stranger :
        List.of(
            "Host: rebound.example:" + server.port(),
            "Host: user@127.0.0.1:" + server.port(),
            "Host: " + own + "/x",
            "Host: " + own + "\r\nOrigin: http://127.0.0.1:1",
            "Host: " + own + "\r\nOrigin: https://" + own,
            "Host: " + own + "\r\nOrigin: null",
            "Host: hub.example\r\nOrigin: https://site.example",
            "Host: hub.example\r\nOrigin: https://hub.example:99",
            "Host: " + own + "\r\nOrigin: https://site.example",
            "Host: " + own + "\r\nOrigin: https://hub.example.site.example",
            "Host: " + own + "\r\nOrigin: https://hub.example@site.example",
            "Host: " + own + "\r\nOrigin: https://site.example/hub.example",
            "Host: " + own + "\r\nOrigin: ftp://hub.example",
            "Host: %",
            "X-Host: " + own,
            "Host: " + own + "\r\nHost: rebound.example")) {
      assertThat(answer("GET / HTTP/1.1\r\n" + stranger)).as(stranger).startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void saysHowToAdmitAProxy() throws Exception {
    var own = "127.0.0.1:" + server.port();
    for (var proxied :
        List.of(
            "Host: hub.example",
            "Host: " + own + "\r\nOrigin: https://hub.example:8443",
            "Host: HUB.example\r\nOrigin: https://hub.example")) {
      assertThat(answer("GET / HTTP/1.1\r\n" + proxied))
          .as(proxied)
          .contains("'hub.example', which is no name of this page")
          .contains("open http://" + own + "/; if 'hub.example' is a proxy of yours")
          .contains("'troupe dashboard --host hub.example'");
    }
    for (var stranger :
        List.of(
            "Host: " + own + "\r\nOrigin: null",
            "Host: " + own + "\r\nOrigin: http://127.0.0.1:1",
            "Host: " + "x".repeat(300))) {
      assertThat(answer("GET / HTTP/1.1\r\n" + stranger))
          .as(stranger)
          .startsWith("HTTP/1.1 403")
          .doesNotContain("--host", "xxxx");
    }
  }

  private String answer(String head) throws IOException {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write((head + "\r\nConnection: close\r\n\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  void worksBelowAPrefix() throws Exception {
    reopen(PageOptions.standard().withPrefix("/user/me/"));

    assertThat(server.origin()).endsWith("/user/me/");
    assertThat(get("", "").statusCode()).isEqualTo(200);
    assertThat(get("api/echo?what=x", token("token")).body()).isEqualTo("\"x\"");
    assertThat(get("/", "").statusCode()).isEqualTo(404);
    assertThat(get("/api/echo", token("token")).statusCode()).isEqualTo(404);
    assertThatThrownBy(() -> PageOptions.standard().withPrefix("user/me"))
        .hasMessageContaining("write one such as /user/me");
  }

  @Test
  void refusesNamesOfHostsThatNoRequestHas() {
    for (var wrong : List.of("https://hub.example", "hub.example:8000", "hub.example/user", "")) {
      assertThatThrownBy(() -> PageOptions.standard().withHosts(Set.of(wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("'" + wrong + "'", "write the name alone, such as hub.example");
    }
  }

  @Test
  void namesWhatIsWrongWithAParameter() throws Exception {
    assertThat(get("api/number", token("token")).body()).isEqualTo("7");
    assertThat(get("api/number?of=3", token("token")).body()).isEqualTo("3");
    for (var wrong : List.of("0", "10", "x", "%22")) {
      var answer = get("api/number?of=" + wrong, token("token"));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("parameter 'of'", "a number from 1 to 9");
    }
    assertThat(get("api/number?of=%22", token("token")).body()).contains("\\\"");
  }

  @Test
  void streamsLines() throws Exception {
    var answer = get("api/lines", token("token"));

    assertThat(answer.headers().firstValue("content-type")).contains("application/x-ndjson");
    assertThat(answer.body()).isEqualTo("1\n2\n3\n");
    assertThat(server.sentBytes()).isEqualTo(6);
  }

  @Test
  void sendsAllLinesOfAStreamThatFails() throws Exception {
    var begun = get("api/cut?begun", token("token"));
    assertThat(begun.statusCode()).isEqualTo(200);
    assertThat(begun.body()).isEqualTo("1\n2\n");

    var refused = get("api/cut", token("token"));
    assertThat(refused.statusCode()).isEqualTo(PageException.GONE);
    assertThat(refused.body()).contains("it has ended");
  }

  @Test
  void endsTheStreamOfABrowserThatDoesNotRead() throws Exception {
    reopen(PageOptions.standard().withTimeLimit(Duration.ofMillis(300)));
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/endless HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                  .formatted(token("token"))
                  .getBytes(ISO_8859_1));
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      assertThat(in.readLine()).startsWith("HTTP/1.1 200"); // and no more

      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(get("api/echo?what=x", token("token")).body()).isEqualTo("\"x\"");
    }
  }

  @Test
  void refusesConnectionsAboveItsLimit() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      while (idle.size() < PageServer.MOST_CONNECTIONS) {
        idle.add(new Socket("127.0.0.1", server.port()));
        if (idle.size() % 20 == 0) {
          get("", ""); // by a connection that stays open, so that the server keeps up
        }
      }
      idle.getLast().setSoTimeout(30_000);
      assertEnds(idle.getLast());
    } finally {
      for (var each : idle) {
        each.close();
      }
    }
    while (!isAnswered()) {
      // until the server has noticed that they are closed
    }
  }

  private boolean isAnswered() {
    try {
      return answer("GET / HTTP/1.1\r\nHost: localhost").startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false; // refused by a reset
    }
  }

  @Test
  void letsRequestsAboveItsLimitWait() throws Exception {
    var entered = new CountDownLatch(256);
    var gate = new CountDownLatch(1);
    var patient =
        PageSite.of(
            _ -> {
              entered.countDown();
              try {
                gate.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return new PageFile("text/plain", INDEX);
            });
    try (var crowded = PageServer.open(PageOptions.standard(), patient)) {
      var request = HttpRequest.newBuilder(URI.create(crowded.origin())).build();
      var answers =
          IntStream.range(0, 300)
              .mapToObj(_ -> browser.sendAsync(request, BodyHandlers.discarding()))
              .toList();
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

      gate.countDown();

      assertThat(answers).allSatisfy(each -> assertThat(each.get().statusCode()).isEqualTo(200));
    }
  }

  @Test
  void closesARequestWithoutAPlaceInTime() throws Exception {
    var gate = new CountDownLatch(1);
    var begun = new CountDownLatch(256);
    var ended = new CountDownLatch(256);
    try (var threads = new ExchangeThreads(Duration.ofMillis(100));
        AutoCloseable opening = gate::countDown) {
      for (var i = 0; i < 256; i++) {
        threads.execute(
            () -> {
              begun.countDown();
              while (gate.getCount() > 0) {
                try {
                  gate.await();
                } catch (InterruptedException e) {
                  // It holds its place nevertheless.
                }
              }
              ended.countDown();
            });
      }
      assertThat(begun.await(30, TimeUnit.SECONDS)).as("all places are taken").isTrue();
      var isInterrupted = new CompletableFuture<Boolean>();

      threads.execute(() -> isInterrupted.complete(Thread.currentThread().isInterrupted()));

      assertThat(isInterrupted.get(30, TimeUnit.SECONDS)).isTrue();
      opening.close();
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void closesARequestThatNeverEnds() throws Exception {
    reopen(PageOptions.standard().withTimeLimit(Duration.ofMillis(100)));
    var post =
        "POST /api/act HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 9\r\n\r\nab"
            .formatted(token("act"));
    for (var beginning : List.of("G", "GET / HTTP/1.1\r\nHost: 127", post)) {
      try (var socket = new Socket("127.0.0.1", server.port())) {
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(beginning.getBytes(ISO_8859_1));
        assertEnds(socket);
      }
    }
  }

  private static void assertEnds(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        // An answer may precede the end.
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection stays open", e);
    } catch (IOException e) {
      // The end may also appear as a reset.
    }
  }

  @Test
  void reportsAnOccupiedPortWithARemedy() {
    var port = server.port();

    assertThatThrownBy(() -> PageServer.open(PageOptions.standard().withPort(port), site))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("port " + port, "in use", "--port");
  }

  @Test
  void endsItsStreamsWhenItIsClosed() throws Exception {
    var lines = new ArrayList<String>();
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/endless HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                  .formatted(token("token"))
                  .getBytes(ISO_8859_1));
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      lines.add(in.readLine());

      server.close();

      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(lines).singleElement().asString().startsWith("HTTP/1.1 200");
  }
}
