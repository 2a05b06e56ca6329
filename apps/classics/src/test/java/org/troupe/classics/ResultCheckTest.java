package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The texts of comparisons. */
class ResultCheckTest {

  @Test
  void namesTheFirstNumberThatDiffersAndHowManyDo() {
    double[] expected = {1, 2, 3, 4};

    assertThat(ResultCheck.equal("it", expected, new double[] {1, 2.5, 3, Double.NaN}))
        .hasToString(
            "it is wrong: expected 2.0 at index 1, found 2.5 (2 of 4 numbers differ), tolerance none");
    assertThat(ResultCheck.equal("it", expected, expected.clone()).isMet()).isTrue();
    assertThat(ResultCheck.equal("it", new double[] {0.0}, new double[] {-0.0}).isMet()).isFalse();
  }

  @Test
  void saysIfThereAreMoreOrFewer() {
    assertThat(ResultCheck.equal("it", new int[] {1, 2}, new int[] {1}))
        .hasToString("it is wrong: expected 2 numbers, found 1 numbers, tolerance none");
    assertThat(ResultCheck.equal("it", new int[] {1, 2}, new int[] {1, 3}))
        .hasToString(
            "it is wrong: expected 2 at index 1, found 3 (1 of 2 numbers differ), tolerance none");
  }

  @Test
  void isNotNearIfItIsNoNumber() {
    assertThat(ResultCheck.near("it", 1, Double.NaN, 1).isMet()).isFalse();
    assertThat(ResultCheck.atMost("it", 1, Double.NaN).isMet()).isFalse();
  }

  @Test
  void saysTheSameInAnyCountry() {
    var before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(ResultCheck.near("it", 0.5, 0.25, 1e-3).expected()).startsWith("0.500");
    } finally {
      Locale.setDefault(before);
    }
  }
}
