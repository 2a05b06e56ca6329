package org.troupe.em3d.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ExactSumTest {

  private final Random random = new Random(3);

  @Test
  void isRoundedOnceInWhateverOrderTermsCome() {
    var terms =
        DoubleStream.generate(() -> (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(40)))
            .limit(300)
            .boxed()
            .toArray(Double[]::new);
    var exact = Arrays.stream(terms).map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);

    for (var k = 0; k < 20; k++) {
      Collections.shuffle(Arrays.asList(terms), random);
      assertThat(inParts(terms, 1 + k)).isEqualTo(exact.doubleValue());
    }
  }

  /** As sub-domains do. */
  private static double inParts(Double[] terms, int parts) {
    var whole = new ExactSum();
    for (var part = 0; part < parts; part++) {
      var sum = new ExactSum();
      for (var k = part; k < terms.length; k += parts) {
        sum.add(terms[k]);
      }
      Arrays.stream(sum.drain()).forEach(whole::add);
    }
    return whole.value();
  }

  @Test
  void roundsATieToEvenButNotWhatOnlyLooksLikeOne() {
    assertThat(of(1, Math.ulp(1.0) / 2)).isEqualTo(1);
    assertThat(of(1, Math.ulp(1.0) / 2, 1e-300)).isEqualTo(Math.nextUp(1.0));
    assertThat(of(1, 1e100, 1, -1e100)).isEqualTo(2);
  }

  @Test
  void keepsWhatIsNotFinite() {
    assertThat(of(1, Double.NaN, 2)).isNaN();
    assertThat(of(Double.MAX_VALUE, Double.MAX_VALUE)).isInfinite();
    assertThat(of()).isZero();
  }

  private static double of(double... terms) {
    var sum = new ExactSum();
    Arrays.stream(terms).forEach(sum::add);
    return sum.value();
  }
}
