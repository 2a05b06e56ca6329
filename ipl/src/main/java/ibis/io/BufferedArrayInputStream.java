package ibis.io;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads the output of {@link BufferedArrayOutputStream}, in pieces of at most its buffer size. */
public final class BufferedArrayInputStream extends DataInputStream {

  private static final int DEFAULT_BYTES = 8192;
  private static final int SMALLEST = 64;

  private final InputStream in;
  private final ByteBuffer buffer;
  private long read;

  /** Creates a stream with a buffer of 8 KiB. */
  public BufferedArrayInputStream(InputStream in) {
    this(in, DEFAULT_BYTES);
  }

  /**
   * Creates a stream with a given buffer size.
   *
   * @param bufferSize in bytes; rounded up if it is very small
   */
  public BufferedArrayInputStream(InputStream in, int bufferSize) {
    this.in = Objects.requireNonNull(in, "in");
    buffer = ByteBuffer.allocate(Math.max(SMALLEST, bufferSize)).flip();
  }

  private ByteBuffer have(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      buffer.compact();
      try {
        while (buffer.position() < bytes) {
          int count = in.read(buffer.array(), buffer.position(), buffer.remaining());
          if (count < 0) {
            throw new EOFException("the stream ended where " + bytes + " more bytes were expected");
          }
          buffer.position(buffer.position() + count);
          read += count;
        }
      } finally {
        buffer.flip();
      }
    }
    return buffer;
  }

  /** Returns the next byte, or -1 at the end. */
  @Override
  public int read() throws IOException {
    try {
      return Byte.toUnsignedInt(have(1).get());
    } catch (EOFException _) {
      return -1;
    }
  }

  /**
   * Reads as many of the bytes as have arrived, at least one; returns their number, or -1 at the
   * end.
   */
  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    if (length == 0) {
      return 0;
    }
    try {
      int count = Math.min(length, have(1).remaining());
      buffer.get(destination, offset, count);
      return count;
    } catch (EOFException _) {
      return -1;
    }
  }

  @Override
  public boolean readBoolean() throws IOException {
    return have(1).get() != 0;
  }

  @Override
  public byte readByte() throws IOException {
    return have(1).get();
  }

  @Override
  public char readChar() throws IOException {
    return have(Character.BYTES).getChar();
  }

  @Override
  public short readShort() throws IOException {
    return have(Short.BYTES).getShort();
  }

  @Override
  public int readInt() throws IOException {
    return have(Integer.BYTES).getInt();
  }

  @Override
  public long readLong() throws IOException {
    return have(Long.BYTES).getLong();
  }

  @Override
  public float readFloat() throws IOException {
    return have(Float.BYTES).getFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return have(Double.BYTES).getDouble();
  }

  @Override
  public void readArray(boolean[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    for (int i = offset; i < offset + length; i++) {
      destination[i] = readBoolean();
    }
  }

  @Override
  public void readArray(byte[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int part = Math.min(length, buffer.remaining());
    buffer.get(destination, offset, part);
    int at = offset + part;
    int end = offset + length;
    while (at < end) {
      int count = in.read(destination, at, Math.min(end - at, buffer.capacity()));
      if (count < 0) {
        throw new EOFException("the stream ended in an array of " + length + " bytes");
      }
      at += count;
      read += count;
    }
  }

  @Override
  public void readArray(char[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int at = offset;
    while (at < offset + length) {
      int part =
          Math.min(offset + length - at, have(Character.BYTES).remaining() / Character.BYTES);
      buffer.asCharBuffer().get(destination, at, part);
      buffer.position(buffer.position() + part * Character.BYTES);
      at += part;
    }
  }

  @Override
  public void readArray(short[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, have(Short.BYTES).remaining() / Short.BYTES);
      buffer.asShortBuffer().get(destination, at, part);
      buffer.position(buffer.position() + part * Short.BYTES);
      at += part;
    }
  }

  @Override
  public void readArray(int[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, have(Integer.BYTES).remaining() / Integer.BYTES);
      buffer.asIntBuffer().get(destination, at, part);
      buffer.position(buffer.position() + part * Integer.BYTES);
      at += part;
    }
  }

  @Override
  public void readArray(long[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, have(Long.BYTES).remaining() / Long.BYTES);
      buffer.asLongBuffer().get(destination, at, part);
      buffer.position(buffer.position() + part * Long.BYTES);
      at += part;
    }
  }

  @Override
  public void readArray(float[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, have(Float.BYTES).remaining() / Float.BYTES);
      buffer.asFloatBuffer().get(destination, at, part);
      buffer.position(buffer.position() + part * Float.BYTES);
      at += part;
    }
  }

  @Override
  public void readArray(double[] destination, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destination.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, have(Double.BYTES).remaining() / Double.BYTES);
      buffer.asDoubleBuffer().get(destination, at, part);
      buffer.position(buffer.position() + part * Double.BYTES);
      at += part;
    }
  }

  @Override
  public int available() throws IOException {
    return buffer.remaining() + in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  @Override
  public long bytesRead() {
    return read - buffer.remaining();
  }

  @Override
  public void resetBytesRead() {
    read = buffer.remaining();
  }

  @Override
  public int bufferSize() {
    return buffer.capacity();
  }
}
