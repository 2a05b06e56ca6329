package org.troupe.serialization.internal.codecs;

import java.util.Arrays;
import java.util.List;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;

/** Enum constants, by name, because the order of constants may differ between the two sides. */
public final class EnumCodec extends Codec {

  private final ClassLayout layout;

  /** By the sender's ordinal; null where this side has no such constant. */
  private final Object[] constants;

  public EnumCodec(Class<?> type) {
    this(type, names(type), (Object[]) type.getEnumConstants());
  }

  private EnumCodec(Class<?> type, List<String> names, Object[] constants) {
    super(type);
    value();
    this.layout = new ClassLayout(ClassLayout.Kind.ENUM, type.getName(), List.of(), names);
    this.constants = constants;
  }

  private static List<String> names(Class<?> type) {
    return Arrays.stream(type.getEnumConstants()).map(c -> ((Enum<?>) c).name()).toList();
  }

  @Override
  public void write(Encoder out, Object value) {
    out.bytes().writeVarInt(((Enum<?>) value).ordinal());
  }

  @Override
  public Object read(Decoder in, int handle) {
    int ordinal = in.bytes().readVarInt();
    if (ordinal < 0 || ordinal >= constants.length) {
      throw new CodecFailure(
          "enum '%s' has no constant number %d; the bytes are damaged"
              .formatted(type().getName(), ordinal));
    }
    if (constants[ordinal] == null) {
      throw new CodecFailure(
          "enum '%s' has a constant '%s' in the encoded object, but not in the class of this JVM; run the same version of it everywhere"
              .formatted(type().getName(), layout.constants().get(ordinal)));
    }
    return constants[ordinal];
  }

  @Override
  public Codec readerOf(ClassLayout foreign) {
    if (foreign.equals(layout)) {
      return this;
    }
    if (foreign.kind() != ClassLayout.Kind.ENUM) {
      return super.readerOf(foreign);
    }
    Object[] reordered =
        foreign.constants().stream()
            .map(name -> layout.constants().indexOf(name))
            .map(index -> index < 0 ? null : constants[index])
            .toArray();
    return new EnumCodec(type(), foreign.constants(), reordered);
  }

  @Override
  public ClassLayout layout() {
    return layout;
  }
}
