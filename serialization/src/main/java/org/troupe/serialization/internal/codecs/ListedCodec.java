package org.troupe.serialization.internal.codecs;

import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.PlatformValues;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.wire.ValueInput;
import org.troupe.serialization.internal.wire.ValueOutput;

/** A codec written by hand for a platform class, whose number is the same in every JVM. */
public abstract class ListedCodec extends Codec {

  private final int tag;

  ListedCodec(int tag, Class<?> type) {
    super(type);
    this.tag = tag;
    if (PlatformValues.include(type)) {
      // Sharing strings keeps messages small, and it is enough to find most of those that come
      // again.
      if (type != String.class) {
        value();
      }
    } else {
      plain(true);
    }
  }

  @Override
  public final int tag() {
    return tag;
  }

  @Override
  public final ClassLayout layout() {
    return ClassLayout.of(ClassLayout.Kind.LISTED, type());
  }

  /** An object that refers to nothing else. */
  static final class Scalar<T> extends ListedCodec {

    interface Writer<T> {
      void write(ValueOutput out, T value);
    }

    interface Reader<T> {
      T read(ValueInput in);
    }

    private final Writer<T> writer;
    private final Reader<T> reader;

    Scalar(int tag, Class<T> type, Writer<T> writer, Reader<T> reader) {
      super(tag, type);
      this.writer = writer;
      this.reader = reader;
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
  }
}
