package ibis.ipl.internal.port;

import ibis.ipl.Ibis;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The open ports of one kind in an instance, by name. Thread-safe.
 *
 * @param <P> the type of port
 */
final class PortDirectory<P> {

  private final Ibis self;
  private final String kind;
  private final Map<String, P> ports = new ConcurrentHashMap<>();
  private final AtomicInteger lastName = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean ended; // guarded by the lock

  /**
   * Creates an empty directory.
   *
   * @param kind the kind of port in messages
   */
  PortDirectory(Ibis self, String kind) {
    this.self = self;
    this.kind = kind;
  }

  /** Returns a name that no port of this directory has. */
  String unusedName() {
    String name;
    do {
      name = "anonymous " + kind + " " + lastName.incrementAndGet();
    } while (ports.containsKey(name));
    return name;
  }

  /**
   * Adds a port.
   *
   * @throws IOException if the name is in use or the instance has ended
   */
  void add(String name, P port) throws IOException {
    lock.lock();
    try {
      if (ended) {
        throw new IOException(
            "the instance has ended and cannot create " + kind + " '" + name + "'");
      }
      if (ports.putIfAbsent(name, port) != null) {
        throw new IOException(
            "there is already a "
                + kind
                + " '"
                + name
                + "' in "
                + self.identifier()
                + "; close it first, or use another name");
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void remove(String name, P port) {
    ports.remove(name, port);
  }

  /** Returns the port of a name, or {@code null}. */
  @Nullable P get(String name) {
    return ports.get(name);
  }

  Collection<P> all() {
    return ports.values();
  }

  /** Wakes the threads in {@link #awaitChange}, as the state of a port has changed. */
  void signalChange() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a port was added or changed, or the time has passed; returns at once at the end.
   */
  void awaitChange(long millis) {
    lock.lock();
    try {
      if (!ended) {
        boolean _ = changed.await(millis, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Rejects further ports. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
