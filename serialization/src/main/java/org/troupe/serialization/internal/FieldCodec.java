package org.troupe.serialization.internal;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.function.Predicate;

/** Writes and reads objects field by field; {@link Generator} makes the methods that do it. */
abstract class FieldCodec extends Codec {

  /** What the generated class does not know as constants. */
  record Shape(
      Class<?> type,
      Layout layout,
      String[] names,
      Class<?>[] types,
      MethodHandle[] getters,
      MethodHandle[] setters,
      Constructor<?> allocator,
      MethodHandle writeReplace,
      MethodHandle readResolve) {}

  private final Shape shape;

  FieldCodec(Shape shape) {
    super(shape.type);
    this.shape = shape;
  }

  /** Writes all fields. */
  abstract void writeFields(Encoder out, Object value) throws Throwable;

  /** Reads all fields of an ordinary object. */
  abstract void readFields(Decoder in, Object value) throws Throwable;

  /** Reads all components of a record and constructs it. */
  abstract Object construct(Decoder in) throws Throwable;

  @Override
  final void write(Encoder out, Object value) throws Throwable {
    writeFields(out, value);
  }

  @Override
  final Object read(Decoder in, int handle) throws Throwable {
    if (isRecord()) {
      return construct(in);
    }
    Object value = shape.allocator.newInstance();
    in.born(handle, value);
    readFields(in, value);
    return value;
  }

  /**
   * Writes and reads an empty object once, so that every call in the generated code is resolved.
   *
   * <p>Otherwise the JIT, which compiles the methods while a deep graph is still in its first
   * descent, makes traps of the calls that follow the recursion, and each of the frames falls into
   * one on its way back: a list of a million nodes took 10 s instead of 1 s.
   */
  final void rehearse() throws Throwable {
    if (shape.allocator == null || Modifier.isAbstract(type().getModifiers())) {
      return;
    }
    Object empty = shape.allocator.newInstance();
    byte[] content = Encoder.rehearse(this, empty);
    Decoder.rehearse(this, empty, content);
  }

  final boolean isRecord() {
    return shape.layout.kind() == Layout.Kind.RECORD;
  }

  final boolean allComponents(Object record, Predicate<Object> test) {
    try {
      for (int i = 0; i < shape.types.length; i++) {
        if (!shape.types[i].isPrimitive()
            && !test.test((Object) shape.getters[i].invokeExact(record))) {
          return false;
        }
      }
      return true;
    } catch (Throwable t) {
      throw Failure.of(t);
    }
  }

  @Override
  public final Layout layout() {
    return shape.layout;
  }

  @Override
  final Codec readerOf(Layout foreign) {
    if (foreign.equals(shape.layout)) {
      return this;
    }
    Codec evolved = EvolvedCodec.reader(shape, foreign);
    return evolved == null ? super.readerOf(foreign) : evolved;
  }

  @Override
  final boolean hashesContent() {
    return isRecord();
  }

  @Override
  final String segment(int slot) {
    return "." + shape.names[slot];
  }

  @Override
  final Class<?> slotType(int slot) {
    return shape.types[slot];
  }

  @Override
  final void fill(Object owner, int slot, Object value) throws Throwable {
    shape.setters[slot].invokeExact(owner, value);
  }

  @Override
  final MethodHandle writeReplace() {
    return shape.writeReplace;
  }

  @Override
  final MethodHandle readResolve() {
    return shape.readResolve;
  }
}
