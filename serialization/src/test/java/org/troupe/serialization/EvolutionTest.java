package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/**
 * Sides that run different versions of a class agree if its receiver says so, and say so if not.
 */
class EvolutionTest {

  private static final TypeFilter ALL =
      TypeFilter.platform().or(TypeFilter.patterns("lib.**", "org.troupe.**"));

  private final Serializer sender = Serializer.builder().build();

  private static Object field(Object object, String name) throws ReflectiveOperationException {
    return accessible(object, name).get(object);
  }

  private static Field accessible(Object object, String name) throws NoSuchFieldException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static Object with(Object object, Object... namesAndValues) {
    try {
      for (int i = 0; i < namesAndValues.length; i += 2) {
        accessible(object, (String) namesAndValues[i]).set(object, namesAndValues[i + 1]);
      }
      return object;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private Object received(ClassMaker here, Object value) {
    EncodedGraph body = sender.encode(value);
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(sender.ownTypes().definition(id));
    }
    return Serializer.builder().allow(ALL).classLoader(here).build().decode(body, table, t -> t)[0];
  }

  @Test
  void aFieldThatTheSenderLacksGetsItsDefault() throws Exception {
    ClassMaker there = new ClassMaker().with("lib.Box", "kept", int.class);
    ClassMaker here =
        new ClassMaker()
            .withEvolving("lib.Box", "kept", int.class, "count", long.class, "label", String.class);

    Object box = received(here, with(there.instance("lib.Box"), "kept", 7));

    assertThat(field(box, "kept")).isEqualTo(7);
    assertThat(field(box, "count")).isEqualTo(0L);
    assertThat(field(box, "label")).isNull();
  }

  @Test
  void aFieldThatOnlyTheSenderHasIsDropped() throws Exception {
    Object[] fields = {
      "a",
      boolean.class,
      "b",
      byte.class,
      "c",
      char.class,
      "d",
      short.class,
      "e",
      int.class,
      "f",
      long.class,
      "g",
      float.class,
      "h",
      double.class,
      "i",
      Object.class,
      "j",
      int[].class,
      "k",
      String.class,
      "z",
      String.class
    };
    ClassMaker there = new ClassMaker().with("lib.Box", fields);
    ClassMaker here = new ClassMaker().withEvolving("lib.Box", "z", String.class);
    Object original = there.instance("lib.Box");
    with(original, "a", true, "b", (byte) 1, "c", 'c', "d", (short) 300, "e", -1, "f", 1L << 40);
    with(original, "g", 1.5f, "h", -2.5, "i", List.of(1, "x"), "j", new int[] {1, 2}, "k", "kk");

    Object box = received(here, with(original, "z", "last"));

    assertThat(field(box, "z")).isEqualTo("last");
  }

  @Test
  void whatADroppedFieldSharesWithOthersStaysShared() throws Exception {
    ClassMaker there =
        new ClassMaker().with("lib.Box", "a", Object.class, "b", Object.class, "c", Object.class);
    ClassMaker here =
        new ClassMaker().withEvolving("lib.Box", "b", Object.class, "c", Object.class);
    Object original = there.instance("lib.Box");
    List<Integer> shared = new ArrayList<>(List.of(1));

    Object box = received(here, with(original, "a", shared, "b", shared, "c", original));

    assertThat(field(box, "b")).isEqualTo(List.of(1));
    assertThat(field(box, "c")).isSameAs(box);
  }

  @Test
  void aReferenceMayHaveAnotherTypeIfItsValueFits() throws Exception {
    ClassMaker there = new ClassMaker().with("lib.Box", "x", Object.class);
    ClassMaker here = new ClassMaker().withEvolving("lib.Box", "x", String.class);

    assertThat(field(received(here, with(there.instance("lib.Box"), "x", "text")), "x"))
        .isEqualTo("text");
    assertThatThrownBy(() -> received(here, with(there.instance("lib.Box"), "x", 5)))
        .hasMessageContaining("an object of type 'java.lang.Integer' came for a place of type")
        .hasMessageContaining("'Box.x'");
  }

  @Test
  void aPrimitiveOfAnotherTypeIsAnErrorAllTheSame() {
    ClassMaker there = new ClassMaker().with("lib.Box", "x", int.class);
    ClassMaker here = new ClassMaker().withEvolving("lib.Box", "x", long.class);

    assertThatThrownBy(() -> received(here, there.instance("lib.Box")))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(
            "field 'x' has type 'int' in the encoded object, but 'long' in the class of this JVM");
  }

  @Test
  void theSendersMarkDoesNotCount() {
    ClassMaker there = new ClassMaker().withEvolving("lib.Box", "x", int.class);
    ClassMaker here = new ClassMaker().with("lib.Box");

    assertThatThrownBy(() -> received(here, there.instance("lib.Box")))
        .hasMessageContaining(
            "field 'x' of type 'int' exists in the encoded object, but not in the class of this JVM")
        .hasMessageContaining("annotate it with @Evolving");
  }

  @Evolving
  record Reading(String sensor, double value, int count) {}

  @Test
  void aRecordGetsDefaultsForWhatIsMissing() {
    EncodedGraph body = sender.encode(new Reading("s", 1.5, 3));
    TypeTable table = new TypeTable();
    // The sender's version had the value first, no count, and a unit.
    table.define(
        Definitions.withFields(
            sender.ownTypes().definition(body.typeIds()[0]),
            "unit",
            "java.lang.String",
            "value",
            "double",
            "offset",
            "int"));

    Object there = Serializer.builder().allow(ALL).build().decode(body, table, t -> t)[0];

    assertThat(there).isEqualTo(new Reading(null, 1.5, 0));
  }

  @Evolving
  static class Hooked implements Serializable {
    int kept = 3;
    String note = "n";
    long more = 4;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(99);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      kept = fields.get("kept", -1);
      more = fields.get("more", -2L);
      note = (String) fields.get("note", fields.defaulted("note") ? "defaulted" : "?");
      if (in.readInt() != 99) {
        throw new IOException("other data than was written");
      }
    }
  }

  @Test
  void aClassWithHooksIsToldByGetField() {
    EncodedGraph body = sender.encode(new Hooked());
    TypeTable table = new TypeTable();
    TypeDefinition mine = sender.ownTypes().definition(body.typeIds()[0]);
    // As written: kept, more, note (java.io puts primitives first). Read as if 'more' were 'other'.
    table.define(Definitions.renamed(mine, "more", "other", "note", "remark"));

    Hooked there = (Hooked) Serializer.builder().allow(ALL).build().decode(body, table, t -> t)[0];

    assertThat(there.kept).isEqualTo(3);
    assertThat(there.more).isEqualTo(-2);
    assertThat(there.note).isEqualTo("defaulted");
  }
}
