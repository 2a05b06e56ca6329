package org.troupe.pages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves a {@link PageSite} to browsers of this machine. Thread-safe.
 *
 * <p>Files need no token. Everything else needs one of two, as the header {@code Authorization:
 * Bearer TOKEN}: one to look, and one to act. Both are in the {@link #address}, behind a {@code #},
 * where only the page itself sees them.
 */
public final class PageServer implements AutoCloseable {

  /*
   * Design: threats and their answers
   *
   * Other users. Each process of the machine can connect to loopback, so every request but those for files, which have no
   * secrets, needs a token of 128 bits. It is in the fragment of the address, which browsers send to no server; a query would
   * be in histories and logs of proxies. There is no cookie, since browsers send cookies to all ports of a host, also to that of another
   * user's server. After ten wrong tokens within a minute, wrong ones are answered by 429 for a minute.
   *
   * Other sites. A page of another site may send requests to loopback, and one whose name was rebound to loopback (DNS
   * rebinding) may read the answers. So Host must be loopback or a listed name, and Origin, if there is one, that host, or a listed
   * name if a proxy has replaced Host. A form of another site cannot set the header with the token.
   *
   * Content. The policy admits only scripts, styles and data of the site itself, and no framing; types are not guessed,
   * and no referrer is sent. So a text of a program that a page inserted as HTML by mistake could still not run.
   *
   * Load. An exchange has a virtual thread, of a limited number, for a limited time; a stream has the limit for each
   * write. Bodies are bounded. So a browser that stalls holds one thread until the limit, but does not hold up the
   * source of its answer. Connections are limited, too, since any process of the machine can open some and send nothing, and a program that serves its
   * own page shares its file descriptors with it. The JDK's server closes idle ones after 30 s, and has its limit for all servers of a JVM.
   */
  private static final int NO_BODY = -1;
  private static final int MOST_BODY = 64 * 1024;
  private static final String CONTENT_POLICY =
      "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'; object-src 'none'";
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";
  private static final String CONNECTIONS_LIMIT = "jdk.httpserver.maxConnections";

  /** How many connections may be open at once; a browser has six. */
  static final int MOST_CONNECTIONS = 1_000;

  private static final System.Logger LOG = System.getLogger("org.troupe.pages");

  static {
    // The JDK's server reads them once. Without the first one, an answer in two parts waits 40 ms
    // for an acknowledgement.
    var properties =
        Map.of(NO_DELAY, "true", CONNECTIONS_LIMIT, Integer.toString(MOST_CONNECTIONS));
    properties.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
  }

  private final PageOptions options;
  private final PageSite site;
  private final RequestOrigin origin;
  private final TokenCheck tokens;
  private final ExchangeThreads threads;
  private final HttpServer server;
  private final LongAdder requests = new LongAdder();
  private final LongAdder sent = new LongAdder();

  /**
   * Opens a server.
   *
   * @throws IllegalStateException if the port is in use
   */
  public static PageServer open(PageOptions options, PageSite site) {
    return new PageServer(options, site, System::nanoTime);
  }

  /** Opens a server with another clock, for a test. */
  PageServer(PageOptions options, PageSite site, LongSupplier nanos) {
    this.options = options;
    this.site = site;
    this.origin = new RequestOrigin(options.hosts());
    this.tokens = new TokenCheck(options.isReadOnly(), nanos);
    this.threads = new ExchangeThreads(options.timeLimit());
    try {
      server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()), 0);
    } catch (BindException e) {
      throw new IllegalStateException(
          "cannot serve pages at port %d: %s; choose another --port, or omit it to use any free port"
              .formatted(options.port(), e.getMessage()),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Returns the port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Returns the address for the user, with the tokens. */
  public String address() {
    return origin() + tokens.fragment();
  }

  /** Returns the address without the tokens. */
  public String origin() {
    return "http://%s:%d%s/"
        .formatted(server.getAddress().getAddress().getHostAddress(), port(), options.prefix());
  }

  /** Returns how many requests have come. */
  public long requests() {
    return requests.sum();
  }

  /** Returns how many bytes were sent, headers not included. */
  public long sentBytes() {
    return sent.sum();
  }

  /**
   * Answers a request.
   *
   * @throws IOException if that is not possible; the JDK's server then closes the connection
   */
  private void answer(HttpExchange exchange) throws IOException {
    requests.increment();
    try (exchange) {
      PageAnswer answer;
      try {
        answer = answerTo(exchange);
      } catch (PageException e) {
        answer = e.answer();
      } catch (RuntimeException e) { // a mistake of ours
        LOG.log(Level.WARNING, "a request of a page has failed: " + exchange.getRequestURI(), e);
        answer =
            new PageException(
                    500,
                    "an internal fault of Troupe: the page's server has failed: " + e,
                    "report it with the stack trace in the log of the server")
                .answer();
      }
      send(exchange, answer);
    } catch (RuntimeException e) {
      // The JDK's server throws it for some malformed bodies, and would leave the connection open.
      throw new IOException("the request is malformed", e);
    }
  }

  private PageAnswer answerTo(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    origin.check(headers, origin());
    var path = path(exchange);
    var route = path == null ? null : site.route(path);
    if (path == null || route == null) {
      return file(exchange, path);
    }
    var method = route.right() == PageSite.Right.ACT ? "POST" : "GET";
    if (!exchange.getRequestMethod().equals(method)) {
      exchange.getResponseHeaders().set("Allow", method);
      throw new PageException(405, "'%s' is for %s".formatted(path, method), "use that method");
    }
    check(tokens.check(headers.getOrDefault("Authorization", List.of())), route.right(), exchange);
    var parameters = PageRequest.parameters(exchange.getRequestURI().getRawQuery());
    return route.answers().apply(new PageRequest(path, parameters, body(exchange)));
  }

  /**
   * Returns the path below the prefix, without a slash in front; {@code null} if it is not below.
   */
  private @Nullable String path(HttpExchange exchange) {
    var path = exchange.getRequestURI().getPath();
    var prefix = options.prefix() + "/";
    return path != null && path.startsWith(prefix) ? path.substring(prefix.length()) : null;
  }

  private PageAnswer file(HttpExchange exchange, @Nullable String path) {
    var method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      throw new PageException(
          405, "'%s' is for GET and HEAD".formatted(path), "use one of these methods");
    }
    var file = path == null ? null : site.file(path);
    if (file == null) {
      throw new PageException(
          PageException.MISSING,
          "there is no page '%s'".formatted(exchange.getRequestURI().getPath()),
          "begin at " + options.prefix() + "/");
    }
    return new PageAnswer.Body(200, file.type(), file.bytes());
  }

  private void check(TokenCheck.Verdict verdict, PageSite.Right wanted, HttpExchange exchange) {
    switch (verdict) {
      case ACT -> {
        // It may look, too.
      }
      case LOOK -> {
        if (wanted == PageSite.Right.ACT) {
          throw new PageException(
              PageException.FORBIDDEN,
              "this address is for looking only",
              options.isReadOnly()
                  ? "start the page without --read-only"
                  : "open the whole address that was printed, with its part 'act='");
        }
      }
      case NONE, WRONG -> {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        throw new PageException(
            401,
            verdict == TokenCheck.Verdict.NONE
                ? "the request has no token"
                : "the token is not that of this page",
            "open the address that was printed, with everything behind the #");
      }
      case CLOSED -> {
        exchange.getResponseHeaders().set("Retry-After", "60");
        throw new PageException(
            429,
            "there were too many wrong tokens",
            "wait for a minute, and open the address again");
      }
    }
  }

  private static String body(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      return "";
    }
    var bytes = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
    if (bytes.length > MOST_BODY) {
      throw new PageException(
          413, "the body is longer than " + MOST_BODY + " bytes", "send a shorter one");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void send(HttpExchange exchange, PageAnswer answer) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Cache-Control", "no-store");
    headers.set("Content-Security-Policy", CONTENT_POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    switch (answer) {
      case PageAnswer.Body body -> send(exchange, body);
      case PageAnswer.Lines lines -> send(exchange, lines);
    }
  }

  private void send(HttpExchange exchange, PageAnswer.Body body) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", body.type());
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", Integer.toString(body.bytes().length));
      exchange.sendResponseHeaders(body.status(), NO_BODY);
      return;
    }
    exchange.sendResponseHeaders(
        body.status(), body.bytes().length == 0 ? NO_BODY : body.bytes().length);
    if (body.bytes().length > 0) {
      exchange.getResponseBody().write(body.bytes());
    }
    sent.add(body.bytes().length);
  }

  private void send(HttpExchange exchange, PageAnswer.Lines lines) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/x-ndjson");
    headers.set("X-Accel-Buffering", "no"); // a wish to the proxies that know it
    threads.endLimit();
    var out = new LateStream(exchange, sent);
    try (var stream = new LineStream(out, options.timeLimit())) {
      lines.source().writeTo(stream);
      stream.flush();
    } catch (PageException e) {
      if (!out.hasBegun()) {
        send(exchange, e.answer());
        return;
      }
      // Too late for a status; the page asks again, and is told then.
      LOG.log(Level.DEBUG, "a stream has ended", e);
    } catch (RuntimeException e) { // a mistake of ours
      LOG.log(Level.WARNING, "a stream of a page has failed: " + exchange.getRequestURI(), e);
    }
    out.begin();
  }

  /** Ends all exchanges, and closes the port. */
  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
