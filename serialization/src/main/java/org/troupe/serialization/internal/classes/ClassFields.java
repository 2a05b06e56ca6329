package org.troupe.serialization.internal.classes;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class that travel, in the order of its layout, with handles that reach them.
 *
 * @param getters as {@code (Object)erased type}
 * @param setters as {@code (Object, erased type)void}; null for the components of a record
 */
public record ClassFields(
    String[] names, Class<?>[] types, MethodHandle[] getters, MethodHandle[] setters) {

  /** Finds the handles of fields, which a class or its superclasses declare. */
  public static ClassFields of(Class<?> type, List<Field> fields) {
    int n = fields.size();
    MethodHandle[] getters = new MethodHandle[n];
    MethodHandle[] setters = new MethodHandle[n];
    for (int i = 0; i < n; i++) {
      Field field = fields.get(i);
      Class<?> erased = erasure(field.getType());
      try {
        MethodHandles.Lookup lookup = lookup(field.getDeclaringClass());
        getters[i] =
            lookup.unreflectGetter(field).asType(MethodType.methodType(erased, Object.class));
        if (!type.isRecord()) {
          // Only an accessible Field gives a setter for a final one.
          field.setAccessible(true);
          setters[i] =
              lookup
                  .unreflectSetter(field)
                  .asType(MethodType.methodType(void.class, Object.class, erased));
        }
      } catch (IllegalAccessException | InaccessibleObjectException e) {
        throw closed(field.getDeclaringClass(), e);
      }
    }
    return new ClassFields(
        fields.stream().map(Field::getName).toArray(String[]::new),
        fields.stream().map(Field::getType).toArray(Class<?>[]::new),
        getters,
        setters);
  }

  /** Returns the canonical constructor of a record, as {@code (erased components)Object}. */
  public static MethodHandle recordConstructor(Class<?> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      MethodType erased =
          MethodType.methodType(
              Object.class,
              Arrays.stream(types).map(ClassFields::erasure).toArray(Class<?>[]::new));
      return lookup(type)
          .findConstructor(type, MethodType.methodType(void.class, types))
          .asType(erased);
    } catch (ReflectiveOperationException e) {
      throw closed(type, e);
    }
  }

  /** Returns the type of a field in its handles: a primitive type, or {@code Object}. */
  public static Class<?> erasure(Class<?> type) {
    return type.isPrimitive() ? type : Object.class;
  }

  /** Returns the value of a field that is declared as a reference. */
  public @Nullable Object reference(@Nullable Object owner, int i) throws Throwable {
    return (Object) getters[i].invokeExact(owner);
  }

  /** Returns whether the values of all fields that are declared as references pass a test. */
  public boolean allReferences(Object owner, Predicate<@Nullable Object> test) {
    try {
      for (int i = 0; i < types.length; i++) {
        if (!types[i].isPrimitive() && !test.test(reference(owner, i))) {
          return false;
        }
      }
      return true;
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
    // To open the package is for the type's module to say; to read that module is for ours.
    ClassFields.class.getModule().addReads(type.getModule());
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
  }

  private static CodecFailure closed(Class<?> type, Exception cause) {
    Module module = type.getModule();
    if (!module.isNamed()) {
      return new CodecFailure(
          "class '%s' cannot be reached (%s)".formatted(type.getName(), cause.getMessage()), cause);
    }
    return new CodecFailure(
        "module '%s' does not open package '%s', so the fields of '%s' cannot be read; add to its module-info: "
                .formatted(module.getName(), type.getPackageName(), type.getName())
            + "opens %s to org.troupe.stubs, org.troupe.serialization, org.troupe.activeobjects;"
                .formatted(type.getPackageName()),
        cause);
  }
}
