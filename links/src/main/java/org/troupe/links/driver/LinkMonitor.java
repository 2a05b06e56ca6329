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

/** Tells links that have no connection of the system's own that their peer has gone. */
final class LinkMonitor implements Closeable {

  /*
   * Each such link keeps the TCP connection that it was agreed on over, on which nothing comes any
   * more but its end: also that of a killed process. One thread per port watches them all.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  /** How often memory is tried to be given back that a thread was still leaving. */
  private static final long RETRY_MILLIS = 5;

  private final Selector selector;
  private final Queue<RingLink> newcomers = new ConcurrentLinkedQueue<>();
  private final Queue<SharedMemory> unused = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private LinkMonitor(Selector selector) {
    this.selector = selector;
  }

  static LinkMonitor start(Thread.Builder builder) throws IOException {
    var watch = new LinkMonitor(Selector.open());
    builder.start(watch::run);
    return watch;
  }

  /** Calls {@link RingLink#peerGone} as soon as the connection of the link ends. */
  void add(RingLink link) {
    newcomers.add(link);
    selector.wakeup();
    if (closed) {
      link.close();
    }
  }

  /** Gives memory back as soon as nobody waits on it. */
  void release(SharedMemory memory) {
    if (memory.tryClose()) {
      return;
    }
    unused.add(memory);
    selector.wakeup();
    while (closed && unused.contains(memory)) { // nobody else might do it
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
      LOG.log(Level.ERROR, "the links in shared memory are watched no more; they are closed", e);
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
    // Nothing comes on it but its end; a peer that sends is broken, and ended for it.
    link.peerGone();
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
  }
}
