package org.troupe.serialization.internal.hooks;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Encoder;

/** The output of one class's {@code writeObject} or {@code writeExternal}. */
final class HookOutput extends ObjectOutputStream {

  /*
   * A hook's part is a row of pieces, so that a reader can stop early and skip the rest: DATA with
   * its length, OBJECT with a reference, FIELDS with the values in the order of the layout, and
   * END.
   */

  static final int END = 0;
  static final int DATA = 1;
  static final int OBJECT = 2;
  static final int FIELDS = 3;

  private final Encoder out;
  private final HookedCodec codec;
  private final HookedCodec.@Nullable Level level;
  private final Object value;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(32);
  private final DataOutputStream data = new DataOutputStream(bytes);
  private @Nullable Put put;
  private boolean bare;

  HookOutput(Encoder out, HookedCodec codec, HookedCodec.@Nullable Level level, Object value)
      throws IOException {
    this.out = out;
    this.codec = codec;
    this.level = level;
    this.value = value;
  }

  /** Writes the fields of a class without writeObject, with no pieces around them. */
  void writeBareFields() throws Throwable {
    bare = true;
    if (requireLevel().fields().length > 0) {
      defaultWrite().invokeExact(value, (ObjectOutputStream) this);
    }
  }

  void end() throws IOException {
    flushData();
    out.bytes().writeByte(END);
  }

  private void flushData() throws IOException {
    data.flush();
    if (bytes.size() > 0) {
      out.bytes().writeByte(DATA);
      out.bytes().writeBytes(bytes.toByteArray());
      bytes.reset();
    }
  }

  @Override
  protected void writeObjectOverride(Object object) throws IOException {
    flushData();
    out.bytes().writeByte(OBJECT);
    out.writeElement(object, codec, 0);
  }

  @Override
  public void writeUnshared(Object object) throws IOException {
    writeObjectOverride(object);
  }

  @Override
  public void defaultWriteObject() throws IOException {
    MethodHandle write = defaultWrite();
    try {
      write.invokeExact(value, (ObjectOutputStream) this);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  @Override
  public PutField putFields() throws IOException {
    if (put == null) {
      put = new Put(requireLevel().fields());
    }
    return put;
  }

  @Override
  public void writeFields() throws IOException {
    if (put == null) {
      throw new NotActiveException("writeFields before putFields");
    }
    if (put.values.length == 0) {
      return; // java.io writes nothing either, and some hooks of the platform rely on that
    }
    if (!bare) {
      flushData();
      out.bytes().writeByte(FIELDS);
    }
    if (value instanceof NullPointerException problem
        && requireLevel().described().forClass() == Throwable.class) {
      put.keepMessage(problem);
    }
    HookedCodec.Fields names = new HookedCodec.Fields(codec.type(), requireLevel());
    for (int i = 0; i < put.values.length; i++) {
      writeField(names, requireLevel().fields()[i], i, put.values[i]);
    }
  }

  private void writeField(
      HookedCodec.Fields names, ObjectStreamField of, int i, @Nullable Object field) {
    switch (of.getTypeCode()) {
      case 'Z' -> out.writeBoolean(field != null && (boolean) field);
      case 'B' -> out.writeByte(field == null ? 0 : (byte) field);
      case 'S' -> out.writeShort(field == null ? 0 : (short) field);
      case 'C' -> out.writeChar(field == null ? 0 : (char) field);
      case 'I' -> out.writeInt(field == null ? 0 : (int) field);
      case 'J' -> out.writeLong(field == null ? 0 : (long) field);
      case 'F' -> out.writeFloat(field == null ? 0 : (float) field);
      case 'D' -> out.writeDouble(field == null ? 0 : (double) field);
      default -> out.writeElement(field, names, i);
    }
  }

  private MethodHandle defaultWrite() throws NotActiveException {
    return Objects.requireNonNull(
        requireLevel().defaultWrite(), "java.io writes the fields of every Serializable class");
  }

  private HookedCodec.Level requireLevel() throws NotActiveException {
    if (level == null) {
      throw new NotActiveException("an Externalizable class has no default fields");
    }
    return level;
  }

  @Override
  public void write(int b) throws IOException {
    data.write(b);
  }

  @Override
  public void write(byte[] b) throws IOException {
    data.write(b);
  }

  @Override
  public void write(byte[] b, int offset, int length) throws IOException {
    data.write(b, offset, length);
  }

  @Override
  public void writeBoolean(boolean v) throws IOException {
    data.writeBoolean(v);
  }

  @Override
  public void writeByte(int v) throws IOException {
    data.writeByte(v);
  }

  @Override
  public void writeShort(int v) throws IOException {
    data.writeShort(v);
  }

  @Override
  public void writeChar(int v) throws IOException {
    data.writeChar(v);
  }

  @Override
  public void writeInt(int v) throws IOException {
    data.writeInt(v);
  }

  @Override
  public void writeLong(long v) throws IOException {
    data.writeLong(v);
  }

  @Override
  public void writeFloat(float v) throws IOException {
    data.writeInt(Float.floatToRawIntBits(v));
  }

  @Override
  public void writeDouble(double v) throws IOException {
    data.writeLong(Double.doubleToRawLongBits(v));
  }

  @Override
  public void writeBytes(String s) throws IOException {
    data.writeBytes(s);
  }

  @Override
  public void writeChars(String s) throws IOException {
    data.writeChars(s);
  }

  @Override
  public void writeUTF(String s) throws IOException {
    data.writeUTF(s);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public void reset() throws IOException {
    throw new IOException("stream active");
  }

  @Override
  public void useProtocolVersion(int version) {
    // There is only one protocol; the request is ignored.
  }

  private static final class Put extends PutField {

    private final ObjectStreamField[] fields;
    private final Object[] values;

    Put(ObjectStreamField[] fields) {
      this.fields = fields;
      this.values = new Object[fields.length];
    }

    /**
     * Keeps the JVM's helpful message, which can be computed only in the JVM that threw the
     * exception.
     */
    void keepMessage(NullPointerException problem) {
      for (int i = 0; i < fields.length; i++) {
        if (fields[i].getName().equals("detailMessage") && values[i] == null) {
          values[i] = problem.getMessage();
        }
      }
    }

    private void set(String name, char type, Object value) {
      for (int i = 0; i < fields.length; i++) {
        boolean fits = type == 'L' ? !fields[i].isPrimitive() : fields[i].getTypeCode() == type;
        if (fits && fields[i].getName().equals(name)) {
          values[i] = value;
          return;
        }
      }
      throw new IllegalArgumentException("no such field " + name + " with the type put");
    }

    @Override
    public void put(String name, boolean value) {
      set(name, 'Z', value);
    }

    @Override
    public void put(String name, byte value) {
      set(name, 'B', value);
    }

    @Override
    public void put(String name, char value) {
      set(name, 'C', value);
    }

    @Override
    public void put(String name, short value) {
      set(name, 'S', value);
    }

    @Override
    public void put(String name, int value) {
      set(name, 'I', value);
    }

    @Override
    public void put(String name, long value) {
      set(name, 'J', value);
    }

    @Override
    public void put(String name, float value) {
      set(name, 'F', value);
    }

    @Override
    public void put(String name, double value) {
      set(name, 'D', value);
    }

    @Override
    public void put(String name, Object value) {
      set(name, 'L', value);
    }

    @Override
    @Deprecated(forRemoval = true)
    @SuppressWarnings("removal") // abstract in PutField until it is gone
    public void write(ObjectOutput out) {
      throw new UnsupportedOperationException("deprecated since 1.4; use writeFields");
    }
  }
}
