package ibis.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Writes bytes and arrays of bytes, without any description. */
public class ByteSerializationOutputStream implements SerializationOutput {

  /*
   * Subclasses permit more types, and some write a length before the elements of arrays. Each method
   * therefore obtains the underlying stream through a hook that receives the type written.
   */

  private final DataOutputStream out;

  /** Creates a stream that writes to {@code out}. */
  public ByteSerializationOutputStream(DataOutputStream out) throws IOException {
    this.out = Objects.requireNonNull(out, "out");
  }

  /** Returns the stream below. */
  final DataOutputStream below() {
    return out;
  }

  /** Returns the stream below for a value that is no byte. */
  DataOutputStream forScalar(String kind) throws IOException {
    throw refused(kind);
  }

  /** Returns the underlying stream for elements other than bytes, after writing their header. */
  DataOutputStream forElements(String kind, int length) throws IOException {
    throw refused("array of " + kind);
  }

  /** Returns the underlying stream for an array of bytes, after writing its header. */
  DataOutputStream forBytes(int length) throws IOException {
    return out;
  }

  final IOException refused(String what) {
    return new IOException(
        "'"
            + serializationImplName()
            + "' serialization does not write a value of type "
            + what
            + "; use 'ibis', or 'sun'");
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    forScalar("boolean").writeBoolean(value);
  }

  @Override
  public void writeByte(byte value) throws IOException {
    out.writeByte(value);
  }

  @Override
  public void writeChar(char value) throws IOException {
    forScalar("char").writeChar(value);
  }

  @Override
  public void writeShort(short value) throws IOException {
    forScalar("short").writeShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    forScalar("int").writeInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    forScalar("long").writeLong(value);
  }

  @Override
  public void writeFloat(float value) throws IOException {
    forScalar("float").writeFloat(value);
  }

  @Override
  public void writeDouble(double value) throws IOException {
    forScalar("double").writeDouble(value);
  }

  @Override
  public void writeString(String value) throws IOException {
    throw refused("String");
  }

  @Override
  public void writeObject(Object value) throws IOException {
    throw refused("Object");
  }

  @Override
  public void writeArray(Object[] value, int offset, int length) throws IOException {
    throw refused("Object[]");
  }

  @Override
  public void writeArray(boolean[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("boolean", length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(byte[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forBytes(length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("char", length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("short", length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("int", length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("long", length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("float", length).writeArray(value, offset, length);
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    forElements("double", length).writeArray(value, offset, length);
  }

  @Override
  public void writeByteBuffer(ByteBuffer value) throws IOException {
    forBytes(value.remaining()).writeByteBuffer(value);
  }

  /** Always throws, as this serialization has no objects to replace. */
  @Override
  public void setReplacer(Replacer replacer) throws IOException {
    throw new IOException(
        "'" + serializationImplName() + "' serialization has no objects that could be replaced");
  }

  @Override
  public void reset() throws IOException {
    reset(false);
  }

  @Override
  public void reset(boolean clearTypes) throws IOException {
    // no objects are remembered
  }

  @Override
  public boolean reInitOnNewConnection() {
    return false;
  }

  @Override
  public String serializationImplName() {
    return "byte";
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
  }

  @Override
  public void realClose() throws IOException {
    close();
    out.close();
  }
}
