package org.troupe.serialization.internal;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import org.troupe.serialization.Acyclic;

/** Derives from the types of fields which objects a graph may refer to more than once. */
final class SharingAnalysis {

  /*
   * Only what can be seen from declared types that are final counts as proof: a place of any other
   * type may hold an object of a subclass, which may refer to anything.
   */

  /** A larger record is looked up, so that many references to one do not each cost its size. */
  private static final int SMALL = 8;

  private SharingAnalysis() {}

  /**
   * Returns whether objects need not be looked up: they are declared to be referred to once, or
   * cannot be told from a copy, which is not much larger than a reference.
   */
  static boolean isUntracked(FieldCodec.Shape shape) {
    if (shape.type().isAnnotationPresent(Acyclic.class)) {
      return true;
    }
    if (!shape.type().isRecord() || shape.types().length > SMALL) {
      return false;
    }
    for (Class<?> component : shape.types()) {
      if (!component.isPrimitive()) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether something may be met twice in a graph whose root is an object of the class. */
  static boolean mayShare(Class<?> root) {
    return !isTree(root, new HashSet<>());
  }

  /**
   * Returns whether an object may be met twice in a graph whose roots are of these declared types,
   * some of which are declared acyclic.
   */
  static boolean mayShare(Class<?>[] places, boolean[] acyclic) {
    Set<Class<?>> met = new HashSet<>();
    for (int i = 0; i < places.length; i++) {
      if (!acyclic[i] && !isTreeAt(places[i], met)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether each class occurs in one slot only, so that no two slots can hold the same
   * object.
   */
  private static boolean isTree(Class<?> type, Set<Class<?>> met) {
    if (!met.add(type)) {
      return false;
    }
    if (type.isArray()) {
      Class<?> element = type.getComponentType();
      return element.isPrimitive() || isValue(element);
    }
    if (!(CodecRegistry.of(type) instanceof FieldCodec codec) || !codec.isPlain()) {
      return false;
    }
    for (Class<?> field : codec.shape().types()) {
      if (!isTreeAt(field, met)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTreeAt(Class<?> declared, Set<Class<?>> met) {
    if (declared.isPrimitive() || isValue(declared)) {
      return true;
    }
    boolean exact =
        declared.isArray()
            ? declared.getComponentType().isPrimitive() || isValue(declared.getComponentType())
            : Modifier.isFinal(declared.getModifiers());
    return exact && isTree(declared, met);
  }

  /** Returns whether a slot can hold only values, which copies may replace. */
  private static boolean isValue(Class<?> declared) {
    return Modifier.isFinal(declared.getModifiers())
        && (ImmutableValues.isPlatformValue(declared) || declared.isEnum());
  }
}
