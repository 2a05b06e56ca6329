package org.troupe.serialization.internal.keys;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.PlatformValues;
import org.troupe.serialization.internal.resources.SpareThreads;

/** Bounds the time to hash and compare the keys of one message, before any key is hashed. */
public final class HashingBudget {

  /*
   * Cost model. A hash code visits shared objects repeatedly: a list that holds a list twice, which
   * holds a list twice, and so on, takes time exponential in its depth. So every key is walked
   * before it enters a collection, along all paths, as its hash code would do. Each object visited
   * is one step. All references of an object count, unless its class inherits hashCode, equals and
   * order from Object. The walk takes about as long as the hash, and fails when the steps of all
   * keys of the message exceed a number per byte.
   *
   * Precision. A user class may hash only some of its fields. If the first, coarse walk does not
   * end soon, the byte code of its hashCode, equals and comparisons shows which fields they read
   * (HashedFields).
   *
   * Collisions. Keys with equal hash codes count as well: a table compares them with each other.
   *
   * Measured: messages of 142 bytes to 464 KB whose keys are expensive to hash are refused within
   * 0.4 to 85 ms of processor time, most of which ran for more than 5 s before; ordinary graphs are
   * coded as fast as before, within the spread (KeyCostTest with -Dtroupe.long=true, 2b6581a
   * against d2f8967, 2026-11-23; benchmarks/results has both tables).
   */

  private static final long FREE = 1 << 16;
  private static final long PER_BYTE = 24;

  /** The number of counted comparisons that cost as much as one walked step. */
  public static final int COUNTED_PER_STEP = 4;

  /** The number of steps after which the byte code of classes is analysed. */
  private static final long COARSE = 1 << 14;

  /** The depth of a walk, which no recursive hash exceeds by much on usual stacks. */
  private static final int DEEPEST = 8_000;

  /** The number of steps of colliding keys that are free. */
  private static final long FEW = 1 << 11;

  /** The most steps that they add to those of a table that is a key itself. */
  static final long FEW_SEARCHED = FEW / 2 / COUNTED_PER_STEP;

  /** The size of a message in which no text is long. */
  private static final long SMALL = 4096;

  /** The way in which a table finds a key. */
  public enum Table {
    /** Buckets that become trees if their keys are comparable. */
    TREES,
    /** Buckets that are lists; of a table of {@link #chains}. */
    CHAINS,
    /** Linear probing in a table with twice as many slots as keys. */
    PROBING
  }

  private static final Object[][] NO_PARTS = {};
  private static final int[] NO_POSITIONS = {};

  private final DecodedContents contents;
  private final KeyClasses classes;
  private final boolean small;
  private final long limit;
  private long steps;
  private boolean precisely;

  /** The steps to find the keys of tables whose keys collide; null while there are none. */
  private @Nullable Map<Object, Long> searching;

  private @Nullable Class<?> foreign;

  /** The class of the last key, as the next key is most often of the same class. */
  private Class<?> lastClass = String.class;

  private KeyClass last;

  /** The objects on the path to the one that is being walked. */
  private Object[][] parts = NO_PARTS;

  private int[] positions = NO_POSITIONS;

  /**
   * Creates the budget of a message.
   *
   * @param contents what was read into objects that cannot be looked into
   */
  HashingBudget(long bytes, DecodedContents contents, KeyClasses classes) {
    this.limit = FREE + PER_BYTE * bytes;
    this.small = bytes <= SMALL;
    this.contents = contents;
    this.classes = classes;
    this.last = classes.of(lastClass);
  }

  /** Returns the size of the table of a {@link java.util.Hashtable} made for so many keys. */
  public static int chains(int keys) {
    return 2 * keys + 1;
  }

  /**
   * Returns a class of a program whose code the keys charged for since the last question run, if
   * that may not run on the current thread and its cost cannot be foreseen; or null.
   */
  @Nullable Class<?> foreignCode() {
    Class<?> met = foreign;
    foreign = null;
    return met;
  }

  /**
   * Charges for keys that a table will hash, in every {@code stride}th place.
   *
   * @return the steps of each
   */
  int[] chargeKeys(Object[] keys, int stride) {
    int[] each = new int[keys.length / stride];
    for (int i = 0; i < each.length; i++) {
      each[i] = Math.clamp(chargeKey(keys[i * stride]), 1, Integer.MAX_VALUE);
    }
    return each;
  }

  /**
   * Charges for equal hashes of keys, which may be hashed now.
   *
   * @param each the steps of each; a comparison takes no more than the smaller of its keys
   * @return the steps, to be noted for the table
   */
  long chargeCollisions(Object[] keys, int stride, Table table, int[] each) {
    long all = 0;
    for (int one : each) {
      all += one;
    }
    if (each.length * all > FEW && !(table == Table.TREES && areOrdered(keys, stride))) {
      long collisions = collisions(hashes(keys, stride), table, each) / COUNTED_PER_STEP;
      spend(collisions);
      return collisions;
    }
    return 0;
  }

  /**
   * Records the cost of looking up the keys of a table, which comparing it with another table
   * causes.
   */
  void note(@Nullable Object table, long collisions) {
    if (collisions > FEW_SEARCHED) {
      if (searching == null) {
        searching = new IdentityHashMap<>();
      }
      searching.put(table, collisions);
    }
  }

  /** Returns whether a tree of the keys has an order, so that equal hashes do not matter. */
  private static boolean areOrdered(Object[] keys, int stride) {
    Class<?> only = keys[0] == null ? null : keys[0].getClass();
    if (only == null || !Comparable.class.isAssignableFrom(only) || !PlatformValues.include(only)) {
      return false;
    }
    for (int i = stride; i < keys.length; i += stride) {
      if (keys[i] == null || keys[i].getClass() != only) {
        return false;
      }
    }
    return true;
  }

  private static int[] hashes(Object[] keys, int stride) {
    int[] hashes = new int[keys.length / stride];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = Objects.hashCode(keys[i * stride]);
    }
    return hashes;
  }

  private long collisions(int[] hashes, Table table, int[] each) {
    return switch (table) {
      case TREES -> equalHashes(hashes, each);
      case CHAINS -> {
        int[] lengths = new int[chains(hashes.length)];
        long steps = 0;
        for (int hash : hashes) {
          steps += lengths[(hash & Integer.MAX_VALUE) % lengths.length]++;
        }
        yield steps + equalHashes(hashes, each);
      }
      case PROBING -> {
        boolean[] taken = new boolean[2 * hashes.length];
        long steps = 0;
        for (int i = 0; i < hashes.length; i++) {
          int place = Math.floorMod(hashes[i], taken.length);
          while (taken[place] && steps / COUNTED_PER_STEP <= limit) {
            place = place + 1 == taken.length ? 0 : place + 1;
            steps += each[i];
          }
          taken[place] = true;
        }
        yield steps;
      }
    };
  }

  /** Returns the cost of comparing all keys of equal hashes with each other. */
  private static long equalHashes(int[] hashes, int[] each) {
    long[] sorted = new long[hashes.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = (long) hashes[i] << Integer.SIZE | each[i];
    }
    Arrays.sort(sorted);
    long steps = 0;
    long larger = 0; // how many of the same hash are no smaller
    for (int i = sorted.length - 2; i >= 0; i--) {
      larger = sorted[i] >> Integer.SIZE == sorted[i + 1] >> Integer.SIZE ? larger + 1 : 0;
      steps += larger * (int) sorted[i];
    }
    return steps;
  }

  /**
   * Charges for keys that will be compared with each other, by a comparator or their natural order.
   */
  void chargeOrder(Object[] keys, int stride, @Nullable Object order) {
    long ordering = chargeKey(order);
    int comparisons = 32 - Integer.numberOfLeadingZeros(keys.length / stride);
    for (int i = 0; i < keys.length; i += stride) {
      long key = chargeKey(keys[i]);
      // A comparator of many parts may look at all of a key with each of them.
      long one = Math.max(ordering + key, ordering * key / COUNTED_PER_STEP);
      spend(one * comparisons / COUNTED_PER_STEP);
    }
  }

  /** Charges for one key; returns its steps. */
  public long chargeKey(@Nullable Object key) {
    if (key == null) {
      return 0;
    }
    long size = key instanceof String text ? KeyClass.textSize(text) : sizeAlone(key);
    if (size > 0) {
      spend(size);
      return size;
    }
    if (steps > COARSE) {
      precisely = true;
    }
    long before = steps;
    if (!walk(key, precisely ? limit : COARSE)) {
      if (precisely) {
        throw tooDear();
      }
      steps = before;
      precisely = true;
      return chargeKey(key);
    }
    return steps - before;
  }

  /** Returns the steps of a key that leads to no other objects, or to short texts only; else 0. */
  private long sizeAlone(Object key) {
    KeyClass type = classOf(key);
    if (type.isShort()) {
      return small && !SpareThreads.areNeeded() ? type.shortSize() : 0;
    }
    return type.isLeaf() ? type.size(key) : 0;
  }

  private KeyClass classOf(Object object) {
    if (object.getClass() != lastClass) {
      lastClass = object.getClass();
      last = classes.of(lastClass);
    }
    return last;
  }

  /** Charges for the work of a table besides hashing and comparing keys. */
  public void spend(long more) {
    steps += more;
    if (steps > limit || steps < 0) {
      throw tooDear();
    }
  }

  private static CodecFailure tooDear() {
    return new CodecFailure(
        "hashing or comparing its keys would take too long: they share many parts, lead back to themselves, or have equal hashes; "
            + "use smaller keys, or keys that hash their own number or name only");
  }

  /** Counts the objects that a hash visits; returns whether the budget permits them. */
  private boolean walk(Object key, long most) {
    boolean leaves = SpareThreads.areNeeded();
    try {
      int depth = 0;
      if (parts.length == 0) {
        parts = new Object[16][];
        positions = new int[16];
      }
      parts[0] = new Object[] {key};
      positions[0] = 0;
      while (depth >= 0) {
        Object[] here = parts[depth];
        int at = positions[depth]++;
        if (at >= here.length) {
          parts[depth--] = null;
          continue;
        }
        Object object = here[at];
        if (object == null) {
          if (++steps > most) {
            return false;
          }
          continue;
        }
        if (object instanceof String text) {
          steps += KeyClass.textSize(text);
          if (steps > most) {
            return false;
          }
          continue;
        }
        KeyClass type = classOf(object);
        steps += type.size(object);
        if (searching != null) {
          steps += searching.getOrDefault(object, 0L);
        }
        if (leaves && foreign == null && type.runsForeignCode()) {
          foreign = object.getClass();
        }
        if (steps > most || steps < 0) {
          return false;
        }
        Object[] below = type.parts(object, contents.of(object), precisely);
        if (below.length > 0) {
          if (++depth == DEEPEST) {
            return false;
          }
          push(depth, below);
        }
      }
      return true;
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    } finally {
      if (parts.length > 1024) {
        parts = NO_PARTS;
        positions = NO_POSITIONS;
      }
    }
  }

  private void push(int depth, Object[] below) {
    if (depth == parts.length) {
      parts = Arrays.copyOf(parts, 2 * depth);
      positions = Arrays.copyOf(positions, 2 * depth);
    }
    parts[depth] = below;
    positions[depth] = 0;
  }
}
