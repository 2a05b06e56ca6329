package org.troupe.serialization.internal.resources;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The objects already encoded, by identity, each with its handle. */
public final class HandleTable {

  /* Open addressing in two flat arrays: IdentityHashMap would box every number. */

  public static final int NONE = Integer.MIN_VALUE;

  private static final int FIRST = 16;

  /** The largest table that is kept for the next graph. */
  private static final int LARGEST_KEPT = 1 << 14;

  private Object[] keys = new Object[FIRST];
  private int[] numbers = new int[FIRST];
  private int size;
  private int lookUps;

  public int find(@Nullable Object key) {
    lookUps++;
    int mask = keys.length - 1;
    for (int i = spread(key) & mask; ; i = (i + 1) & mask) {
      Object there = keys[i];
      if (there == key) {
        return numbers[i];
      }
      if (there == null) {
        return NONE;
      }
    }
  }

  /** Returns the number of a key; if it has none, assigns this one and returns {@link #NONE}. */
  public int findOrPut(@Nullable Object key, int number) {
    lookUps++;
    if (2 * size >= keys.length) {
      grow();
    }
    Object[] table = keys;
    int mask = table.length - 1;
    int i = spread(key) & mask;
    for (Object there; (there = table[i]) != null; i = (i + 1) & mask) {
      if (there == key) {
        return numbers[i];
      }
    }
    table[i] = key;
    numbers[i] = number;
    size++;
    return NONE;
  }

  /** Assigns another number to a key in the table. */
  public void renumber(@Nullable Object key, int number) {
    int mask = keys.length - 1;
    int i = spread(key) & mask;
    while (keys[i] != key) {
      i = (i + 1) & mask;
    }
    numbers[i] = number;
  }

  /** Returns how often a key was looked for since the table was cleared. */
  public int lookUps() {
    return lookUps;
  }

  /** Forgets all keys. The table stays as large as a graph of this size needs. */
  public void clear() {
    lookUps = 0;
    if (size == 0) {
      return;
    }
    if (keys.length > LARGEST_KEPT || keys.length > FIRST && 16 * size < keys.length) {
      int smaller = Math.min(keys.length / 2, LARGEST_KEPT);
      keys = new Object[smaller];
      numbers = new int[smaller];
    } else {
      Arrays.fill(keys, null);
    }
    size = 0;
  }

  /** Adds a key that is not in the table. */
  public void put(Object key, int number) {
    if (2 * size >= keys.length) {
      grow();
    }
    insert(key, number);
    size++;
  }

  /** Forgets the keys with numbers from this one on, and those with negative numbers. */
  public void removeFrom(int number) {
    Object[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new Object[oldKeys.length];
    numbers = new int[oldKeys.length];
    size = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != null && oldNumbers[i] >= 0 && oldNumbers[i] < number) {
        insert(oldKeys[i], oldNumbers[i]);
        size++;
      }
    }
  }

  private void insert(Object key, int number) {
    int mask = keys.length - 1;
    int i = spread(key) & mask;
    while (keys[i] != null) {
      i = (i + 1) & mask;
    }
    keys[i] = key;
    numbers[i] = number;
  }

  private void grow() {
    Object[] oldKeys = keys;
    int[] oldNumbers = numbers;
    int length = Math.multiplyExact(2, oldKeys.length);
    numbers = Arrays.copyOf(oldNumbers, length); // first: if there is no memory, keys still fits
    keys = new Object[length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != null) {
        insert(oldKeys[i], oldNumbers[i]);
      }
    }
  }

  private static int spread(@Nullable Object key) {
    int hash = System.identityHashCode(key) * 0x9E3779B9;
    return hash ^ hash >>> 16;
  }
}
