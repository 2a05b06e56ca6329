package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** Endless requests do not stop the service of other requests, or the stop is reported. */
@Timeout(60)
class CarrierWatchdogTest {

  private static final int USUAL = 2;

  private final FakeScheduler scheduler = new FakeScheduler();
  private final List<Runnable> started = new ArrayList<>();
  private long nowNanos = 1;
  private final CarrierWatchdog watchdog =
      new CarrierWatchdog(scheduler, () -> nowNanos, started::add);

  /** A scheduler whose carriers the test occupies. */
  private static final class FakeScheduler implements CarrierWatchdog.Scheduler {
    private int carriers = USUAL;
    private long queued;
    private int occupied;

    @Override
    public int parallelism() {
      return carriers;
    }

    @Override
    public void parallelism(int more) {
      carriers = more;
    }

    @Override
    public long queued() {
      return queued;
    }

    @Override
    public int occupied() {
      return occupied;
    }
  }

  private void check(int times) {
    for (var i = 0; i < times; i++) {
      nowNanos += CarrierWatchdog.PERIOD_NANOS;
      watchdog.check();
    }
  }

  private void occupyAll() {
    scheduler.queued = 1;
    scheduler.occupied = USUAL;
  }

  @Test
  void addsCarriersUntilQueuedThreadsRun() {
    occupyAll();

    check(20);

    assertThat(scheduler.carriers).isBetween(USUAL + 3, USUAL + 10);
    started.getFirst().run();
    scheduler.queued = 0;
    var reached = scheduler.carriers;
    check(5);
    assertThat(scheduler.carriers).isEqualTo(reached);
  }

  @Test
  void checksAreRarerWhileNoVirtualThreadRuns() {
    check(9);
    assertThat(watchdog.nanosToNextCheck()).isEqualTo(CarrierWatchdog.PERIOD_NANOS);

    check(1);
    assertThat(watchdog.nanosToNextCheck()).isEqualTo(CarrierWatchdog.IDLE_PERIOD_NANOS);

    scheduler.occupied = 1;
    check(1);
    assertThat(watchdog.nanosToNextCheck()).isEqualTo(CarrierWatchdog.PERIOD_NANOS);
  }

  @Test
  void removesThemWhenFewerAreOccupied() {
    occupyAll();
    check(20);
    var reached = scheduler.carriers;
    started.forEach(Runnable::run);
    scheduler.queued = 0;

    check(50);
    assertThat(scheduler.carriers).isEqualTo(reached); // the original ones are still occupied
    scheduler.occupied = 1;
    check(50);

    assertThat(scheduler.carriers).isEqualTo(USUAL);
    assertThat(watchdog.trouble(0)).isEmpty();
  }

  @Test
  void reportsOnlyCarriersOfWhichNoneWasFreeMeanwhile() {
    var allowed = TimeUnit.SECONDS.toNanos(10);
    occupyAll();
    check(20);
    started.forEach(Runnable::run);
    scheduler.queued = 0;
    check(90);
    assertThat(watchdog.trouble(allowed))
        .contains("have occupied the " + USUAL + " usual carriers");

    scheduler.occupied = 1;
    check(1);
    scheduler.occupied = USUAL;
    check(90);
    assertThat(watchdog.trouble(allowed)).isEmpty();

    check(20);
    assertThat(watchdog.trouble(allowed)).contains("have occupied");
  }

  @Test
  void doesNotChangeASchedulerThatMakesProgress() {
    scheduler.occupied = USUAL;
    check(10);
    scheduler.queued = 100;
    for (var i = 0; i < 50; i++) {
      check(1);
      started.forEach(Runnable::run);
    }

    assertThat(scheduler.carriers).isEqualTo(USUAL);
    assertThat(watchdog.trouble(0)).isEmpty();
  }

  @Test
  void reportsAStandstillThatLastsLongerThanAllowed() throws IOException {
    var told = new CopyOnWriteArrayList<CallFailure>();
    var handled = new CompletableFuture<CallFailure>();
    try (var grid = InProcessGrid.start(0)) {
      NodeRuntime.main()
          .objects()
          .failures()
          .handler(
              failure -> {
                told.add(failure);
                handled.complete(failure);
              });
      occupyAll();
      check(3);
      nowNanos += TimeUnit.MINUTES.toNanos(5);
      var access =
          new GridMembership(
              NodeRuntime.main().memberships(), settings(), new InProcessTransport(), () -> 0);
      access.watchCarriers(watchdog);

      var failure = valueOf(handled, "the failure handler");
      assertThat(failure.call()).contains("serving requests on node");
      assertThat(failure.cause())
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("nothing has been served on virtual threads for 300 s")
          .hasMessageContaining("troupe stack");
      assertThat(Waits.reportOf(access.report(access.self(), Duration.ZERO)).trouble())
          .isEqualTo(failure.cause().getMessage());
      access.watchCarriers(watchdog); // a standstill is reported once
      assertThat(told).hasSize(1);
      access.vanish();
    } finally {
      NodeRuntime.main().objects().failures().handler(null);
    }
  }

  private static org.troupe.activeobjects.hosting.GridMember.Settings settings() {
    return InProcessGrid.settings("main", List.of(), new InProcessTransport());
  }

  private static volatile boolean released;

  /** Computes until the test ends it. */
  public static class Endless {
    public int compute() {
      spin();
      return 1;
    }

    public int take(EndlesslyRead argument) {
      return 2;
    }

    public int idle() {
      return 3;
    }
  }

  /** A value whose decoding takes as long. */
  public static final class EndlesslyRead implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      spin();
    }
  }

  private static void spin() {
    while (!released) {
      Thread.onSpinWait();
    }
  }

  @Test
  void servesAnIdleObjectWhileAllCarriersComputeOrDecode() {
    released = false;
    try (var grid = InProcessGrid.start(1)) {
      var there = ActiveObjects.on(grid.get(0));
      var idle = ActiveObjects.ref(there.create(Endless.class));
      List<CompletableFuture<Integer>> endless = new ArrayList<>();
      try {
        for (var i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
          var busy = ActiveObjects.ref(there.create(Endless.class));
          endless.add(
              i % 2 == 0
                  ? busy.ask(Endless::compute)
                  : busy.ask(each -> each.take(new EndlesslyRead())));
        }

        assertThat(valueOf(idle.ask(Endless::idle), "a call to an idle object")).isEqualTo(3);
        assertThat(endless).noneMatch(CompletableFuture::isDone);
      } finally {
        released = true;
      }
      endless.forEach(each -> valueOf(each, "a call that has computed"));
    }
  }
}
