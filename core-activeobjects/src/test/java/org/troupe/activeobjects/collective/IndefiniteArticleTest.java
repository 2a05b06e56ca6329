package org.troupe.activeobjects.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndefiniteArticleTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "an Account",
        "a Solver",
        "an Update",
        "an Unloader",
        "a Unit",
        "a User",
        "an Euler",
        "a EuropeanOption",
        "an Unordered",
        "an Unused",
        "an Unavailable",
        "an Unequal",
        "an Uninitialized",
        "a Union",
        "a OneShot",
        "an org.acme.Account",
        "a java.lang.String",
        "an Iterator",
        "an Onesimus",
        "an A"
      })
  void fitsTheName(String text) {
    assertThat(IndefiniteArticle.before(text.substring(text.indexOf(' ') + 1))).isEqualTo(text);
  }
}
