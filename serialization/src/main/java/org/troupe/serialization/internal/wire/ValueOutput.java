package org.troupe.serialization.internal.wire;

import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.internal.classes.CodecFailure;

/**
 * Writes the values of an encoding that refer to nothing: numbers, characters and lengths, within
 * the limits. Generated codecs call its methods by name.
 */
public abstract class ValueOutput {

  protected final GraphLimits limits;
  protected ByteOutput out;

  protected ValueOutput(GraphLimits limits, ByteOutput out) {
    this.limits = limits;
    this.out = out;
  }

  /** Reserves bytes for numbers of fixed width, which the generated code writes by index. */
  public final int reserve(int bytes) {
    return out.reserve(bytes);
  }

  public final void putBoolean(int at, boolean value) {
    out.putByte(at, value ? 1 : 0);
  }

  public final void putByte(int at, byte value) {
    out.putByte(at, value);
  }

  public final void putShort(int at, short value) {
    out.putShort(at, value);
  }

  public final void putChar(int at, char value) {
    out.putShort(at, value);
  }

  public final void putFloat(int at, float value) {
    out.putInt(at, Float.floatToRawIntBits(value));
  }

  public final void putDouble(int at, double value) {
    out.putLong(at, Double.doubleToRawLongBits(value));
  }

  public final void writeBoolean(boolean value) {
    out.writeByte(value ? 1 : 0);
  }

  public final void writeByte(byte value) {
    out.writeByte(value);
  }

  public final void writeShort(short value) {
    out.writeShort(value);
  }

  public final void writeChar(char value) {
    out.writeChar(value);
  }

  /**
   * Writes an int in zigzag encoding, as int fields mostly hold small numbers: one byte for
   * -64..63.
   */
  public final void writeInt(int value) {
    out.writeVarInt(value << 1 ^ value >> 31);
  }

  public final void writeLong(long value) {
    out.writeVarLong(value << 1 ^ value >> 63);
  }

  public final void writeFloat(float value) {
    out.writeFloat(value);
  }

  public final void writeDouble(double value) {
    out.writeDouble(value);
  }

  /** Writes the characters of a string without looking it up. */
  public final void writeString(String value) {
    checkString(value);
    out.writeString(value);
  }

  protected final void checkString(String value) {
    if (value.length() > limits.maxStringLength()) {
      throw new CodecFailure(
          "a string has %d characters, but the limit is %d; send it in parts, or raise maxStringLength"
              .formatted(value.length(), limits.maxStringLength()));
    }
  }

  /** Writes the number of elements of an array or collection. */
  public final void writeLength(int length) {
    checkLength(length);
    out.writeVarInt(length);
  }

  protected final void checkLength(int length) {
    if (length > limits.maxArrayLength()) {
      throw new CodecFailure(
          "it has %d elements, but the limit is %d; send it in parts, or raise maxArrayLength"
              .formatted(length, limits.maxArrayLength()));
    }
  }

  /** Returns the output itself. */
  public final ByteOutput bytes() {
    return out;
  }
}
