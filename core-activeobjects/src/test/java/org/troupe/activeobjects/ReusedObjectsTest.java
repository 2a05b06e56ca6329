package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.Reused;

/** Of this JVM and of another node, over exchanges and without. */
@Timeout(60)
class ReusedObjectsTest {

  /** Tells which arrays it was given. */
  static class Field {
    private double[] last;
    private final double[] border = new double[16];

    boolean isTheSame(@Reused double[] values) {
      var same = values == last;
      last = values;
      return same;
    }

    boolean isTheSameUndeclared(double[] values) {
      var same = values == last;
      last = values;
      return same;
    }

    double sum(@Reused double[] values) {
      var sum = 0.0;
      for (var each : values) {
        sum += each;
      }
      return sum;
    }

    @Reused
    double[] border() {
      border[0]++;
      return border;
    }
  }

  private LocalNodes nodes;

  @BeforeEach
  void start() {
    nodes = LocalNodes.start(1);
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private Field remote() {
    return ActiveObjects.on(nodes.nodes().first()).create(Field.class);
  }

  @Test
  void argumentsDeclaredSoAreReadIntoThoseOfTheCallBefore() {
    var field = remote();

    assertThat(field.isTheSame(new double[] {1, 2})).isFalse();
    assertThat(field.isTheSame(new double[] {3, 4})).isTrue();
    assertThat(field.isTheSame(new double[] {3, 4, 5})).as("of another length").isFalse();
  }

  @Test
  void othersAreNewEachTime() {
    var field = remote();

    assertThat(field.isTheSameUndeclared(new double[] {1, 2})).isFalse();
    assertThat(field.isTheSameUndeclared(new double[] {3, 4})).isFalse();
  }

  @Test
  void whatIsReadIsWhatWasSent() {
    var field = remote();

    assertThat(field.sum(new double[] {1, 2})).isEqualTo(3);
    assertThat(field.sum(new double[] {3, 4})).isEqualTo(7);
    assertThat(field.sum(new double[5])).isZero();
  }

  @Test
  void resultsDeclaredSoAreReadIntoThatOfTheCallBefore() {
    var field = remote();

    var first = field.border();
    var second = field.border();

    assertThat(second).isSameAs(first);
    assertThat(second[0]).isEqualTo(2);
  }

  @Test
  void inTheSameJvmArgumentsAreReusedToo() {
    var field = ActiveObjects.here().create(Field.class);

    assertThat(field.isTheSame(new double[] {1, 2})).isFalse();
    assertThat(field.isTheSame(new double[] {3, 4})).isTrue();
  }

  @Test
  void anotherStubHasResultsOfItsOwn() {
    var field = remote();
    var same = ActiveObjects.ref(field).within(Duration.ofMinutes(1)).stub();

    assertThat(same.border()).isNotSameAs(field.border());
  }
}
