package org.troupe.serialization.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Equal definitions of several streams share an entry, within bounds. */
class RecurringTypesTest {

  private final RecurringTypes types = new RecurringTypes();

  private static TypeDefinition definition(int id, int length) {
    return new TypeDefinition(id, new byte[length]);
  }

  @Test
  void equalDefinitionsShareAnEntry() {
    var first = types.entry(definition(1, 10));

    assertThat(types.entry(definition(1, 10))).isSameAs(first);
  }

  @Test
  void anIdOrALayoutOfItsOwnIsADefinitionOfItsOwn() {
    var first = types.entry(definition(1, 10));

    assertThat(types.entry(definition(2, 10))).isNotSameAs(first);
    assertThat(types.entry(definition(1, 11))).isNotSameAs(first);
  }

  @Test
  void largeDefinitionsAreNotKept() {
    var first = types.entry(definition(1, 5_000));

    assertThat(types.entry(definition(1, 5_000))).isNotSameAs(first);
  }

  @Test
  void noMoreThanAThousandDefinitionsAreKept() {
    for (int id = 0; id < 1_000; id++) {
      types.entry(definition(id, 10));
    }
    var next = types.entry(definition(1_000, 10));

    assertThat(types.entry(definition(1_000, 10))).isNotSameAs(next);
    assertThat(types.entry(definition(0, 10))).isSameAs(types.entry(definition(0, 10)));
  }
}
