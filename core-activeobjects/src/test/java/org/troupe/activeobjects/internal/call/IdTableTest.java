package org.troupe.activeobjects.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdTableTest {

  private final IdTable<String> numbered = new IdTable<>();

  @Test
  void givesWhatWasPut() {
    numbered.put(7, "seven");
    numbered.put(8, "eight");
    numbered.put(7, "another seven");

    assertThat(numbered.get(7)).isEqualTo("another seven");
    assertThat(numbered.get(9)).isNull();
    assertThat(numbered.size()).isEqualTo(2);
    assertThat(numbered.remove(7)).isEqualTo("another seven");
    assertThat(numbered.remove(7)).isNull();
    assertThat(numbered.values()).containsExactly("eight");
    assertThat(numbered.removeAll()).containsExactly("eight");
    assertThat(numbered.size()).isZero();
  }

  @Test
  void agreesWithAMapWhateverIsDone() {
    var random = new Random(42);
    Map<Long, String> map = new HashMap<>();
    for (var i = 0; i < 200_000; i++) {
      long number = random.nextInt(i % 50_000 < 25_000 ? 3_000 : 30);
      switch (random.nextInt(3)) {
        case 0 -> {
          numbered.put(number, "value " + i);
          map.put(number, "value " + i);
        }
        case 1 -> assertThat(numbered.remove(number)).isEqualTo(map.remove(number));
        default -> assertThat(numbered.get(number)).isEqualTo(map.get(number));
      }
    }
    assertThat(numbered.values()).containsExactlyInAnyOrderElementsOf(map.values());
    for (var number : map.keySet()) {
      assertThat(numbered.remove(number)).isEqualTo(map.get(number));
    }
    assertThat(numbered.size()).isZero();
  }
}
