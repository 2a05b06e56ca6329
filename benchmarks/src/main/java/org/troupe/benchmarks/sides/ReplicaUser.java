package org.troupe.benchmarks.sides;

import org.troupe.replicas.Replicated;

/**
 * Uses the replica of its node. Each method repeats an operation and returns the nanoseconds of all
 * repetitions.
 */
class ReplicaUser {

  private final ReplicatedCounter replica;
  private final ReplicatedCounter plain = new ReplicatedCounter();
  private final GroupCallee remote;

  ReplicaUser(Replicated<ReplicatedCounter> counters, GroupCallee remote) {
    replica = counters.here();
    this.remote = remote;
  }

  long reads(int times) {
    return reads(replica, times);
  }

  long plainReads(int times) {
    return reads(plain, times);
  }

  private static long reads(ReplicatedCounter counter, int times) {
    var sum = 0L;
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      sum += counter.count() + 1;
    }
    var nanos = System.nanoTime() - began;
    if (sum < times) {
      throw new AssertionError(times + " reads have the sum " + sum);
    }
    return nanos;
  }

  long writes(int times) {
    var before = replica.count();
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      replica.add(1);
    }
    var nanos = System.nanoTime() - began;
    if (replica.count() != before + times) {
      throw new AssertionError(times + " writes have counted to " + replica.count());
    }
    return nanos;
  }

  long calls(int times) {
    var sum = 0L;
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      sum += remote.call();
    }
    var nanos = System.nanoTime() - began;
    if (sum != times) {
      throw new AssertionError(times + " calls have the sum " + sum);
    }
    return nanos;
  }
}
