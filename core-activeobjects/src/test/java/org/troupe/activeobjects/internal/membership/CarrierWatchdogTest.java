package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
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
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** Requests that compute or decode for ever keep nobody else's from being served, or it is told. */
@Timeout(60)
class CarrierWatchdogTest {

  private static final int USUAL = 2;

  private final FakeScheduler scheduler = new FakeScheduler();
  private final List<Runnable> started = new ArrayList<>();
  private long nowNanos = 1;
  private final CarrierWatchdog watchdog =
      new CarrierWatchdog(scheduler, () -> nowNanos, started::add);

  /** A scheduler whose carriers are occupied by hand. */
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

  private void look(int times) {
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
  void addsCarriersUntilWhatWaitsIsServed() {
    occupyAll();

    look(20);

    assertThat(scheduler.carriers).isBetween(USUAL + 3, USUAL + 10);
    started.getFirst().run();
    scheduler.queued = 0;
    var reached = scheduler.carriers;
    look(5);
    assertThat(scheduler.carriers).isEqualTo(reached);
  }

  @Test
  void takesThemBackWhenFewerAreOccupied() {
    occupyAll();
    look(20);
    var reached = scheduler.carriers;
    started.forEach(Runnable::run);
    scheduler.queued = 0;

    look(50);
    assertThat(scheduler.carriers).isEqualTo(reached); // the usual ones are occupied still
    scheduler.occupied = 1;
    look(50);

    assertThat(scheduler.carriers).isEqualTo(USUAL);
    assertThat(watchdog.trouble(0)).isEmpty();
  }

  @Test
  void leavesASchedulerAloneThatServes() {
    scheduler.occupied = USUAL;
    look(10);
    scheduler.queued = 100;
    for (var i = 0; i < 50; i++) {
      look(1);
      started.forEach(Runnable::run);
    }

    assertThat(scheduler.carriers).isEqualTo(USUAL);
    assertThat(watchdog.trouble(0)).isEmpty();
  }

  @Test
  void tellsWhatHasLastedForLongerThanAllowed() throws IOException {
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
      look(3);
      nowNanos += TimeUnit.MINUTES.toNanos(5);
      var access =
          new GridMembership(
              NodeRuntime.main().local(), settings(), new InProcessTransport(), () -> 0);
      access.watchCarriers(watchdog);

      var failure = valueOf(handled, "the failure handler");
      assertThat(failure.call()).contains("serving requests on node");
      assertThat(failure.cause())
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("nothing has been served on virtual threads for 300 s")
          .hasMessageContaining("troupe stack");
      assertThat(access.report(access.self()).join().trouble())
          .isEqualTo(failure.cause().getMessage());
      access.watchCarriers(watchdog); // once is enough
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

  /** Computes until it is told to end. */
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

  /** Takes as long to be read. */
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
