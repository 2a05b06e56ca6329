package org.troupe.program;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** A member of a group that exchanges numbers with its neighbours in each step. */
public class Walker {

  private long value;
  private int steps;

  /** Begins with a number of its own. */
  public int begin() {
    value = Spmd.here(Walker.class).rank() + 1L;
    return steps;
  }

  /** Takes steps together with the other members; returns how many it has taken in all. */
  public int walk(int count) {
    var spmd = Spmd.here(Walker.class);
    var right = (spmd.rank() + 1) % spmd.size();
    var left = (spmd.rank() + spmd.size() - 1) % spmd.size();
    var from = new long[1];
    for (var i = 0; i < count; i++) {
      spmd.exchange(right, Slice.of(new long[] {value}), left, Slice.of(from));
      value = next(value, from[0]);
      steps++;
    }
    spmd.allReduce(value, Operation.SUM);
    return steps;
  }

  private static long next(long own, long left) {
    return 31 * own + 17 * left + 1;
  }

  /** Returns the values of a group after some steps, as one thread computes them. */
  public static long[] expected(int members, int steps) {
    var values = new long[members];
    for (var rank = 0; rank < members; rank++) {
      values[rank] = rank + 1L;
    }
    for (var step = 0; step < steps; step++) {
      var former = values.clone();
      for (var rank = 0; rank < members; rank++) {
        values[rank] = next(former[rank], former[(rank + members - 1) % members]);
      }
    }
    return values;
  }

  public long value() {
    return value;
  }

  public int steps() {
    return steps;
  }

  public String node() {
    return ActiveObjects.node().name();
  }
}
