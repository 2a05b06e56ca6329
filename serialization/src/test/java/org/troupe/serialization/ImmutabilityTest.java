package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

class ImmutabilityTest {

  record Name(String first, int n, Object any) {}

  static class Changeable extends BigInteger {
    int state;

    Changeable() {
      super("1");
    }
  }

  @Test
  void valuesMayBeShared() {
    List<Object> values =
        Arrays.asList(
            null,
            1,
            'c',
            2.0,
            "s",
            TimeUnit.DAYS,
            BigInteger.ONE,
            UUID.randomUUID(),
            URI.create("x"),
            String.class,
            Instant.EPOCH,
            Period.ZERO,
            ZoneId.of("Europe/Paris"),
            Optional.of("x"),
            Optional.empty(),
            new Name("a", 1, null),
            new Name("a", 1, new Name("b", 2, List.of(1))),
            List.of(1, "x"),
            Set.of(1, 2, 3),
            Map.of("k", List.of()));

    assertThat(values).allMatch(Serializer::isImmutable);
  }

  @Test
  void whatCanChangeIsCopied() {
    List<Object> values =
        List.of(
            new int[0],
            new ArrayList<>(),
            new Date(),
            new Changeable(),
            new Object(),
            new StringBuilder(),
            Clock.systemUTC(),
            Optional.of(new int[1]),
            new Name("a", 1, new int[1]),
            List.of(1, new ArrayList<>()),
            Map.of("k", new HashMap<>()));

    assertThat(values).noneMatch(Serializer::isImmutable);
  }

  @Test
  void aRecordNestedWithoutEndIsCopiedRatherThanExamined() {
    Name name = new Name("x", 0, null);
    for (int i = 0; i < 1000; i++) {
      name = new Name("x", i, name);
    }

    assertThat(Serializer.isImmutable(name)).isFalse();
  }

  @Test
  void immutableValuesAreTheirOwnCopies() {
    Name name = new Name("a", 1, List.of("b"));

    assertThat(Serializer.builder().build().copy(name)).isSameAs(name);
  }
}
