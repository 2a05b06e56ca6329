package org.troupe.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollingTest {

  @Test
  void evaluatesTheConditionUntilItHolds() throws Exception {
    var evaluations = new AtomicInteger();

    Polling.until("three evaluations", () -> evaluations.incrementAndGet() == 3);

    assertThat(evaluations).hasValue(3);
  }

  @Test
  void endsWithTheExceptionOfTheCondition() {
    assertThatThrownBy(
            () ->
                Polling.until(
                    "the file is there",
                    () -> {
                      throw new IOException("no such file");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no such file");
  }
}
