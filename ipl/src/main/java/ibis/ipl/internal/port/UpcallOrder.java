package ibis.ipl.internal.port;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Runs the upcalls of one port one at a time, in the order of their causes. */
final class UpcallOrder {

  /*
   * All state is guarded by the port's lock, which is released during an upcall. A message waits for its
   * turn on the thread that has read its beginning. Upcalls about connections wait in a queue, which one
   * thread serves for as long as it is not empty.
   */

  private static final System.Logger LOG = System.getLogger(UpcallOrder.class.getPackageName());

  /** A position in the queue of upcalls. */
  final class Turn {

    private final boolean isMessage;
    private final Condition changed = lock.newCondition();
    private boolean granted;
    private boolean cancelled;

    private Turn(boolean isMessage) {
      this.isMessage = isMessage;
    }

    /**
     * Waits for the turn. Returns false if it was cancelled; otherwise {@link #end} must follow.
     */
    boolean await() {
      while (!granted && !cancelled) {
        changed.awaitUninterruptibly();
      }
      return granted;
    }

    /** Leaves the queue; has no effect once the turn has begun. */
    void cancel() {
      if (!granted) {
        cancelled = true;
        waiting.remove(this);
        changed.signal();
      }
    }
  }

  private final ReentrantLock lock;
  private final Executor threads;
  private final String port;
  private final Queue<Turn> waiting = new ArrayDeque<>();
  private final Queue<Runnable> events = new ArrayDeque<>();
  private boolean isRunning;
  private boolean isDraining;
  private boolean messagesEnabled;

  UpcallOrder(ReentrantLock lock, Executor threads, String port) {
    this.lock = lock;
    this.threads = threads;
    this.port = port;
  }

  /** Enqueues a message. */
  Turn messageTurn() {
    return join(true);
  }

  private Turn join(boolean isMessage) {
    var turn = new Turn(isMessage);
    waiting.add(turn);
    grantNext();
    return turn;
  }

  private void grantNext() {
    if (isRunning) {
      return;
    }
    for (Turn turn : waiting) {
      if (!turn.isMessage || messagesEnabled) {
        waiting.remove(turn);
        isRunning = true;
        turn.granted = true;
        turn.changed.signal();
        return;
      }
    }
  }

  /** Ends the current turn. */
  void end() {
    isRunning = false;
    grantNext();
  }

  /** Enables or suspends the upcalls for messages. */
  void enableMessages(boolean enabled) {
    messagesEnabled = enabled;
    grantNext();
  }

  boolean messagesEnabled() {
    return messagesEnabled;
  }

  /** Enqueues an upcall about a connection; it runs on another thread. */
  void enqueue(Runnable event) {
    events.add(event);
    if (!isDraining) {
      isDraining = true;
      threads.execute(this::runEvents);
    }
  }

  private void runEvents() {
    while (true) {
      Runnable event;
      lock.lock();
      try {
        event = events.poll();
        if (event == null) {
          isDraining = false;
          return;
        }
        boolean _ = join(false).await(); // such a turn is never cancelled
      } finally {
        lock.unlock();
      }
      try {
        event.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.ERROR, "an upcall about a connection of " + port + " failed", e);
      } finally {
        lock.lock();
        end();
        lock.unlock();
      }
    }
  }
}
