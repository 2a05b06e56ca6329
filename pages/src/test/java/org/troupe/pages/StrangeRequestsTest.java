package org.troupe.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Timeout;

/** Requests as no browser sends them: none is answered with what needs a token. */
@Timeout(120)
class StrangeRequestsTest {

  private static final int REQUESTS = 200;
  private static final String SECRET = "the secret content";

  private static final List<String> METHODS =
      List.of("GET", "POST", "HEAD", "OPTIONS", "TRACE", "get", "PRI", "", "G\0T");
  private static final List<String> PATHS =
      List.of(
          "/api/look",
          "/api/act",
          "//api/look",
          "/./api/look",
          "/x/../api/look",
          "/api/look?token=TOKEN",
          "/api/look#token=TOKEN",
          "/api%2flook",
          "/%2e%2e/%2e%2e/etc/passwd",
          "/..\\..\\etc",
          "http://127.0.0.1/api/look",
          "mailto:x",
          "*",
          "/" + "a".repeat(9000),
          "/api/look?" + "a=b&".repeat(300),
          "/api/look?%zz=%",
          "");
  private static final List<String> VERSIONS =
      List.of("HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/9.9", "HTTP", "");
  private static final List<String> HEADERS =
      List.of(
          "Host: 127.0.0.1",
          "Host: localhost",
          "Host: example.com",
          "Host: ",
          "Origin: http://evil.example",
          "Authorization: Bearer ",
          "Authorization: Bearer null",
          "Authorization: Bearer TOKEN",
          "Authorization: Basic TOKEN",
          "Authorization:Bearer\tTOKEN\r\nAuthorization: Bearer x",
          "Authorization: bearer \u00e9\u00ff",
          "Cookie: token=TOKEN; act=TOKEN",
          "Content-Length: 5",
          "Content-Length: -1",
          "Content-Length: 99999999999999999999",
          "Content-Length: 4\r\nContent-Length: 5",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: chunked\r\nContent-Length: 3",
          "Expect: 100-continue",
          "Upgrade: websocket\r\nConnection: Upgrade",
          "X-HTTP-Method-Override: POST",
          "X-Forwarded-Host: 127.0.0.1",
          " folded: x",
          "noColon",
          ": noName",
          "X: " + "y".repeat(20_000));
  private static final List<String> BODIES =
      List.of(
          "", "abcde", "5\r\nabcde\r\n0\r\n\r\n", "ffffffff\r\n", "GET /api/look HTTP/1.1\r\n\r\n");

  private final AtomicBoolean hasActed = new AtomicBoolean();
  private final PageServer server =
      PageServer.open(
          PageOptions.standard().withTimeLimit(Duration.ofSeconds(1)),
          PageSite.of(path -> path.isEmpty() ? new PageFile("text/plain", new byte[1]) : null)
              .looking("api/look", _ -> PageAnswer.json(SECRET))
              .acting(
                  "api/act",
                  _ -> {
                    hasActed.set(true);
                    return PageAnswer.json(SECRET);
                  }));

  @AfterEach
  void close() {
    server.close();
  }

  @RepeatedTest(4)
  void areAnsweredWithoutWhatNeedsAToken(RepetitionInfo repetition) throws Exception {
    var random = new Random(repetition.getCurrentRepetition());
    for (var i = 0; i < REQUESTS; i++) {
      var request = damaged(request(random), random);
      var answer = answer(request);
      assertThat(answer).as(request).doesNotContain(SECRET);
    }

    assertThat(hasActed).isFalse();
    var token = URI.create(server.address()).getFragment().replaceFirst("token=([^&]*).*", "$1");
    var sane =
        "GET /api/look HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ";
    assertThat(answer(sane + token + "\r\n\r\n")).contains(SECRET);
    assertThat(answer("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  private static String request(Random random) {
    var request = new StringBuilder();
    request.append(one(METHODS, random)).append(' ').append(one(PATHS, random)).append(' ');
    request.append(one(VERSIONS, random)).append("\r\n");
    if (random.nextInt(4) > 0) {
      request.append(HEADERS.getFirst()).append("\r\n");
    }
    for (var left = random.nextInt(5); left > 0; left--) {
      request.append(one(HEADERS, random)).append("\r\n");
    }
    return request.append("\r\n").append(one(BODIES, random)).toString();
  }

  private static String one(List<String> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  /** Changes, removes or repeats some characters of every other request. */
  private static String damaged(String request, Random random) {
    var damaged = new StringBuilder(request);
    for (var left = random.nextBoolean() ? random.nextInt(6) : 0; left > 0; left--) {
      if (damaged.length() < 2) {
        break;
      }
      var at = random.nextInt(damaged.length());
      switch (random.nextInt(4)) {
        case 0 -> damaged.setCharAt(at, (char) random.nextInt(256));
        case 1 -> damaged.deleteCharAt(at);
        case 2 -> damaged.insert(at, damaged.charAt(at));
        default -> damaged.setLength(Math.max(1, at));
      }
    }
    return damaged.toString();
  }

  private String answer(String request) {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection stays open after: " + request, e);
    } catch (IOException e) {
      return ""; // reset by the server, which had not read everything
    }
  }
}
