package org.troupe.futures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FutureRuntimeTest {

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void takesWhatIsTooLongForEver() {
    assertThat(FutureRuntime.nanos(FOR_EVER)).isEqualTo(Long.MAX_VALUE);
    assertThat(FutureRuntime.nanos(Duration.ofDays(110_000))).isEqualTo(Long.MAX_VALUE);
    assertThat(FutureRuntime.nanos(Duration.ofMillis(3))).isEqualTo(3_000_000);
    assertThat(FutureRuntime.nanos(Duration.ofSeconds(Long.MIN_VALUE))).isNegative();
  }

  @Test
  void refusesNull() throws Exception {
    assertThatThrownBy(() -> FutureRuntime.nanos(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("the time limit is null; give a Duration");
    assertThatThrownBy(() -> Futures.await("here", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Futures.awaitAny(List.of("here"), null))
        .hasMessageStartingWith("the time limit is null");
    assertThatThrownBy(() -> Futures.awaitAll(List.of(), null))
        .hasMessageStartingWith("the time limit is null");
  }

  @Test
  void waitsForEver() throws Exception {
    var future = new CompletableFuture<String>();
    Thread.startVirtualThread(() -> future.complete("come"));

    assertThat(Futures.await(future, FOR_EVER).join()).isEqualTo("come");
    Futures.awaitAll(List.of(future), FOR_EVER);
    assertThat(Futures.awaitAny(List.of(future), FOR_EVER)).isSameAs(future);
  }
}
