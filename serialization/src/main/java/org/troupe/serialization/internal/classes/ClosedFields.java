package org.troupe.serialization.internal.classes;

import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the serializable fields of a platform class, which are closed to reflection. */
public final class ClosedFields extends ObjectOutputStream {

  private static final ClassValue<MethodHandle> DEFAULT_WRITE =
      new ClassValue<>() {
        @Override
        protected @Nullable MethodHandle computeValue(Class<?> type) {
          return PlatformReflection.hook(
              "defaultWriteObject",
              type,
              MethodType.methodType(void.class, Object.class, ObjectOutputStream.class));
        }
      };

  private final Map<String, Object> values = new HashMap<>();

  private ClosedFields() throws IOException {}

  /** Returns the values of the fields that one class declares, by name. */
  public static Map<String, Object> of(Class<?> declaring, @Nullable Object object)
      throws Throwable {
    // Nothing is held open: the stream writes nowhere.
    @SuppressWarnings("resource")
    ClosedFields fields = new ClosedFields();
    DEFAULT_WRITE.get(declaring).invokeExact(object, (ObjectOutputStream) fields);
    return fields.values;
  }

  @Override
  public PutField putFields() {
    return new Put();
  }

  @Override
  public void writeFields() {}

  private final class Put extends PutField {

    @Override
    public void put(String name, boolean value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, byte value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, char value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, short value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, int value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, long value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, float value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, double value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, Object value) {
      values.put(name, value);
    }

    @Override
    @Deprecated(forRemoval = true)
    @SuppressWarnings("removal") // abstract in PutField until it is gone
    public void write(ObjectOutput out) {
      throw new UnsupportedOperationException("deprecated since 1.4; use writeFields");
    }
  }
}
