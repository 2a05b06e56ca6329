package org.troupe.activeobjects.internal.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.serialization.Reused;
import org.troupe.serialization.graph.CallCodec;

/**
 * The argument and result objects of earlier calls that are declared {@link Reused}; the next call
 * of the method is decoded into them. Thread-safe: an object is given to one thread at a time.
 */
public final class ReuseCache {

  private final Map<CallMethod, CallCodec.Previous> left = new ConcurrentHashMap<>();

  /**
   * Returns the objects of the last call of a method; empty if there are none or another thread
   * uses them.
   */
  public CallCodec.Previous take(CallMethod method) {
    var previous = left.remove(method);
    return previous == null ? new CallCodec.Previous() : previous;
  }

  public void giveBack(CallMethod method, CallCodec.Previous previous) {
    left.put(method, previous);
  }
}
