package org.troupe.serialization.internal.codecs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClosedFields;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.ReferenceCursor;
import org.troupe.serialization.internal.keys.HashingBudget.Table;

/** The codecs of common collections. */
final class CollectionCodecs {

  private static final int COMPARATOR = -1;

  private CollectionCodecs() {}

  private abstract static class Elements extends ListedCodec {

    Elements(int tag, Class<?> type) {
      super(tag, type);
    }

    @Override
    public String segment(int slot) {
      return slot == COMPARATOR ? ".comparator" : super.segment(slot);
    }

    @Override
    public Class<?> slotType(int slot) {
      return slot == COMPARATOR ? Comparator.class : Object.class;
    }

    /** Slots are those of the array into which the elements are read. */
    @Override
    public void fill(Object owner, int slot, Object value) {
      ((Object[]) owner)[slot] = value;
    }

    @Override
    public final boolean supportsCursor() {
      return true;
    }

    final void writeElements(Encoder out, Object[] elements) {
      out.writeLength(elements.length);
      if (out.wroteUniform(elements, this)) {
        return;
      }
      for (int i = 0; i < elements.length; i++) {
        out.writeSlot(elements[i], this, i);
      }
    }

    /** Begins to write elements one by one. */
    final ReferenceCursor.Writing begun(Encoder out, Object[] elements) {
      out.writeLength(elements.length);
      return new ReferenceCursor.Elements(
          this, out.wroteUniform(elements, this) ? new Object[0] : elements);
    }

    /** Reads all references of an object. */
    final @Nullable Object readAll(Decoder in, ReferenceCursor.Reading reading) throws Throwable {
      while (reading.advance(in)) {
        reading.put(in, in.readSlot(this, reading.owner, reading.slot));
      }
      return reading.end(in);
    }

    /** Returns keys and values in turns. */
    static List<Object> flat(Map<?, ?> map) {
      List<Object> flat = new ArrayList<>(2 * map.size());
      map.forEach(
          (key, value) -> {
            flat.add(key);
            flat.add(value);
          });
      return flat;
    }

    final @Nullable Comparator<Object> readComparator(Decoder in) {
      @SuppressWarnings("unchecked") // it compares whatever was there before
      var comparator = (Comparator<Object>) in.readSlot(this, null, COMPARATOR);
      return comparator;
    }
  }

  /** A cursor over the elements of a collection; it has none left if they come uniform. */
  private abstract static class ElementCursor extends ReferenceCursor.Array {

    ElementCursor(Decoder in, Codec codec, int handle, @Nullable Object owner, Object[] elements) {
      super(codec, handle, owner, elements);
      if (in.isUniform(elements.length)) {
        in.readUniform(elements, codec);
        slot = elements.length - 1;
      }
    }
  }

  /** A mutable list, which calls no method of its elements. */
  static final class Lists extends Elements {

    private final IntFunction<List<Object>> factory;

    Lists(int tag, Class<?> type, IntFunction<List<Object>> factory) {
      super(tag, type);
      this.factory = factory;
    }

    @Override
    public void write(Encoder out, Object value) {
      writeElements(out, ((List<?>) value).toArray());
    }

    @Override
    public Object read(Decoder in, int handle) throws Throwable {
      int size = in.readLength(1);
      List<Object> list = factory.apply(size);
      in.register(handle, list);
      if (in.isUniform(size)) {
        list.addAll(readUniform(in, size));
        return list;
      }
      for (int i = 0; i < size; i++) {
        list.add(in.readSlot(this, list, i));
      }
      return list;
    }

    private List<Object> readUniform(Decoder in, int size) {
      return Arrays.asList(in.readUniform(new Object[size], this));
    }

    @Override
    public ReferenceCursor.Writing writing(Encoder out, Object value) {
      return begun(out, ((List<?>) value).toArray());
    }

    @Override
    public ReferenceCursor.Reading reading(Decoder in, int handle) throws Throwable {
      int size = in.readLength(1);
      List<Object> list = factory.apply(size);
      in.register(handle, list);
      if (in.isUniform(size)) {
        list.addAll(readUniform(in, size));
      }
      return new ReferenceCursor.Reading(this, handle, list) {
        @Override
        public boolean advance(Decoder decoder) {
          if (list.size() == size) {
            return false;
          }
          slot++;
          return true;
        }

        @Override
        public void put(Decoder decoder, @Nullable Object value) {
          list.add(value);
        }

        @Override
        public Object end(Decoder decoder) {
          return list;
        }
      };
    }

    @Override
    public void fill(Object owner, int slot, Object value) {
      @SuppressWarnings("unchecked") // made by the factory above
      var list = (List<Object>) owner;
      list.set(slot, value);
    }
  }

  /** A collection that hashes or compares its elements, or refuses nulls. */
  static final class Bags extends Elements {

    interface Factory {
      Collection<Object> make(int size, @Nullable Comparator<Object> order);
    }

    private final Factory factory;
    private final @Nullable Function<Object, Comparator<?>> order;

    Bags(int tag, Class<?> type, @Nullable Function<Object, Comparator<?>> order, Factory factory) {
      super(tag, type);
      this.factory = factory;
      this.order = order;
    }

    static Bags of(int tag, Class<?> type, IntFunction<Collection<Object>> factory) {
      return new Bags(tag, type, null, (size, order) -> factory.apply(size));
    }

    static @Nullable Comparator<?> orderOf(Object value) {
      return switch (value) {
        case SortedSet<?> set -> set.comparator();
        case PriorityQueue<?> queue -> queue.comparator();
        default -> null;
      };
    }

    @Override
    public void write(Encoder out, Object value) {
      if (order != null) {
        out.writeSlot(order.apply(value), this, COMPARATOR);
      }
      writeElements(out, ((Collection<?>) value).toArray());
    }

    @Override
    public ReferenceCursor.Writing writing(Encoder out, Object value) {
      if (order != null) {
        out.writeSlot(order.apply(value), this, COMPARATOR);
      }
      return begun(out, ((Collection<?>) value).toArray());
    }

    @Override
    public @Nullable Object read(Decoder in, int handle) throws Throwable {
      return readAll(in, reading(in, handle));
    }

    @Override
    public ReferenceCursor.Reading reading(Decoder in, int handle) throws Throwable {
      // The comparator comes before the collection is born, and so cannot refer to it.
      Comparator<Object> comparator = order == null ? null : readComparator(in);
      Object[] read = new Object[in.readLength(1)];
      Collection<Object> bag = factory.make(read.length, comparator);
      in.register(handle, bag);
      int open = in.openReferences();
      return new ElementCursor(in, this, handle, read, read) {
        @Override
        public Object end(Decoder decoder) throws Throwable {
          boolean byKeys = order != null || bag instanceof Set;
          if (decoder.openReferences() == open && !(byKeys && decoder.hasUnfilledCollections())) {
            addAll(decoder, bag, elements, comparator);
          } else {
            decoder.defer(() -> addAll(decoder, bag, elements, comparator));
          }
          return bag;
        }
      };
    }

    private void addAll(
        Decoder in,
        Collection<Object> bag,
        Object[] elements,
        @Nullable Comparator<Object> comparator)
        throws Throwable {
      if (order != null) {
        in.keys().ordered(elements, 1, comparator, () -> addAll(bag, elements));
      } else if (bag instanceof Set) {
        in.keys().hashed(elements, 1, Table.TREES, () -> addAll(bag, elements));
      } else {
        addAll(bag, elements);
      }
    }

    private static Object addAll(Collection<Object> bag, Object[] elements) {
      for (Object element : elements) {
        bag.add(element);
      }
      return bag;
    }
  }

  /** Mutable maps. */
  static final class Maps extends Elements {

    /** The arguments with which a map is created, besides its entries. */
    enum Extra {
      NONE,
      COMPARATOR,
      ACCESS_ORDER
    }

    interface Factory {
      Map<Object, Object> make(int size, @Nullable Comparator<Object> order, boolean accessOrder);
    }

    private final Extra extra;
    private final Factory factory;

    Maps(int tag, Class<?> type, Extra extra, Factory factory) {
      super(tag, type);
      this.extra = extra;
      this.factory = factory;
    }

    @Override
    public void write(Encoder out, Object value) throws Throwable {
      Map<?, ?> map = begin(out, value);
      int slot = 0;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeSlot(entry.getKey(), this, slot++);
        out.writeSlot(entry.getValue(), this, slot++);
      }
    }

    /** Writes the data before the entries; returns the map to write. */
    private Map<?, ?> begin(Encoder out, Object value) throws Throwable {
      // A map of many threads may change between asking its size and walking it.
      Map<?, ?> map =
          switch (value) {
            case ConcurrentHashMap<?, ?> changing -> new HashMap<>(changing);
            case Hashtable<?, ?> changing -> (Map<?, ?>) changing.clone();
            default -> (Map<?, ?>) value;
          };
      switch (extra) {
        case NONE -> {}
        case COMPARATOR ->
            out.writeSlot(((SortedMap<?, ?>) map).comparator(), this, CollectionCodecs.COMPARATOR);
        case ACCESS_ORDER ->
            out.writeBoolean(
                (boolean)
                    Objects.requireNonNull(
                        ClosedFields.of(LinkedHashMap.class, map).get("accessOrder"),
                        "a field of the class"));
      }
      out.writeLength(map.size());
      return map;
    }

    @Override
    public ReferenceCursor.Writing writing(Encoder out, Object value) throws Throwable {
      Map<?, ?> map = begin(out, value);
      return new ReferenceCursor.Elements(this, flat(map).toArray());
    }

    @Override
    public @Nullable Object read(Decoder in, int handle) throws Throwable {
      return readAll(in, reading(in, handle));
    }

    @Override
    public ReferenceCursor.Reading reading(Decoder in, int handle) throws Throwable {
      Comparator<Object> order = extra == Extra.COMPARATOR ? readComparator(in) : null;
      boolean accessOrder = extra == Extra.ACCESS_ORDER && in.readBoolean();
      int size = in.readLength(2);
      Map<Object, Object> map = factory.make(size, order, accessOrder);
      in.register(handle, map);
      Object[] entries = new Object[Math.multiplyExact(2, size)];
      return new ReferenceCursor.Array(this, handle, entries, entries) {
        private int open;
        private int unborn;
        private boolean wait;

        @Override
        public boolean advance(Decoder decoder) {
          open = decoder.openReferences();
          unborn = decoder.forwardReferenceCount();
          return super.advance(decoder);
        }

        @Override
        public void put(Decoder decoder, @Nullable Object value) {
          super.put(decoder, value);
          // A value need not be complete, but there.
          wait |=
              slot % 2 == 0
                  ? decoder.openReferences() != open
                  : decoder.forwardReferenceCount() != unborn;
        }

        @Override
        public Object end(Decoder decoder) throws Throwable {
          if (wait || decoder.hasUnfilledCollections()) {
            decoder.defer(() -> putAll(decoder, map, entries, order));
          } else {
            putAll(decoder, map, entries, order);
          }
          return map;
        }
      };
    }

    private void putAll(
        Decoder in, Map<Object, Object> map, Object[] entries, @Nullable Comparator<Object> order)
        throws Throwable {
      if (extra == Extra.COMPARATOR) {
        in.keys().ordered(entries, 2, order, () -> putAll(map, entries));
      } else {
        Table table = type() == Hashtable.class ? Table.CHAINS : Table.TREES;
        in.keys().hashed(entries, 2, table, () -> putAll(map, entries));
      }
    }

    private static Object putAll(Map<Object, Object> map, Object[] entries) {
      for (int slot = 0; slot < entries.length; slot += 2) {
        map.put(entries[slot], entries[slot + 1]);
      }
      return map;
    }

    @Override
    public String segment(int slot) {
      return entrySegment(slot, super.segment(slot));
    }
  }

  /**
   * {@code List.of}, {@code Set.of}, {@code Map.of}, {@code Map.entry}: complete before they exist.
   */
  static final class Unmodifiable extends Elements {

    private final Function<Object[], Object> factory;

    Unmodifiable(int tag, Class<?> type, Function<Object[], Object> factory) {
      super(tag, type);
      this.factory = factory;
    }

    @Override
    public void write(Encoder out, Object value) {
      writeElements(out, elements(value));
    }

    private static Object[] elements(Object value) {
      return switch (value) {
        case Map.Entry<?, ?> entry -> new Object[] {entry.getKey(), entry.getValue()};
        case Map<?, ?> map -> flat(map).toArray();
        default -> ((Collection<?>) value).toArray();
      };
    }

    @Override
    public ReferenceCursor.Writing writing(Encoder out, Object value) {
      return begun(out, elements(value));
    }

    @Override
    public @Nullable Object read(Decoder in, int handle) throws Throwable {
      return readAll(in, reading(in, handle));
    }

    @Override
    public ReferenceCursor.Reading reading(Decoder in, int handle) {
      return new ElementCursor(in, this, handle, null, new Object[in.readLength(1)]) {
        @Override
        public @Nullable Object end(Decoder decoder) throws Throwable {
          if (Set.class.isAssignableFrom(type())) {
            return decoder.keys().hashed(elements, 1, Table.PROBING, () -> factory.apply(elements));
          }
          if (Map.class.isAssignableFrom(type()) && elements.length % 2 == 0) {
            return decoder.keys().hashed(elements, 2, Table.PROBING, () -> factory.apply(elements));
          }
          return factory.apply(elements);
        }
      };
    }

    @Override
    public String segment(int slot) {
      return Map.class.isAssignableFrom(type())
          ? entrySegment(slot, super.segment(slot))
          : super.segment(slot);
    }
  }

  private static String entrySegment(int slot, String otherwise) {
    if (slot < 0) {
      return otherwise;
    }
    return (slot % 2 == 0 ? "[key " : "[value ") + slot / 2 + "]";
  }
}
