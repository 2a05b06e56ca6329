package com.example.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/**
 * A service behind a web front: {@code /primes?below=N} is answered by an object on a node that is free.
 *
 * <p>Arguments: {@code once} to ask one question and end, and a descriptor, or nothing for two JVMs
 * on this machine.
 */
public final class Service implements AutoCloseable {

  private static final int MOST = 50_000_000;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final BlockingQueue<Primes> free;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  /** An ordinary class, one object of which stands on each node. */
  public static class Primes {

    /** Returns how many primes are below a number. */
    public int below(int number) {
      BitSet composite = new BitSet(number);
      int count = 0;
      for (int i = 2; i < number; i++) {
        if (!composite.get(i)) {
          count++;
          for (long each = (long) i * i; each < number; each += i) {
            composite.set((int) each);
          }
        }
      }
      return count;
    }
  }

  /** Starts the front at a free port, which only programs on this machine can reach. */
  Service(Nodes nodes) throws IOException {
    List<Primes> all = new ArrayList<>();
    for (Node node : nodes) {
      all.add(ActiveObjects.on(node).create(Primes.class));
    }
    free = new ArrayBlockingQueue<>(all.size(), false, all);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/primes", this::answer);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/primes");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      if (!query.matches("below=[0-9]{1,8}") || number(query) > MOST) {
        send(exchange, 400, "ask for /primes?below=N, with N up to " + MOST);
        return;
      }
      Primes primes = free.poll(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS);
      if (primes == null) {
        send(exchange, 503, "all nodes are busy; try again later");
        return;
      }
      int count;
      try {
        count = primes.below(number(query));
      } catch (CallException e) { // its node is lost, so that it gets no further question
        send(exchange, 503, "a node has failed: " + e.getMessage());
        return;
      }
      free.add(primes);
      send(exchange, 200, count + " primes below " + number(query));
    } catch (InterruptedException e) { // the service is closed
      Thread.currentThread().interrupt();
    }
  }

  private static int number(String query) {
    return Integer.parseInt(query.substring("below=".length()));
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow(); // ends the waits for a node
    threads.close();
  }

  /** Returns the answer to a question, as a browser would get it. */
  static HttpResponse<String> ask(URI question) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(question).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  public static void main(String[] arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean isOnce = words.remove("once");
    try (Grid grid = words.isEmpty() ? Grid.local(2) : Grid.deploy(Path.of(words.getFirst()));
        Service service =
            new Service(grid.nodes().await(Nodes.all(), Duration.ofMinutes(5)))) {
      URI question = URI.create(service.address() + "?below=1000000");
      if (isOnce) {
        System.out.print(ask(question).body());
      } else {
        System.out.println(question + " (Ctrl-C ends the service)");
        Thread.currentThread().join();
      }
    }
  }
}
