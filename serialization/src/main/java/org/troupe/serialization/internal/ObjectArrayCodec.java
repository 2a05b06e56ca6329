package org.troupe.serialization.internal;

import java.lang.reflect.Array;

/** Arrays of references; those of arrays are arrays of references too. */
class ObjectArrayCodec extends Codec {

  private final Class<?> component;
  private final Layout layout;

  ObjectArrayCodec(Class<?> type) {
    super(type);
    this.component = type.getComponentType();
    this.layout = Layout.of(Layout.Kind.ARRAY, type);
  }

  @Override
  final void write(Encoder out, Object value) {
    Object[] array = (Object[]) value;
    out.writeLength(array.length);
    for (int i = 0; i < array.length; i++) {
      out.writeSlot(array[i], this, i);
    }
  }

  @Override
  final Object read(Decoder in, int handle) throws Throwable {
    Object[] array = (Object[]) Array.newInstance(component, in.readLength(1));
    in.born(handle, array);
    for (int i = 0; i < array.length; i++) {
      array[i] = in.readSlot(this, array, i);
    }
    return array;
  }

  @Override
  final Class<?> slotType(int slot) {
    return component;
  }

  @Override
  final void fill(Object owner, int slot, Object value) {
    ((Object[]) owner)[slot] = value;
  }

  @Override
  public final Layout layout() {
    return layout;
  }
}
