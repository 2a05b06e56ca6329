package org.troupe.activeobjects.internal.membership;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The heap that was in use after the last collection of this JVM. */
final class HeapAfterCollection {

  /*
   * The usage that each pool states for its last collection is not enough: the young collections of G1 leave that of
   * the old generation as it was. The statement of a collector on its last collection has all pools. It is made anew for each
   * question, so the collectors are asked only if there was a collection since.
   *
   * Some collectors count their pauses as well. A pause ends before the memory is reclaimed.
   */
  private static final String PAUSES = "Pauses";

  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
          .filter(each -> !each.getName().endsWith(PAUSES))
          .toList();

  private static @Nullable HeapAfterCollection last;

  private final long collections;
  private final long bytes;

  private HeapAfterCollection(long collections, long bytes) {
    this.collections = collections;
    this.bytes = bytes;
  }

  /** Returns the number of bytes; 0 if there was no collection. */
  static synchronized long bytes() {
    var collections = 0L;
    for (var each : COLLECTORS) { // in each report, mostly by the interpreter
      collections += each.getCollectionCount();
    }
    var known = last;
    if (known == null || known.collections != collections) {
      known = new HeapAfterCollection(collections, collections > 0 ? lastOfAll() : 0);
      last = known;
    }
    return known.bytes;
  }

  private static long lastOfAll() {
    var pools = heapPools();
    return COLLECTORS.stream()
        .map(GarbageCollectorMXBean::getLastGcInfo)
        .filter(Objects::nonNull)
        .max(Comparator.comparingLong(GcInfo::getEndTime))
        .map(
            info ->
                info.getMemoryUsageAfterGc().entrySet().stream()
                    .filter(each -> pools.contains(each.getKey()))
                    .map(Map.Entry::getValue)
                    .mapToLong(each -> each.getUsed())
                    .sum())
        .orElse(0L);
  }

  private static Set<String> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(each -> each.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getName)
        .collect(Collectors.toSet());
  }
}
