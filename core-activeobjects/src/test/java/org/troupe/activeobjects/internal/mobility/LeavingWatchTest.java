package org.troupe.activeobjects.internal.mobility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.Waits;
import org.troupe.testing.LogRecords;

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

    assertThat(timer.getQueue()).hasSize(1);
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
  void runsTheActionsOfAllLimitsThatHavePassedAlthoughTheyThrow(LogRecords records)
      throws InterruptedException {
    var all = new CountDownLatch(3);
    var begun = new CountDownLatch(1);
    timer.execute(() -> Waits.await(begun, "the limits"));
    for (var i = 0; i < 3; i++) {
      watch.begin(
          1,
          () -> {
            all.countDown();
            throw new IllegalStateException("a failure of the action");
          });
    }
    begun.countDown();

    Waits.await(all, "all actions");
    for (var i = 0; i < 3; i++) {
      records.expect(Level.WARNING, "a leaving() that is late", "a failure of the action");
    }
  }

  @Test
  void setsTheTimerForTheNextLimitAfterAFailure() {
    var refused = new CompletableFuture<Void>();
    var once =
        new ScheduledThreadPoolExecutor(1) {
          @Override
          public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
            if (refused.complete(null)) {
              throw new OutOfMemoryError("for a thread of the timer");
            }
            return super.schedule(action, delay, unit);
          }
        };
    try (once) {
      var failing = new LeavingWatch(once);
      assertThatThrownBy(() -> failing.begin(HOUR, () -> {})).isInstanceOf(OutOfMemoryError.class);
      failing.begin(HOUR, () -> {});
      assertThat(once.getQueue()).hasSize(1);
      once.shutdownNow();
    }
  }

  @Test
  void doesNothingForALimitThatHasEnded() {
    var late = new CompletableFuture<Integer>();
    watch.begin(HOUR, () -> {}).end();

    watch.begin(1, () -> late.complete(timer.getQueue().size()));

    assertThat(late.orTimeout(1, TimeUnit.MINUTES).join()).as("timers left").isZero();
  }
}
