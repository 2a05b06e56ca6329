package org.troupe.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectConstructionTest {

  /** Remembers which constructor ran. */
  static class Numbers {
    final String taken;

    Numbers() {
      taken = "()";
    }

    private Numbers(long a) {
      taken = "(long)";
    }

    Numbers(double a) {
      taken = "(double)";
    }

    Numbers(Object a) {
      taken = "(Object)";
    }

    Numbers(String a) {
      taken = "(String)";
    }

    Numbers(String a, List<?> b) {
      taken = "(String,List)";
    }

    Numbers(Object a, ArrayList<?> b) {
      taken = "(Object,ArrayList)";
    }

    Numbers(int a, int... rest) {
      taken = "(int,int...)" + rest.length;
    }
  }

  static String taken(Object... arguments) throws Throwable {
    return ((Numbers) ObjectConstruction.construct(Numbers.class, arguments)).taken;
  }

  @Test
  void picksAsACallWould() throws Throwable {
    assertThat(taken()).isEqualTo("()");
    assertThat(taken(3)).isEqualTo("(long)");
    assertThat(taken('c')).isEqualTo("(long)");
    assertThat(taken(3.0f)).isEqualTo("(double)");
    assertThat(taken(true)).isEqualTo("(Object)");
    assertThat(taken("text")).isEqualTo("(String)");
    assertThat(taken((Object) null)).isEqualTo("(String)");
    assertThat(taken("text", List.of())).isEqualTo("(String,List)");
    assertThat(taken(1, new ArrayList<>())).isEqualTo("(Object,ArrayList)");
    assertThat(taken(1, 2)).isEqualTo("(int,int...)1");
    assertThat(taken((byte) 1, (short) 2, 'c')).isEqualTo("(int,int...)2");
    assertThat(taken(1, new int[] {2, 3, 4})).isEqualTo("(int,int...)3");
  }

  @Test
  void saysWhichConstructorsAreAmbiguous() {
    assertThatThrownBy(() -> taken("text", new ArrayList<>()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "org.troupe.stubs.ObjectConstructionTest$Numbers has more than one constructor for"
                + " (java.lang.String, java.util.ArrayList):"
                + "\n  - Numbers(Object, ArrayList)\n  - Numbers(String, List)"
                + "\nMake the object with 'new', for which a cast picks the constructor, and make that"
                + " active (turnActive)");
  }

  static class Either {
    Either(String text) {}

    Either(Integer number) {}
  }

  @Test
  void namesTheRemedyForAnAmbiguousNull() {
    assertThatThrownBy(() -> ObjectConstruction.construct(Either.class, (Object) null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            "has more than one constructor for (null):\n  - Either(Integer)\n  - Either(String)"
                + "\nA null has no type here, not even by a cast; pass a value instead."
                + "\nMake the object with 'new', for which a cast picks the constructor, and make that"
                + " active (turnActive)");
  }

  @Test
  void refusesANullInPlaceOfTheArguments() {
    assertThatThrownBy(() -> ObjectConstruction.construct(Either.class, (Object[]) null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the arguments of a constructor are null; leave them out for none, or say (Object) null"
                + " for one that is null");
  }

  @Test
  void saysWhichConstructorsThereAre() {
    assertThatThrownBy(() -> taken("text", 3, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "org.troupe.stubs.ObjectConstructionTest$Numbers has no constructor for"
                + " (java.lang.String, java.lang.Integer, null):\n  - Numbers()")
        .hasMessageContaining("\n  - Numbers(int, int...)");
  }

  static class Spread {
    final Object[] parts;

    Spread(Object... parts) {
      this.parts = parts;
    }

    Spread(String... parts) {
      this.parts = parts;
    }
  }

  @Test
  void prefersTheMoreSpecificOfTwoSpreads() throws Throwable {
    var strings = (Spread) ObjectConstruction.construct(Spread.class, "a", "b");
    assertThat(strings.parts).isInstanceOf(String[].class).containsExactly("a", "b");
    var objects = (Spread) ObjectConstruction.construct(Spread.class, "a", 1);
    assertThat(objects.parts).containsExactly("a", 1);
    assertThat(((Spread) ObjectConstruction.construct(Spread.class)).parts)
        .isInstanceOf(String[].class)
        .isEmpty();
  }

  abstract static class Unfinished {}

  enum Colour {
    RED
  }

  @ParameterizedTest
  @ValueSource(
      classes = {Unfinished.class, Runnable.class, Colour.class, int.class, String[].class})
  void refusesWhatHasNoObjectsOfItsOwn(Class<?> type) {
    assertThatThrownBy(() -> ObjectConstruction.construct(type))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot make an object of " + type.getTypeName() + ": it is a");
  }

  static class Failing {
    Failing(Exception e) throws Exception {
      throw e;
    }
  }

  @Test
  void throwsWhatTheConstructorThrowsUnchanged() {
    var failure = new IOException("disk");
    assertThat(catchThrowable(() -> ObjectConstruction.construct(Failing.class, failure)))
        .isSameAs(failure);
  }

  class Inner {}

  @Test
  void makesPrivateInnerAndJdkObjects() throws Throwable {
    assertThat(ObjectConstruction.construct(Inner.class, this)).isInstanceOf(Inner.class);
    assertThat(ObjectConstruction.construct(ArrayList.class, List.of(1, 2)))
        .isEqualTo(List.of(1, 2));
    assertThat(ObjectConstruction.construct(StringBuilder.class, "text")).hasToString("text");
  }

  @Test
  void refusesClosedConstructorsOfTheJdk() {
    assertThatThrownBy(() -> ObjectConstruction.construct(Runtime.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("package 'java.lang' of module java.base is not open to Troupe");
  }
}
