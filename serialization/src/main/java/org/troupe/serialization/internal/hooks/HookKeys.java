package org.troupe.serialization.internal.hooks;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.keys.HashingBudget;

/** Charges for the keys that one hook reads and puts into a table at once. */
final class HookKeys {

  private static final Set<String> HASHING_MAPS =
      Set.of("java.util.HashMap", "java.util.Hashtable", "java.util.concurrent.ConcurrentHashMap");
  private static final Set<String> ORDERED =
      Set.of(
          "java.util.PriorityQueue",
          "java.util.concurrent.PriorityBlockingQueue",
          "java.util.concurrent.ConcurrentSkipListMap");
  private static final String HASH_SET = "java.util.HashSet";

  /** A set that compares each element with all others. */
  private static final String SCANNED = "java.util.concurrent.CopyOnWriteArraySet";

  /** The number of consecutive comparisons of small elements that cost as much as one step. */
  private static final int SCANNED_PER_STEP = 16;

  private static final float LOAD_FACTOR = 0.75f;
  private static final String CHAINED = "java.util.Hashtable";

  private final Decoder in;
  private final String level;
  private final @Nullable List<Object> content; // or null
  private final Map<Integer, Integer> hashes = new HashMap<>();
  private int elements;

  /** The number of ints that the hook has read before its first element. */
  private int numbers;

  /** The size of the table of {@link #CHAINED}. */
  private int chains;

  private HookKeys(Decoder in, String level, @Nullable List<Object> content) {
    this.in = in;
    this.level = level;
    this.content = content;
  }

  /**
   * Returns the charging of keys for one class of a hierarchy, or {@code null} if it has no keys.
   */
  static @Nullable HookKeys of(
      Decoder in,
      Class<?> type,
      HookedCodec.@Nullable Level level,
      @Nullable List<Object> content) {
    if (!Collection.class.isAssignableFrom(type) && !Map.class.isAssignableFrom(type)) {
      return null;
    }
    String name = level == null ? "" : level.name();
    boolean ofProgram = !name.startsWith("java.");
    return ofProgram || hashesOrCompares(name) ? new HookKeys(in, name, content) : null;
  }

  /** Returns whether the hook of a class of the platform hashes or compares what it reads. */
  static boolean hashesOrCompares(String level) {
    return isHashing(level) || ORDERED.contains(level) || level.equals(SCANNED);
  }

  private static boolean isHashing(String level) {
    return HASHING_MAPS.contains(level) || level.equals(HASH_SET);
  }

  /**
   * Returns the load factor for a table; that of the sender is ignored where it could cause long
   * chains.
   */
  float loadFactor(float sent) {
    return level.equals(CHAINED) ? LOAD_FACTOR : sent;
  }

  /** Returns the number that the hook receives: the size of the sender's table is not trusted. */
  int number(int sent) {
    if (!level.equals(CHAINED)) {
      return sent;
    }
    switch (numbers++) {
      case 0 -> {
        return Integer.MAX_VALUE;
      }
      case 1 -> {
        // As java.util.Hashtable computes it; a row of keys that collide in it is counted below.
        int length = (int) ((sent + sent / 20) / LOAD_FACTOR) + 3;
        chains = length > sent && (length & 1) == 0 ? length - 1 : length;
      }
      default -> {}
    }
    return sent;
  }

  /** Charges for a field that the hook has read. */
  void chargeField(@Nullable Object field) {
    if (level.equals(SCANNED) && field instanceof Collection<?> all) {
      HashingBudget budget = in.keys().budget();
      long count = all.size();
      long dear = 0;
      for (Object element : all) {
        dear += Math.max(1, budget.chargeKey(element)) - 1;
      }
      budget.spend(
          count * count / 2 / SCANNED_PER_STEP + count * dear / 2 / HashingBudget.COUNTED_PER_STEP);
    }
  }

  /** Charges for an object that the hook has read. */
  void charge(@Nullable Object element) {
    boolean isValue = elements++ % 2 == 1 && HASHING_MAPS.contains(level);
    if (isValue) {
      return;
    }
    HashingBudget budget = in.keys().budget();
    long steps = budget.chargeKey(element);
    if (ORDERED.contains(level) && content != null) {
      for (Object first : content.subList(0, Math.min(2, content.size()))) {
        long ordering = first instanceof Comparator ? budget.chargeKey(first) : 0;
        budget.spend(ordering * steps / HashingBudget.COUNTED_PER_STEP);
      }
    }
    if (isHashing(level)) {
      int hash = Objects.hashCode(element);
      int place = chains > 0 ? (hash & Integer.MAX_VALUE) % chains : hash;
      int same = hashes.merge(place, 1, Integer::sum) - 1;
      budget.spend(same * Math.max(1, steps) / HashingBudget.COUNTED_PER_STEP);
    }
  }
}
