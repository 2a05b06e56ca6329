package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** Superclasses that are not Serializable, as the builder says. */
class SuperclassesTest {

  static class Base {
    int number = 42;
    transient String made = "by the constructor";

    Base() {}
  }

  static class Derived extends Base implements Serializable {
    String own = "o";
    Derived next;
  }

  static class Hooked extends Base implements Serializable {
    String own = "o";

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own += number;
    }
  }

  static class Argument {
    int number;

    Argument(int number) {
      this.number = number;
    }
  }

  static class Unprepared extends Argument implements Serializable {
    Unprepared() {
      super(3);
    }
  }

  static class Holder {
    Derived place;
    Derived[] places;
  }

  private final Serializer asJava = Serializer.builder().superclassesAsJava().build();
  private final Serializer usual = Serializer.builder().build();

  private static Derived changed() {
    Derived value = new Derived();
    value.number = 7;
    value.own = "changed";
    value.next = new Derived();
    value.next.number = 8;
    value.next.next = value;
    return value;
  }

  @Test
  void areInitialisedByTheirConstructor() {
    Derived copy = asJava.copy(changed());

    assertThat(copy.number).isEqualTo(42);
    assertThat(copy.made).isEqualTo("by the constructor");
    assertThat(copy.own).isEqualTo("changed");
    assertThat(copy.next.number).isEqualTo(42);
    assertThat(copy.next.next).isSameAs(copy);
  }

  @Test
  void areInitialisedInDeclaredPlacesToo() {
    Holder holder = new Holder();
    holder.place = changed();
    holder.places = new Derived[] {holder.place, changed()};

    Holder copy = asJava.copy(holder);

    assertThat(copy.place.number).isEqualTo(42);
    assertThat(copy.places[0]).isSameAs(copy.place);
    assertThat(copy.places[1].number).isEqualTo(42);
    assertThat(usual.copy(holder).place.number).isEqualTo(7);
  }

  @Test
  void areInitialisedBeforeAHookRuns() {
    Hooked value = new Hooked();
    value.number = 7;

    assertThat(asJava.copy(value).own).isEqualTo("o42");
    assertThat(usual.copy(value).own).isEqualTo("o7");
  }

  @Test
  void travelByDefaultAndWithoutSuchAConstructor() {
    Unprepared value = new Unprepared();
    value.number = 9;

    assertThat(usual.copy(changed()).number).isEqualTo(7);
    assertThat(asJava.copy(value).number).isEqualTo(9);
  }
}
