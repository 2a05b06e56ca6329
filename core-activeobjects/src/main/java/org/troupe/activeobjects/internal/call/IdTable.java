package org.troupe.activeobjects.internal.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A map from positive numbers to values. Thread-safe. */
public final class IdTable<V> {

  /*
   * Design: an open-addressing map without entry objects
   *
   * Every call between nodes is recorded in such a table on both sides, so an entry must allocate nothing; a
   * ConcurrentHashMap allocates three objects, 80 bytes, per call. The table uses linear probing in two flat
   * arrays that are at most half full. Removal shifts later entries of the probe sequence back (Knuth, The Art
   * of Computer Programming 3, algorithm 6.4R), so that no tombstones remain.
   */
  private static final int LEAST = 16;
  private static final int WORTH_GIVING_BACK = 4096;

  // guarded by this
  private long[] numbers = new long[LEAST];
  private @Nullable Object[] values = new Object[LEAST];
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

  /** Returns the value of a number, or {@code null}. */
  @SuppressWarnings("unchecked") // put added only values of V
  public synchronized @Nullable V get(long number) {
    return (V) values[find(number)];
  }

  /** Removes a number and returns its value; {@code null} if it had none. */
  @SuppressWarnings("unchecked") // put added only values of V
  public synchronized @Nullable V remove(long number) {
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

  @SuppressWarnings("unchecked") // put added only values of V
  public synchronized List<V> values() {
    var all = new ArrayList<V>(size);
    for (var value : values) {
      if (value != null) {
        all.add((V) value);
      }
    }
    return all;
  }

  /**
   * Passes on the values in a part of the table. A value that is moved meanwhile by a change of the
   * table may be passed on in two parts, or in none.
   *
   * @param from where the part begins: 0, or the result for the part before
   * @param length the number of places to look at
   * @return where the next part begins; 0 after the last part
   */
  @SuppressWarnings("unchecked") // put added only values of V
  public int visit(int from, int length, Consumer<? super V> visitor) {
    List<V> part = new ArrayList<>();
    int next;
    synchronized (this) {
      next = (int) Math.min(values.length, (long) from + length);
      for (var at = from; at < next; at++) {
        if (values[at] != null) {
          part.add((V) values[at]);
        }
      }
      next = next == values.length ? 0 : next;
    }
    part.forEach(visitor);
    return next;
  }

  /** Removes all entries and returns their values. */
  public synchronized List<V> removeAll() {
    var all = values();
    size = 0;
    resize(LEAST);
    return all;
  }

  /** Returns the index of a number, or the index at which it would be inserted. */
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

  /** Closes a gap, so that probe sequences across it still reach the entries behind it. */
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
