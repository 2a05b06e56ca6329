package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users get wrong when they make active objects. */
@Timeout(60)
class CreationTest {

  static class Plain {}

  static class Broken {
    private static final int NUMBER = number();

    private static int number() {
      throw new IllegalStateException("no number");
    }

    int get() {
      return NUMBER;
    }
  }

  @Test
  void failsEachTimeAsTheStaticInitializerHas() {
    assertThatThrownBy(() -> ActiveObjects.here().create(Broken.class))
        .isInstanceOf(ExceptionInInitializerError.class)
        .hasRootCauseMessage("no number");
    for (var attempt = 2; attempt < 4; attempt++) {
      assertThatThrownBy(() -> ActiveObjects.here().create(Broken.class))
          .isInstanceOf(NoClassDefFoundError.class)
          .hasMessage("Could not initialize class " + Broken.class.getName());
    }
  }

  @Test
  void refusesNullInPlaceOfTheArguments() {
    try (var nodes = LocalNodes.start(1)) {
      for (var place : List.of(ActiveObjects.here(), ActiveObjects.on(nodes.get(0)))) {
        assertThatThrownBy(() -> place.create(Plain.class, (Object[]) null))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("the arguments of a constructor are null; leave them out");
        assertThatThrownBy(() -> place.createAsync(Plain.class, (Object[]) null))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> place.create(null))
            .isInstanceOf(NullPointerException.class)
            .hasMessage("the class is null");
      }
    }
  }

  @Test
  void refusesNoNode() {
    assertThatThrownBy(() -> ActiveObjects.on((Node) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the node is null; ActiveObjects.here() stands for this JVM");
  }
}
