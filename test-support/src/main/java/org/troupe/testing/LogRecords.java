package org.troupe.testing;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The log records of the running test class. A test method or a lifecycle method declares a
 * parameter of this class to assert the records that it provokes.
 *
 * <p>A record of level WARNING or above fails the test unless it matches a call of {@link #expect}
 * or {@link #allow}. Such a call applies to all tests of the class and to the class that runs next,
 * because other threads may log after the end of the test that caused it.
 */
public final class LogRecords {

  private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(30);

  /**
   * Texts of records whose time is unpredictable, so that any test may be running: the garbage
   * collector decides when the failure of a discarded result is reported, and the load of the
   * machine decides which connections are still being opened when a node ends, how long the
   * carriers of virtual threads wait for a processor, and how late the heartbeat of a node runs. A
   * test that is about such a record expects it.
   */
  private static final List<String> TIMING_DEPENDENT =
      List.of(
          "failed, and nobody waits for its result",
          "it disconnected before it had proved the secret",
          "requests that compute or decode",
          ", as if it had been stopped, or its machine suspended");

  /**
   * The warning of deployments that are tested with a property of the build, such as its seed; each
   * that a test reads and Troupe does not.
   */
  private static final Pattern PROPERTY_OF_BUILD =
      Pattern.compile(
          "'troupe\\.(advisories|advisories\\.source|api|explore|fuzz|fuzz\\.seed|kubernetes\\.image"
              + "|kubernetes\\.mounts|long|meshes|moves|otlp|passages|python|record|references"
              + "|replicas\\.runs|scale|scale\\.seeds|seed|soak|stress|test\\..*)'"
              + " is no property of Troupe.*");

  /** A record as a test sees it: its text is the message, then the exception's {@code toString}. */
  record Entry(Level level, String logger, String thread, String text, @Nullable Throwable thrown) {

    @Override
    public String toString() {
      StringWriter lines = new StringWriter();
      lines.append(level + " " + logger + " [" + thread + "]: " + text);
      if (thrown != null) {
        lines.append(System.lineSeparator());
        thrown.printStackTrace(new PrintWriter(lines, true));
      }
      return lines.toString();
    }
  }

  record Expectation(Level level, List<String> parts) {

    boolean matches(Entry entry) {
      return entry.level() == level && parts.stream().allMatch(entry.text()::contains);
    }
  }

  private final Class<?> testClass;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Entry> unjudged = new ArrayList<>();
  private final List<Expectation> expected = new ArrayList<>();
  private int judged; // the number of entries of earlier tests
  private final List<Expectation> expectedBefore;

  LogRecords(Class<?> testClass, List<Expectation> expectedBefore) {
    this.testClass = testClass;
    this.expectedBefore = expectedBefore;
  }

  /**
   * Waits until a record has been logged since the test before ended, and expects all like it.
   *
   * @param parts all of them stand in the record's message or in its exception's {@code toString}
   * @return the text of the first such record: its message, then its exception's {@code toString}
   * @throws AssertionError if none is logged within 30 s
   */
  public synchronized String expect(Level level, String... parts) throws InterruptedException {
    Expectation pattern = add(level, parts);
    long end = System.nanoTime() + ARRIVAL_LIMIT.toNanos();
    while (true) {
      for (Entry entry : entries.subList(judged, entries.size())) {
        if (pattern.matches(entry)) {
          return entry.text();
        }
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError(
            "no record of level %s with %s in %d s, but %s"
                .formatted(level, pattern.parts(), ARRIVAL_LIMIT.toSeconds(), entries));
      }
      wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }
  }

  /**
   * Allows records that the test may provoke or not, depending on which of its threads is first.
   *
   * @param parts all of them stand in the record's message or in its exception's {@code toString}
   */
  public synchronized void allow(Level level, String... parts) {
    add(level, parts);
  }

  /** Returns the texts of all records of the class so far that have this level; a snapshot. */
  public synchronized List<String> texts(Level level) {
    return entries.stream().filter(entry -> entry.level() == level).map(Entry::text).toList();
  }

  private Expectation add(Level level, String... parts) {
    Expectation pattern = new Expectation(level, List.copyOf(Arrays.asList(parts)));
    expected.add(pattern);
    return pattern;
  }

  synchronized List<Expectation> expected() {
    return List.copyOf(expected);
  }

  Class<?> testClass() {
    return testClass;
  }

  synchronized void add(Entry entry) {
    entries.add(entry);
    if (entry.level().getSeverity() >= Level.WARNING.getSeverity()) {
      unjudged.add(entry);
    }
    notifyAll();
  }

  /** Fails if a record since the last judgement is of level WARNING or above and not expected. */
  synchronized void judge() {
    List<Entry> unexpected = unjudged.stream().filter(entry -> !isExpected(entry)).toList();
    unjudged.clear();
    judged = entries.size();
    if (!unexpected.isEmpty()) {
      StringBuilder message = new StringBuilder("unexpected log records:");
      unexpected.forEach(entry -> message.append(System.lineSeparator()).append(entry));
      throw new AssertionError(message.toString());
    }
  }

  private boolean isExpected(Entry entry) {
    return PROPERTY_OF_BUILD.matcher(entry.text()).matches()
        || TIMING_DEPENDENT.stream().anyMatch(entry.text()::contains)
        || expected.stream().anyMatch(pattern -> pattern.matches(entry))
        || expectedBefore.stream().anyMatch(pattern -> pattern.matches(entry));
  }
}
