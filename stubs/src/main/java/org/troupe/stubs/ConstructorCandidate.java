package org.troupe.stubs;

import static java.util.stream.Collectors.joining;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One way to call a constructor: as declared, or with its last parameter spread out. */
final class ConstructorCandidate {

  private static final MethodType GENERIC = MethodType.methodType(Object.class, Object[].class);

  private final Constructor<?> constructor;
  private final Class<?>[] parameters;
  private final boolean variable;

  /** {@code Object (Object[])}, {@code null} where the module keeps the class closed. */
  private final @Nullable MethodHandle handle;

  ConstructorCandidate(Constructor<?> constructor, @Nullable Lookup lookup, boolean variable) {
    this.constructor = constructor;
    this.parameters = constructor.getParameterTypes();
    this.variable = variable;
    this.handle = handle(constructor, lookup);
  }

  boolean isVariable() {
    return variable;
  }

  /** Returns whether the constructor accepts these arguments. */
  boolean accepts(@Nullable Object[] arguments) {
    int fixed = variable ? parameters.length - 1 : parameters.length;
    if (variable ? arguments.length < fixed : arguments.length != fixed) {
      return false;
    }
    for (int i = 0; i < arguments.length; i++) {
      if (!accepts(parameter(i), arguments[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the other candidate accepts each list of {@code count} arguments that this one
   * accepts.
   */
  boolean isAsSpecificAs(ConstructorCandidate other, int count) {
    int compared =
        variable ? Math.max(count, Math.max(parameters.length, other.parameters.length)) : count;
    for (int i = 0; i < compared; i++) {
      if (!isSubtype(parameter(i), other.parameter(i))) {
        return false;
      }
    }
    return true;
  }

  Object construct(@Nullable Object[] arguments) throws Throwable {
    if (handle == null) {
      Class<?> type = constructor.getDeclaringClass();
      throw new IllegalArgumentException(
          "constructor %s: package '%s' of module %s is not open to Troupe; %s"
              .formatted(
                  this,
                  type.getPackageName(),
                  type.getModule().getName(),
                  ModuleAccess.opens(type)));
    }
    return (Object) handle.invokeExact(variable ? gathered(arguments) : arguments);
  }

  /** Returns the constructor as declared. */
  @Override
  public String toString() {
    String name = constructor.getDeclaringClass().getSimpleName();
    String list =
        Arrays.stream(parameters).map(Class::getSimpleName).collect(joining(", ", "(", ")"));
    return name + (constructor.isVarArgs() ? list.replaceFirst("\\[\\]\\)$", "...)") : list);
  }

  private Class<?> parameter(int i) {
    int last = parameters.length - 1;
    return variable && i >= last ? parameters[last].componentType() : parameters[i];
  }

  private @Nullable Object[] gathered(@Nullable Object[] arguments) {
    int fixed = parameters.length - 1;
    Object rest = Array.newInstance(parameters[fixed].componentType(), arguments.length - fixed);
    for (int i = fixed; i < arguments.length; i++) {
      Array.set(rest, i - fixed, arguments[i]);
    }
    Object[] all = Arrays.copyOf(arguments, fixed + 1, Object[].class);
    all[fixed] = rest;
    return all;
  }

  private static boolean accepts(Class<?> parameter, @Nullable Object argument) {
    if (argument == null) {
      return !parameter.isPrimitive();
    }
    if (!parameter.isPrimitive()) {
      return parameter.isInstance(argument);
    }
    Class<?> given = unboxed(argument);
    return given != null && widens(given, parameter);
  }

  private static @Nullable Class<?> unboxed(Object argument) {
    return switch (argument) {
      case Integer _ -> int.class;
      case Double _ -> double.class;
      case Long _ -> long.class;
      case Boolean _ -> boolean.class;
      case Float _ -> float.class;
      case Character _ -> char.class;
      case Byte _ -> byte.class;
      case Short _ -> short.class;
      default -> null;
    };
  }

  /** Treats a primitive type as a subtype of its box and of the box's supertypes. */
  private static boolean isSubtype(Class<?> a, Class<?> b) {
    if (a.isPrimitive() && b.isPrimitive()) {
      return widens(a, b);
    }
    return b.isAssignableFrom(MethodType.methodType(a).wrap().returnType());
  }

  private static boolean widens(Class<?> from, Class<?> to) {
    if (from == to) {
      return true;
    }
    if (from == boolean.class || to == boolean.class || to == char.class) {
      return false;
    }
    return from == char.class ? rank(to) >= rank(int.class) : rank(from) < rank(to);
  }

  private static int rank(Class<?> number) {
    return switch (number.getName()) {
      case "byte" -> 0;
      case "short" -> 1;
      case "int" -> 2;
      case "long" -> 3;
      case "float" -> 4;
      case "double" -> 5;
      default -> throw new IllegalArgumentException(number + " is no number");
    };
  }

  private static @Nullable MethodHandle handle(
      Constructor<?> constructor, @Nullable Lookup lookup) {
    Lookup access = lookup == null ? MethodHandles.publicLookup() : lookup;
    try {
      return access
          .unreflectConstructor(constructor)
          .asFixedArity()
          .asSpreader(Object[].class, constructor.getParameterCount())
          .asType(GENERIC);
    } catch (IllegalAccessException e) {
      return null; // said when it is called, which may never be
    }
  }
}
