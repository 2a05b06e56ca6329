package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunActionTest {

  static Stream<RunAction> actions() {
    return Stream.of(
        new RunAction.Cancel(),
        new RunAction.Observe("times", 30),
        new RunAction.Release("a1"),
        new RunAction.Press("heat", "stop"),
        new RunAction.Request("workers", 3),
        new RunAction.CollectGarbage("a1"),
        new RunAction.SetLogLevel("", "org.acme", "DEBUG", 600),
        new RunAction.DumpHeap("a1"));
  }

  @ParameterizedTest
  @MethodSource("actions")
  void arrivesAsItWasSent(RunAction action) {
    assertThat(RunAction.of(RequestWords.of(String.join("\t", action.words())))).isEqualTo(action);
  }

  @Test
  void isTestedForEachKind() {
    assertThat(actions().map(Object::getClass))
        .hasSameElementsAs(List.of(RunAction.class.getPermittedSubclasses()));
  }

  @Test
  void otherRequestsAreRefused() {
    assertThatThrownBy(() -> RunAction.of(RequestWords.of("fly\tnow")))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("'fly' is unknown here");
    assertThatThrownBy(() -> RunAction.of(RequestWords.of("request\tworkers\tmany")))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("'many' is no whole number of 0 or more");
  }
}
