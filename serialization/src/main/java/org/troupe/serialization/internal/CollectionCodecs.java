package org.troupe.serialization.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.troupe.serialization.internal.HashingBudget.Table;

/** The codecs of the everyday collections. */
final class CollectionCodecs {

  private static final int COMPARATOR = -1;

  private CollectionCodecs() {}

  private abstract static class Elements extends Listed {

    Elements(int tag, Class<?> type) {
      super(tag, type);
    }

    @Override
    String segment(int slot) {
      return slot == COMPARATOR ? ".comparator" : super.segment(slot);
    }

    @Override
    Class<?> slotType(int slot) {
      return slot == COMPARATOR ? Comparator.class : Object.class;
    }

    /** Slots are those of the array into which the elements are read. */
    @Override
    void fill(Object owner, int slot, Object value) {
      ((Object[]) owner)[slot] = value;
    }

    final void writeElements(Encoder out, Collection<?> elements) {
      out.writeLength(elements.size());
      int i = 0;
      for (Object element : elements) {
        out.writeSlot(element, this, i++);
      }
    }

    final Comparator<Object> readComparator(Decoder in) {
      @SuppressWarnings("unchecked") // it compares whatever was there before
      var comparator = (Comparator<Object>) in.readSlot(this, null, COMPARATOR);
      return comparator;
    }
  }

  /** A mutable list that keeps its elements in order and needs nothing of them. */
  static final class Lists extends Elements {

    private final IntFunction<List<Object>> factory;

    Lists(int tag, Class<?> type, IntFunction<List<Object>> factory) {
      super(tag, type);
      this.factory = factory;
    }

    @Override
    void write(Encoder out, Object value) {
      writeElements(out, (List<?>) value);
    }

    @Override
    Object read(Decoder in, int handle) throws Throwable {
      int size = in.readLength(1);
      List<Object> list = factory.apply(size);
      in.born(handle, list);
      for (int i = 0; i < size; i++) {
        list.add(in.readSlot(this, list, i));
      }
      return list;
    }

    @Override
    void fill(Object owner, int slot, Object value) {
      @SuppressWarnings("unchecked") // made by the factory above
      var list = (List<Object>) owner;
      list.set(slot, value);
    }
  }

  /** A collection that looks at its elements: hashes, compares or refuses nulls. */
  static final class Bags extends Elements {

    interface Factory {
      Collection<Object> make(int size, Comparator<Object> order);
    }

    private final Factory factory;
    private final Function<Object, Comparator<?>> order;

    Bags(int tag, Class<?> type, Function<Object, Comparator<?>> order, Factory factory) {
      super(tag, type);
      this.factory = factory;
      this.order = order;
    }

    static Bags of(int tag, Class<?> type, IntFunction<Collection<Object>> factory) {
      return new Bags(tag, type, null, (size, order) -> factory.apply(size));
    }

    static Comparator<?> orderOf(Object value) {
      return switch (value) {
        case SortedSet<?> set -> set.comparator();
        case PriorityQueue<?> queue -> queue.comparator();
        default -> null;
      };
    }

    @Override
    void write(Encoder out, Object value) {
      if (order != null) {
        out.writeSlot(order.apply(value), this, COMPARATOR);
      }
      writeElements(out, (Collection<?>) value);
    }

    @Override
    Object read(Decoder in, int handle) throws Throwable {
      // The comparator comes before the collection is born, and so cannot refer to it.
      Comparator<Object> comparator = order == null ? null : readComparator(in);
      Object[] elements = new Object[in.readLength(1)];
      Collection<Object> bag = factory.make(elements.length, comparator);
      in.born(handle, bag);
      int open = in.openReferences();
      for (int i = 0; i < elements.length; i++) {
        elements[i] = in.readSlot(this, elements, i);
      }
      if (in.openReferences() == open) {
        addAll(in, bag, elements, comparator);
      } else {
        in.later(() -> addAll(in, bag, elements, comparator));
      }
      return bag;
    }

    private void addAll(
        Decoder in, Collection<Object> bag, Object[] elements, Comparator<Object> comparator) {
      if (order != null) {
        in.hashing().chargeOrder(elements, 1, comparator);
      } else if (bag instanceof Set) {
        in.hashing().chargeTable(elements, 1, Table.TREES);
      }
      for (Object element : elements) {
        bag.add(element);
      }
    }
  }

  /** Mutable maps. */
  static final class Maps extends Elements {

    /** What a map is made with besides its entries. */
    enum Extra {
      NONE,
      COMPARATOR,
      ACCESS_ORDER
    }

    interface Factory {
      Map<Object, Object> make(int size, Comparator<Object> order, boolean accessOrder);
    }

    private final Extra extra;
    private final Factory factory;

    Maps(int tag, Class<?> type, Extra extra, Factory factory) {
      super(tag, type);
      this.extra = extra;
      this.factory = factory;
    }

    @Override
    void write(Encoder out, Object value) throws Throwable {
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
                (boolean) ClosedFields.of(LinkedHashMap.class, map).get("accessOrder"));
      }
      out.writeLength(map.size());
      int slot = 0;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeSlot(entry.getKey(), this, slot++);
        out.writeSlot(entry.getValue(), this, slot++);
      }
    }

    @Override
    Object read(Decoder in, int handle) throws Throwable {
      Comparator<Object> order = extra == Extra.COMPARATOR ? readComparator(in) : null;
      boolean accessOrder = extra == Extra.ACCESS_ORDER && in.readBoolean();
      int size = in.readLength(2);
      Map<Object, Object> map = factory.make(size, order, accessOrder);
      in.born(handle, map);
      Object[] entries = new Object[Math.multiplyExact(2, size)];
      boolean wait = false;
      for (int slot = 0; slot < entries.length; slot += 2) {
        int open = in.openReferences();
        entries[slot] = in.readSlot(this, entries, slot);
        wait |= in.openReferences() != open;
        int unborn = in.unbornReferences();
        entries[slot + 1] = in.readSlot(this, entries, slot + 1);
        wait |= in.unbornReferences() != unborn;
      }
      if (wait) {
        in.later(() -> putAll(in, map, entries, order));
      } else {
        putAll(in, map, entries, order);
      }
      return map;
    }

    private void putAll(
        Decoder in, Map<Object, Object> map, Object[] entries, Comparator<Object> order) {
      if (extra == Extra.COMPARATOR) {
        in.hashing().chargeOrder(entries, 2, order);
      } else {
        in.hashing()
            .chargeTable(entries, 2, type() == Hashtable.class ? Table.CHAINS : Table.TREES);
      }
      for (int slot = 0; slot < entries.length; slot += 2) {
        map.put(entries[slot], entries[slot + 1]);
      }
    }

    @Override
    String segment(int slot) {
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
    void write(Encoder out, Object value) {
      if (value instanceof Map.Entry<?, ?> entry) {
        writeElements(out, List.of(entry.getKey(), entry.getValue()));
        return;
      }
      if (!(value instanceof Map<?, ?> map)) {
        writeElements(out, (Collection<?>) value);
        return;
      }
      out.writeLength(2 * map.size());
      int slot = 0;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeSlot(entry.getKey(), this, slot++);
        out.writeSlot(entry.getValue(), this, slot++);
      }
    }

    @Override
    Object read(Decoder in, int handle) {
      Object[] elements = new Object[in.readLength(1)];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = in.readSlot(this, null, i);
      }
      if (Set.class.isAssignableFrom(type())) {
        in.hashing().chargeTable(elements, 1, Table.PROBING);
      } else if (Map.class.isAssignableFrom(type()) && elements.length % 2 == 0) {
        in.hashing().chargeTable(elements, 2, Table.PROBING);
      }
      return factory.apply(elements);
    }

    @Override
    String segment(int slot) {
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
