package ibis.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Collects primitives in a buffer and writes them, big-endian, to a stream: in pieces of the
 * buffer's size, and a smaller one only at a flush.
 */
public final class BufferedArrayOutputStream extends DataOutputStream {

  private static final int DEFAULT_BYTES = 8192;
  private static final int SMALLEST = 64;

  private final OutputStream out;
  private final ByteBuffer buffer;

  /** For a value that lies in two pieces. */
  private final ByteBuffer across = ByteBuffer.allocate(Long.BYTES);

  private long flushed;

  /** Creates a stream with a buffer of 8 KiB. */
  public BufferedArrayOutputStream(OutputStream out) {
    this(out, DEFAULT_BYTES);
  }

  /**
   * Creates a stream with a given buffer size.
   *
   * @param bufferSize in bytes; rounded up if it is very small
   */
  public BufferedArrayOutputStream(OutputStream out, int bufferSize) {
    this.out = Objects.requireNonNull(out, "out");
    buffer = ByteBuffer.allocate(Math.max(SMALLEST, bufferSize));
  }

  private void empty() throws IOException {
    out.write(buffer.array(), 0, buffer.position());
    flushed += buffer.position();
    buffer.clear();
  }

  /** Writes the contents of {@code across}, which straddles the end of the buffer. */
  private void writeAcross() throws IOException {
    across.flip();
    while (across.hasRemaining()) {
      writeByte(across.get());
    }
    across.clear();
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    writeByte((byte) (value ? 1 : 0));
  }

  @Override
  public void writeByte(byte value) throws IOException {
    if (!buffer.hasRemaining()) {
      empty();
    }
    buffer.put(value);
  }

  @Override
  public void writeChar(char value) throws IOException {
    if (buffer.remaining() >= Character.BYTES) {
      buffer.putChar(value);
    } else {
      across.putChar(value);
      writeAcross();
    }
  }

  @Override
  public void writeShort(short value) throws IOException {
    if (buffer.remaining() >= Short.BYTES) {
      buffer.putShort(value);
    } else {
      across.putShort(value);
      writeAcross();
    }
  }

  @Override
  public void writeInt(int value) throws IOException {
    if (buffer.remaining() >= Integer.BYTES) {
      buffer.putInt(value);
    } else {
      across.putInt(value);
      writeAcross();
    }
  }

  @Override
  public void writeLong(long value) throws IOException {
    if (buffer.remaining() >= Long.BYTES) {
      buffer.putLong(value);
    } else {
      across.putLong(value);
      writeAcross();
    }
  }

  @Override
  public void writeFloat(float value) throws IOException {
    if (buffer.remaining() >= Float.BYTES) {
      buffer.putFloat(value);
    } else {
      across.putFloat(value);
      writeAcross();
    }
  }

  @Override
  public void writeDouble(double value) throws IOException {
    if (buffer.remaining() >= Double.BYTES) {
      buffer.putDouble(value);
    } else {
      across.putDouble(value);
      writeAcross();
    }
  }

  @Override
  public void writeArray(boolean[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    for (int i = offset; i < offset + length; i++) {
      writeBoolean(value[i]);
    }
  }

  @Override
  public void writeArray(byte[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    int end = offset + length;
    while (at < end) {
      if (!buffer.hasRemaining()) {
        empty();
      }
      int part = Math.min(end - at, buffer.remaining());
      if (part == buffer.capacity()) {
        out.write(value, at, part); // needs no copy
        flushed += part;
      } else {
        buffer.put(value, at, part);
      }
      at += part;
    }
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, buffer.remaining() / Character.BYTES);
      if (part == 0) {
        writeChar(value[at++]);
      } else {
        buffer.asCharBuffer().put(value, at, part);
        buffer.position(buffer.position() + part * Character.BYTES);
        at += part;
      }
    }
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, buffer.remaining() / Short.BYTES);
      if (part == 0) {
        writeShort(value[at++]);
      } else {
        buffer.asShortBuffer().put(value, at, part);
        buffer.position(buffer.position() + part * Short.BYTES);
        at += part;
      }
    }
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, buffer.remaining() / Integer.BYTES);
      if (part == 0) {
        writeInt(value[at++]);
      } else {
        buffer.asIntBuffer().put(value, at, part);
        buffer.position(buffer.position() + part * Integer.BYTES);
        at += part;
      }
    }
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, buffer.remaining() / Long.BYTES);
      if (part == 0) {
        writeLong(value[at++]);
      } else {
        buffer.asLongBuffer().put(value, at, part);
        buffer.position(buffer.position() + part * Long.BYTES);
        at += part;
      }
    }
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, buffer.remaining() / Float.BYTES);
      if (part == 0) {
        writeFloat(value[at++]);
      } else {
        buffer.asFloatBuffer().put(value, at, part);
        buffer.position(buffer.position() + part * Float.BYTES);
        at += part;
      }
    }
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, buffer.remaining() / Double.BYTES);
      if (part == 0) {
        writeDouble(value[at++]);
      } else {
        buffer.asDoubleBuffer().put(value, at, part);
        buffer.position(buffer.position() + part * Double.BYTES);
        at += part;
      }
    }
  }

  @Override
  public void flush() throws IOException {
    empty();
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }

  @Override
  public long bytesWritten() {
    return flushed + buffer.position();
  }

  @Override
  public void resetBytesWritten() {
    flushed = -buffer.position();
  }

  @Override
  public int bufferSize() {
    return buffer.capacity();
  }
}
