package org.troupe.tasks.nodes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The requests for jobs of a node that has none. May be used by any thread. */
final class StealRequests {

  /*
   * Design: requests and silence
   *
   * A node without work has at most one request to its own cluster and one to all others outstanding, for any number of
   * workers. An answer 'refused' lets the reader send the next request, while workers are idle. After as many refusals in a
   * row as there are nodes (16 at most) the node falls silent and tells its lifelines. It begins anew when a task has come,
   * or after a second. While jobs that have come wait for a worker, the node asks for no more, since they would wait, too. So an
   * answer is recorded, and its jobs are added to those that have come, in one step.
   *
   * Design: offers
   *
   * A node that has jobs with a label tells those that have the label, by a number that grows with each such job. Their
   * next requests go to it, whatever the strategy, until it refuses. Its refusal carries the number that it had reached before it
   * looked for jobs, so it ends the offers that were made until then, and no newer one that it crosses.
   */

  private static final int MOST_FAILURES = 16;
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TaskPeers peers;
  private final Strategy strategy;
  private final BooleanSupplier hasArrived;
  private final AtomicLong sent = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  // guarded by lock
  private @Nullable TaskMember near;
  private @Nullable TaskMember far;
  private int failures;
  private boolean isSilent;
  private long silentSince;
  private final Map<Integer, Long> offers = new LinkedHashMap<>(); // the newest, by member

  /**
   * Creates them.
   *
   * @param hasArrived whether jobs that have come wait for a worker
   */
  StealRequests(TaskPeers peers, Strategy strategy, BooleanSupplier hasArrived) {
    this.peers = peers;
    this.strategy = strategy;
    this.hasArrived = hasArrived;
  }

  /** Returns how many requests were sent. */
  long sent() {
    return sent.get();
  }

  /** Ends the silence. */
  void beginAnew() {
    lock.lock();
    try {
      failures = 0;
      isSilent = false;
    } finally {
      lock.unlock();
    }
  }

  /** Sends requests for jobs, if none are outstanding and it is not the time to be silent. */
  void request() {
    if (!lock.tryLock()) {
      return;
    }
    TaskMember askNear = null;
    TaskMember askFar = null;
    List<TaskMember> told = List.of();
    try {
      if (isSilent && System.nanoTime() - silentSince > SILENCE_NANOS) {
        isSilent = false;
        failures = Math.max(0, failures - 1);
      }
      if (isSilent && offers.isEmpty() || hasArrived.getAsBoolean()) {
        return;
      }
      var all = peers.others();
      if (all.isEmpty() || peers.get(peers.number()) == null) {
        return; // a node that has not joined yet does not know which others are near
      }
      var victims = victims(all);
      var beyond =
          strategy == Strategy.CRS
              ? all.stream().filter(m -> !peers.isNear(m)).toList()
              : List.<TaskMember>of();
      var offering = all.stream().filter(m -> offers.containsKey(m.number())).toList();
      if (near == null && !offering.isEmpty()) {
        near = askNear = random(offering);
      } else if (isSilent) {
        return; // until the offering node has answered
      } else if (failures >= Math.min(MOST_FAILURES, all.size())) {
        isSilent = true;
        silentSince = System.nanoTime();
        told = lifelinesAmong(victims, beyond);
      } else {
        if (near == null && !victims.isEmpty()) {
          near = askNear = random(victims);
        }
        if (far == null && !beyond.isEmpty()) {
          far = askFar = random(beyond);
        }
      }
    } finally {
      lock.unlock();
    }
    for (var member : told) {
      peers.send(member, PacketKind.LIFELINE, 0, null);
    }
    ask(askNear);
    ask(askFar);
  }

  /** Returns the nodes of which one is asked at a time. */
  private List<TaskMember> victims(List<TaskMember> all) {
    return switch (strategy) {
      case RS -> all;
      case MW -> all.stream().filter(m -> m.number() == 0).toList();
      case CRS -> all.stream().filter(peers::isNear).toList();
    };
  }

  private static TaskMember random(List<TaskMember> members) {
    return members.get(ThreadLocalRandom.current().nextInt(members.size()));
  }

  /** The members at distances of powers of 2 behind this one in its cluster, and one beyond. */
  private List<TaskMember> lifelinesAmong(List<TaskMember> cluster, List<TaskMember> beyond) {
    var ring = cluster.stream().sorted((a, b) -> Integer.compare(place(a), place(b))).toList();
    var chosen = new ArrayList<TaskMember>();
    for (int distance = 1; distance <= ring.size(); distance *= 2) {
      chosen.add(ring.get(distance - 1));
    }
    if (!beyond.isEmpty()) {
      chosen.add(random(beyond));
    }
    var home = peers.get(0);
    if (home != null && peers.number() != 0 && !chosen.contains(home)) {
      chosen.add(home); // which has the root tasks
    }
    return chosen;
  }

  /** The place of a member on the ring that begins behind this one. */
  private int place(TaskMember member) {
    return member.number() > peers.number()
        ? member.number() - peers.number()
        : member.number() + (1 << 30);
  }

  private void ask(@Nullable TaskMember victim) {
    if (victim != null) {
      sent.incrementAndGet();
      peers.send(victim, PacketKind.STEAL, 0, null);
      if (!peers.isAlive(victim)) {
        lost(victim);
      }
    }
  }

  /** Records that a node has jobs for the labels of this one. */
  void offered(TaskMember by, long number) {
    lock.lock();
    try {
      offers.merge(by.number(), number, Math::max);
      failures = 0;
      isSilent = false;
    } finally {
      lock.unlock();
    }
  }

  /** Records that a node was lost. */
  void lost(TaskMember member) {
    refused(member, Long.MAX_VALUE);
  }

  /**
   * Records that a node has no jobs.
   *
   * @param offer the number of its last offer before it looked for jobs
   */
  void refused(TaskMember by, long offer) {
    lock.lock();
    try {
      var newest = offers.get(by.number());
      if (newest != null && newest <= offer) {
        offers.remove(by.number());
      }
      if (isNumber(near, by)) {
        near = null;
        failures++;
      } else if (isNumber(far, by)) {
        far = null;
        if (strategy == Strategy.CRS && hasNoOther(by)) {
          failures++;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether this cluster has no node but this one. */
  private boolean hasNoOther(TaskMember far) {
    return peers.others().stream().noneMatch(each -> each != far && peers.isNear(each));
  }

  /**
   * Records that a node has sent jobs. Returns whether it was asked for them.
   *
   * @param arrival adds them to those that have come
   */
  boolean answered(TaskMember by, Runnable arrival) {
    lock.lock();
    try {
      boolean wasAsked = true;
      if (isNumber(near, by)) {
        near = null;
      } else if (isNumber(far, by)) {
        far = null;
      } else {
        wasAsked = false;
      }
      failures = 0;
      isSilent = false;
      arrival.run();
      return wasAsked;
    } finally {
      lock.unlock();
    }
  }

  private static boolean isNumber(@Nullable TaskMember asked, TaskMember member) {
    return asked != null && asked.number() == member.number();
  }
}
