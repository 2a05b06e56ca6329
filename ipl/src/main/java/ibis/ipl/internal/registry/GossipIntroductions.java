package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.InstanceIdentifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The most recent newcomers of gossip pools, to which the server introduces others. */
final class GossipIntroductions {

  private static final int MOST_MEMBERS = 16;
  private static final int MOST_POOLS = 1024;

  private final Map<String, Deque<InstanceIdentifier>> newcomers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<InstanceIdentifier>> eldest) {
          return size() > MOST_POOLS;
        }
      };

  /** Adds a newcomer; returns the earlier ones of its pool, the latest first. */
  synchronized List<InstanceIdentifier> add(InstanceIdentifier newcomer) {
    Deque<InstanceIdentifier> latest =
        newcomers.computeIfAbsent(newcomer.poolName(), _ -> new ArrayDeque<>());
    latest.remove(newcomer);
    List<InstanceIdentifier> others = List.copyOf(latest);
    latest.addFirst(newcomer);
    if (latest.size() > MOST_MEMBERS) {
      latest.removeLast();
    }
    return others;
  }
}
