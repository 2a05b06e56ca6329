package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.OptionalDataException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeTable;

/** The hooks of {@code java.io} do what they were written for. */
class HooksTest {

  private static <T> T copy(T value) {
    return Serializer.builder().build().copy(value);
  }

  static class Temperature implements Serializable {
    private final String unit;
    private transient double kelvin;
    private Temperature reference;

    Temperature(double kelvin) {
      this.unit = "K".concat("");
      this.kelvin = kelvin;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeDouble(kelvin);
      out.writeUTF("sent");
      out.writeObject(List.of(1));
      out.write(new byte[] {1, 2, 3});
      out.writeObject(this);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      kelvin = in.readDouble();
      if (!in.readUTF().equals("sent") || !in.readObject().equals(List.of(1))) {
        throw new InvalidObjectException("other data than was written");
      }
      byte[] three = new byte[3];
      in.readFully(three);
      if (three[2] != 3 || in.readObject() != this) {
        throw new InvalidObjectException("other data than was written");
      }
    }
  }

  @Test
  void writeObjectAndReadObjectRunWithTheDefaultFields() {
    Temperature original = new Temperature(273.15);
    original.reference = new Temperature(0);

    Temperature copy = copy(original);

    assertThat(copy).usingRecursiveComparison().isEqualTo(original);
  }

  static class Renamed implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("count", int.class),
      new ObjectStreamField("label", String.class),
      new ObjectStreamField("ratio", double.class)
    };
    private transient int howMany;
    private String label;
    private Object notPersistent = "lost";

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("count", howMany);
      fields.put("label", label);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      howMany = fields.get("count", -1);
      label = (String) fields.get("label", null);
      if (fields.get("ratio", 1.0) != 0 || fields.defaulted("count")) {
        throw new InvalidObjectException("ratio was not put, so it is 0");
      }
    }
  }

  @Test
  void putFieldAndGetFieldSpeakOfThePersistentFields() {
    Renamed original = new Renamed();
    original.howMany = 3;
    original.label = "x";

    Renamed copy = copy(original);

    assertThat(copy.howMany).isEqualTo(3);
    assertThat(copy.label).isEqualTo("x");
    assertThat(copy.notPersistent).isNull();
  }

  static class Point implements Serializable {
    final int x;

    Point(int x) {
      this.x = x;
    }

    Object writeReplace() {
      return new Form(x);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
      throw new InvalidObjectException("only the form travels");
    }

    private static final class Form implements Serializable {
      private final int x;

      Form(int x) {
        this.x = x;
      }

      private Object readResolve() {
        return new Point(x);
      }
    }
  }

  @Test
  void writeReplaceAndReadResolveSwapTheObject() {
    assertThat(copy(new Point(4)).x).isEqualTo(4);
  }

  @Test
  void aReplacedObjectIsStillShared() {
    Point point = new Point(4);

    Point[] copy = copy(new Point[] {point, point});

    assertThat(copy[0]).isSameAs(copy[1]).extracting(p -> p.x).isEqualTo(4);
  }

  static final class Single implements Serializable {
    static final Single ONLY = new Single();

    private Object readResolve() {
      return ONLY;
    }
  }

  @Test
  void aSingletonStaysOne() {
    assertThat(copy(Single.ONLY)).isSameAs(Single.ONLY);
    assertThat(copy(new Single[] {Single.ONLY})[0]).isSameAs(Single.ONLY);
  }

  public static class Packed implements Externalizable {
    private List<Object> parts = new ArrayList<>();
    private long n;

    public Packed() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeLong(n);
      out.writeInt(parts.size());
      for (Object part : parts) {
        out.writeObject(part);
      }
      out.writeObject("never read");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      n = in.readLong();
      for (int rest = in.readInt(); rest > 0; rest--) {
        parts.add(in.readObject());
      }
    }
  }

  @Test
  void externalizableObjectsWriteThemselves() {
    Packed original = new Packed();
    original.n = 9;
    original.parts.add("p");
    original.parts.add(original);

    Packed copy = copy(original);

    assertThat(copy.n).isEqualTo(9);
    assertThat(copy.parts.get(0)).isEqualTo("p");
    assertThat(copy.parts.get(1)).isSameAs(copy);
  }

  static class Careless implements Serializable {
    Object shared = new int[] {1};

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(1);
      out.writeObject(shared);
      out.writeInt(2);
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) {
      // reads nothing of it
    }
  }

  @Test
  void whatAHookLeavesUnreadIsSkippedAndStillShared() {
    Careless careless = new Careless();

    Object[] copy = copy(new Object[] {careless, careless.shared, "end"});

    assertThat(((Careless) copy[0]).shared).isNull();
    assertThat((int[]) copy[1]).containsExactly(1);
    assertThat(copy[2]).isEqualTo("end");
  }

  static class Greedy implements Serializable {
    transient List<String> seen = new ArrayList<>();

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject("one");
      out.writeByte(7);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      seen = new ArrayList<>();
      seen.add((String) in.readObject());
      try {
        in.readObject();
      } catch (OptionalDataException e) {
        seen.add("data");
      }
      seen.add("" + in.readByte());
      try {
        in.readByte();
      } catch (EOFException e) {
        seen.add("end of bytes");
      }
      try {
        in.readObject();
      } catch (OptionalDataException e) {
        seen.add("end of data " + e.eof);
      }
    }
  }

  @Test
  void aHookThatReadsTooMuchIsTold() {
    assertThat(copy(new Greedy()).seen)
        .containsExactly("one", "data", "7", "end of bytes", "end of data true");
  }

  static class PlainBase {
    private int plain = 1;
    private final String name = "base".concat("");
  }

  static class Derived extends PlainBase implements Serializable {
    private final int own;

    Derived(int own) {
      this.own = own;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  @Test
  void fieldsOfASuperclassThatIsNotSerializableTravelToo() {
    Derived original = new Derived(5);
    ((PlainBase) original).plain = 8;

    Derived copy = copy(original);

    assertThat(copy).usingRecursiveComparison().isEqualTo(original);
  }

  static class Validated implements Serializable, ObjectInputValidation {
    private Validated other;
    private transient boolean validated;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(this, 1);
      in.defaultReadObject();
    }

    @Override
    public void validateObject() throws InvalidObjectException {
      if (other == null) {
        throw new InvalidObjectException("alone");
      }
      validated = true;
    }
  }

  @Test
  void validationRunsWhenTheGraphIsComplete() {
    Validated a = new Validated();
    Validated b = new Validated();
    a.other = b;
    b.other = a;

    assertThat(copy(a).other.validated).isTrue();
    b.other = null;
    assertThatThrownBy(() -> copy(a))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("alone");
  }

  static class Grown extends AddedLater implements Serializable {
    private final int x;

    Grown(int x) {
      this.x = x;
    }
  }

  static class AddedLater implements Serializable {
    transient String origin = "constructed";

    private void readObjectNoData() {
      origin = "no data";
    }
  }

  @Test
  void aSuperclassThatTheSenderDidNotHaveYetIsTold() {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode(new Grown(3));
    TypeTable older = new TypeTable();
    older.define(Definitions.without(sender.ownTypes().definition(0), AddedLater.class.getName()));
    Serializer receiver = Serializer.builder().allow(TypeFilter.patterns("org.troupe.**")).build();

    Grown there = (Grown) receiver.decode(body, older, t -> t)[0];

    assertThat(there.x).isEqualTo(3);
    assertThat(there.origin).isEqualTo("no data");
  }

  static class Failing implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      throw new IOException("disk full");
    }
  }

  @Test
  void aHookThatFailsIsNamed() {
    assertThatThrownBy(() -> copy(new Object[] {new Failing()}))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("java.io.IOException: disk full")
        .hasRootCauseInstanceOf(IOException.class);
  }

  /** Its hooks go on, whatever happens to what they write and read. */
  static class Undaunted implements Serializable {
    private transient Object first;
    private transient Object second = "second";

    Undaunted(Object first) {
      this.first = first;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      try {
        out.writeObject(first);
      } catch (IOException | RuntimeException e) {
        out.writeObject("instead");
      }
      out.writeObject(second);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        first = in.readObject();
      } catch (IOException | RuntimeException e) {
        first = "instead";
      }
      second = in.readObject();
    }
  }

  static class Unreadable implements Serializable {
    private final int number = 7;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new InvalidObjectException("bang");
    }
  }

  @Test
  void whatAHookCouldWriteOnlyInPartFailsEvenIfTheHookGoesOn() {
    Undaunted undaunted = new Undaunted(new Object[] {"fine", Thread.currentThread()});

    assertThatThrownBy(() -> Serializer.builder().build().encode(undaunted))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("java.lang.Thread");
  }

  @Test
  void whatAHookCouldReadOnlyInPartFailsWithItsCauseEvenIfTheHookGoesOn() {
    Undaunted undaunted = new Undaunted(new Object[] {new Unreadable(), "not reached"});

    assertThatThrownBy(() -> copy(undaunted))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("bang");
  }
}
