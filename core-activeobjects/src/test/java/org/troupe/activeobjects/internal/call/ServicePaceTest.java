package org.troupe.activeobjects.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which requests of a method are timed, and how many others they stand for. */
class ServicePaceTest {

  private static final int AT_FIRST = 64;
  private static final int OFTEN = 1_024;

  private final ServicePace pace = new ServicePace();

  private void serve(int requests) {
    IntStream.range(0, requests).forEach(_ -> pace.sampled(1));
  }

  private int weight(boolean isChosen, boolean isTraced) {
    return ServicePace.weightOf(pace.accepts(isChosen, isTraced));
  }

  @Test
  void eachRequestIsTimedAtFirst() {
    serve(AT_FIRST - 1);
    assertThat(pace.timesEach()).isTrue();
    assertThat(weight(false, false)).isEqualTo(1);
    assertThat(weight(true, true)).isEqualTo(1);
  }

  @Test
  void laterAChosenRequestStandsForThoseThatAreNot() {
    serve(AT_FIRST);
    assertThat(pace.timesEach()).isFalse();
    assertThat(pace.accepts(false, false)).isZero();
    assertThat(weight(true, false)).isEqualTo(ServicePace.SAMPLING);
  }

  @Test
  void afterALongServiceTheNextRequestIsTimed() {
    serve(AT_FIRST);
    pace.sampled(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(pace.timesEach()).isTrue();
    serve(1);
    assertThat(pace.timesEach()).isFalse();
  }

  @Test
  void ofManyTimedRequestsFewerAreChosen() {
    serve(OFTEN);
    var chosen = 10_000;
    var weights =
        IntStream.range(0, chosen)
            .mapToLong(_ -> pace.accepts(true, false))
            .filter(accepted -> accepted != 0)
            .map(ServicePace::weightOf)
            .sum();
    assertThat(weights).isBetween(chosen * 32L, chosen * 128L);
  }

  @Test
  void aRequestThatIsOnlyTracedStandsForNone() {
    serve(OFTEN);
    assertThat(pace.accepts(false, true)).isNotZero();
    assertThat(weight(false, true)).isZero();
  }
}
