package ibis.ipl.internal.registry;

import ibis.ipl.RegistryEventHandler;
import ibis.ipl.internal.base.WaitNotice;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Delivers events to the program's handler in order, one at a time, while events are enabled. */
final class HandlerThread {

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  private final RegistryEventHandler handler;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<PoolEvent> events = new ArrayDeque<>();
  private final Thread thread;
  private boolean enabled;
  private boolean running;
  private boolean ended;

  HandlerThread(RegistryEventHandler handler) {
    this.handler = handler;
    thread = Thread.ofPlatform().daemon().name("ibis-registry-events").start(this::run);
  }

  void add(PoolEvent event) {
    lock.lock();
    try {
      events.add(event);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void enable() {
    lock.lock();
    try {
      enabled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Disables events and waits for a handler call in progress, unless that call invokes this method.
   */
  void disable() {
    lock.lock();
    try {
      enabled = false;
      var notice =
          new WaitNotice(
              () ->
                  "disableEvents waits for a method of the event handler, which has not returned");
      while (running && Thread.currentThread() != thread) {
        notice.awaitUninterruptibly(changed);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Stops the delivery; does not wait for a call in progress. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (PoolEvent event = next(); event != null; event = next()) {
      try {
        event.deliver(handler);
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "the handler of registry events failed at " + event, e);
      }
    }
  }

  private @Nullable PoolEvent next() {
    lock.lock();
    try {
      running = false;
      changed.signalAll();
      while (!ended && (!enabled || events.isEmpty())) {
        changed.awaitUninterruptibly();
      }
      running = !ended;
      return ended ? null : events.remove();
    } finally {
      lock.unlock();
    }
  }
}
