package org.troupe.serialization.internal.codecs;

import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.wire.ValueInput;
import org.troupe.serialization.internal.wire.ValueOutput;

/**
 * A platform type whose classes are closed or differ between platforms, so that a description of
 * the value travels. Its definition names the type; there are too many to give each a number.
 */
public final class DescribedCodec<T> extends Codec {

  interface Writer<T> {
    void write(ValueOutput out, T value);
  }

  interface Reader<T> {
    T read(ValueInput in);
  }

  private static final Map<String, DescribedCodec<?>> BY_NAME = new HashMap<>();

  static {
    // Paths of other file systems, such as archives, are refused: their classes are not of ours.
    add(Path.class, false, (out, v) -> out.writeString(v.toString()), in -> path(in.readString()));
    add(
        Charset.class,
        false,
        (out, v) -> out.writeString(v.name()),
        in -> Charset.forName(in.readString()));
    add(
        Runtime.Version.class,
        false,
        (out, v) -> out.writeString(v.toString()),
        in -> Runtime.Version.parse(in.readString()));
    add(
        IntSummaryStatistics.class,
        true,
        (out, v) -> {
          out.writeLong(v.getCount());
          out.writeInt(v.getMin());
          out.writeInt(v.getMax());
          out.writeLong(v.getSum());
        },
        in -> new IntSummaryStatistics(in.readLong(), in.readInt(), in.readInt(), in.readLong()));
    add(
        LongSummaryStatistics.class,
        true,
        (out, v) -> {
          out.writeLong(v.getCount());
          out.writeLong(v.getMin());
          out.writeLong(v.getMax());
          out.writeLong(v.getSum());
        },
        in ->
            new LongSummaryStatistics(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
    add(
        DoubleSummaryStatistics.class,
        true,
        (out, v) -> {
          out.writeLong(v.getCount());
          out.writeDouble(v.getMin());
          out.writeDouble(v.getMax());
          out.writeDouble(v.getSum());
        },
        in ->
            new DoubleSummaryStatistics(
                in.readLong(), in.readDouble(), in.readDouble(), in.readDouble()));
  }

  private final Writer<T> writer;
  private final Reader<T> reader;

  private DescribedCodec(Class<T> type, boolean mutable, Writer<T> writer, Reader<T> reader) {
    super(type);
    if (!mutable) {
      value();
    }
    this.writer = writer;
    this.reader = reader;
  }

  private static <T> void add(Class<T> type, boolean mutable, Writer<T> writer, Reader<T> reader) {
    BY_NAME.put(type.getName(), new DescribedCodec<>(type, mutable, writer, reader));
  }

  private static Path path(String text) {
    return FileSystems.getDefault().getPath(text);
  }

  /** Returns the codec for objects of a class, or null if there is none. */
  public static @Nullable DescribedCodec<?> of(Class<?> type) {
    if (!ClassKinds.isPlatform(type)) {
      return null;
    }
    if (Charset.class.isAssignableFrom(type)) {
      return named(Charset.class.getName());
    }
    if (type == FileSystems.getDefault().getPath("").getClass()) {
      return named(Path.class.getName());
    }
    return named(type.getName());
  }

  /** Returns the codec for a definition, or null if there is none. */
  public static @Nullable DescribedCodec<?> named(String className) {
    return BY_NAME.get(className);
  }

  @Override
  @SuppressWarnings("unchecked") // a codec is only given objects of its type
  public void write(Encoder out, Object value) {
    writer.write(out, (T) value);
  }

  @Override
  public Object read(Decoder in, int handle) {
    return reader.read(in);
  }

  @Override
  public ClassLayout layout() {
    return ClassLayout.of(ClassLayout.Kind.DESCRIBED, type());
  }
}
