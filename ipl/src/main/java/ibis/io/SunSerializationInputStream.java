package ibis.io;

import ibis.ipl.internal.message.ObjectStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.reflect.Array;
import java.util.Objects;
import org.troupe.serialization.SerializationException;

/**
 * Reads the output of {@link SunSerializationOutputStream}; objects of the program's classes, of
 * its libraries, and of the platform's classes for values.
 */
public final class SunSerializationInputStream extends ObjectInputStream
    implements SerializationInput {

  /*
   * This class extends ObjectInputStream for programs that expect one, and delegates every reading
   * method to another stream that filters classes.
   */

  private final InputStream below;
  private final ObjectInputStream in;

  /**
   * Creates a stream that reads from {@code in}; blocks until the header of the writer has arrived.
   */
  public SunSerializationInputStream(InputStream in) throws IOException {
    below = in;
    this.in = ObjectStreams.serializer(null).objectInput(in, () -> Integer.MAX_VALUE);
  }

  /**
   * Creates a stream that reads from {@code in}; blocks until the header of the writer has arrived.
   */
  public SunSerializationInputStream(DataInputStream in) throws IOException {
    this((InputStream) in);
  }

  @Override
  protected Object readObjectOverride() throws IOException, ClassNotFoundException {
    try {
      return in.readObject();
    } catch (SerializationException e) {
      if (e.getCause() instanceof ClassNotFoundException missing) {
        throw missing;
      }
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public Object readUnshared() throws IOException, ClassNotFoundException {
    return readObjectOverride();
  }

  @Override
  public void defaultReadObject() throws IOException, ClassNotFoundException {
    in.defaultReadObject();
  }

  @Override
  public GetField readFields() throws IOException, ClassNotFoundException {
    return in.readFields();
  }

  @Override
  public int read() throws IOException {
    return in.read();
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    return in.read(destination, offset, length);
  }

  @Override
  public int available() throws IOException {
    return in.available();
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
  public int readUnsignedByte() throws IOException {
    return in.readUnsignedByte();
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return in.readUnsignedShort();
  }

  @Override
  public void readFully(byte[] destination) throws IOException {
    in.readFully(destination);
  }

  @Override
  public void readFully(byte[] destination, int offset, int length) throws IOException {
    in.readFully(destination, offset, length);
  }

  @Override
  public int skipBytes(int count) throws IOException {
    return in.skipBytes(count);
  }

  @Override
  public String readUTF() throws IOException {
    return in.readUTF();
  }

  @Override
  public String readString() throws IOException {
    try {
      return (String) readObject();
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("the next object is no string", e);
    }
  }

  private void readSlice(Object destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, Array.getLength(destination));
    Object array;
    try {
      array = readUnshared();
    } catch (ClassNotFoundException e) {
      throw new IOException("the next object is no array of primitives", e);
    }
    if (array == null || array.getClass() != destination.getClass()) {
      throw new IOException(
          "the next object is no "
              + destination.getClass().getSimpleName()
              + "; read what was written");
    }
    IbisSerializationInputStream.check(length, Array.getLength(array));
    System.arraycopy(array, 0, destination, offset, length);
  }

  @Override
  public void readArray(boolean[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(byte[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(char[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(short[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(int[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(long[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(float[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(double[] destination, int offset, int length) throws IOException {
    readSlice(destination, offset, length);
  }

  @Override
  public void readArray(Object[] destination, int offset, int length)
      throws IOException, ClassNotFoundException {
    if (!(readUnshared() instanceof Object[] read)) {
      throw new IOException("the next object is no array of objects");
    }
    IbisSerializationInputStream.check(length, read.length);
    System.arraycopy(read, 0, destination, offset, length);
  }

  @Override
  public boolean reInitOnNewConnection() {
    return true;
  }

  @Override
  public String serializationImplName() {
    return "sun";
  }

  /** Ends this stream, but not the stream below. */
  @Override
  public void close() throws IOException {
    // bytes that are read ahead remain in this buffer
  }

  @Override
  public void realClose() throws IOException {
    below.close();
  }
}
