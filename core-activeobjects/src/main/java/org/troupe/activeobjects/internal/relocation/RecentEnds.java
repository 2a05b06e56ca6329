package org.troupe.activeobjects.internal.relocation;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;

/** The last ends of objects of which nothing else is remembered. Thread-safe. */
public final class RecentEnds {

  private static final int MOST = 1_000;

  private final Map<ObjectIdentity, End> ends =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectIdentity, End> eldest) {
          var isForgotten = size() > MOST;
          hasForgottenLosses |= isForgotten && eldest.getValue().how() == End.How.LOST;
          return isForgotten;
        }
      };

  private boolean hasForgottenLosses;

  public synchronized void add(ObjectIdentity object, End end) {
    ends.put(object, end);
  }

  /** Returns whether an object that is not among them may have been lost. */
  public synchronized boolean haveForgottenLosses() {
    return hasForgottenLosses;
  }

  /** Returns the end of an object; {@code null} if it is not among them. */
  public synchronized @Nullable End of(ObjectIdentity object) {
    return ends.get(object);
  }

  /** Returns whether an object is among them that was created on a node. */
  public synchronized boolean haveAnyOf(NodeId birth) {
    return ends.keySet().stream().anyMatch(each -> each.birth().equals(birth));
  }

  public synchronized void clear() {
    ends.clear();
    hasForgottenLosses = false;
  }
}
