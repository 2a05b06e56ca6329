package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.Traffic;
import org.troupe.serialization.SerializationCounts;

class MedianTest {

  private static RunTiming taking(double seconds, int messages) {
    return new RunTiming(seconds, 2 * seconds, new Traffic(messages, 10), SerializationCounts.NONE);
  }

  @Test
  void isTheMiddleOneOrTheMeanOfBothInTheMiddle() {
    assertThat(Median.of(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Median.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(3);
    assertThat(Median.ofTimes(List.of(taking(3, 1), taking(1, 5), taking(2, 9))))
        .isEqualTo(taking(2, 9));
    assertThat(Median.ofTimes(List.of(taking(1, 4), taking(2, 8)))).isEqualTo(taking(1.5, 6));
  }
}
