package ibis.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the output of {@link ByteSerializationOutputStream}. */
public class ByteSerializationInputStream implements SerializationInput {

  private final DataInputStream in;

  /** Creates a stream that reads from {@code in}. */
  public ByteSerializationInputStream(DataInputStream in) throws IOException {
    this.in = Objects.requireNonNull(in, "in");
  }

  /** Returns the stream below. */
  final DataInputStream below() {
    return in;
  }

  /** Returns the stream below for a value that is no byte. */
  DataInputStream forScalar(String kind) throws IOException {
    throw refused(kind);
  }

  /** Returns the underlying stream for elements other than bytes, after reading their header. */
  DataInputStream forElements(String kind, int length) throws IOException {
    throw refused("array of " + kind);
  }

  /** Returns the underlying stream for an array of bytes, after reading its header. */
  DataInputStream forBytes(int length) throws IOException {
    return in;
  }

  final IOException refused(String what) {
    return new IOException(
        "'"
            + serializationImplName()
            + "' serialization does not read a value of type "
            + what
            + "; use 'ibis', or 'sun'");
  }

  @Override
  public boolean readBoolean() throws IOException {
    return forScalar("boolean").readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return in.readByte();
  }

  @Override
  public char readChar() throws IOException {
    return forScalar("char").readChar();
  }

  @Override
  public short readShort() throws IOException {
    return forScalar("short").readShort();
  }

  @Override
  public int readInt() throws IOException {
    return forScalar("int").readInt();
  }

  @Override
  public long readLong() throws IOException {
    return forScalar("long").readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return forScalar("float").readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return forScalar("double").readDouble();
  }

  @Override
  public @Nullable String readString() throws IOException {
    throw refused("String");
  }

  @Override
  public Object readObject() throws IOException, ClassNotFoundException {
    throw refused("Object");
  }

  @Override
  public void readArray(Object[] destination, int offset, int length)
      throws IOException, ClassNotFoundException {
    throw refused("Object[]");
  }

  @Override
  public void readArray(boolean[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("boolean", length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(byte[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forBytes(length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(char[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("char", length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(short[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("short", length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(int[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("int", length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(long[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("long", length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(float[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("float", length).readArray(destination, offset, length);
  }

  @Override
  public void readArray(double[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    forElements("double", length).readArray(destination, offset, length);
  }

  @Override
  public void readByteBuffer(ByteBuffer destination) throws IOException {
    forBytes(destination.remaining()).readByteBuffer(destination);
  }

  @Override
  public int available() throws IOException {
    return in.available();
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
  public void close() throws IOException {
    // the stream below stays open
  }

  @Override
  public void realClose() throws IOException {
    close();
    in.close();
  }
}
