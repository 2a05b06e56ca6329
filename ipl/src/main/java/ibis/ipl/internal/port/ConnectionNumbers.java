package ibis.ipl.internal.port;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one direction by the numbers that this instance gave to them; requests of
 * other instances name connections by these numbers. Thread-safe.
 *
 * @param <C> the type of connection
 */
final class ConnectionNumbers<C> {

  private final Map<Long, C> connections = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  /** Returns a number that was not used before. */
  long next() {
    return last.incrementAndGet();
  }

  void put(long number, C connection) {
    connections.put(number, connection);
  }

  void remove(long number) {
    connections.remove(number);
  }

  /** Returns a connection; {@code null} if it has ended. */
  @Nullable C get(long number) {
    return connections.get(number);
  }
}
