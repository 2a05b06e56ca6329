package org.troupe.activeobjects.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known of the time of a service and of a wait in it. */
class RequestInServiceTest {

  @ParameterizedTest
  @CsvSource({
    "100, 50, 100", // a heartbeat is older than the service
    "100, 150, 150",
    "0, 50, 50",
    "100, 0, 0",
    "-100, -150, -100",
  })
  void aWaitDoesNotBeginBeforeItsService(long since, long waiting, long began) {
    assertThat(new RequestInService(null, since, waiting, 0, null, null).waitBeganNanos())
        .isEqualTo(began);
  }
}
