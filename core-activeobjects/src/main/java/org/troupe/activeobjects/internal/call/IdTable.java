package org.troupe.activeobjects.internal.call;

import java.util.ArrayList;
import java.util.List;

/** Things by their numbers, which are positive. May be shared between threads. */
public final class IdTable<V> {

  /*
   * Every call between nodes is noted here on both sides, so an entry must cost no object: a ConcurrentHashMap makes
   * three of them, 80 bytes. Open addressing with linear probing in two flat arrays, at most half full; what follows a
   * removed entry moves up, so that no marks are left behind.
   */
  private static final int LEAST = 16;
  private static final int WORTH_GIVING_BACK = 4096;

  // All under this
  private long[] numbers = new long[LEAST];
  private Object[] values = new Object[LEAST];
  private int size;

  public synchronized void put(long number, V value) {
    if (2 * size >= numbers.length) {
      resize(2 * numbers.length);
    }
    var at = find(number);
    if (values[at] == null) {
      size++;
    }
    numbers[at] = number;
    values[at] = value;
  }

  /** Returns what has a number, or {@code null}. */
  @SuppressWarnings("unchecked") // put took it
  public synchronized V get(long number) {
    return (V) values[find(number)];
  }

  /** Takes out what has a number; {@code null} if there is nothing. */
  @SuppressWarnings("unchecked") // put took it
  public synchronized V remove(long number) {
    var at = find(number);
    var value = (V) values[at];
    if (value != null) {
      size--;
      values[at] = null;
      moveUp(at);
      if (size == 0 && numbers.length >= WORTH_GIVING_BACK) {
        resize(LEAST);
      }
    }
    return value;
  }

  public synchronized int size() {
    return size;
  }

  @SuppressWarnings("unchecked") // put took them
  public synchronized List<V> values() {
    var all = new ArrayList<V>(size);
    for (var value : values) {
      if (value != null) {
        all.add((V) value);
      }
    }
    return all;
  }

  /** Takes out everything. */
  public synchronized List<V> removeAll() {
    var all = values();
    size = 0;
    resize(LEAST);
    return all;
  }

  /** Where a number is, or would be. */
  private int find(long number) {
    var at = place(number);
    while (values[at] != null && numbers[at] != number) {
      at = at + 1 & numbers.length - 1;
    }
    return at;
  }

  private int place(long number) {
    return (int) (number * 0x9e3779b97f4a7c15L >>> 32) & numbers.length - 1;
  }

  /** Closes a gap, so that nothing behind it is lost to those who look for it. */
  private void moveUp(int gap) {
    var mask = numbers.length - 1;
    for (var at = gap + 1 & mask; values[at] != null; at = at + 1 & mask) {
      var isBehindItsPlace = (at - place(numbers[at]) & mask) >= (at - gap & mask);
      if (isBehindItsPlace) {
        numbers[gap] = numbers[at];
        values[gap] = values[at];
        values[at] = null;
        moveUp(at);
        return;
      }
    }
  }

  private void resize(int length) {
    var oldNumbers = numbers;
    var oldValues = values;
    numbers = new long[length];
    values = new Object[length];
    if (size == 0) {
      return;
    }
    for (var i = 0; i < oldValues.length; i++) {
      if (oldValues[i] != null) {
        var at = find(oldNumbers[i]);
        numbers[at] = oldNumbers[i];
        values[at] = oldValues[i];
      }
    }
  }
}
