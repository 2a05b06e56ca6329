package org.troupe.classics.webserver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The responses that browsers get. */
@Timeout(60)
class PageFrontTest {

  private final WebPage page = WebPage.generate(1, 200).getFirst();
  private final PageFront front =
      new PageFront(
          0,
          path -> {
            if (path.equals("/lost.html")) {
              throw new IllegalStateException("node 'b2' is gone");
            }
            return path.equals(page.path()) ? page : null;
          });
  private final HttpClient browser = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    browser.shutdownNow();
    front.close();
  }

  private HttpResponse<byte[]> ask(String method, String path) throws Exception {
    var address = URI.create("http://127.0.0.1:" + front.port() + path);
    var request = HttpRequest.newBuilder(address).method(method, BodyPublishers.noBody()).build();
    return browser.send(request, BodyHandlers.ofByteArray());
  }

  @Test
  void servesThePageUnchanged() throws Exception {
    var answer = ask("GET", page.path());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(answer.body()).hasSize(200).isEqualTo(page.body());
    assertThat(ask("HEAD", page.path()).headers().firstValue("Content-Length")).contains("200");
  }

  @Test
  void reportsRequestsThatItCannotServe() throws Exception {
    assertThat(ask("GET", "/none.html").statusCode()).isEqualTo(404);
    assertThat(ask("PUT", page.path()).statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/lost.html").statusCode()).isEqualTo(502);
    assertThat(ask("GET", "/lost.html").body()).asString().contains("node 'b2' is gone");
  }

  @Test
  void rejectsRequestsOfOtherSites() throws Exception {
    var own = "127.0.0.1:" + front.port();
    var get = "GET " + page.path() + " HTTP/1.1\r\nConnection: close\r\n";

    assertThat(answer(get + "Host: " + own)).startsWith("HTTP/1.1 200");
    assertThat(answer(get + "Host: localhost:" + front.port())).startsWith("HTTP/1.1 200");
    assertThat(answer(get + "Host: localhost:1")).as("through a tunnel").startsWith("HTTP/1.1 200");
    assertThat(answer(get + "Host: " + own + "\r\nOrigin: http://" + own))
        .startsWith("HTTP/1.1 200");
    for (var stranger :
        List.of(
            "Host: rebound.example:" + front.port(),
            "Host: user@127.0.0.1:" + front.port(),
            "Host: " + own + "\r\nOrigin: http://127.0.0.1:1",
            "Host: %",
            "X-Host: " + own,
            "Host: " + own + "\r\nHost: rebound.example",
            "Host: " + own + "\r\nOrigin: https://site.example",
            "Host: " + own + "\r\nOrigin: null")) {
      assertThat(answer(get + stranger)).as(stranger).startsWith("HTTP/1.1 403");
    }
  }

  private String answer(String head) throws IOException {
    try (var socket = new Socket("127.0.0.1", front.port())) {
      socket.getOutputStream().write((head + "\r\n\r\n").getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @Test
  void closesARequestThatNeverEnds() throws Exception {
    try (var impatient = new PageFront(0, _ -> page, Duration.ofMillis(100))) {
      for (var beginning :
          List.of(
              "G",
              "GET / HTTP/1.1\r\nHost: 127",
              "POST / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 9\r\n\r\nab"
                  .formatted(impatient.port()))) {
        try (var socket = new Socket("127.0.0.1", impatient.port())) {
          socket.getOutputStream().write(beginning.getBytes(US_ASCII));
          assertEnds(socket);
        }
      }
    }
  }

  private static void assertEnds(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        // An answer may precede the end.
      }
    } catch (IOException e) {
      // The end may also appear as a reset.
    }
  }

  @Test
  void reportsAnOccupiedPortWithARemedy() {
    assertThatThrownBy(() -> new PageFront(front.port(), path -> null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("port " + front.port(), "in use", "--port");
  }
}
