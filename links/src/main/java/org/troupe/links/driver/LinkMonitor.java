package org.troupe.links.driver;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Notifies links in shared memory of the end of their peers. */
final class LinkMonitor implements Closeable {

  /*
   * Each link keeps the TCP connection over which it was negotiated. That connection carries no more
   * bytes; its end signals the end of the peer, also of a killed process. One thread per port monitors
   * all of them.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  /** The interval between attempts to release memory that a thread still uses. */
  private static final long RETRY_MILLIS = 5;

  private final Selector selector;
  private final Queue<RingLink> newcomers = new ConcurrentLinkedQueue<>();
  private final Queue<SharedMemory> unused = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private LinkMonitor(Selector selector) {
    this.selector = selector;
  }

  static LinkMonitor start(Thread.Builder builder) throws IOException {
    var monitor = new LinkMonitor(Selector.open());
    builder.start(monitor::run);
    return monitor;
  }

  /** Calls {@link RingLink#peerGone} as soon as the connection of the link ends. */
  void add(RingLink link) {
    newcomers.add(link);
    selector.wakeup();
    if (closed) {
      link.close();
    }
  }

  /** Releases memory as soon as no thread waits on it. */
  void release(SharedMemory memory) {
    if (memory.tryClose()) {
      return;
    }
    unused.add(memory);
    selector.wakeup();
    while (closed && unused.contains(memory)) { // the monitoring thread may have ended
      LockSupport.parkNanos(1_000_000);
      unused.removeIf(SharedMemory::tryClose);
    }
  }

  private void run() {
    try (selector) {
      while (true) {
        register();
        unused.removeIf(SharedMemory::tryClose);
        boolean idle = unused.isEmpty();
        if (closed && idle) {
          return;
        }
        selector.select(key -> ended((RingLink) key.attachment()), idle ? 0 : RETRY_MILLIS);
      }
    } catch (IOException | ClosedSelectorException e) {
      LOG.log(Level.ERROR, "links in shared memory are no longer monitored and are closed", e);
    } finally {
      closed = true;
      register();
    }
  }

  private void register() {
    for (RingLink link = newcomers.poll(); link != null; link = newcomers.poll()) {
      try {
        if (closed) {
          link.close();
        } else {
          SocketChannel connection = link.connection();
          connection.configureBlocking(false);
          connection.register(selector, SelectionKey.OP_READ, link);
        }
      } catch (IOException _) {
        link.peerGone();
      }
    }
  }

  private static void ended(RingLink link) {
    // The connection has ended, or the peer is broken, as it sends bytes.
    link.peerGone();
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
  }
}
