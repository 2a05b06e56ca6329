package ibis.io;

import ibis.ipl.internal.ObjectStreams;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.GraphReader;
import org.troupe.serialization.SerializationException;

/**
 * Reads what {@link IbisSerializationOutputStream} writes; objects of the program's own classes and
 * of the platform's for values only.
 */
public final class IbisSerializationInputStream implements SerializationInput {

  /** A graph comes whole; a wrong length must not reserve more. */
  private static final int LARGEST_GRAPH = 1 << 30;

  /** So much is reserved at once; the rest as it comes. */
  private static final int PART = 1 << 16;

  private final DataInputStream in;
  private final ByteInput graph = new ByteInput(new byte[0]);
  private final GraphReader reader = ObjectStreams.serializer(null).reader(graph);

  /** Makes one that reads from {@code in}, and closes it when it is closed. */
  public IbisSerializationInputStream(DataInputStream in) {
    this.in = Objects.requireNonNull(in, "in");
  }

  @Override
  public Object readObject() throws IOException, ClassNotFoundException {
    byte[] bytes = readBytes();
    graph.refill(bytes, 0, bytes.length);
    try {
      return reader.read();
    } catch (SerializationException e) {
      if (e.getCause() instanceof ClassNotFoundException missing) {
        throw missing;
      }
      throw new IOException(e.getMessage(), e);
    }
  }

  private byte[] readBytes() throws IOException {
    int length = in.readInt();
    if (length < 0 || length > LARGEST_GRAPH) {
      throw new IOException("malformed stream: an object of " + length + " bytes");
    }
    byte[] bytes = new byte[Math.min(length, PART)];
    int have = 0;
    while (true) {
      in.readArray(bytes, have, bytes.length - have);
      have = bytes.length;
      if (have == length) {
        return bytes;
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * have));
    }
  }

  @Override
  public String readString() throws IOException {
    try {
      return (String) readObject();
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("the next object is no string", e);
    }
  }

  @Override
  public boolean readBoolean() throws IOException {
    return in.readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return in.readByte();
  }

  @Override
  public char readChar() throws IOException {
    return in.readChar();
  }

  @Override
  public short readShort() throws IOException {
    return in.readShort();
  }

  @Override
  public int readInt() throws IOException {
    return in.readInt();
  }

  @Override
  public long readLong() throws IOException {
    return in.readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return in.readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return in.readDouble();
  }

  @Override
  public void readArray(boolean[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(byte[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(char[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(short[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(int[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(long[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(float[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(double[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(Object[] destination) throws IOException, ClassNotFoundException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(boolean[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(byte[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(char[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(short[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(int[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(long[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(float[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(double[] destination, int offset, int length) throws IOException {
    check(length, in.readInt());
    in.readArray(destination, offset, length);
  }

  @Override
  public void readArray(Object[] destination, int offset, int length)
      throws IOException, ClassNotFoundException {
    if (!(readObject() instanceof Object[] read)) {
      throw new IOException("the next object is no array of objects");
    }
    check(length, read.length);
    System.arraycopy(read, 0, destination, offset, length);
  }

  private static void check(int asked, int there) throws IOException {
    if (asked != there) {
      throw new IOException(
          "an array of length " + there + " was written, and one of " + asked + " is to be read");
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
