package org.troupe.transport.ibis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.links.Driver;

/** Kills the other JVM during calls and transfers. */
@Timeout(120)
class KilledPeerTest {

  private static final Executor PLATFORM = work -> Thread.ofPlatform().daemon().start(work);
  private static final Executor VIRTUAL = work -> Thread.ofVirtual().start(work);

  /** An object that never answers some of its calls. */
  public static class Never {
    private final CountDownLatch never = new CountDownLatch(1);

    public int answer() throws InterruptedException {
      never.await();
      return 0;
    }

    public double sum(double[] values) {
      return values[0];
    }

    public void take(byte[] data) throws InterruptedException {
      never.await();
    }

    public int busy(int value) {
      return value;
    }
  }

  /** Records, in the JVM that survives, that it has been called. */
  public static class Witness {
    static volatile CountDownLatch called;

    public void called() {
      called.countDown();
    }
  }

  /** Reports the call, then answers. */
  public static class Telling {
    public int tellAndWait(Witness witness) throws InterruptedException {
      witness.called();
      new CountDownLatch(1).await();
      return 0;
    }
  }

  @ParameterizedTest
  @MethodSource("org.troupe.transport.ibis.Drivers#all")
  void whoeverWaitsHearsOfItAndNothingIsLeft(Driver driver) throws Exception {
    try (var jvms = TwoJvms.start(driver)) {
      Witness.called = new CountDownLatch(20);
      var witness = ActiveObjects.on(jvms.here()).create(Witness.class);
      var waiting = new ArrayList<CompletableFuture<?>>();
      for (var i = 0; i < 10; i++) {
        var telling = ActiveObjects.on(jvms.there()).create(Telling.class);
        waiting.add(calling(PLATFORM, () -> wrap(() -> telling.tellAndWait(witness))));
        var another = ActiveObjects.on(jvms.there()).create(Telling.class);
        waiting.add(calling(VIRTUAL, () -> wrap(() -> another.tellAndWait(witness))));
      }
      var busy = ActiveObjects.on(jvms.there()).create(Never.class);
      var values = new double[1 << 18];
      for (var executor : List.of(PLATFORM, PLATFORM, VIRTUAL, VIRTUAL)) {
        waiting.add(calling(executor, () -> forEver(() -> busy.busy(1))));
        waiting.add(calling(executor, () -> forEver(() -> (int) busy.sum(values))));
      }
      var full = ActiveObjects.on(jvms.there()).create(Never.class);
      waiting.add(
          calling(
              PLATFORM,
              () ->
                  forEver(
                      () -> {
                        full.take(new byte[1 << 20]);
                        return 0;
                      })));
      assertThat(Witness.called.await(30, SECONDS)).isTrue();

      jvms.killTheOther();

      IntStream.range(0, waiting.size())
          .forEach(
              i ->
                  assertThat(waiting.get(i))
                      .as("waiter %d", i)
                      .failsWithin(30, SECONDS)
                      .withThrowableThat()
                      .withCauseInstanceOf(NodeLostException.class)
                      .withMessageContaining("node 'there"));
    }
    Leftovers.assertNone();
  }

  /** A call that may throw any exception. */
  private interface Call {
    int make() throws Exception;
  }

  private static int wrap(Call call) {
    try {
      return call.make();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static int forEver(Call call) {
    while (true) {
      int _ = wrap(call);
    }
  }

  private static CompletableFuture<Integer> calling(Executor executor, Supplier<Integer> call) {
    return CompletableFuture.supplyAsync(call, executor);
  }
}
