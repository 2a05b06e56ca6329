package org.troupe.serialization.internal.codecs;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.CodecFinder;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.ReferenceCursor;

/** Arrays of references, including arrays of arrays. */
public final class ObjectArrayCodec extends Codec {

  private final CodecFinder codecs;
  private final Class<?> component;
  private final ClassLayout layout;

  /** Looked up on first use, because types refer to each other; all threads find the same codec. */
  private @Nullable Codec elements;

  private volatile boolean looked;

  /** Creates the codec of a class of arrays, which finds the codec of the elements when needed. */
  public ObjectArrayCodec(Class<?> type, CodecFinder codecs) {
    super(type);
    plain(true);
    readsSimply(true);
    this.codecs = codecs;
    this.component = type.getComponentType();
    this.layout = ClassLayout.of(ClassLayout.Kind.ARRAY, type);
  }

  @Override
  public void write(Encoder out, Object value) {
    Object[] array = (Object[]) value;
    out.writeLength(array.length);
    Codec guess = elements();
    if (guess == null) {
      for (int i = 0; i < array.length; i++) {
        out.writeSlot(array[i], this, i);
      }
      return;
    }
    for (int i = 0; i < array.length; i++) {
      out.writeSlot(array[i], this, i, guess);
    }
  }

  @Override
  public Object read(Decoder in, int handle) throws Throwable {
    int length = in.readLength(1);
    Object[] array = (Object[]) in.reuse().find(type(), handle, length);
    if (array == null) {
      array = (Object[]) Array.newInstance(component, length);
    }
    in.register(handle, array);
    Codec guess = elements();
    if (guess == null) {
      for (int i = 0; i < array.length; i++) {
        array[i] = in.readSlot(this, array, i);
      }
      return array;
    }
    for (int i = 0; i < array.length; i++) {
      array[i] = in.readSlot(this, array, i, guess);
    }
    return array;
  }

  @Override
  public boolean supportsCursor() {
    return true;
  }

  @Override
  public ReferenceCursor.Writing writing(Encoder out, Object value) {
    Object[] array = (Object[]) value;
    out.writeLength(array.length);
    return new ReferenceCursor.Elements(this, array);
  }

  @Override
  public ReferenceCursor.Reading reading(Decoder in, int handle) throws Throwable {
    Object[] array = (Object[]) Array.newInstance(component, in.readLength(1));
    in.register(handle, array);
    return new ReferenceCursor.Array(this, handle, array, array) {
      @Override
      public Object end(Decoder decoder) {
        return elements;
      }
    };
  }

  /** Returns the codec of the declared class of the elements, if they can be of that. */
  private @Nullable Codec elements() {
    if (!looked) {
      elements = SlotGuess.codec(component, codecs);
      looked = true;
    }
    return elements;
  }

  @Override
  public Class<?> slotType(int slot) {
    return component;
  }

  @Override
  public void fill(Object owner, int slot, Object value) {
    ((Object[]) owner)[slot] = value;
  }

  @Override
  public ClassLayout layout() {
    return layout;
  }
}
