package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AccrualDetectorTest {

  private static final long ALLOWED = seconds(10);

  private final AccrualDetector rhythm = new AccrualDetector();
  private long now = seconds(1000);

  private static long seconds(double count) {
    return (long) (count * TimeUnit.SECONDS.toNanos(1));
  }

  private void hear(int times, double... intervals) {
    for (var i = 0; i < times; i++) {
      now += seconds(intervals[i % intervals.length]);
      rhythm.heard(now);
    }
  }

  @Test
  void letsTheAllowedSilenceDecideOnASteadyLink() {
    hear(50, 2);
    assertThat(rhythm.isOver(seconds(9.9), ALLOWED)).isFalse();
    assertThat(rhythm.isOver(seconds(10.1), ALLOWED)).isTrue();
  }

  @Test
  void letsTheAllowedSilenceDecideBeforeItKnowsAnything() {
    assertThat(rhythm.isOver(seconds(9.9), ALLOWED)).isFalse();
    assertThat(rhythm.isOver(seconds(10.1), ALLOWED)).isTrue();
    assertThat(rhythm.evidence(seconds(10.1))).isEqualTo("it has not been heard for 10.1 s");
  }

  @Test
  void isPatientWithNodesThatHaveBeenLateBefore() {
    hear(50, 2, 2, 2, 2, 9);
    assertThat(rhythm.isOver(seconds(12), ALLOWED)).isFalse();
    assertThat(rhythm.isOver(seconds(30), ALLOWED)).isTrue();
  }

  @Test
  void isNotPatientForEver() {
    hear(50, 2, 60);
    assertThat(rhythm.isOver(seconds(39), ALLOWED)).isFalse();
    assertThat(rhythm.isOver(seconds(41), ALLOWED)).isTrue();
  }

  @Test
  void forgetsWhatWasLongAgo() {
    hear(50, 2, 60);
    hear(200, 2);
    assertThat(rhythm.isOver(seconds(12), ALLOWED)).isTrue();
  }

  @Test
  void growsSurerWithTheSilence() {
    hear(50, 2);
    var last = -1.0;
    for (var silence = 1; silence < 100; silence++) {
      assertThat(rhythm.phi(seconds(silence))).isGreaterThanOrEqualTo(last);
      last = rhythm.phi(seconds(silence));
    }
    assertThat(last).isEqualTo(300);
  }

  @Test
  void tellsItsEvidence() {
    hear(50, 2);
    assertThat(rhythm.evidence(seconds(12)))
        .matches(
            "it has not been heard for 12.0 s, though usually every 2.0 s \\(\\+- 0.5 s; phi \\d+\\)");
  }
}
