package ibis.io;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes primitives, arrays, strings and object graphs, these by Java serialization. */
public final class SunSerializationOutputStream extends ObjectOutputStream
    implements SerializationOutput {

  private final OutputStream below;
  private @Nullable Replacer replacer;

  /** Creates a stream that writes to {@code out}. */
  public SunSerializationOutputStream(OutputStream out) throws IOException {
    super(out);
    below = out;
  }

  /** Creates a stream that writes to {@code out}. */
  public SunSerializationOutputStream(DataOutputStream out) throws IOException {
    this((OutputStream) out);
  }

  @Override
  public void setReplacer(@Nullable Replacer replacer) throws IOException {
    this.replacer = replacer;
    boolean _ = enableReplaceObject(replacer != null);
  }

  @Override
  protected Object replaceObject(Object object) {
    return replacer == null ? object : replacer.replace(object);
  }

  @Override
  public void reset(boolean clearTypes) throws IOException {
    reset();
  }

  @Override
  public void writeByte(byte value) throws IOException {
    writeByte((int) value);
  }

  @Override
  public void writeChar(char value) throws IOException {
    writeChar((int) value);
  }

  @Override
  public void writeShort(short value) throws IOException {
    writeShort((int) value);
  }

  @Override
  public void writeString(String value) throws IOException {
    writeObject(value);
  }

  /**
   * Writes an array as a new object even if it was written before, as its elements may have
   * changed.
   */
  private void writeSlice(Object array, int offset, int length) throws IOException {
    int all = Array.getLength(array);
    Objects.checkFromIndexSize(offset, length, all);
    Object slice = array;
    if (length < all) {
      slice = Array.newInstance(array.getClass().getComponentType(), length);
      System.arraycopy(array, offset, slice, 0, length);
    }
    writeUnshared(slice);
  }

  @Override
  public void writeArray(boolean[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(byte[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    writeSlice(value, offset, length);
  }

  @Override
  public void writeArray(Object[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    writeUnshared(Arrays.copyOfRange(value, offset, offset + length, Object[].class));
  }

  @Override
  public boolean reInitOnNewConnection() {
    return true;
  }

  @Override
  public String serializationImplName() {
    return "sun";
  }

  /** Flushes this stream and ends it, but not the stream below. */
  @Override
  public void close() throws IOException {
    flush();
  }

  @Override
  public void realClose() throws IOException {
    close();
    below.close();
  }
}
