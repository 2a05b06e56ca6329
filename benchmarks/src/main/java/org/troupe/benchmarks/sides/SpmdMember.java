package org.troupe.benchmarks.sides;

import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * A member of an SPMD group. Each method is called on all members, repeats a collective operation
 * and returns the nanoseconds of all repetitions.
 */
class SpmdMember {

  long barriers(int times) {
    var spmd = aligned();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      spmd.barrier().join();
    }
    return System.nanoTime() - began;
  }

  long allReduces(int doubles, int times) {
    var spmd = aligned();
    var values = Slice.of(new double[doubles]);
    var sum = 0.0;
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      if (doubles == 1) {
        sum += spmd.allReduce(1.0, Operation.SUM);
      } else {
        spmd.allReduce(values, Operation.SUM);
      }
    }
    var nanos = System.nanoTime() - began;
    if (doubles == 1 && sum != (double) times * spmd.size()) {
      throw new AssertionError(times + " all-reduces gave " + sum + " in all");
    }
    return nanos;
  }

  /** Broadcasts from each member in turn, so that no member runs ahead. */
  long broadcasts(int doubles, int times) {
    var spmd = aligned();
    var values = Slice.of(new double[doubles]);
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      spmd.broadcast(i % spmd.size(), values);
    }
    return System.nanoTime() - began;
  }

  /**
   * Sends an array from the first member to the last one, which counts the round trips, and back.
   */
  long pingPongs(int doubles, int times) {
    var spmd = aligned();
    var array = new double[doubles];
    var values = Slice.of(array);
    var last = spmd.size() - 1;
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      if (spmd.rank() == 0) {
        spmd.send(last, values);
        spmd.receive(last, values);
      } else if (spmd.rank() == last) {
        spmd.receive(0, values);
        array[doubles - 1]++;
        spmd.send(0, values);
      }
    }
    var nanos = System.nanoTime() - began;
    if ((spmd.rank() == 0 || spmd.rank() == last) && array[doubles - 1] != times) {
      throw new AssertionError(times + " ping-pongs were counted as " + array[doubles - 1]);
    }
    return nanos;
  }

  private static Spmd<SpmdMember> aligned() {
    var spmd = Spmd.here(SpmdMember.class);
    spmd.barrier().join();
    return spmd;
  }
}
