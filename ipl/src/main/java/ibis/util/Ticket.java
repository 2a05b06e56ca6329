package ibis.util;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A numbered rendezvous: a thread obtains a number, passes it on, and collects the object that
 * another thread puts under it. May be shared between threads.
 *
 * <p>Each number is the lowest free one, so that it fits into a few bits while few are held. Waits
 * are uninterruptible and restore the interrupt.
 */
public class Ticket {

  private final BitSet given = new BitSet();
  private final Map<Integer, Object> there = new HashMap<>();

  /** Creates an empty rendezvous. */
  public Ticket() {}

  /** Creates an empty rendezvous; it grows on demand beyond its initial size. */
  public Ticket(int initialSize) {}

  /** Returns a free number, which is held until it is collected or freed. */
  public synchronized int get() {
    int ticket = given.nextClearBit(0);
    given.set(ticket);
    return ticket;
  }

  /**
   * Puts an object under a number; waits while another one is there.
   *
   * @param thing the object; may be {@code null}
   * @throws IllegalArgumentException if the number is not held
   */
  public synchronized void put(int ticket, Object thing) {
    boolean _ = await(ticket, false, 0);
    there.put(ticket, thing);
    notifyAll();
  }

  /** Waits for the object of a ticket, removes it and frees the ticket. */
  public @Nullable Object collect(int ticket) {
    return collect(ticket, 0);
  }

  /**
   * Waits for the object of a ticket, removes it and frees the ticket.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever
   * @return {@code null} if no object arrived in time; the ticket then remains reserved
   */
  public synchronized @Nullable Object collect(int ticket, long timeoutMillis) {
    if (!await(ticket, true, timeoutMillis)) {
      return null;
    }
    Object thing = there.get(ticket);
    freeTicket(ticket);
    return thing;
  }

  /** Waits for the object of a ticket and removes it; the ticket remains reserved for the next. */
  public synchronized Object get(int ticket) {
    boolean _ = await(ticket, true, 0);
    Object thing = there.remove(ticket);
    notifyAll();
    return thing;
  }

  /** Waits for the object under a number, and leaves it there. */
  public synchronized @Nullable Object peek(int ticket) {
    boolean _ = await(ticket, true, 0);
    return there.get(ticket);
  }

  /** Frees a number and discards its object. */
  public synchronized void freeTicket(int ticket) {
    check(ticket);
    given.clear(ticket);
    there.remove(ticket);
    notifyAll();
  }

  /**
   * Waits until there is an object under a number, or none.
   *
   * @param something whether to wait for an object, rather than for its removal
   * @return whether that happened in time
   */
  private boolean await(int ticket, boolean something, long timeoutMillis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean interrupted = false;
    try {
      check(ticket);
      while (there.containsKey(ticket) != something) {
        long left = timeoutMillis == 0 ? 0 : Math.ceilDiv(end - System.nanoTime(), 1_000_000);
        if (timeoutMillis != 0 && left <= 0) {
          return false;
        }
        try {
          wait(left);
        } catch (InterruptedException _) {
          interrupted = true; // restored afterwards, as the number must not be lost
        }
        check(ticket);
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void check(int ticket) {
    if (ticket < 0 || !given.get(ticket)) {
      throw new IllegalArgumentException("ticket " + ticket + " is not held; get one first");
    }
  }
}
