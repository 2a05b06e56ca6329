package ibis.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SerializationStreamsTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final BufferedArrayOutputStream data = new BufferedArrayOutputStream(bytes, 64);
  private IbisSerializationOutputStream out;

  @BeforeEach
  void open() throws IOException {
    out = new IbisSerializationOutputStream(data);
  }

  record Point(int x, int y) implements Serializable {}

  private IbisSerializationInputStream in() throws IOException {
    out.flush();
    return new IbisSerializationInputStream(
        new BufferedArrayInputStream(new ByteArrayInputStream(bytes.toByteArray()), 64));
  }

  @Test
  void bufferedBytesAreReadInOnePiece() throws IOException {
    for (byte value = 1; value <= 100; value++) {
      data.writeByte(value);
    }
    data.flush();
    var in = new BufferedArrayInputStream(new ByteArrayInputStream(bytes.toByteArray()), 64);
    assertThat(in.readByte()).isEqualTo((byte) 1);

    byte[] destination = new byte[100];
    assertThat(in.read(destination, 0, 0)).isZero();
    assertThat(in.read(destination, 1, 99)).isEqualTo(63);
    assertThat(in.read(destination, 64, 36)).isEqualTo(36);
    assertThat(in.read(destination, 0, 1)).isEqualTo(-1);
    assertThat(destination).startsWith(0, 2, 3).endsWith(99, 100);
  }

  @Test
  void giveBackWhatTheyWereGiven() throws Exception {
    out.writeBoolean(true);
    out.writeByte((byte) -1);
    out.writeChar('ä');
    out.writeShort((short) -2);
    out.writeInt(3);
    out.writeLong(-4);
    out.writeFloat(5.5f);
    out.writeDouble(-6.5);
    out.writeString("seven");
    out.writeObject(new Point(8, 9));

    IbisSerializationInputStream in = in();
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readByte()).isEqualTo((byte) -1);
    assertThat(in.readChar()).isEqualTo('ä');
    assertThat(in.readShort()).isEqualTo((short) -2);
    assertThat(in.readInt()).isEqualTo(3);
    assertThat(in.readLong()).isEqualTo(-4);
    assertThat(in.readFloat()).isEqualTo(5.5f);
    assertThat(in.readDouble()).isEqualTo(-6.5);
    assertThat(in.readString()).isEqualTo("seven");
    assertThat(in.readObject()).isEqualTo(new Point(8, 9));
    assertThatThrownBy(in::readByte).isInstanceOf(EOFException.class);
  }

  @Test
  void giveBackSlicesOfArraysLargerThanTheirBuffer() throws Exception {
    double[] doubles = new double[1000];
    byte[] small = {1, 2, 3};
    byte[] large = new byte[1000];
    boolean[] flags = {true, false, true};
    for (int i = 0; i < 1000; i++) {
      doubles[i] = i;
      large[i] = (byte) i;
    }
    out.writeArray(doubles, 1, 998);
    out.writeArray(small);
    out.writeArray(large);
    out.writeArray(flags);
    out.writeArray(new Object[] {"a", "b", "c"}, 1, 2);

    IbisSerializationInputStream in = in();
    double[] gotDoubles = new double[1000];
    in.readArray(gotDoubles, 1, 998);
    assertThat(gotDoubles[998]).isEqualTo(998);
    assertThat(gotDoubles[999]).isZero();
    byte[] gotSmall = new byte[3];
    in.readArray(gotSmall);
    assertThat(gotSmall).isEqualTo(small);
    byte[] gotLarge = new byte[1000];
    in.readArray(gotLarge);
    assertThat(gotLarge).isEqualTo(large);
    boolean[] gotFlags = new boolean[3];
    in.readArray(gotFlags);
    assertThat(gotFlags).isEqualTo(flags);
    Object[] gotObjects = new Object[2];
    in.readArray(gotObjects);
    assertThat(gotObjects).containsExactly("b", "c");
  }

  @Test
  void sayWhenALengthIsWrong() throws Exception {
    out.writeArray(new int[3]);

    IbisSerializationInputStream in = in();
    assertThatThrownBy(() -> in.readArray(new int[4]))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("length 3", "4");
  }

  @Test
  void keepSharingUntilTheyForget() throws Exception {
    List<String> list = new ArrayList<>(List.of("x"));
    out.writeObject(list);
    out.writeObject(list);
    out.reset();
    out.writeObject(list);

    IbisSerializationInputStream in = in();
    Object first = in.readObject();
    assertThat(in.readObject()).isSameAs(first);
    assertThat(in.readObject()).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void letAReplacerReplace() throws Exception {
    out.setReplacer(object -> object instanceof Point ? "a point" : object);
    out.writeObject(new Object[] {new Point(1, 2), "text"});

    assertThat((Object[]) in().readObject()).containsExactly("a point", "text");
  }

  @Test
  void count() throws Exception {
    out.writeInt(1);
    assertThat(data.bytesWritten()).isEqualTo(4);
    data.resetBytesWritten();
    out.writeLong(1);
    assertThat(data.bytesWritten()).isEqualTo(8);
  }

  @Test
  void copyDeeply() {
    ArrayList<Point> original = new ArrayList<>(List.of(new Point(1, 2)));

    assertThat(DeepCopy.deepCopy(original)).isEqualTo(original).isNotSameAs(original);
  }

  static class Unsent {
    int number = 42;

    Unsent() {}
  }

  static class Sent extends Unsent implements Serializable {
    int own;
  }

  @Test
  void initialiseASuperclassThatIsNotSerializableByItsConstructor() throws Exception {
    Sent sent = new Sent();
    sent.number = 7;
    sent.own = 8;
    out.writeObject(sent);

    Sent copy = (Sent) in().readObject();

    assertThat(copy.number).isEqualTo(42);
    assertThat(copy.own).isEqualTo(8);
  }
}
