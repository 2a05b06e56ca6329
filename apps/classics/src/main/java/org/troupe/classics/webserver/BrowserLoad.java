package org.troupe.classics.webserver;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.troupe.classics.NumberChecksum;

/** Concurrent browsers, each of which requests one page after the other. */
final class BrowserLoad implements AutoCloseable {

  /** The time limit of a request; a page takes milliseconds. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

  /**
   * The measurements of all browsers.
   *
   * @param wrong the number of pages that differed in any byte from the expected page
   */
  record Measurement(int pages, int wrong, double seconds) {

    double pagesPerSecond() {
      return pages / seconds;
    }
  }

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<WebPage> pages;
  private final int browsers;

  BrowserLoad(List<WebPage> pages, int browsers) {
    this.pages = pages;
    this.browsers = browsers;
  }

  /**
   * Runs all browsers concurrently.
   *
   * @param each the number of pages that each browser requests
   * @throws ConnectException if no server listens at the port
   */
  Measurement run(int port, int each) throws IOException, InterruptedException {
    List<Callable<Integer>> all = new ArrayList<>();
    for (var browser = 0; browser < browsers; browser++) {
      var random = new SplittableRandom(browser);
      all.add(() -> browse(port, each, random));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var began = System.nanoTime();
      var wrong = 0;
      for (var answer : threads.invokeAll(all)) {
        wrong += answer.get();
      }
      return new Measurement(browsers * each, wrong, (System.nanoTime() - began) / 1e9);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof IllegalStateException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private int browse(int port, int times, SplittableRandom random)
      throws IOException, InterruptedException {
    var wrong = 0;
    for (var i = 0; i < times; i++) {
      var page = pages.get(random.nextInt(pages.size()));
      if (!isRight(get(port, page), page)) {
        wrong++;
      }
    }
    return wrong;
  }

  /** Returns the checksum of all pages as one browser receives them. */
  NumberChecksum checksum(int port) throws IOException, InterruptedException {
    var sum = new NumberChecksum();
    for (var page : pages) {
      sum.add(get(port, page).body());
    }
    return sum;
  }

  private HttpResponse<byte[]> get(int port, WebPage page)
      throws IOException, InterruptedException {
    var address = URI.create("http://127.0.0.1:" + port + page.path());
    var request = HttpRequest.newBuilder(address).timeout(TIME_LIMIT).build();
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (HttpTimeoutException late) {
      throw new IllegalStateException(
          "no answer to %s within %d s; is the node that has the page alive?"
              .formatted(address, TIME_LIMIT.toSeconds()),
          late);
    }
  }

  private static boolean isRight(HttpResponse<byte[]> answer, WebPage page) {
    return answer.statusCode() == 200
        && answer.headers().firstValue("Content-Type").orElse("").equals(page.type())
        && Arrays.equals(answer.body(), page.body());
  }

  @Override
  public void close() {
    http.close();
  }
}
