package org.troupe.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.hosting.GridMember;

/** The report that the shutdown hooks of a node were ended. */
class EndedHooksTest {

  private static GridMember member(List<String> stateKept, List<String> logged) {
    return (GridMember)
        Proxy.newProxyInstance(
            GridMember.class.getClassLoader(),
            new Class<?>[] {GridMember.class},
            (_, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("withoutLastImage");
              return (boolean) arguments[0] ? logged : stateKept;
            });
  }

  private static String report(@Nullable GridMember member) {
    var out = new ByteArrayOutputStream();
    EndedHooks.report(member, 3, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void objectsWhoseCallsAreLoggedLoseNothing() {
    assertThat(report(member(List.of(), List.of("an Account on node 'a'")))).isEmpty();
  }

  @Test
  void objectsThatLoseTheirLastImageAreNamed() {
    assertThat(report(member(List.of("a Cell on node 'a'", "a Map on node 'a'"), List.of("x"))))
        .isEqualTo(
            "WARNING: the last images of a Cell on node 'a', a Map on node 'a' were not stored within"
                + " 3 s of the end of this node; what has changed since the images before is lost;"
                + " call checkpoint() before the program ends");
    assertThat(report(member(Collections.nCopies(9, "a Cell"), List.of())))
        .contains("a Cell, a Cell .. were not stored");
  }

  @Test
  void otherHooksAreThoseOfTheProgram() {
    var others =
        "WARNING: the shutdown hooks of this node were still running after 3 s and were ended";
    assertThat(report(member(List.of(), List.of()))).isEqualTo(others);
    assertThat(report(null)).isEqualTo(others);
  }
}
