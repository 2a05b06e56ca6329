package org.troupe.serialization.graph;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The type definitions in the streams that one serializer has read. Thread-safe. */
final class RecurringTypes {

  /*
   * Each stream defines its types anew, and most short streams, such as images of objects and records of logs, define
   * the same ones. Of the time in which an interpreting JVM decoded a small image, two thirds went into finding the classes of its
   * definitions, asking whether they are allowed, and comparing their layouts (JFR, 1,500 objects that woke, aad6cbd7).
   *
   * The table is bounded, since a stream may come from anywhere. A definition beyond the bounds is resolved in each stream.
   */
  private static final int MOST = 1_000;
  private static final int LARGEST = 4 << 10;

  private final Map<TypeDefinition, TypeTable.Entry> known = new ConcurrentHashMap<>();

  /** Returns the entry of an equal definition of an earlier stream, or a new one. */
  TypeTable.Entry entry(TypeDefinition definition) {
    TypeTable.Entry earlier = known.get(definition);
    if (earlier != null) {
      return earlier;
    }
    TypeTable.Entry fresh = new TypeTable.Entry(definition);
    if (definition.encoded().length <= LARGEST && known.size() < MOST) {
      known.put(definition, fresh);
    }
    return fresh;
  }
}
