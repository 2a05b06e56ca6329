package org.troupe.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.io.Serializable;
import java.util.Random;

class KnapsackResult implements Serializable {
  private static final long serialVersionUID = 1;
  int value;
  long taken;
}

interface KnapsackInterface extends Spawnable {
  KnapsackResult pack(int[] weights, int[] values, int item, int capacity, long taken, int value);
}

/** The 0-1 knapsack by trying both choices for each item; the result is an object. */
public class Knapsack extends SatinObject implements KnapsackInterface {
  private static final long serialVersionUID = 1;
  private static final int SPAWN_ITEMS = 8;

  static KnapsackResult sequential(
      int[] weights, int[] values, int item, int capacity, long taken, int value) {
    if (item == weights.length) {
      KnapsackResult r = new KnapsackResult();
      r.value = value;
      r.taken = taken;
      return r;
    }
    KnapsackResult with = null;
    if (weights[item] <= capacity) {
      with =
          sequential(
              weights,
              values,
              item + 1,
              capacity - weights[item],
              taken | 1L << item,
              value + values[item]);
    }
    KnapsackResult without = sequential(weights, values, item + 1, capacity, taken, value);
    return with == null || without.value > with.value ? without : with;
  }

  @Override
  public KnapsackResult pack(
      int[] weights, int[] values, int item, int capacity, long taken, int value) {
    if (item == weights.length || item >= SPAWN_ITEMS) {
      return sequential(weights, values, item, capacity, taken, value);
    }
    KnapsackResult with = null;
    if (weights[item] <= capacity) {
      with =
          pack(
              weights,
              values,
              item + 1,
              capacity - weights[item],
              taken | 1L << item,
              value + values[item]);
    }
    KnapsackResult without = pack(weights, values, item + 1, capacity, taken, value);
    sync();
    return with == null || without.value > with.value ? without : with;
  }

  /** The largest value by dynamic programming. */
  static int check(int[] weights, int[] values, int capacity) {
    int[] best = new int[capacity + 1];
    for (int item = 0; item < weights.length; item++) {
      for (int room = capacity; room >= weights[item]; room--) {
        best[room] = Math.max(best[room], best[room - weights[item]] + values[item]);
      }
    }
    return best[capacity];
  }

  public static void main(String[] args) {
    int n = CheckedResult.size(args, 16, 1, 40);
    Random random = new Random(42);
    int[] weights = new int[n];
    int[] values = new int[n];
    for (int i = 0; i < n; i++) {
      weights[i] = 1 + random.nextInt(50);
      values[i] = 1 + random.nextInt(100);
    }
    int capacity = 20 * n;
    Knapsack k = new Knapsack();
    KnapsackResult result = k.pack(weights, values, 0, capacity, 0, 0);
    k.sync();
    int weight = 0;
    int value = 0;
    for (int i = 0; i < n; i++) {
      if ((result.taken >> i & 1) == 1) {
        weight += weights[i];
        value += values[i];
      }
    }
    CheckedResult.print(
        "knapsack of " + n + " items: " + result.value,
        weight <= capacity
            && value == result.value
            && result.value == check(weights, values, capacity));
  }
}
