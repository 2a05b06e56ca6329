package org.troupe.em3d.output;

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
 * Guards an HTTP server on loopback: its requests are for this machine and no page of another site
 * has sent them, and each has a virtual thread for a limited time.
 */
final class LoopbackGuard implements Executor, AutoCloseable {

  /*
   * Any page that a browser shows may send requests to loopback, and one whose name was changed to mean loopback (DNS
   * rebinding) may read the answers, so Host has to name this machine, and Origin what Host names. The JDK's server waits for the rest of a
   * request for ever; the units of its own limit (sun.net.httpserver.maxReqTime) are not the documented ones. It reads
   * and writes from a channel, which an interrupt closes.
   */
  private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Duration patience;

  /**
   * Makes a guard.
   *
   * @param patience how long an exchange may take, from the first byte of the request to the last
   *     of the answer
   */
  LoopbackGuard(Duration patience) {
    this.patience = patience;
  }

  @Override
  public void execute(Runnable exchange) {
    threads.execute(() -> run(exchange));
  }

  private void run(Runnable exchange) {
    var thread = Thread.currentThread();
    var ended = new CompletableFuture<Void>();
    ended
        .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
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
   * Says whether a request names this machine as its host, by any port, since an ssh tunnel may
   * have another one, and comes from no page but one of that very host and port.
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
