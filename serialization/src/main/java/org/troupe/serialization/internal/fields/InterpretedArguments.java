package org.troupe.serialization.internal.fields;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.coder.CodecFinder;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;

/**
 * The arguments of a call as the fields of an array, written and read one after the other.
 *
 * <p>No class is generated, which would cost more than the first calls of a method.
 */
public final class InterpretedArguments extends FieldCodec {

  private static final MethodHandle[] NO_HANDLES = {}; // the values are in an array

  private final char[] kinds;

  /** Creates the codec for arguments of these types. */
  public InterpretedArguments(Class<?>[] types, CodecFinder codecs) {
    super(shape(types, types, NO_HANDLES, NO_HANDLES, codecs));
    this.kinds = new char[types.length];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = kind(types[i]);
    }
  }

  /**
   * Returns the shape of an array with arguments.
   *
   * @param guesses the classes that the arguments most often are of
   */
  public static Shape shape(
      Class<?>[] types,
      Class<?>[] guesses,
      MethodHandle[] getters,
      MethodHandle[] setters,
      CodecFinder codecs) {
    String[] names = Stream.of(types).map(ClassKinds::displayName).toArray(String[]::new);
    ClassLayout none =
        new ClassLayout(ClassLayout.Kind.ARRAY, Object[].class.getName(), List.of(), List.of());
    return new Shape(
        Object[].class,
        none,
        new ClassFields(names, types, getters, setters),
        guesses,
        codecs,
        null,
        null,
        null,
        -1,
        false);
  }

  @Override
  public void writeFields(Encoder out, Object arguments) {
    Object[] values = (Object[]) arguments;
    for (int i = 0; i < kinds.length; i++) {
      Object value = values[i];
      switch (kinds[i]) {
        case STRING -> out.writeStringSlot(value, this, i);
        case REFERENCE -> out.writeSlot(value, this, i);
        case 'Z' -> out.writeBoolean((boolean) value);
        case 'B' -> out.writeByte((byte) value);
        case 'S' -> out.writeShort((short) value);
        case 'C' -> out.writeChar((char) value);
        case 'I' -> out.writeInt((int) value);
        case 'J' -> out.writeLong((long) value);
        case 'F' -> out.writeFloat((float) value);
        case 'D' -> out.writeDouble((double) value);
        default -> throw new AssertionError("no parameter is of the type void");
      }
    }
  }

  @Override
  public void readFields(Decoder in, Object arguments) {
    Object[] values = (Object[]) arguments;
    for (int i = 0; i < kinds.length; i++) {
      if (kinds[i] == STRING || kinds[i] == REFERENCE) {
        in.beginArgument(i);
      }
      values[i] = readBoxed(in, this, kinds[i], values, i);
    }
  }

  @Override
  public void fill(Object arguments, int slot, Object value) {
    ((Object[]) arguments)[slot] = value;
  }
}
