package org.troupe.classics.webserver;

import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Guards an HTTP server on the loopback interface: it recognises requests that pages of other sites
 * have sent, and serves each exchange in a virtual thread for a limited time.
 */
final class LoopbackGuard implements Executor, AutoCloseable {

  /*
   * Threats. Any page in a browser may send requests to the loopback interface, and a page whose host
   * name has been rebound to the loopback address (DNS rebinding) may read the answers. So the header
   * Host must name this machine, and Origin must equal it. The JDK's server waits for the rest of a
   * request without limit; the unit of its own limit (sun.net.httpserver.maxReqTime) differs from the
   * documented one. It reads from and writes to a channel, which an interrupt closes.
   */
  private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Duration timeLimit;

  /**
   * Creates a guard.
   *
   * @param timeLimit the time limit of an exchange, from the first byte of the request to the last
   *     byte of the answer
   */
  LoopbackGuard(Duration timeLimit) {
    this.timeLimit = timeLimit;
  }

  @Override
  public void execute(Runnable exchange) {
    threads.execute(() -> run(exchange));
  }

  private void run(Runnable exchange) {
    var thread = Thread.currentThread();
    var ended = new CompletableFuture<Void>();
    ended
        .orTimeout(timeLimit.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (_, late) -> {
              if (late != null) {
                thread.interrupt();
              }
            });
    try {
      exchange.run();
    } finally {
      ended.complete(null);
    }
  }

  /**
   * Returns whether a request names this machine as its host, and does not come from a page of
   * another host or port. The port of the host is free, since an ssh tunnel may use another one.
   */
  static boolean isOwn(HttpExchange exchange) {
    var headers = exchange.getRequestHeaders();
    var hosts = headers.getOrDefault("Host", List.of());
    var origins = headers.getOrDefault("Origin", List.of());
    if (hosts.size() != 1 || !isLoopback(hosts.getFirst())) {
      return false;
    }
    var own = "http://" + hosts.getFirst();
    return origins.stream().allMatch(own::equalsIgnoreCase);
  }

  private static boolean isLoopback(String host) {
    try {
      var address = URI.create("http://" + host);
      return address.getUserInfo() == null
          && address.getHost() != null
          && NAMES.contains(address.getHost());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
