package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureExplanationTest {

  private static String of(Throwable failure) {
    return FailureExplanation.of(failure, "sor", () -> "9 x 9 points");
  }

  @Test
  void isTheMessageIfThatWasWrittenForUsers() {
    assertThat(of(new IllegalStateException("port 80 is taken; give another one")))
        .isEqualTo("port 80 is taken; give another one");
  }

  @Test
  void namesAnExceptionOfTheJdkAndTheOptionThatShowsItsTrace() {
    assertThat(of(new NegativeArraySizeException("-1794967296")))
        .isEqualTo("java.lang.NegativeArraySizeException: -1794967296; --verbose shows where");
    assertThat(of(new IllegalStateException()))
        .isEqualTo("java.lang.IllegalStateException; --verbose shows where");
  }

  @Test
  void recognisesANodesOutOfMemoryErrorAsTheCause() {
    assertThat(of(new RuntimeException("rank 1", new OutOfMemoryError("Java heap space"))))
        .isEqualTo(
            "sor, 9 x 9 points: a JVM has too little memory (Java heap space); choose a smaller size,"
                + " or larger heaps with JDK_JAVA_OPTIONS=-Xmx8g");
  }
}
