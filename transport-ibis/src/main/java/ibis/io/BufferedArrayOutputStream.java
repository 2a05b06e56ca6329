package ibis.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Collects primitives in a buffer and writes them, big-endian, to a stream: in pieces of at most
 * its buffer.
 */
public final class BufferedArrayOutputStream extends DataOutputStream {

  private static final int DEFAULT_BYTES = 8192;
  private static final int SMALLEST = 64;

  private final OutputStream out;
  private final ByteBuffer buffer;
  private long flushed;

  /** Makes one with a buffer of 8 KiB. */
  public BufferedArrayOutputStream(OutputStream out) {
    this(out, DEFAULT_BYTES);
  }

  /**
   * Makes one.
   *
   * @param bufferSize in bytes; rounded up if it is very small
   */
  public BufferedArrayOutputStream(OutputStream out, int bufferSize) {
    this.out = Objects.requireNonNull(out, "out");
    buffer = ByteBuffer.allocate(Math.max(SMALLEST, bufferSize));
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      empty();
    }
    return buffer;
  }

  private void empty() throws IOException {
    out.write(buffer.array(), 0, buffer.position());
    flushed += buffer.position();
    buffer.clear();
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    room(1).put((byte) (value ? 1 : 0));
  }

  @Override
  public void writeByte(byte value) throws IOException {
    room(1).put(value);
  }

  @Override
  public void writeChar(char value) throws IOException {
    room(Character.BYTES).putChar(value);
  }

  @Override
  public void writeShort(short value) throws IOException {
    room(Short.BYTES).putShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    room(Integer.BYTES).putInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    room(Long.BYTES).putLong(value);
  }

  @Override
  public void writeFloat(float value) throws IOException {
    room(Float.BYTES).putFloat(value);
  }

  @Override
  public void writeDouble(double value) throws IOException {
    room(Double.BYTES).putDouble(value);
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
    if (length > buffer.remaining()) {
      empty();
      for (; end - at >= buffer.capacity(); at += buffer.capacity()) {
        out.write(value, at, buffer.capacity());
        flushed += buffer.capacity();
      }
    }
    buffer.put(value, at, end - at);
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part =
          Math.min(offset + length - at, room(Character.BYTES).remaining() / Character.BYTES);
      buffer.asCharBuffer().put(value, at, part);
      buffer.position(buffer.position() + part * Character.BYTES);
      at += part;
    }
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, room(Short.BYTES).remaining() / Short.BYTES);
      buffer.asShortBuffer().put(value, at, part);
      buffer.position(buffer.position() + part * Short.BYTES);
      at += part;
    }
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, room(Integer.BYTES).remaining() / Integer.BYTES);
      buffer.asIntBuffer().put(value, at, part);
      buffer.position(buffer.position() + part * Integer.BYTES);
      at += part;
    }
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, room(Long.BYTES).remaining() / Long.BYTES);
      buffer.asLongBuffer().put(value, at, part);
      buffer.position(buffer.position() + part * Long.BYTES);
      at += part;
    }
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, room(Float.BYTES).remaining() / Float.BYTES);
      buffer.asFloatBuffer().put(value, at, part);
      buffer.position(buffer.position() + part * Float.BYTES);
      at += part;
    }
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    int at = offset;
    while (at < offset + length) {
      int part = Math.min(offset + length - at, room(Double.BYTES).remaining() / Double.BYTES);
      buffer.asDoubleBuffer().put(value, at, part);
      buffer.position(buffer.position() + part * Double.BYTES);
      at += part;
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
