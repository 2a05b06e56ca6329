package org.troupe.serialization.internal.registry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.PlatformValues;

/** Decides which values may be shared instead of copied. */
public final class ImmutableValues {

  private enum Kind {
    /** An immutable value of the platform that refers to nothing else. */
    VALUE,
    ENUM,
    RECORD,
    OPTIONAL,
    COLLECTION,
    OTHER
  }

  private static final Set<Class<?>> COLLECTIONS =
      Set.of(
          List.of().getClass(),
          List.of(1).getClass(),
          Set.of().getClass(),
          Set.of(1).getClass(),
          Map.of().getClass(),
          Map.of(1, 1).getClass());

  /** A record inside a record inside ... : deeper ones are copied rather than examined. */
  private static final int DEPTH = 8;

  /** Larger collections are copied rather than examined. */
  private static final int ELEMENTS = 64;

  private static final ClassValue<Kind> KINDS =
      new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
          return kindOf(type);
        }
      };

  private ImmutableValues() {}

  private static Kind kindOf(Class<?> type) {
    if (PlatformValues.include(type)) {
      return Kind.VALUE;
    }
    if (Enum.class.isAssignableFrom(type)) {
      return Kind.ENUM;
    }
    if (type.isRecord()) {
      return Kind.RECORD;
    }
    if (type == Optional.class) {
      return Kind.OPTIONAL;
    }
    return COLLECTIONS.contains(type) ? Kind.COLLECTION : Kind.OTHER;
  }

  /** Returns whether a value cannot be told from its copy, except by identity. */
  public static boolean isImmutable(Object value) {
    return isImmutable(value, DEPTH);
  }

  private static boolean isImmutable(@Nullable Object value, int depth) {
    if (value == null) {
      return true;
    }
    return switch (KINDS.get(value.getClass())) {
      case VALUE -> true;
      // Enum constants are shared within a JVM anyway, including their fields.
      case ENUM -> true;
      case OTHER -> false;
      case OPTIONAL -> depth > 0 && isImmutable(((Optional<?>) value).orElse(null), depth - 1);
      case RECORD -> depth > 0 && componentsAreImmutable(value, depth - 1);
      case COLLECTION -> depth > 0 && elementsAreImmutable(value, depth - 1);
    };
  }

  private static boolean componentsAreImmutable(Object value, int depth) {
    ClassFields components = CodecRegistry.of(value.getClass()).fields();
    return components != null
        && components.allReferences(value, component -> isImmutable(component, depth));
  }

  private static boolean elementsAreImmutable(Object value, int depth) {
    return switch (value) {
      case Map<?, ?> map ->
          map.size() <= ELEMENTS
              && allImmutable(map.keySet(), depth)
              && allImmutable(map.values(), depth);
      case Iterable<?> elements -> allImmutable(elements, depth);
      default -> false;
    };
  }

  private static boolean allImmutable(Iterable<?> elements, int depth) {
    if (elements instanceof java.util.Collection<?> c && c.size() > ELEMENTS) {
      return false;
    }
    for (Object element : elements) {
      if (!isImmutable(element, depth)) {
        return false;
      }
    }
    return true;
  }
}
