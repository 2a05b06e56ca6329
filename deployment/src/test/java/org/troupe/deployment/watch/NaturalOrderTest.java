package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NaturalOrderTest {

  @ParameterizedTest
  @CsvSource({
    "local-2, local-10",
    "local-2/30, local-10/4",
    "a-10, b-2",
    "a, a-1",
    "n01, n1",
    "n007, n8",
    "rack2-n10, rack10-n2",
    "n99999999999999999998, n99999999999999999999",
    "'', a"
  })
  void comparesNumbersByTheirValues(String first, String second) {
    assertThat(NaturalOrder.OF_NAMES.compare(first, second)).isNegative();
    assertThat(NaturalOrder.OF_NAMES.compare(second, first)).isPositive();
    assertThat(NaturalOrder.OF_NAMES.compare(first, first)).isZero();
  }

  @Test
  void sortsTheNodesOfAnElement() {
    var names = new ArrayList<>(List.of("local-10", "main", "local-2", "local-1", "edge-3"));

    names.sort(NaturalOrder.OF_NAMES);

    assertThat(names).containsExactly("edge-3", "local-1", "local-2", "local-10", "main");
  }
}
