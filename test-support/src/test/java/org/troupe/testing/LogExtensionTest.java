package org.troupe.testing;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class LogExtensionTest {

  private static final System.Logger LOG = System.getLogger("org.troupe.testing");

  static final class Warns {
    @Test
    void unexpectedly() {
      LOG.log(WARNING, "host h1 is lost", new IllegalStateException("cable"));
    }
  }

  static final class Expects {
    @Test
    void whatItLogs(LogRecords records) throws InterruptedException {
      LOG.log(WARNING, "host ''{0}'' is lost", "h2");
      records.expect(WARNING, "host", "'h2'");
    }
  }

  static final class Allows {
    @Test
    void whatItMayLog(LogRecords records) {
      records.allow(ERROR, "host", "h3", "cable");
      LOG.log(ERROR, "host h3 is lost", new IllegalStateException("cable"));
    }
  }

  static final class ExpectsOther {
    @Test
    void thanItLogs(LogRecords records) {
      records.allow(WARNING, "h5");
      records.allow(ERROR, "h4");
      LOG.log(WARNING, "host h4 is lost");
    }
  }

  static final class EndsAThread {
    @Test
    void byAnException() throws InterruptedException {
      Thread thread =
          Thread.ofPlatform()
              .name("worker")
              .start(
                  () -> {
                    throw new IllegalStateException("broken");
                  });
      thread.join();
    }
  }

  static final class Informs {
    @Test
    void only() {
      LOG.log(INFO, "host h7 has joined");
    }
  }

  @Test
  void failsATestThatLogsAnUnexpectedWarning() {
    assertThat(failures(Warns.class))
        .singleElement()
        .asString()
        .contains("unexpected log records")
        .contains("WARNING org.troupe.testing [main]: host h1 is lost")
        .contains("IllegalStateException: cable")
        .contains("LogExtensionTest$Warns.unexpectedly");
  }

  @Test
  void failsATestWhoseExpectationIsOfAnotherTextOrLevel() {
    assertThat(failures(ExpectsOther.class)).singleElement().asString().contains("host h4 is lost");
  }

  @Test
  void failsATestOneOfWhoseThreadsEndsByAnException() {
    assertThat(failures(EndsAThread.class))
        .singleElement()
        .asString()
        .contains("an exception ended thread worker")
        .contains("IllegalStateException: broken");
  }

  @Test
  void passesATestThatLogsWhatItExpectsOrNoWarning() {
    assertThat(failures(Informs.class)).isEmpty();
    assertThat(failures(Expects.class)).isEmpty();
    assertThat(failures(Allows.class)).isEmpty();
  }

  @Test
  void waitsForARecordOfAnotherThread(LogRecords records) throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    Thread late =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    go.await();
                  } catch (InterruptedException e) {
                    return;
                  }
                  LOG.log(INFO, "host h9 has joined");
                });
    go.countDown();
    assertThat(records.expect(INFO, "h9")).isEqualTo("host h9 has joined");
    late.join();
    assertThat(records.texts(INFO)).contains("host h9 has joined");
  }

  @Test
  void blamesNoTestForRecordsThatDependOnTiming() {
    LogRecords records = new LogRecords(Warns.class, null);
    records.add(entry("Worker.note() on node 'a' failed, and nobody waits for its result"));
    records.add(entry("port 1 refused 127.0.0.1: it disconnected before it had proved the secret"));
    records.add(
        entry(
            "node 'a' stood still for 14.2 s, as if it had been stopped, or its machine suspended"));
    records.judge();
    assertThat(records.texts(WARNING)).hasSize(3);
  }

  @Test
  void allowsInTheNextClassWhatTheClassBeforeExpected() {
    LogRecords before = new LogRecords(Allows.class, List.of());
    before.allow(WARNING, "h7");
    LogRecords next = new LogRecords(Warns.class, before.expected());
    next.add(entry("host h7 is lost"));
    next.judge();

    LogRecords third = new LogRecords(Informs.class, next.expected());
    third.add(entry("host h7 is lost"));
    assertThatThrownBy(third::judge).hasMessageContaining("host h7 is lost");
    third.judge(); // each record is judged once
  }

  private static LogRecords.Entry entry(String text) {
    return new LogRecords.Entry(WARNING, "org.troupe.testing", "main", text, null);
  }

  private static List<Throwable> failures(Class<?> sample) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(sample)).build(),
            summary);
    assertThat(summary.getSummary().getTestsStartedCount()).isOne();
    return summary.getSummary().getFailures().stream().map(f -> f.getException()).toList();
  }
}
