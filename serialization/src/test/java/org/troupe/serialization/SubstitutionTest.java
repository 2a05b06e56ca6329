package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** Some objects stay where they are, and tokens travel for them. */
class SubstitutionTest {

  /** Cannot travel itself; its name does. */
  static class Remote extends Thread {
    final String id;

    Remote(String id) {
      this.id = id;
    }
  }

  record Token(String id) {}

  static class Carrier implements Serializable {
    Remote field;
    Object loose;
  }

  private final List<Object> asked = new ArrayList<>();

  private Serializer serializer() {
    return Serializer.builder()
        .allow(TypeFilter.patterns("org.troupe.**"))
        .substitution(
            value -> {
              asked.add(value);
              return value instanceof Remote remote ? new Token(remote.id) : null;
            })
        .build();
  }

  @Test
  void tokensTravelFromAnyPlace() {
    Serializer serializer = serializer();
    Remote a = new Remote("a");
    Remote b = new Remote("b");
    Carrier carrier = new Carrier();
    carrier.field = a;
    carrier.loose = new Remote[] {b, a};

    EncodedGraph encoded =
        serializer.encode(carrier, a, new HashMap<>(Map.of(b, "key")), new ArrayList<>(List.of(b)));

    assertThat(encoded.side()).containsExactly(new Token("a"), new Token("b"));
    List<Object> resolved = new ArrayList<>();
    Object[] there =
        serializer.decode(
            encoded,
            serializer.ownTypes(),
            token -> {
              resolved.add(token);
              return new Remote(((Token) token).id + "'");
            });
    Carrier carrierThere = (Carrier) there[0];
    assertThat(resolved).containsExactly(new Token("a"), new Token("b"));
    assertThat(carrierThere.field.id).isEqualTo("a'");
    Object[] remotes = (Object[]) carrierThere.loose;
    assertThat(remotes[1]).isSameAs(carrierThere.field).isSameAs(there[1]);
    assertThat(((Map<?, ?>) there[2]).get(remotes[0])).isEqualTo("key");
    assertThat(((List<?>) there[3]).get(0)).isSameAs(remotes[0]);
  }

  @Test
  void eachObjectIsAskedAboutOnceAndPlatformValuesNever() {
    Remote a = new Remote("a");
    ArrayList<Object> list = new ArrayList<>(List.of(a, a, "text", 1));
    list.add(list);

    serializer().encode(list, "text", 2L);

    assertThat(asked).usingElementComparator((x, y) -> x == y ? 0 : 1).containsExactly(list, a);
  }

  @Test
  void whatTheResolverGivesMustFit() {
    Serializer serializer = serializer();
    Carrier carrier = new Carrier();
    carrier.field = new Remote("a");
    EncodedGraph encoded = serializer.encode(carrier);

    assertThatThrownBy(() -> serializer.decode(encoded, serializer.ownTypes(), t -> "text"))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith(
            "cannot decode 'Carrier.field': an object of type 'java.lang.String'")
        .hasMessageContaining("a place of type '" + Remote.class.getName() + "'");
  }

  @Test
  void aCopyResolvesTokensToThemselvesUnlessToldOtherwise() {
    Remote a = new Remote("a");
    Serializer identity =
        Serializer.builder().substitution(v -> v instanceof Remote ? v : null).build();

    assertThat(identity.copy(new Remote[] {a})).containsExactly(a);
    assertThat((Object[]) identity.copy(new Object[] {a}, t -> "other")).containsExactly("other");
  }

  /** Stays where it is; its inner objects read its fields. */
  static class Outer {
    private int answer = 42;

    class Inner {
      int read() {
        return answer;
      }
    }
  }

  @Test
  void anInnerObjectWhoseOuterOneStaysIsRefused() {
    var outer = new Outer();
    var serializer =
        Serializer.builder()
            .allow(TypeFilter.patterns("org.troupe.**"))
            .substitution(value -> value == outer ? new Token("outer") : null)
            .build();

    assertThatThrownBy(() -> serializer.encode(outer.new Inner()))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("inner class")
        .hasMessageContaining("make the class static");
  }
}
