package ibis.io;

import ibis.ipl.internal.ObjectStreams;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.GraphWriter;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.Serializer;

/**
 * Writes primitives, arrays, strings and object graphs, these in our own form, to a data stream.
 *
 * <p>{@link IbisSerializationInputStream} reads them. Classes need not be serializable; where they
 * are, their hooks are honoured.
 */
public final class IbisSerializationOutputStream implements SerializationOutput {

  private final DataOutputStream out;
  private final ByteOutput graph = new ByteOutput();
  private GraphWriter writer;

  /** Makes one that writes to {@code out}, and closes it when it is closed. */
  public IbisSerializationOutputStream(DataOutputStream out) {
    this.out = Objects.requireNonNull(out, "out");
    writer = ObjectStreams.serializer(null).writer(graph);
  }

  /** {@inheritDoc} Only before the first object. */
  @Override
  public void setReplacer(Replacer replacer) {
    Serializer serializer = ObjectStreams.serializer(replacer);
    writer = serializer.writer(graph);
  }

  @Override
  public void reset() {
    writer.reset();
  }

  @Override
  public void writeObject(Object value) throws IOException {
    graph.clear();
    try {
      writer.write(value);
    } catch (SerializationException e) {
      throw new IOException(e.getMessage(), e);
    }
    byte[] bytes = graph.toByteArray();
    out.writeInt(bytes.length);
    out.writeArray(bytes, 0, bytes.length);
  }

  @Override
  public void writeString(String value) throws IOException {
    writeObject(value);
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    out.writeBoolean(value);
  }

  @Override
  public void writeByte(byte value) throws IOException {
    out.writeByte(value);
  }

  @Override
  public void writeChar(char value) throws IOException {
    out.writeChar(value);
  }

  @Override
  public void writeShort(short value) throws IOException {
    out.writeShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    out.writeInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    out.writeLong(value);
  }

  @Override
  public void writeFloat(float value) throws IOException {
    out.writeFloat(value);
  }

  @Override
  public void writeDouble(double value) throws IOException {
    out.writeDouble(value);
  }

  @Override
  public void writeArray(boolean[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(byte[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(char[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(short[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(int[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(long[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(float[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(double[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(Object[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(boolean[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(byte[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    out.writeInt(length);
    out.writeArray(value, offset, length);
  }

  @Override
  public void writeArray(Object[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    writeObject(Arrays.copyOfRange(value, offset, offset + length, Object[].class));
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
