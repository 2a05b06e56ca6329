package org.troupe.serialization.internal;

import java.util.Arrays;

/** The objects already met while encoding, by identity, each with a number. */
final class Handles {

  /* Open addressing in two flat arrays: IdentityHashMap would box every number. */

  static final int NONE = Integer.MIN_VALUE;

  private Object[] keys = new Object[16];
  private int[] numbers = new int[16];
  private int size;

  int find(Object key) {
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

  /** Adds a key that is not there yet. */
  void put(Object key, int number) {
    if (2 * size >= keys.length) {
      grow();
    }
    insert(key, number);
    size++;
  }

  /** Forgets the keys with numbers from this one on, and those with negative numbers. */
  void forgetFrom(int number) {
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
    keys = new Object[Math.multiplyExact(2, oldKeys.length)];
    numbers = Arrays.copyOf(oldNumbers, keys.length);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != null) {
        insert(oldKeys[i], oldNumbers[i]);
      }
    }
  }

  private static int spread(Object key) {
    int hash = System.identityHashCode(key) * 0x9E3779B9;
    return hash ^ hash >>> 16;
  }
}
