package org.troupe.activeobjects.internal.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePace;

/** Records the requests that the active objects of one node serve. Thread-safe. */
public final class ServiceObserver {

  /*
   * Design: where a request is counted
   *
   * A request is counted once, when its method has ended and before it is answered, so that a caller that has its answer finds it
   * counted. Nothing is recorded when a request is accepted: an accepted request is being served, or waits in a queue that can be
   * counted, or has ended. So a sender, which shares the cache line of the queue with other senders, writes nothing more.
   *
   * The serving thread writes to the counts of the body if it has any (BodyCounts), else to those of the class. One of
   * OWN_COUNTS_AFTER requests, chosen at random, gives its body counts of its own: bodies that serve many soon have
   * them, and a million bodies that serve one request each need little memory. After MOST_BODIES no body gets any.
   *
   * Times. A request that is to be timed carries the time at which it was accepted; the serving thread reads the clock twice
   * more. Body and ServicePace choose the requests, and each stands for as many as were not chosen. A body counts down to the
   * next one, where its senders write to the cache line of the queue anyway; a counter of the method would be shared by all
   * senders, and a random number for each request costs more (docs/performance.md).
   *
   * Traces. All requests are timed, but those that were not chosen are only written to the trace. Where requests without a
   * waiting caller are served one after another, the end of one is the beginning of the next, which saves a reading of the clock.
   *
   * The middleware's own objects are left out, as are calls that are addressed to a body rather than to its object.
   */
  private static final int OWN_COUNTS_AFTER = 16; // a power of two

  private static final int MOST_BODIES = 4_096;
  private static final int MOST_CLASSES = 2_048;
  private static final int MOST_HISTOGRAMS = 512;

  private final Map<Class<?>, ClassCounts> classes = new ConcurrentHashMap<>();
  private final AtomicInteger histogramsLeft = new AtomicInteger(MOST_HISTOGRAMS);
  private final ClassCounts others = new ClassCounts(histogramsLeft);
  private final AtomicInteger bodies = new AtomicInteger();
  private final AtomicLong untimed = new AtomicLong();
  private volatile @Nullable CallTrace trace; // null before the first request is traced

  private final FailureGroups failures = new FailureGroups(System::currentTimeMillis);

  private final CollectiveCounts collectives = new CollectiveCounts();

  private final NodeEvents events = new NodeEvents(System::currentTimeMillis);

  /** Stands for the classes beyond the most that are told apart. */
  private static final class OtherClasses {}

  /** Returns the groups of the failures on this node. */
  public FailureGroups failures() {
    return failures;
  }

  /** Returns the parts of this node's members in collective operations. */
  public CollectiveCounts collectives() {
    return collectives;
  }

  /** Returns the last events of this node. */
  public NodeEvents events() {
    return events;
  }

  private ClassCounts counts(Class<?> type) {
    var known = classes.get(type);
    if (known != null) {
      return known;
    }
    return classes.size() < MOST_CLASSES
        ? classes.computeIfAbsent(type, _ -> new ClassCounts(histogramsLeft))
        : others;
  }

  /**
   * Counts a request whose body has no counts of its own.
   *
   * @param body the body, if it serves nothing else in its turn meanwhile; else {@code null}
   * @return counts for the requests that this body serves in its turn from now on, or {@code null}
   */
  public @Nullable BodyCounts served(
      ActiveType<?> type, CallMethod method, boolean hasFailed, @Nullable Object body) {
    if (type.isMiddleware() || method.isOfBody()) {
      return null;
    }
    var counts = counts(type.type());
    counts.served(method, hasFailed);
    if (body == null
        || (ThreadLocalRandom.current().nextInt() & OWN_COUNTS_AFTER - 1) != 0
        || bodies.get() >= MOST_BODIES) {
      return null;
    }
    if (bodies.incrementAndGet() == MOST_BODIES) {
      sweep();
    }
    return counts.add(body, method);
  }

  private void sweep() {
    for (var each : all()) {
      bodies.addAndGet(-each.sweep());
    }
  }

  private List<ClassCounts> all() {
    var all = new ArrayList<>(classes.values());
    all.add(others);
    return all;
  }

  /**
   * Records the times of a request.
   *
   * @param accepted as {@link ServicePace#accepts} returned it
   */
  public void timed(
      ActiveType<?> type, CallMethod method, long accepted, long beganNanos, long endedNanos) {
    var weight = ServicePace.weightOf(accepted);
    if (weight == 0) {
      return;
    }
    method.pace().sampled(endedNanos - beganNanos);
    if (!counts(type.type())
        .timed(
            method,
            weight,
            Math.max(0, beganNanos - accepted),
            Math.max(0, endedNanos - beganNanos))) {
      untimed.incrementAndGet();
    }
  }

  /** Returns the trace of the last requests if each is to be recorded; else {@code null}. */
  public @Nullable CallTrace traceIfOn() {
    if (!TierSwitch.isTracing()) {
      return null;
    }
    var known = trace;
    return known != null ? known : newTrace();
  }

  private synchronized CallTrace newTrace() {
    var known = trace;
    if (known == null) {
      known = new CallTrace();
      trace = known;
    }
    return known;
  }

  /**
   * Returns a part of the trace, as {@link CallTrace#from} does; {@link Long#MAX_VALUE} stands for
   * the number after the last entry.
   */
  public TracePart traced(long from, int most) {
    var known = trace;
    if (known == null) {
      return new TracePart(List.of(), 0, 1);
    }
    return known.from(Math.min(from, known.next()), Math.min(most, TracePart.MOST));
  }

  /** Returns the activity of each method that was called on this node, in no order. */
  public List<MethodActivity> methods(long nowNanos) {
    sweep();
    var all = new ArrayList<MethodActivity>();
    classes.forEach((type, counts) -> all.addAll(counts.methods(type, nowNanos)));
    all.addAll(others.methods(OtherClasses.class, nowNanos));
    return all;
  }

  /**
   * The requests of all methods.
   *
   * @param served how many have ended
   * @param failed how many of them have ended with an exception
   */
  public record Totals(long served, long failed) {}

  /** Returns the sums over all methods; cheap, because each heartbeat asks for them. */
  public Totals totals() {
    var sums = new long[2];
    classes.values().forEach(each -> each.addTotals(sums));
    others.addTotals(sums);
    return new Totals(sums[0], sums[1]);
  }

  /** Returns bodies that have served requests, among them those that serve many. */
  public List<Object> busyBodies() {
    var busy = new ArrayList<Object>();
    all().forEach(each -> each.addBodies(busy));
    return busy;
  }

  /** Returns how many requests were not timed because there are too many methods. */
  public long untimed() {
    return untimed.get();
  }
}
