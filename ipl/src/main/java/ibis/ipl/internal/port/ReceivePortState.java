package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The lock of a receive port and the phase of its life, which all its parts share. */
final class ReceivePortState {

  /** The phases of a receive port's life, in order. */
  enum Phase {
    OPEN,
    /** The port accepts no connections; its senders may still disconnect. */
    CLOSING,
    CLOSED
  }

  private final String port;

  /** Guards all mutable state of the port; released around reads of links and around upcalls. */
  final ReentrantLock lock = new ReentrantLock();

  /**
   * Signals that a message is ready or finished, that a connection was added or removed, or that
   * the port was closed.
   */
  final Condition changed = lock.newCondition();

  private Phase phase = Phase.OPEN;

  /**
   * Creates the state of an open port.
   *
   * @param port the port's name in messages
   */
  ReceivePortState(String port) {
    this.port = port;
  }

  void set(Phase phase) {
    this.phase = phase;
    changed.signalAll();
  }

  boolean isOpen() {
    return phase == Phase.OPEN;
  }

  boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  void checkNotClosed() throws ConnectionClosedException {
    if (isClosed()) {
      throw new ConnectionClosedException(port + " is closed");
    }
  }
}
