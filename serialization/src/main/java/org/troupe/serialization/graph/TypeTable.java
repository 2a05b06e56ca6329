package org.troupe.serialization.graph;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ClassSource;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.internal.coder.Codec;

/**
 * The type definitions of one incarnation of a JVM; a receiver keeps a table per sender.
 *
 * <p>May be shared between threads. A definition stays for good: ids are never reused.
 */
public final class TypeTable {

  /** The number of ids that are kept in an array: the first ones, which are used most. */
  private static final int FEW = 256;

  private final AtomicReferenceArray<Entry> few = new AtomicReferenceArray<>(FEW);
  private final ConcurrentHashMap<Integer, Entry> others = new ConcurrentHashMap<>();

  private final ClassSource source;
  private final Function<TypeDefinition, Entry> entries;

  /** Creates an empty table for a sender whose classes are all known here. */
  public TypeTable() {
    this(name -> null);
  }

  /**
   * Creates an empty table.
   *
   * @param source gives the sender's classes that are not known here
   */
  public TypeTable(ClassSource source) {
    this(source, Entry::new);
  }

  /** Creates the empty table of a stream, whose definitions earlier streams may have had, too. */
  TypeTable(RecurringTypes types) {
    this(name -> null, types::entry);
  }

  private TypeTable(ClassSource source, Function<TypeDefinition, Entry> entries) {
    this.source = Objects.requireNonNull(source);
    this.entries = entries;
  }

  ClassSource source() {
    return source;
  }

  /**
   * Adds a definition; adding an equal one again does nothing.
   *
   * @throws SerializationException if the id is negative or already means something else
   */
  public void define(TypeDefinition definition) {
    if (definition.id() < 0) {
      throw new SerializationException(
          "type id '%d' is negative; the sender is not of this version".formatted(definition.id()));
    }
    Entry known = putIfAbsent(definition.id(), entries.apply(definition));
    if (known != null && !known.definition.equals(definition)) {
      throw new SerializationException(
          "type id '%d' is defined twice; keep one table per incarnation of a sender"
              .formatted(definition.id()));
    }
  }

  /**
   * Returns the definition of an id.
   *
   * @throws SerializationException if there is none
   */
  public TypeDefinition definition(int id) {
    return entry(id).definition;
  }

  /** Returns all definitions. */
  public List<TypeDefinition> definitions() {
    List<TypeDefinition> all = new ArrayList<>();
    for (int id = 0; id < FEW; id++) {
      Entry entry = few.get(id);
      if (entry != null) {
        all.add(entry.definition);
      }
    }
    others.values().forEach(entry -> all.add(entry.definition));
    return all;
  }

  /** Returns whether an id has a definition. */
  public boolean knows(int id) {
    return find(id) != null;
  }

  private Entry putIfAbsent(int id, Entry entry) {
    return id < FEW ? few.compareAndExchange(id, null, entry) : others.putIfAbsent(id, entry);
  }

  private @Nullable Entry find(int id) {
    return id >= 0 && id < FEW ? few.get(id) : others.get(id);
  }

  Entry entry(int id) {
    Entry entry = find(id);
    if (entry == null) {
      throw new SerializationException(
          "type id '%d' has no definition; hand the sender's definitions to its TypeTable before its encodings"
              .formatted(id));
    }
    return entry;
  }

  /** A definition and, once it has been used, its codec in this JVM. */
  static final class Entry {

    /*
     * The codec is cached for the serializer that made it and the loader it looked in, because
     * filters and loaders differ, and weakly, because a table outlives the classes of an unloaded
     * application. A codec lives as long as its class.
     */

    private record Bound(
        Serializer by, @Nullable WeakReference<ClassLoader> loader, WeakReference<Codec> codec) {}

    final TypeDefinition definition;
    private volatile @Nullable Bound bound; // null until a codec is kept

    Entry(TypeDefinition definition) {
      this.definition = definition;
    }

    /** Caches a codec for one class loader, or for all if the loader is {@code null}. */
    void bind(Serializer by, @Nullable ClassLoader loader, Codec codec) {
      bound =
          new Bound(
              by, loader == null ? null : new WeakReference<>(loader), new WeakReference<>(codec));
    }

    /** Returns the cached codec, or {@code null}. */
    @Nullable Codec codecFor(Serializer serializer, ClassLoader loader) {
      Bound now = bound;
      if (now == null || now.by != serializer) {
        return null;
      }
      return now.loader == null || now.loader.refersTo(loader) ? now.codec.get() : null;
    }
  }
}
