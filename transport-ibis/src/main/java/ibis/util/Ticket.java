package ibis.util;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Numbers for things that will come: whoever asks gets a number, gives it away, and collects under
 * it what somebody else puts there. May be shared between threads.
 */
public class Ticket {

  private final Set<Integer> given = new HashSet<>();
  private final Map<Integer, Object> there = new HashMap<>();
  private int next;

  /** Makes an empty desk. */
  public Ticket() {}

  /** Makes an empty desk; it grows as it has to, whatever its first size. */
  public Ticket(int initialSize) {}

  /** Returns a number that nobody holds. */
  public synchronized int get() {
    while (!given.add(next & Integer.MAX_VALUE)) {
      next++;
    }
    return next++ & Integer.MAX_VALUE;
  }

  /**
   * Puts a thing under a number.
   *
   * @param thing may be {@code null}
   * @throws IllegalArgumentException if nobody holds the number, or something is there
   */
  public synchronized void put(int ticket, Object thing) {
    check(ticket);
    if (there.containsKey(ticket)) {
      throw new IllegalArgumentException("something is under ticket " + ticket + " already");
    }
    there.put(ticket, thing);
    notifyAll();
  }

  /** Waits for the thing under a number, takes it and gives the number back. */
  public Object collect(int ticket) {
    return collect(ticket, 0);
  }

  /**
   * Waits for the thing under a number, takes it and gives the number back.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever
   * @return {@code null} if nothing came in time: then the number is still held
   */
  public synchronized Object collect(int ticket, long timeoutMillis) {
    check(ticket);
    long end = System.nanoTime() + timeoutMillis * 1_000_000;
    boolean interrupted = false;
    try {
      while (!there.containsKey(ticket)) {
        long left = timeoutMillis == 0 ? 0 : (end - System.nanoTime() + 999_999) / 1_000_000;
        if (timeoutMillis != 0 && left <= 0) {
          return null;
        }
        try {
          wait(left);
        } catch (InterruptedException _) {
          interrupted = true; // the number must not be lost: the caller sees it afterwards
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    given.remove(ticket);
    return there.remove(ticket);
  }

  /** Returns the thing under a number without taking it; {@code null} if there is none. */
  public synchronized Object peek(int ticket) {
    check(ticket);
    return there.get(ticket);
  }

  /** Gives a number back, with whatever is there. */
  public synchronized void freeTicket(int ticket) {
    check(ticket);
    given.remove(ticket);
    there.remove(ticket);
  }

  private void check(int ticket) {
    if (!given.contains(ticket)) {
      throw new IllegalArgumentException("nobody holds ticket " + ticket + "; get one first");
    }
  }
}
