package org.troupe.activeobjects.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrayPoolTest {

  /** A length that nobody else takes. */
  private static final int LENGTH = 12_347;

  @Test
  void giveEachOnceToWhomItFits() {
    var array = new double[LENGTH];
    ArrayPool.put(array);
    assertThat(ArrayPool.take(long.class, LENGTH)).isNull();
    assertThat(ArrayPool.take(double.class, LENGTH - 1)).isNull();
    assertThat(ArrayPool.take(double.class, LENGTH)).isSameAs(array);
    assertThat(ArrayPool.take(double.class, LENGTH)).isNull();
  }

  @Test
  void doNotKeepSmallOnes() {
    ArrayPool.put(new double[3]);
    assertThat(ArrayPool.take(double.class, 3)).isNull();
  }
}
