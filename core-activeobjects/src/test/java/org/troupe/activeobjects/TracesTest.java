package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.futures.Futures;

/** What the trace of a failure shows that has come a long way. */
@Timeout(60)
class TracesTest {

  private static LocalNodes nodes;

  @BeforeAll
  static void start() {
    nodes = LocalNodes.start(2);
  }

  @AfterAll
  static void end() {
    nodes.close();
  }

  @BeforeEach
  void close() {
    Gate.closeAll();
  }

  static class Text {
    String text() {
      return "";
    }
  }

  static class Failing {
    Text text() {
      Gate.ONE.pass();
      var failure = new IllegalStateException("deep", cause());
      failure.addSuppressed(new ArithmeticException("beside"));
      throw failure;
    }

    private static Exception cause() {
      return new ArithmeticException("cause");
    }

    int lengthOfNothing() {
      String nothing = System.getProperty("no such property");
      return nothing.length();
    }
  }

  static class Forwarding {
    Text forward(Failing failing) {
      return failing.text();
    }

    Text again(Forwarding other, Failing failing) {
      return other.forward(failing);
    }

    Text waiting(Failing failing) {
      try {
        return Futures.value(failing.text());
      } catch (IllegalStateException failure) {
        throw new IllegalArgumentException("wrapped", failure);
      }
    }
  }

  private static List<String> methods(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .map(
            frame ->
                frame.getMethodName().equals("from")
                    ? "from " + frame.getFileName()
                    : frame.getMethodName())
        .toList();
  }

  private static void failsWithEachHop(Forwarding first, Forwarding second, Failing failing) {
    var text = first.again(second, failing);
    Gate.ONE.open(); // now all of them wait for an answer, or will
    var failure = catchThrowable(text::text);

    assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage("deep");
    var methods = methods(failure);
    assertThat(methods)
        .containsSubsequence("text", "forward", "again", "failsWithEachHop")
        .filteredOn(method -> method.startsWith("from "))
        .hasSize(3);
    assertThat(methods(failure.getCause())).containsExactly("cause", "text");
    assertThat(methods(failure.getSuppressed()[0])).containsExactly("text");
  }

  @Test
  void hasTheLineOfEachHopOfAForwardedAnswer() {
    failsWithEachHop(
        ActiveObjects.on(nodes.get(0)).create(Forwarding.class),
        ActiveObjects.on(nodes.get(1)).create(Forwarding.class),
        ActiveObjects.on(nodes.get(0)).create(Failing.class));
  }

  @Test
  void hasTheLineOfEachHopWithinAJvm() {
    var here = ActiveObjects.here();
    failsWithEachHop(
        here.create(Forwarding.class), here.create(Forwarding.class), here.create(Failing.class));
  }

  @Test
  void hasNoFramesOfTheMiddlewareInCauses() {
    Gate.ONE.open();
    var forwarding = ActiveObjects.on(nodes.get(0)).create(Forwarding.class);
    var failing = ActiveObjects.on(nodes.get(1)).create(Failing.class);

    var failure = catchThrowable(() -> Futures.value(forwarding.waiting(failing)));

    assertThat(failure).hasMessage("wrapped");
    assertThat(methods(failure.getCause())).containsExactly("text", "from node-1", "waiting");
    assertThat(methods(failure.getCause().getCause())).containsExactly("cause", "text");
  }

  @Test
  void keepsTheHelpfulTextOfANullPointerException() {
    for (var place : List.of(ActiveObjects.here(), ActiveObjects.on(nodes.get(0)))) {
      var failing = place.create(Failing.class);
      assertThat(catchThrowable(failing::lengthOfNothing))
          .isInstanceOf(NullPointerException.class)
          .hasMessageStartingWith("Cannot invoke \"String.length()\" because \"");
    }
  }
}
