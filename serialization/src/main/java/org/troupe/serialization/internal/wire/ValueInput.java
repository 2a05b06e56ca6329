package org.troupe.serialization.internal.wire;

import java.nio.ByteOrder;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.internal.classes.CodecFailure;

/**
 * Reads the values of a message that refer to nothing: numbers, characters and lengths, within the
 * limits. Generated codecs call its methods by name.
 */
public abstract class ValueInput {

  private static final int SMALL_TABLE = 64;
  private static final long TABLE_PER_BYTE = 4;

  protected final GraphLimits limits;
  protected final ByteInput in;
  private int size;
  private long promised;
  private long hookPromised;
  private ByteOrder arrayOrder = ByteOrder.nativeOrder(); // of the sender, once it is known

  protected ValueInput(GraphLimits limits, ByteInput in) {
    this.limits = limits;
    this.in = in;
  }

  /**
   * Begins a message.
   *
   * @param size the bytes of the input
   * @param arrays the bytes that came apart
   */
  protected final void beginMessage(int size, long arrays) {
    this.size = size;
    this.promised = 0;
    this.hookPromised = 0;
    if (size + arrays > limits.maxBytes()) {
      throw new CodecFailure(
          "it has %d bytes, but the limit is %d; send it in parts, or raise maxBytes"
              .formatted(size + arrays, limits.maxBytes()));
    }
  }

  /** Sets the byte order of arrays, from a first byte without flags. */
  protected final void beginArrays(int first) {
    arrayOrder = WireFormat.order(first);
  }

  /** Skips numbers of fixed width, which the generated code reads by index. */
  public final int reserve(int bytes) {
    return in.take(bytes);
  }

  public final boolean getBoolean(int at) {
    byte value = in.getByte(at);
    if ((value & ~1) != 0) {
      throw new CodecFailure(
          "a boolean is '%d', not 0 or 1; the bytes are damaged".formatted(value));
    }
    return value != 0;
  }

  public final byte getByte(int at) {
    return in.getByte(at);
  }

  public final short getShort(int at) {
    return in.getShort(at);
  }

  public final char getChar(int at) {
    return (char) in.getShort(at);
  }

  public final float getFloat(int at) {
    return Float.intBitsToFloat(in.getInt(at));
  }

  public final double getDouble(int at) {
    return Double.longBitsToDouble(in.getLong(at));
  }

  public final boolean readBoolean() {
    return in.readBoolean();
  }

  public final byte readByte() {
    return in.readByte();
  }

  public final short readShort() {
    return in.readShort();
  }

  public final char readChar() {
    return in.readChar();
  }

  public final int readInt() {
    int value = in.readVarInt();
    return value >>> 1 ^ -(value & 1);
  }

  public final long readLong() {
    long value = in.readVarLong();
    return value >>> 1 ^ -(value & 1);
  }

  public final float readFloat() {
    return in.readFloat();
  }

  public final double readDouble() {
    return in.readDouble();
  }

  public final String readString() {
    return in.readString(limits.maxStringLength());
  }

  /**
   * Reads a number of elements.
   *
   * <p>Each element takes bytes of its own, so all lengths of a message together, however nested,
   * declare at most as many bytes as the message has, which bounds the memory allocated in advance.
   */
  public final int readLength(int elementBytes) {
    int length = in.readLength(limits.maxArrayLength(), elementBytes);
    promised += (long) length * elementBytes;
    if (promised > size) {
      throw new CodecFailure(
          "its lengths promise %d bytes, but it has only %d; the bytes are damaged"
              .formatted(promised, size));
    }
    return length;
  }

  /** Returns whether a hook of the platform may allocate an array, as large as its table needs. */
  public final boolean mayAllocate(long length) {
    if (length <= SMALL_TABLE) {
      return true;
    }
    hookPromised += length;
    return length <= limits.maxArrayLength() && hookPromised <= TABLE_PER_BYTE * size;
  }

  /** Returns the input itself. */
  public final ByteInput bytes() {
    return in;
  }

  /** Returns the byte order of the arrays of the sender. */
  public final ByteOrder arrayOrder() {
    return arrayOrder;
  }
}
