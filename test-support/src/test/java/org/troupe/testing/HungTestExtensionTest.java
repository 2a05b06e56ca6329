package org.troupe.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HungTestExtensionTest {

  private final List<String> alarms = new ArrayList<>();
  private final TestWatch watch =
      new TestWatch(
          Duration.ofNanos(10), (test, time) -> alarms.add(test + " after " + time.toNanos()));

  @Test
  void aTestThatRunsTooLongRaisesOneAlarm() {
    watch.begin("slow", 5);
    watch.check(15);
    assertThat(alarms).isEmpty();

    watch.check(16);
    watch.check(40);
    assertThat(alarms).containsExactly("slow after 11");
  }

  @Test
  void eachTestHasTheWholeLimit() {
    watch.begin("first", 0);
    watch.begin("second", 9);
    watch.check(19);
    watch.end();
    watch.check(100);
    assertThat(alarms).isEmpty();
  }

  @Test
  void virtualThreadsAreListed() throws Exception {
    var started = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var thread =
        Thread.ofVirtual()
            .name("a virtual thread that waits")
            .start(
                () -> {
                  started.countDown();
                  try {
                    end.await();
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                });
    started.await();
    assertThat(HungTestExtension.threads())
        .contains("a virtual thread that waits")
        .doesNotContain("Reference Handler");
    end.countDown();
    thread.join();
  }
}
