package org.troupe.classics.webserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What browsers get. */
@Timeout(60)
class FrontTest {

  private final Page page = Page.some(1, 200).getFirst();
  private final Front front =
      new Front(
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
  void aPageIsItsBytes() throws Exception {
    var answer = ask("GET", page.path());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(answer.body()).hasSize(200).isEqualTo(page.body());
    assertThat(ask("HEAD", page.path()).headers().firstValue("Content-Length")).contains("200");
  }

  @Test
  void whatCannotBeHadIsTold() throws Exception {
    assertThat(ask("GET", "/none.html").statusCode()).isEqualTo(404);
    assertThat(ask("PUT", page.path()).statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/lost.html").statusCode()).isEqualTo(502);
    assertThat(ask("GET", "/lost.html").body()).asString().contains("node 'b2' is gone");
  }

  @Test
  void aPortThatIsTakenIsToldWithWhatToDo() {
    assertThatThrownBy(() -> new Front(front.port(), path -> null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("port " + front.port(), "in use", "--port");
  }
}
