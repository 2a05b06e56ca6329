package org.troupe.activeobjects.internal.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.serialization.Reused;
import org.troupe.serialization.graph.CallCodec;

/**
 * The objects that calls have left for the next ones to be read into, because they are declared
 * {@link Reused}. May be shared between threads: what one has taken, no other gets.
 */
public final class ReuseCache {

  private final Map<CallMethod, CallCodec.Previous> left = new ConcurrentHashMap<>();

  /** Returns what the last call of a method has left; nothing if another thread has it. */
  public CallCodec.Previous take(CallMethod method) {
    var previous = left.remove(method);
    return previous == null ? new CallCodec.Previous() : previous;
  }

  public void giveBack(CallMethod method, CallCodec.Previous previous) {
    left.put(method, previous);
  }
}
