package org.troupe.serialization;

import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which types an encoding from elsewhere may name. Arrays are judged by their elements' type.
 *
 * <p>Strings, boxes, primitive arrays and the everyday collections need no permission. A filter may
 * be shared between threads.
 */
public interface TypeFilter {

  /** Returns whether instances of a class may be made; the class is loaded, but not initialised. */
  boolean allows(Class<?> type);

  /**
   * Returns {@code false} if no class of this name can be allowed, so that it is not even loaded.
   *
   * <p>By default every name goes on to {@link #allows}.
   */
  default boolean allowsName(String className) {
    return true;
  }

  /** Describes the allowed types in a few words, for messages. */
  String describe();

  /** Allows the platform's types for values: time, text, collections, exceptions. */
  static TypeFilter platform() {
    return TypeFilters.platform();
  }

  /**
   * Allows the classes that were loaded from these places: {@link URL}s or {@link Path}s of jars
   * and folders of classes.
   */
  static TypeFilter codeSources(Collection<?> places) {
    return TypeFilters.codeSources(places);
  }

  /**
   * Allows classes by name: {@code com.lib.Mesh} that class, {@code com.lib.*} all classes of that
   * package, {@code com.lib.**} those of its sub-packages too.
   */
  static TypeFilter patterns(String... patterns) {
    return TypeFilters.patterns(List.of(patterns));
  }

  /** Returns a filter that allows the types allowed by at least one of the filters. */
  static TypeFilter any(TypeFilter... filters) {
    List<TypeFilter> all = List.of(filters);
    return new TypeFilter() {
      @Override
      public boolean allows(Class<?> type) {
        // A filter that refuses a name is not asked about the class of that name.
        return all.stream().anyMatch(f -> f.allowsName(type.getName()) && f.allows(type));
      }

      @Override
      public boolean allowsName(String className) {
        return all.stream().anyMatch(f -> f.allowsName(className));
      }

      @Override
      public String describe() {
        return Arrays.stream(filters).map(TypeFilter::describe).collect(Collectors.joining(" or "));
      }
    };
  }

  /** Returns a filter that allows the types allowed by this filter or by the other. */
  default TypeFilter or(TypeFilter other) {
    return any(this, other);
  }

  /** Returns a filter that allows the types allowed by both filters. */
  default TypeFilter and(TypeFilter other) {
    TypeFilter one = this;
    return new TypeFilter() {
      @Override
      public boolean allows(Class<?> type) {
        return one.allows(type) && other.allows(type);
      }

      @Override
      public boolean allowsName(String className) {
        return one.allowsName(className) && other.allowsName(className);
      }

      @Override
      public String describe() {
        return one.describe() + " and also " + other.describe();
      }
    };
  }
}
