package org.troupe.activeobjects.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Numbers of calls are kept as ranges. */
class CallNumberRangesTest {

  @Test
  void areThereUntilTheyAreRemoved() {
    var calls = new CallNumberRanges(1_000);
    var expected = new TreeSet<Long>();
    var random = new Random(7);
    for (var step = 0; step < 10_000; step++) {
      var number = 1 + random.nextLong(200);
      if (random.nextBoolean()) {
        calls.add(number);
        expected.add(number);
      } else {
        assertThat(calls.remove(number)).as("call " + number).isEqualTo(expected.remove(number));
      }
    }
    for (var number = 1L; number <= 200; number++) {
      assertThat(calls.remove(number)).as("call " + number).isEqualTo(expected.contains(number));
    }
  }

  @Test
  void travelAsRanges() {
    var calls = new CallNumberRanges(1_000);
    for (var number = 1L; number <= 100_000; number++) {
      calls.add(number);
    }
    assertThat(calls.remove(50_000)).isTrue();
    assertThat(calls.ranges()).containsExactly(1, 49_999, 50_001, 100_000);

    var next = new CallNumberRanges(1_000);
    next.add(50_000);
    next.addRanges(calls.ranges());
    assertThat(next.ranges()).containsExactly(1, 100_000);
  }

  @Test
  void areRemovedUpToANumber() {
    var calls = new CallNumberRanges(1_000);
    calls.addRange(3, 5);
    calls.addRange(7, 9);
    calls.removeUpTo(2);
    assertThat(calls.ranges()).containsExactly(3, 5, 7, 9);
    calls.removeUpTo(7);
    assertThat(calls.ranges()).containsExactly(8, 9);
    calls.removeUpTo(9);
    assertThat(calls.ranges()).isEmpty();
  }

  @Test
  void areForgottenFromTheLowestOnIfTheyAreManyRanges() {
    var calls = new CallNumberRanges(1_000);
    for (var i = 1L; i <= 1_001; i++) {
      calls.add(2 * i);
    }
    assertThat(calls.remove(2)).isFalse();
    assertThat(calls.remove(4)).isTrue();
    assertThat(calls.remove(2_002)).isTrue();
  }
}
