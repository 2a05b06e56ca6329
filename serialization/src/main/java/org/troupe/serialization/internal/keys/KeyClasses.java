package org.troupe.serialization.internal.keys;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;

/** The classes of keys, each analysed once, for as long as the class lives. */
public final class KeyClasses {

  /**
   * The access to the objects of a class that its codec offers.
   *
   * @param isListed whether the class is a platform class with a codec written by hand
   * @param fields the fields by which its objects are decoded, or null if they are decoded
   *     otherwise
   */
  public record Content(boolean isListed, @Nullable ClassFields fields) {}

  private final ClassValue<KeyClass> classes;

  /**
   * Creates an empty set of classes.
   *
   * @param contents asks the codec of a class
   */
  public KeyClasses(Function<Class<?>, Content> contents) {
    this.classes =
        new ClassValue<>() {
          @Override
          protected KeyClass computeValue(Class<?> type) {
            return new KeyClass(type, contents);
          }
        };
  }

  KeyClass of(Class<?> type) {
    return classes.get(type);
  }
}
