package org.troupe.activeobjects.internal.observe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;

/** The requests that the objects of one class have served on a node. Thread-safe. */
final class ClassCounts {

  /*
   * Design: shared counts, and counts of bodies
   *
   * A request is counted in exactly one of two places. Requests that may be served concurrently, and those of bodies that serve few,
   * are counted here by adders. A body that serves many gets counts of its own, so that a request costs no atomic operation. The
   * counts of a body that was collected are added to the shared ones, under the monitor, which every reader of both holds.
   *
   * A name stands for several call methods: one for each supertype by which an object is called.
   */
  private final Map<CallMethod, Shared> shared = new ConcurrentHashMap<>();
  private final List<BodyCounts> ofBodies = new ArrayList<>(); // guarded by this
  private final Map<String, Heat> heats = new HashMap<>(); // guarded by this
  private final AtomicInteger histogramsLeft;

  /** The common counts and times of a method. */
  private static final class Shared {
    final LongAdder served = new LongAdder();
    final LongAdder failed = new LongAdder();
    volatile @Nullable Times times;
  }

  /** The distributions of the times of a method. */
  private record Times(LatencyHistogram waits, LatencyHistogram services) {}

  /** How many requests of a method were served lately. */
  private static final class Heat {

    private static final double HALF_LIFE_NANOS = 5e9;

    private long served;
    private double recent;
    private long nanos;

    double updated(long nowServed, long now) {
      recent = recent * Math.pow(0.5, (now - nanos) / HALF_LIFE_NANOS) + nowServed - served;
      served = nowServed;
      nanos = now;
      return recent;
    }
  }

  /** The sums of a method while they are being made. */
  private static final class Sum {
    private long served;
    private long failed;
    private final List<LatencyHistogram> waits = new ArrayList<>(0);
    private final List<LatencyHistogram> services = new ArrayList<>(0);
  }

  /**
   * Creates counts.
   *
   * @param histogramsLeft how many histograms the node may still make
   */
  ClassCounts(AtomicInteger histogramsLeft) {
    this.histogramsLeft = histogramsLeft;
  }

  private Shared shared(CallMethod method) {
    var known = shared.get(method);
    return known != null ? known : shared.computeIfAbsent(method, _ -> new Shared());
  }

  void served(CallMethod method, boolean hasFailed) {
    var counts = shared(method);
    counts.served.increment();
    if (hasFailed) {
      counts.failed.increment();
    }
  }

  /**
   * Records the times of a request that stands for others; returns whether there is room for them.
   */
  boolean timed(CallMethod method, int weight, long waitNanos, long serviceNanos) {
    var counts = shared(method);
    var times = counts.times;
    if (times == null) {
      times = newTimes(counts);
      if (times == null) {
        return false;
      }
    }
    times.waits.record(waitNanos, weight);
    times.services.record(serviceNanos, weight);
    return true;
  }

  private synchronized @Nullable Times newTimes(Shared counts) {
    if (counts.times == null && histogramsLeft.addAndGet(-2) >= 0) {
      counts.times = new Times(new LatencyHistogram(), new LatencyHistogram());
    }
    return counts.times;
  }

  /** Makes the counts of a body, for its requests from now on. */
  synchronized BodyCounts add(Object body, CallMethod first) {
    var made = new BodyCounts(body, first);
    ofBodies.add(made);
    return made;
  }

  /** Adds up and forgets the counts of bodies that were collected; returns how many there were. */
  synchronized int sweep() {
    var before = ofBodies.size();
    ofBodies.removeIf(
        each -> {
          if (each.body() != null) {
            return false;
          }
          each.forEach(
              row -> {
                var sum = shared(row.method);
                sum.served.add(row.served());
                sum.failed.add(row.failed());
              });
          return true;
        });
    return before - ofBodies.size();
  }

  /** Adds the bodies that have counts of their own. */
  synchronized void addBodies(List<Object> bodies) {
    for (var each : ofBodies) {
      var body = each.body();
      if (body != null) {
        bodies.add(body);
      }
    }
  }

  /** Adds the requests that have ended, and how many of them have failed. */
  synchronized void addTotals(long[] sums) {
    for (var each : shared.values()) {
      sums[0] += each.served.sum();
      sums[1] += each.failed.sum();
    }
    for (var each : ofBodies) {
      each.forEach(
          row -> {
            sums[0] += row.served();
            sums[1] += row.failed();
          });
    }
  }

  /** Returns the activity of each method that was called. */
  synchronized List<MethodActivity> methods(Class<?> type, long now) {
    Map<String, Sum> sums = new HashMap<>();
    shared.forEach(
        (method, counts) -> {
          var sum = sum(sums, method);
          sum.served += counts.served.sum();
          sum.failed += counts.failed.sum();
          var times = counts.times;
          if (times != null) {
            sum.waits.add(times.waits);
            sum.services.add(times.services);
          }
        });
    for (var each : ofBodies) {
      each.forEach(
          row -> {
            var sum = sum(sums, row.method);
            sum.served += row.served();
            sum.failed += row.failed();
          });
    }
    var all = new ArrayList<MethodActivity>(sums.size());
    sums.forEach(
        (name, sum) ->
            all.add(
                new MethodActivity(
                    type,
                    name,
                    sum.served,
                    sum.failed,
                    heats.computeIfAbsent(name, _ -> new Heat()).updated(sum.served, now),
                    LatencyHistogram.summary(sum.waits),
                    LatencyHistogram.summary(sum.services))));
    return all;
  }

  private static Sum sum(Map<String, Sum> sums, CallMethod method) {
    return sums.computeIfAbsent(nameOf(method), _ -> new Sum());
  }

  /** Returns the name of a method for people, such as {@code step(double)}. */
  static String nameOf(CallMethod method) {
    return method.method().toString();
  }
}
