package org.troupe.activeobjects.internal.mobility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time limits of {@code leaving()} methods. */
class LeavingWatchTest {

  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final LeavingWatch watch = new LeavingWatch(timer);

  @BeforeEach
  void removeCancelledTasks() {
    timer.setRemoveOnCancelPolicy(true);
  }

  @AfterEach
  void stopTimer() {
    timer.shutdownNow();
  }

  @Test
  void sharesOneTimerAmongLimitsThatBeginOneAfterTheOther() {
    watch.begin(HOUR, () -> {}).end();
    watch.begin(HOUR, () -> {}).end();
    watch.begin(2 * HOUR, () -> {});

    assertThat(timer.getTaskCount()).isEqualTo(1);
  }

  @Test
  void runsTheActionOfALimitThatHasPassedBesideALongerOne() {
    var longer = new CompletableFuture<Void>();
    var late = new CompletableFuture<Integer>();
    watch.begin(HOUR, () -> longer.complete(null));

    watch.begin(1, () -> late.complete(timer.getQueue().size()));

    assertThat(late.orTimeout(1, TimeUnit.MINUTES).join())
        .as("timers for the longer limit")
        .isEqualTo(1);
    assertThat(longer).isNotDone();
  }

  @Test
  void doesNothingForALimitThatHasEnded() {
    var late = new CompletableFuture<Integer>();
    watch.begin(HOUR, () -> {}).end();

    watch.begin(1, () -> late.complete(timer.getQueue().size()));

    assertThat(late.orTimeout(1, TimeUnit.MINUTES).join()).as("timers left").isZero();
  }
}
