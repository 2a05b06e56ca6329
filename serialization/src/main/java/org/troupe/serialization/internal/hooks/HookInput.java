package org.troupe.serialization.internal.hooks;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.StreamCorruptedException;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.PlatformReflection;
import org.troupe.serialization.internal.coder.Decoder;

/** The input of one class's {@code readObject} or {@code readExternal}. */
final class HookInput extends ObjectInputStream {

  private final Decoder in;
  private final HookedCodec codec;
  private final HookedCodec.@Nullable Level level;
  private final Object value;
  private final Chunks chunks = new Chunks();
  private final DataInputStream data = new DataInputStream(chunks);
  private final @Nullable List<Object> content; // null if the content is not recorded
  private final @Nullable HookKeys keys; // null where no table is filled
  private boolean bare;
  private boolean fieldsRead;

  /** The next piece, or -1 if its tag has not been read. */
  private int piece = -1;

  /**
   * Creates the input of one hook.
   *
   * @param content takes what is read, or null
   */
  HookInput(
      Decoder in,
      HookedCodec codec,
      HookedCodec.@Nullable Level level,
      Object value,
      @Nullable List<Object> content)
      throws IOException {
    this.in = in;
    this.codec = codec;
    this.level = level;
    this.value = value;
    this.content = content;
    this.keys = HookKeys.of(in, codec.type(), level, content);
    // Collections of the platform ask it before they allocate what a stream demands.
    setObjectInputFilter(this::checkLength);
  }

  private ObjectInputFilter.Status checkLength(ObjectInputFilter.FilterInfo info) {
    return in.mayAllocate(info.arrayLength())
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }

  /** Declares that the writer had no writeObject, so that its fields follow without pieces. */
  void bare() {
    bare = true;
  }

  /**
   * Skips the data that the hook has not read; objects are decoded nevertheless, because others may
   * refer to them.
   */
  void end() throws Throwable {
    if (bare) {
      if (!fieldsRead) {
        readFields();
      }
      return;
    }
    while (true) {
      chunks.skipRest();
      switch (peek()) {
        case HookOutput.END -> {
          return;
        }
        case HookOutput.OBJECT -> readObjectOverride();
        case HookOutput.FIELDS -> {
          if (fieldsRead || level == null || level.fields().length == 0) {
            throw new StreamCorruptedException("fields where there can be none");
          }
          readFields();
        }
        default -> {} // data, skipped above
      }
    }
  }

  private int peek() throws IOException {
    in.requireWhole();
    if (bare) {
      return fieldsRead ? HookOutput.END : HookOutput.FIELDS;
    }
    if (piece == HookOutput.DATA && chunks.left == 0) {
      piece = -1;
    }
    if (piece < 0) {
      piece = in.readByte();
      if (piece < 0 || piece > HookOutput.FIELDS) {
        throw new StreamCorruptedException("unknown piece " + piece);
      }
      if (piece == HookOutput.DATA) {
        chunks.left = in.bytes().readLength(Integer.MAX_VALUE, 1);
        if (chunks.left == 0) {
          throw new StreamCorruptedException("empty data");
        }
      }
    }
    return piece;
  }

  @Override
  protected @Nullable Object readObjectOverride() throws IOException, ClassNotFoundException {
    switch (peek()) {
      case HookOutput.OBJECT -> piece = -1;
      case HookOutput.FIELDS ->
          throw new StreamCorruptedException("fields where an object is expected");
      // A hook that reads until the end of its data relies on this exception.
      default -> throw PlatformReflection.endOfData();
    }
    Object element = in.readField(codec, 0);
    if (content != null) {
      content.add(element);
    }
    if (keys != null) {
      keys.charge(element);
    }
    return element;
  }

  @Override
  public @Nullable Object readUnshared() throws IOException, ClassNotFoundException {
    return readObjectOverride();
  }

  @Override
  public void defaultReadObject() throws IOException {
    MethodHandle defaultRead = requireLevel().defaultRead();
    if (defaultRead == null) {
      readFields(); // persistent fields, none of which is a field of the class
      return;
    }
    try {
      defaultRead.invokeExact(value, (ObjectInputStream) this);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  @Override
  public GetField readFields() throws IOException {
    HookedCodec.Level level = requireLevel();
    if (level.fields().length == 0) {
      fieldsRead = true;
      return new Get(level, new Object[0]);
    }
    if (peek() != HookOutput.FIELDS) {
      throw new StreamCorruptedException("no fields were written here");
    }
    piece = -1;
    fieldsRead = true;
    HookedCodec.Fields names = new HookedCodec.Fields(codec.type(), level);
    Object[] values = new Object[level.fields().length];
    for (int i = 0; i < values.length; i++) {
      values[i] = readField(names, level.fields()[i], i);
    }
    return new Get(level, values);
  }

  private @Nullable Object readField(HookedCodec.Fields names, ObjectStreamField of, int i) {
    return switch (of.getTypeCode()) {
      case 'Z' -> in.readBoolean();
      case 'B' -> in.readByte();
      case 'S' -> in.readShort();
      case 'C' -> in.readChar();
      case 'I' -> in.readInt();
      case 'J' -> in.readLong();
      case 'F' -> keys == null ? in.readFloat() : keys.loadFactor(in.readFloat());
      case 'D' -> in.readDouble();
      default -> {
        Object field = in.readField(names, i);
        if (content != null) {
          content.add(field);
        }
        if (keys != null) {
          keys.chargeField(field);
        }
        yield field;
      }
    };
  }

  private HookedCodec.Level requireLevel() throws NotActiveException {
    if (level == null) {
      throw new NotActiveException("an Externalizable class has no default fields");
    }
    return level;
  }

  @Override
  public void registerValidation(ObjectInputValidation object, int priority)
      throws InvalidObjectException {
    if (object == null) {
      throw new InvalidObjectException("null callback");
    }
    in.validateAtEnd(object, priority);
  }

  @Override
  public int read() throws IOException {
    return data.read();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return data.read(into, offset, length);
  }

  @Override
  public int available() {
    return chunks.left;
  }

  @Override
  public boolean readBoolean() throws IOException {
    return data.readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return data.readByte();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return data.readUnsignedByte();
  }

  @Override
  public char readChar() throws IOException {
    return data.readChar();
  }

  @Override
  public short readShort() throws IOException {
    return data.readShort();
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return data.readUnsignedShort();
  }

  @Override
  public int readInt() throws IOException {
    int number = data.readInt();
    return keys == null ? number : keys.number(number);
  }

  @Override
  public long readLong() throws IOException {
    return data.readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return data.readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return data.readDouble();
  }

  @Override
  public void readFully(byte[] into) throws IOException {
    data.readFully(into);
  }

  @Override
  public void readFully(byte[] into, int offset, int length) throws IOException {
    data.readFully(into, offset, length);
  }

  @Override
  public int skipBytes(int length) throws IOException {
    return data.skipBytes(length);
  }

  @Override
  @Deprecated
  public @Nullable String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = read();
    if (c < 0) {
      return null;
    }
    for (; c >= 0 && c != '\n'; c = read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public String readUTF() throws IOException {
    return data.readUTF();
  }

  @Override
  public void close() {}

  /** The data pieces as one stream, which ends where an object, fields or the end come. */
  private final class Chunks extends InputStream {

    private int left;

    private boolean atEnd() throws IOException {
      return peek() != HookOutput.DATA;
    }

    @Override
    public int read() throws IOException {
      if (atEnd()) {
        return -1;
      }
      left--;
      return in.readByte() & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (atEnd()) {
        return -1;
      }
      int now = Math.min(length, left);
      in.bytes().read(into, offset, now);
      left -= now;
      return now;
    }

    void skipRest() throws IOException {
      while (!atEnd()) {
        in.bytes().skip(left);
        left = 0;
      }
    }
  }

  private static final class Get extends GetField {

    private final HookedCodec.Level level;
    private final Object[] values;

    Get(HookedCodec.Level level, Object[] values) {
      this.level = level;
      this.values = values;
    }

    /** Returns the value of a field, or null if it is one that the sender does not have. */
    private @Nullable Object value(String name) {
      for (int i = 0; i < values.length; i++) {
        if (level.fields()[i].getName().equals(name)) {
          return values[i];
        }
      }
      if (level.described().getField(name) == null) {
        throw new IllegalArgumentException("no such field " + name);
      }
      return null;
    }

    /** Returns whether the sender has a field; its value may be {@code null}. */
    private boolean isThere(String name) {
      value(name);
      return Arrays.stream(level.fields()).anyMatch(f -> f.getName().equals(name));
    }

    @Override
    public @Nullable ObjectStreamClass getObjectStreamClass() {
      return level.stream();
    }

    @Override
    public boolean defaulted(String name) {
      return !isThere(name);
    }

    @Override
    public boolean get(String name, boolean otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (boolean) value;
    }

    @Override
    public byte get(String name, byte otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (byte) value;
    }

    @Override
    public char get(String name, char otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (char) value;
    }

    @Override
    public short get(String name, short otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (short) value;
    }

    @Override
    public int get(String name, int otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (int) value;
    }

    @Override
    public long get(String name, long otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (long) value;
    }

    @Override
    public float get(String name, float otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (float) value;
    }

    @Override
    public double get(String name, double otherwise) {
      Object value = value(name);
      return value == null ? otherwise : (double) value;
    }

    @Override
    public @Nullable Object get(String name, @Nullable Object otherwise) {
      return isThere(name) ? value(name) : otherwise;
    }
  }
}
