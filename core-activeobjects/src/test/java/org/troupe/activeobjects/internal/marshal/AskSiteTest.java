package org.troupe.activeobjects.internal.marshal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.AskingFixture;
import org.troupe.activeobjects.AskingFixture.Called;

@Timeout(60)
class AskSiteTest {

  private static final int ASKS = 300; // more than walks before a proof

  private final AskingFixture asking = new AskingFixture();

  @Test
  void isProvenForLambdaOfAsk() {
    assertNamesItsLine(asking::ask);
    assertThat(isProven()).isTrue();
  }

  @Test
  void isProvenForLambdaOfTell() {
    assertNamesItsLine(_ -> asking.tell());
    assertThat(isProven()).isTrue();
  }

  @Test
  void namesEachLineOfLambdaInVariable() {
    assertNamesItsLine(_ -> asking.askByVariable());
    assertNamesItsLine(_ -> asking.askByVariableElsewhere());
    assertNamesItsLine(i -> asking.askByChoice(i % 2 == 0));
    assertNamesItsLine(_ -> asking.askByChoice(true));
    assertThat(isProven()).isFalse();
  }

  @Test
  void isNotProvenForLambdaThatConditionChooses() {
    assertNamesItsLine(_ -> asking.askByChoice(false));
    assertThat(isProven()).isFalse();
  }

  @Test
  void isNotProvenForLambdaThatHelperMethodPasses() {
    assertNamesItsLine(_ -> asking.askInHelper());
    assertThat(isProven()).isFalse();
  }

  @Test
  void isNotProvenForTwoAsksOfOneLine() {
    assertNamesItsLine(_ -> asking.askTwiceInLine());
    assertThat(isProven()).isFalse();
  }

  @Test
  void isNotProvenForOrdinaryClass() {
    assertNamesItsLine(_ -> asking.askByClass());
    assertThat(isProven()).isFalse();
  }

  private boolean isProven() {
    return AskSite.ofLambdas(asking.lambda()).isProven();
  }

  private static void assertNamesItsLine(IntFunction<Called> call) {
    for (var i = 0; i < ASKS; i++) {
      var called = call.apply(i);
      assertThat(lineNamed(called.answer())).isEqualTo(called.line());
    }
  }

  /** Returns the line of the call that a failure names. */
  private static int lineNamed(CompletableFuture<?> answer) {
    try {
      answer.join();
    } catch (CompletionException failure) {
      var trace = failure.getCause().getStackTrace();
      for (var i = 1; i < trace.length; i++) {
        if (trace[i - 1].getClassName().equals(CallTraces.CALLED)) {
          return trace[i].getLineNumber();
        }
      }
    }
    throw new AssertionError("no failure names a line");
  }
}
