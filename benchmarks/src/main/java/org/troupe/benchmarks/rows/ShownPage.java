package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.benchmarks.harness.MemoryMonitor;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.browser.Browser;

/** A page in a browser of its own, without anything in its cache. */
final class ShownPage implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(1); // of the browser itself
  private static final Duration SETTLING = Duration.ofSeconds(5);
  private static final int SAMPLES = 12;

  /** Collections before the first sample: the engine also drops code that none of some used. */
  private static final int COLLECTIONS = 10;

  private static final double KIBI = 1 << 10;
  private static final double MEBI = 1 << 20;

  private static final String FIRST_PAINT =
      "performance.getEntriesByName('first-contentful-paint')[0]";

  /** Counts frames, and tasks that take more than 50 ms. */
  private static final String COUNT =
      """
      (() => {
        const counted = window.counted = { frames: 0, tasks: [], began: performance.now() };
        counted.observer = new PerformanceObserver(list => counted.tasks.push(...list.getEntries().map(each => each.duration)));
        counted.observer.observe({ type: 'longtask' });
        const count = () => { counted.frames++; if (!counted.isOver) requestAnimationFrame(count); };
        requestAnimationFrame(count);
      })()""";

  private static final String COUNTED =
      """
      (() => {
        const counted = window.counted, seconds = (performance.now() - counted.began) / 1000;
        counted.isOver = true;
        counted.observer.disconnect();
        return [counted.frames / seconds, counted.tasks.reduce((sum, each) => sum + each, 0) / seconds, Math.max(0, ...counted.tasks)].join(' ');
      })()""";

  private final Path folder;
  private final Browser browser;

  /** Opens a page. */
  ShownPage(Path program, String address) throws IOException, InterruptedException {
    folder = TerminationCleanup.folder();
    browser = Browser.open(program, folder);
    Thread.sleep(START);
    browser.show(address);
  }

  /** Returns the milliseconds from the request for the page to its first text or picture. */
  double firstPaintMillis() throws IOException, InterruptedException {
    return Double.parseDouble(browser.await(FIRST_PAINT, FIRST_PAINT + ".startTime"));
  }

  /** Returns the milliseconds from the request for the page until a condition is seen to hold. */
  double millisUntil(String condition) throws IOException, InterruptedException {
    return Double.parseDouble(browser.await(condition, "performance.now()"));
  }

  /** Waits until the page has done what it does only once. */
  void settle() throws IOException, InterruptedException {
    firstPaintMillis();
    Thread.sleep(SETTLING);
  }

  /** Opens a view of our page. */
  void open(String view) throws IOException, InterruptedException {
    browser.await("true", "location.hash = '#/" + view + "'");
    browser.await("document.querySelector('.view-" + view + "')", "0");
  }

  /**
   * The activity of a page during some time.
   *
   * @param perSecond frames per second
   * @param longMillis milliseconds per second of tasks that take more than 50 ms each
   * @param longestMillis the longest of them
   */
  record Frames(double perSecond, double longMillis, double longestMillis) {}

  /** Counts the frames of some seconds. */
  Frames frames(int seconds) throws IOException, InterruptedException {
    browser.await("true", COUNT);
    Thread.sleep(Duration.ofSeconds(seconds));
    var counted =
        Stream.of(browser.await("true", COUNTED).split(" ")).map(Double::valueOf).toList();
    return new Frames(counted.get(0), counted.get(1), counted.get(2));
  }

  /**
   * The memory of a page and of its browser.
   *
   * @param heapMebi what the page's script uses after a collection, in MiB
   * @param heapGrowth its growth in KiB per minute
   * @param residentMebi the resident memory of all processes of the browser, in MiB
   * @param residentGrowth its growth in KiB per minute
   */
  record Memory(double heapMebi, double heapGrowth, double residentMebi, double residentGrowth) {}

  /** Watches the memory for some seconds. */
  Memory memory(int seconds) throws IOException, InterruptedException {
    List<Double> minutes = new ArrayList<>();
    List<Double> heap = new ArrayList<>();
    List<Double> resident = new ArrayList<>();
    for (var i = 0; i < COLLECTIONS; i++) {
      browser.heapBytes();
    }
    var began = System.nanoTime();
    for (var i = 0; i <= SAMPLES; i++) {
      heap.add(browser.heapBytes() / KIBI);
      resident.add(
          browser.processes().mapToLong(each -> MemoryMonitor.resident(each.pid())).sum() / KIBI);
      minutes.add((System.nanoTime() - began) / 60e9);
      if (i < SAMPLES) {
        Thread.sleep(Duration.ofSeconds(seconds).dividedBy(SAMPLES));
      }
    }
    return new Memory(
        heap.getLast() * KIBI / MEBI,
        slope(minutes, heap),
        resident.getLast() * KIBI / MEBI,
        slope(minutes, resident));
  }

  /** Returns the slope of the line that is nearest to points, by least squares. */
  static double slope(List<Double> xs, List<Double> ys) {
    var meanX = mean(xs);
    var meanY = mean(ys);
    var above = 0.0;
    var below = 0.0;
    for (var i = 0; i < xs.size(); i++) {
      above += (xs.get(i) - meanX) * (ys.get(i) - meanY);
      below += (xs.get(i) - meanX) * (xs.get(i) - meanX);
    }
    return above / below;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(each -> each).average().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    browser.close();
    TerminationCleanup.delete(folder);
  }
}
