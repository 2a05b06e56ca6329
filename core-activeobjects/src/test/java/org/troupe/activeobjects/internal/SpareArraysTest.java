package org.troupe.activeobjects.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpareArraysTest {

  /** A length that nobody else takes. */
  private static final int LENGTH = 12_347;

  @Test
  void giveEachOnceToWhomItFits() {
    var array = new double[LENGTH];
    SpareArrays.put(array);
    assertThat(SpareArrays.take(long.class, LENGTH)).isNull();
    assertThat(SpareArrays.take(double.class, LENGTH - 1)).isNull();
    assertThat(SpareArrays.take(double.class, LENGTH)).isSameAs(array);
    assertThat(SpareArrays.take(double.class, LENGTH)).isNull();
  }

  @Test
  void doNotKeepSmallOnes() {
    SpareArrays.put(new double[3]);
    assertThat(SpareArrays.take(double.class, 3)).isNull();
  }
}
