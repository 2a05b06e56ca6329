package ibis.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The streams that the factory makes, by name, and what they have in common. */
class SerializationKindsTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Integer> pieces = new ArrayList<>();
  private boolean closed;

  /** Notes what it is asked for. */
  private final class NotingOutput extends FilterOutputStream {
    NotingOutput() {
      super(bytes);
    }

    @Override
    public void write(byte[] value, int offset, int length) {
      pieces.add(length);
      bytes.write(value, offset, length);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class NotingInput extends FilterInputStream {
    NotingInput(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] destination, int offset, int length) throws IOException {
      pieces.add(length);
      return super.read(destination, offset, length);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private SerializationOutput output(String kind) throws IOException {
    OutputStream noting = new NotingOutput();
    return SerializationFactory.createSerializationOutput(
        kind, new BufferedArrayOutputStream(noting), null);
  }

  private SerializationInput input(String kind) throws IOException {
    InputStream noting = new NotingInput(new ByteArrayInputStream(bytes.toByteArray()));
    return SerializationFactory.createSerializationInput(
        kind, new BufferedArrayInputStream(noting), null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "ibis", "sun"})
  void primitivesArraysAndStringsComeAsTheyWent(String kind) throws Exception {
    SerializationOutput out = output(kind);
    out.writeBoolean(true);
    out.writeByte((byte) -1);
    out.writeChar('\u00e4');
    out.writeShort((short) -2);
    out.writeInt(3);
    out.writeLong(-4);
    out.writeFloat(5.5f);
    out.writeDouble(-6.5);
    out.writeString("seven \u4e16");
    out.writeString(null);
    out.writeArray(new boolean[] {true, false});
    out.writeArray(new byte[] {0, 1, 2, 3}, 1, 2);
    out.writeArray(new char[] {'a', 'b'});
    out.writeArray(new short[] {1, 2});
    out.writeArray(new int[] {1, 2, 3}, 0, 2);
    out.writeArray(new long[] {1, 2});
    out.writeArray(new float[] {1, 2});
    out.writeArray(new double[] {1, 2});
    out.writeByteBuffer(ByteBuffer.wrap(new byte[] {7, 8, 9}, 1, 2));
    out.close();

    SerializationInput in = input(kind);
    assertThat(in.serializationImplName()).isEqualTo(kind);
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readUnsignedByte()).isEqualTo(255);
    assertThat(in.readChar()).isEqualTo('\u00e4');
    assertThat(in.readUnsignedShort()).isEqualTo(65534);
    assertThat(in.readInt()).isEqualTo(3);
    assertThat(in.readLong()).isEqualTo(-4);
    assertThat(in.readFloat()).isEqualTo(5.5f);
    assertThat(in.readDouble()).isEqualTo(-6.5);
    assertThat(in.readString()).isEqualTo("seven \u4e16");
    assertThat(in.readString()).isNull();
    boolean[] booleans = new boolean[2];
    in.readArray(booleans);
    assertThat(booleans).containsExactly(true, false);
    byte[] some = new byte[4];
    in.readArray(some, 2, 2);
    assertThat(some).containsExactly(0, 0, 1, 2);
    char[] chars = new char[2];
    in.readArray(chars);
    assertThat(chars).containsExactly('a', 'b');
    short[] shorts = new short[2];
    in.readArray(shorts);
    assertThat(shorts).containsExactly(1, 2);
    int[] ints = new int[2];
    in.readArray(ints);
    assertThat(ints).containsExactly(1, 2);
    long[] longs = new long[2];
    in.readArray(longs);
    assertThat(longs).containsExactly(1, 2);
    float[] floats = new float[2];
    in.readArray(floats);
    assertThat(floats).containsExactly(1, 2);
    double[] doubles = new double[2];
    in.readArray(doubles);
    assertThat(doubles).containsExactly(1, 2);
    ByteBuffer buffer = ByteBuffer.allocate(2);
    in.readByteBuffer(buffer);
    assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {8, 9}));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "sun", "object"})
  void objectsKeepSharingUntilAReset(String kind) throws Exception {
    List<String> list = new ArrayList<>(List.of("x"));
    SerializationOutput out = output(kind);
    out.writeObject(list);
    out.writeObject(list);
    out.reset();
    out.writeObject(list);
    out.reset(true);
    out.writeObject(list);
    out.writeArray(new Object[] {"a", list, "c"}, 1, 2);
    out.close();

    SerializationInput in = input(kind);
    Object first = in.readObject();
    assertThat(in.readObject()).isSameAs(first);
    assertThat(in.readObject()).isEqualTo(first).isNotSameAs(first);
    assertThat(in.readObject()).isEqualTo(first).isNotSameAs(first);
    Object[] two = new Object[2];
    in.readArray(two);
    assertThat(two).containsExactly(first, "c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "sun"})
  void aReplacerReplaces(String kind) throws Exception {
    SerializationOutput out = output(kind);
    out.setReplacer(
        object -> object instanceof StringBuilder text ? text.reverse().toString() : object);
    out.writeObject(new ArrayList<>(List.of(new StringBuilder("ab"), "b")));
    out.close();

    assertThat(input(kind).readObject()).isEqualTo(List.of("ba", "b"));
  }

  @Test
  void classesOfThePlatformStayFiltered() throws Exception {
    SerializationOutput ours = output("ibis");
    assertThatThrownBy(() -> ours.writeObject(new X500Principal("CN=a")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("X500Principal");

    SerializationOutput out = output("sun");
    out.writeObject(new X500Principal("CN=a"));
    out.close();
    SerializationInput in = input("sun");
    assertThatThrownBy(in::readObject)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("X500Principal");
  }

  @ParameterizedTest
  @ValueSource(strings = {"byte", "data", "ibis", "sun"})
  void onlyRealCloseClosesTheStreamBelow(String kind) throws Exception {
    SerializationOutput out = output(kind);
    out.writeByte((byte) 1);
    out.close();
    assertThat(closed).isFalse();
    out.realClose();
    assertThat(closed).isTrue();

    closed = false;
    SerializationInput in = input(kind);
    assertThat(in.readByte()).isEqualTo((byte) 1);
    in.close();
    assertThat(closed).isFalse();
    in.realClose();
    assertThat(closed).isTrue();
  }

  /** What a rewriter makes of a class; nothing calls what it adds. */
  static final class Rewritten implements java.io.Serializable, Serializable {
    private static final long serialVersionUID = 1;
    private final int number;

    Rewritten(int number) {
      this.number = number;
    }

    Rewritten(IbisSerializationInputStream in) throws IOException {
      this(in.readInt());
    }

    @Override
    public void generated_WriteObject(IbisSerializationOutputStream out) throws IOException {
      throw new IOException("not called");
    }

    @Override
    public void generated_DefaultWriteObject(IbisSerializationOutputStream out, int depth)
        throws IOException {
      throw new IOException("not called");
    }

    @Override
    public void generated_DefaultReadObject(IbisSerializationInputStream in, int depth)
        throws IOException {
      throw new IOException("not called");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "sun"})
  void rewrittenClassesTravelLikeOthers(String kind) throws Exception {
    SerializationOutput out = output(kind);
    out.writeObject(new Rewritten(17));
    out.close();

    assertThat(((Rewritten) input(kind).readObject()).number).isEqualTo(17);
  }

  @Test
  void bytesAloneHaveNoDescriptionAndNothingElseIsWritten() throws Exception {
    SerializationOutput out = output("byte");
    out.writeArray(new byte[] {1, 2, 3});
    assertThatThrownBy(() -> out.writeInt(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'byte' serialization does not write a value of type int");
    assertThatThrownBy(() -> out.writeArray(new Object[1])).isInstanceOf(IOException.class);
    out.close();

    assertThat(bytes.toByteArray()).containsExactly(1, 2, 3);
    assertThatThrownBy(() -> input("byte").readObject()).isInstanceOf(IOException.class);
  }

  @Test
  void anUnknownKindIsSaid() {
    assertThatThrownBy(() -> output("xml"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("'xml'", "byte, data, ibis, sun");
  }

  @Test
  void aPropertyNamesTheKindForObjects() throws Exception {
    var properties = new Properties();
    properties.setProperty("ibis.io.serialization.object.default", "sun");
    SerializationOutput out =
        SerializationFactory.createSerializationOutput(
            "object", new BufferedArrayOutputStream(bytes), properties);
    assertThat(out).isInstanceOf(SunSerializationOutputStream.class);
  }

  /** A stream below may have packets of that size. */
  @Test
  void largeArraysGoInPiecesOfTheBuffer() throws Exception {
    byte[] large = new byte[100_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    var out = new BufferedArrayOutputStream(new NotingOutput());
    out.writeByte((byte) 1);
    out.writeArray(large);
    out.writeArray(new double[] {1, 2, 3, 4.5});
    for (int i = 0; i < 5_000; i++) {
      out.writeDouble(i);
    }
    out.flush();
    assertThat(pieces.removeLast()).isBetween(1, 8192);
    assertThat(pieces).hasSizeGreaterThan(15).allMatch(length -> length == 8192);
    assertThat(out.bytesWritten()).isEqualTo(140_033);

    pieces.clear();
    var in =
        new BufferedArrayInputStream(
            new NotingInput(new ByteArrayInputStream(bytes.toByteArray())));
    assertThat(in.readByte()).isEqualTo((byte) 1);
    byte[] read = new byte[large.length];
    in.readArray(read);
    assertThat(read).isEqualTo(large);
    double[] few = new double[4];
    in.readArray(few);
    assertThat(few).containsExactly(1, 2, 3, 4.5);
    double[] doubles = new double[5_000];
    in.readArray(doubles);
    assertThat(doubles[4_999]).isEqualTo(4_999);
    assertThat(pieces).allMatch(length -> length <= 8192);
    assertThat(in.bytesRead()).isEqualTo(140_033);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void conversionsAreInTheirByteOrder(boolean bigEndian) throws Exception {
    Conversion conversion = Conversion.loadConversion(bigEndian);
    assertThat(conversion.bigEndian()).isEqualTo(bigEndian);
    byte[] to = new byte[17];
    conversion.int2byte(0x01020304, to, 1);
    assertThat(to[bigEndian ? 1 : 4]).isEqualTo((byte) 1);
    assertThat(conversion.byte2int(to, 1)).isEqualTo(0x01020304);
    conversion.double2byte(new double[] {0, 1.5, -2.5}, 1, 2, to, 1);
    assertThat(conversion.byte2double(to, 9)).isEqualTo(-2.5);
    double[] doubles = new double[3];
    conversion.byte2double(to, 1, doubles, 1, 2);
    assertThat(doubles).containsExactly(0, 1.5, -2.5);
    conversion.boolean2byte(new boolean[] {true, false}, 0, 2, to, 3);
    boolean[] booleans = new boolean[2];
    conversion.byte2boolean(to, 3, booleans, 0, 2);
    assertThat(booleans).containsExactly(true, false);
    assertThat(Conversion.byte2object(Conversion.object2byte(List.of(1, "b"))))
        .isEqualTo(List.of(1, "b"));
    assertThat(Conversion.align(17, 8)).isEqualTo(24);
  }
}
