package org.troupe.transport.ibis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.links.Driver;
import org.troupe.serialization.SerializationException;

/** Sends a message that is larger than the heap of the receiving JVM. */
@Timeout(120)
class LittleMemoryTest {

  private static final Executor PLATFORM = work -> Thread.ofPlatform().daemon().start(work);
  private static final Executor VIRTUAL = work -> Thread.ofVirtual().start(work);
  private static final int TOO_MUCH = 64 << 20;

  public static class Taker {
    private int taken;

    public int take(byte[] data) {
      return ++taken;
    }

    public int takeAll(boolean[] data) {
      return ++taken;
    }
  }

  @ParameterizedTest
  @MethodSource("org.troupe.transport.ibis.Drivers#all")
  void itsCallFailsAndNothingElse(Driver driver) throws Exception {
    try (var jvms = TwoJvms.start(driver, "48m")) {
      var taker = ActiveObjects.on(jvms.there()).create(Taker.class);
      assertThat(taker.take(new byte[1])).isEqualTo(1);

      for (var callers : new Executor[] {PLATFORM, VIRTUAL}) {
        assertThatThrownBy(
                () ->
                    CompletableFuture.supplyAsync(() -> taker.take(new byte[TOO_MUCH]), callers)
                        .get(60, SECONDS))
            .hasRootCauseInstanceOf(SerializationException.class)
            .hasMessageContaining("-Xmx");
        assertThatThrownBy(
                () ->
                    CompletableFuture.supplyAsync(
                            () -> taker.takeAll(new boolean[TOO_MUCH]), callers)
                        .get(60, SECONDS))
            .hasMessageContaining("-Xmx");
      }

      assertThat(
              CompletableFuture.supplyAsync(() -> taker.take(new byte[1]), PLATFORM)
                  .get(60, SECONDS))
          .isEqualTo(2);
      jvms.awaitPrinted("bytes of it are dropped, because there is no memory for them");
    }
  }
}
