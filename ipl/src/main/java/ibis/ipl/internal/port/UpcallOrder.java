package ibis.ipl.internal.port;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets the upcalls of one port run one at a time, in the order of their causes. */
final class UpcallOrder {

  /*
   * Everything but the upcalls themselves happens with the port's lock. Messages wait for their
   * turn each on the thread that has read its beginning; what is to be told about connections waits
   * in a queue, for one thread that exists as long as there is any.
   */

  private static final System.Logger LOG = System.getLogger(UpcallOrder.class.getPackageName());

  /** A place in the line. */
  final class Turn {

    private final boolean isMessage;
    private final Condition changed = lock.newCondition();
    private boolean granted;
    private boolean cancelled;

    private Turn(boolean isMessage) {
      this.isMessage = isMessage;
    }

    /** Waits for the turn. Returns false if it was cancelled; else {@link #end} has to follow. */
    boolean await() {
      while (!granted && !cancelled) {
        changed.awaitUninterruptibly();
      }
      return granted;
    }

    /** Leaves the line; of no effect if it is this one's turn already. */
    void cancel() {
      if (!granted) {
        cancelled = true;
        line.remove(this);
        changed.signal();
      }
    }
  }

  private final ReentrantLock lock;
  private final Executor threads;
  private final String port;
  private final Queue<Turn> line = new ArrayDeque<>();
  private final Queue<Runnable> events = new ArrayDeque<>();
  private boolean taken;
  private boolean telling;
  private boolean messagesEnabled;

  UpcallOrder(ReentrantLock lock, Executor threads, String port) {
    this.lock = lock;
    this.threads = threads;
    this.port = port;
  }

  /** Joins the line with a message. */
  Turn messageTurn() {
    return join(true);
  }

  private Turn join(boolean isMessage) {
    var turn = new Turn(isMessage);
    line.add(turn);
    grantNext();
    return turn;
  }

  private void grantNext() {
    if (taken) {
      return;
    }
    for (Turn turn : line) {
      if (!turn.isMessage || messagesEnabled) {
        line.remove(turn);
        taken = true;
        turn.granted = true;
        turn.changed.signal();
        return;
      }
    }
  }

  /** Ends the turn that is taken. */
  void end() {
    taken = false;
    grantNext();
  }

  /** Lets messages take turns, or holds them. */
  void enableMessages(boolean enabled) {
    messagesEnabled = enabled;
    grantNext();
  }

  boolean messagesEnabled() {
    return messagesEnabled;
  }

  /** Runs an upcall about a connection, on another thread, after those given before. */
  void tell(Runnable event) {
    events.add(event);
    if (!telling) {
      telling = true;
      threads.execute(this::tellAll);
    }
  }

  private void tellAll() {
    while (true) {
      Runnable event;
      lock.lock();
      try {
        event = events.poll();
        if (event == null) {
          telling = false;
          return;
        }
        boolean _ = join(false).await(); // nobody cancels it
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
