package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The values of {@code troupe.collect}. */
class CollectionModeTest {

  @Test
  void unreferencedObjectsAreCollectedUnlessThatIsOff() {
    assertThat(CollectionMode.of(_ -> null)).isEqualTo(CollectionMode.LISTED);
    assertThat(CollectionMode.of(_ -> "listed")).isEqualTo(CollectionMode.LISTED);
    assertThat(CollectionMode.of(_ -> "cycles")).isEqualTo(CollectionMode.CYCLES);
    assertThat(CollectionMode.of(_ -> "off")).isEqualTo(CollectionMode.OFF);
  }

  @Test
  void otherValuesAreErrorsThatNameTheRemedy() {
    assertThatThrownBy(() -> CollectionMode.of(_ -> "on"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "troupe.collect is 'on', which is no mode of collection; write listed, cycles or off");
  }
}
