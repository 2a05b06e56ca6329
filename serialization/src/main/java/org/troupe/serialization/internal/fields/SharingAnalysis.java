package org.troupe.serialization.internal.fields;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.PlatformValues;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.CodecFinder;

/** Derives from the types of fields which objects a graph may refer to more than once. */
public final class SharingAnalysis {

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
  static boolean isUntracked(Class<?> type, ClassFields fields) {
    if (type.isAnnotationPresent(Acyclic.class)) {
      return true;
    }
    if (!type.isRecord() || fields.types().length > SMALL) {
      return false;
    }
    for (Class<?> component : fields.types()) {
      if (!component.isPrimitive()) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether something may be met twice in a graph whose root is an object of the class. */
  static boolean mayShare(Class<?> root, CodecFinder codecs) {
    return !isTree(root, codecs, new HashSet<>());
  }

  /**
   * Returns whether an object may be met twice in a graph whose roots are of these declared types,
   * some of which are declared acyclic.
   */
  public static boolean mayShare(Class<?>[] places, boolean[] acyclic, CodecFinder codecs) {
    Set<Class<?>> met = new HashSet<>();
    for (int i = 0; i < places.length; i++) {
      if (!acyclic[i] && !isTreeAt(places[i], codecs, met)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether each class occurs in one slot only, so that no two slots can hold the same
   * object.
   */
  private static boolean isTree(Class<?> type, CodecFinder codecs, Set<Class<?>> met) {
    if (!met.add(type)) {
      return false;
    }
    if (type.isArray()) {
      Class<?> element = type.getComponentType();
      return element.isPrimitive() || isValue(element);
    }
    Codec codec = codecs.of(type);
    ClassFields fields = codec.fields();
    if (fields == null || !codec.isPlain()) {
      return false;
    }
    for (Class<?> field : fields.types()) {
      if (!isTreeAt(field, codecs, met)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTreeAt(Class<?> declared, CodecFinder codecs, Set<Class<?>> met) {
    if (declared.isPrimitive() || isValue(declared)) {
      return true;
    }
    boolean exact =
        declared.isArray()
            ? declared.getComponentType().isPrimitive() || isValue(declared.getComponentType())
            : Modifier.isFinal(declared.getModifiers());
    return exact && isTree(declared, codecs, met);
  }

  /** Returns whether a slot can hold only values, which copies may replace. */
  private static boolean isValue(Class<?> declared) {
    return Modifier.isFinal(declared.getModifiers())
        && (PlatformValues.include(declared) || declared.isEnum());
  }
}
