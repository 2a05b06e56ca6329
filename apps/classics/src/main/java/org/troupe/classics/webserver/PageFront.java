package org.troupe.classics.webserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An HTTP server that serves pages to browsers of this machine. */
final class PageFront implements AutoCloseable {

  private static final int NO_BODY = -1;
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);
  private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

  private final HttpServer server;
  private final LoopbackGuard guard;
  private final Function<String, @Nullable WebPage> pages;

  /**
   * Opens a server.
   *
   * @param port the port, or 0 for any free one
   * @param pages returns the page of a path, or null if there is none; called by several threads
   */
  PageFront(int port, Function<String, @Nullable WebPage> pages) {
    this(port, pages, TIME_LIMIT);
  }

  /**
   * Opens a server with a time limit.
   *
   * @param timeLimit the time limit of an exchange
   */
  PageFront(int port, Function<String, @Nullable WebPage> pages, Duration timeLimit) {
    this.pages = pages;
    this.guard = new LoopbackGuard(timeLimit);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (BindException e) {
      throw new IllegalStateException(
          "cannot serve pages at port %d: %s; choose another --port, or omit it to use any free port"
              .formatted(port, e.getMessage()),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(guard);
    server.createContext("/", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!LoopbackGuard.isOwn(exchange)) {
        var here = "http://127.0.0.1:%d\n".formatted(port());
        send(exchange, 403, PLAIN_TEXT, bytes("these pages are for this machine only, at " + here));
        return;
      }
      var method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, PLAIN_TEXT, bytes("only GET and HEAD are supported\n"));
        return;
      }
      var path = exchange.getRequestURI().getPath();
      @Nullable WebPage page;
      try {
        page = pages.apply(path);
      } catch (RuntimeException lost) { // for example the node of the page server
        send(exchange, 502, PLAIN_TEXT, bytes("'%s': %s\n".formatted(path, lost.getMessage())));
        return;
      }
      if (page == null) {
        send(exchange, 404, PLAIN_TEXT, bytes("there is no page '%s'\n".formatted(path)));
      } else {
        send(exchange, 200, page.type(), page.body());
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(status, NO_BODY);
    } else {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    guard.close();
  }
}
