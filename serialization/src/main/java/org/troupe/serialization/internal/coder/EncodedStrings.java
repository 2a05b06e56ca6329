package org.troupe.serialization.internal.coder;

import java.util.Arrays;

/**
 * The strings of one encoding with their handles, in a direct-mapped table by hash.
 *
 * <p>A string is a value, so it is enough to find most of those that come again: each has one
 * place, from which the next string drives it out.
 */
final class EncodedStrings {

  static final int NONE = -1;

  private static final int FEW = 8;
  private static final int MANY = 1024;

  private String[] strings = new String[FEW];
  private int[] handles = new int[FEW];
  private int count;

  /** Returns the handle of a string, or {@link #NONE} if it is not found. */
  int find(String string) {
    int place = string.hashCode() & strings.length - 1;
    return strings[place] == string ? handles[place] : NONE;
  }

  void put(String string, int handle) {
    if (count == strings.length && count < MANY) {
      strings = new String[4 * count];
      handles = new int[strings.length];
    }
    int place = string.hashCode() & strings.length - 1;
    strings[place] = string;
    handles[place] = handle;
    count++;
  }

  /** Forgets all strings. */
  void reset() {
    if (count > 0) {
      Arrays.fill(strings, null);
      count = 0;
    }
  }
}
