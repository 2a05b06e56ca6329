package org.troupe.serialization.internal.fields;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.Evolving;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.ReferenceCursor;

/** Reads what a sender with another version of an {@link Evolving} class wrote. */
public final class EvolvedCodec extends Codec {

  /* Not generated: versions differ for hours or weeks, and the time per field is some 20 ns. */

  /**
   * A field as the sender writes it.
   *
   * @param kind its {@linkplain FieldCodec#kind kind} there
   * @param here the index of the field here, or -1 if it is dropped
   */
  private record Step(String name, char kind, int here) {}

  private static final MethodType SETTER =
      MethodType.methodType(void.class, Object.class, Object.class);

  private final FieldCodec.Shape shape;
  private final ClassFields fields;
  private final @Nullable MethodHandle constructor; // null if it is no record
  private final List<Step> steps;
  private final MethodHandle[] setters;
  private final Object[] defaults;

  private EvolvedCodec(
      FieldCodec.Shape shape, @Nullable MethodHandle constructor, List<Step> steps) {
    super(shape.type());
    this.shape = shape;
    this.fields = shape.fields();
    this.constructor = constructor;
    this.steps = steps;
    this.setters = new MethodHandle[fields.setters().length];
    for (int i = 0; constructor == null && i < setters.length; i++) {
      setters[i] = fields.setters()[i].asType(SETTER);
    }
    this.defaults = constructor == null ? new Object[0] : defaults(fields.types());
  }

  /** Returns a codec, or {@code null} if the class does not permit the difference. */
  static @Nullable EvolvedCodec reader(FieldCodec.Shape shape, ClassLayout sender) {
    ClassLayout layout = shape.layout();
    if (sender.kind() != layout.kind() || !evolves(shape.type(), layout, sender)) {
      return null;
    }
    return reader(shape, sender, layout);
  }

  private static @Nullable EvolvedCodec reader(
      FieldCodec.Shape shape, ClassLayout sender, ClassLayout layout) {
    Map<String, Integer> indices = indices(layout);
    List<Step> steps = new ArrayList<>();
    for (ClassLayout.Level level : sender.levels()) {
      for (ClassLayout.Slot slot : level.fields()) {
        Class<?> there = Class.forPrimitiveName(slot.type());
        Integer index = indices.get(level.className() + "." + slot.name());
        Class<?> here = index == null ? null : shape.fields().types()[index];
        if (here != null && there != here && (there != null || here.isPrimitive())) {
          return null;
        }
        steps.add(new Step(slot.name(), kind(slot, there), index == null ? -1 : index));
      }
    }
    MethodHandle constructor = null;
    if (shape.type().isRecord()) {
      int n = shape.fields().types().length;
      constructor =
          ClassFields.recordConstructor(shape.type())
              .asType(MethodType.genericMethodType(n))
              .asSpreader(Object[].class, n);
    }
    return new EvolvedCodec(shape, constructor, steps);
  }

  private static char kind(ClassLayout.Slot slot, @Nullable Class<?> primitive) {
    if (primitive != null) {
      return FieldCodec.kind(primitive);
    }
    return slot.type().equals(String.class.getName()) ? FieldCodec.STRING : FieldCodec.REFERENCE;
  }

  private static Map<String, Integer> indices(ClassLayout layout) {
    Map<String, Integer> indices = new HashMap<>();
    for (ClassLayout.Level level : layout.levels()) {
      for (ClassLayout.Slot slot : level.fields()) {
        indices.put(level.className() + "." + slot.name(), indices.size());
      }
    }
    return indices;
  }

  /**
   * Returns whether all classes that differ are declared {@link Evolving}; for a change of
   * superclasses, the class itself.
   */
  public static boolean evolves(Class<?> type, ClassLayout here, ClassLayout sender) {
    for (ClassLayout.Level level : sender.levels()) {
      if (!here.levels().contains(level) && !isEvolving(type, level.className())) {
        return false;
      }
    }
    for (ClassLayout.Level level : here.levels()) {
      if (!sender.levels().contains(level) && !isEvolving(type, level.className())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEvolving(Class<?> type, String level) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().equals(level)) {
        return c.isAnnotationPresent(Evolving.class);
      }
    }
    return type.isAnnotationPresent(Evolving.class);
  }

  @Override
  public void write(Encoder out, Object value) {
    throw new AssertionError("only reads");
  }

  @Override
  public Object read(Decoder in, int handle) throws Throwable {
    if (constructor == null) {
      Object value = (Object) allocator().invokeExact();
      in.register(handle, value);
      for (int i = 0; i < steps.size(); i++) {
        Step step = steps.get(i);
        Object field = FieldCodec.readBoxed(in, this, step.kind, value, i);
        if (step.here >= 0) {
          setters[step.here].invokeExact(value, field);
        }
      }
      return value;
    }
    Object[] components = defaults.clone();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Object component = FieldCodec.readBoxed(in, this, step.kind, null, i);
      if (step.here >= 0) {
        components[step.here] = component;
      }
    }
    return (Object) constructor.invokeExact(components);
  }

  private MethodHandle allocator() {
    return Objects.requireNonNull(shape.allocator(), "it is no record");
  }

  /** Returns the components that the sender's class does not have. */
  private static Object[] defaults(Class<?>[] types) {
    Object[] components = new Object[types.length];
    for (int i = 0; i < components.length; i++) {
      if (types[i].isPrimitive()) {
        components[i] = Array.get(Array.newInstance(types[i], 1), 0);
      }
    }
    return components;
  }

  @Override
  public boolean supportsCursor() {
    return shape.readResolve() == null;
  }

  @Override
  public ReferenceCursor.Reading reading(Decoder in, int handle) throws Throwable {
    Object object = constructor == null ? (Object) allocator().invokeExact() : null;
    if (object != null) {
      in.register(handle, object);
    }
    Object[] components = defaults.clone();
    return new ReferenceCursor.Reading(this, handle, object) {
      @Override
      public boolean advance(Decoder decoder) throws Throwable {
        while (slot + 1 < steps.size()) {
          slot++;
          Step step = steps.get(slot);
          if (step.kind == FieldCodec.REFERENCE) {
            return true;
          }
          put(decoder, FieldCodec.readBoxed(decoder, EvolvedCodec.this, step.kind, object, slot));
        }
        return false;
      }

      @Override
      public void put(Decoder decoder, @Nullable Object value) throws Throwable {
        int here = steps.get(slot).here;
        if (here < 0) {
          return;
        }
        if (object == null) {
          components[here] = value;
        } else {
          setters[here].invokeExact(object, value);
        }
      }

      @Override
      public @Nullable Object end(Decoder decoder) throws Throwable {
        return constructor == null ? object : (Object) constructor.invokeExact(components);
      }
    };
  }

  @Override
  public String segment(int slot) {
    return "." + steps.get(slot).name;
  }

  @Override
  public Class<?> slotType(int slot) {
    int here = steps.get(slot).here;
    return here < 0 ? Object.class : fields.types()[here];
  }

  @Override
  public void fill(Object owner, int slot, Object value) throws Throwable {
    int here = steps.get(slot).here;
    if (here >= 0) {
      setters[here].invokeExact(owner, value);
    }
  }

  @Override
  public @Nullable MethodHandle readResolve() {
    return shape.readResolve();
  }

  @Override
  public ClassLayout layout() {
    return shape.layout();
  }
}
