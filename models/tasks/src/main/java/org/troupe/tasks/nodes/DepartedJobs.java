package org.troupe.tasks.nodes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.JobDeparture;
import org.troupe.tasks.engine.JobName;
import org.troupe.tasks.engine.Spawn;

/** The jobs of one node that other nodes execute. May be used by any thread. */
final class DepartedJobs {

  /*
   * Design: jobs that are away
   *
   * A job has a number from when it is sent until its outcome is known. The thread that removes the number ends the departure, so each
   * ends once: by an outcome, by a cancellation, by the loss of its thief. Later messages are dropped.
   *
   * Two races are decided by the order of writes. A thief is lost, or a job is cancelled, while the job is sent: 'dispatch'
   * first writes the number and then looks for the loss and the cancellation; the other side writes the loss or the cancellation
   * first and then looks for numbers. So at least one of them sees the other.
   */

  private static final int BATCH_BITS = 6;

  /** The largest number of jobs that are sent together. */
  static final int BATCH = 1 << BATCH_BITS;

  private final TaskPeers peers;
  private final int retries;
  private final Runnable fed;
  private final AtomicLong batches = new AtomicLong();
  private final Map<Long, Away> away = new ConcurrentHashMap<>();
  private final AtomicLong repeated = new AtomicLong();

  /** A job that another node executes. */
  private record Away(JobDeparture departure, TaskMember thief) {}

  /**
   * Creates an empty set.
   *
   * @param retries how often a job is repeated whose node was lost
   * @param fed called when jobs have come back
   */
  DepartedJobs(TaskPeers peers, int retries, Runnable fed) {
    this.peers = peers;
    this.retries = retries;
    this.fed = fed;
  }

  /** Returns the number of a job within a batch. */
  static long number(long batch, int place) {
    return batch << BATCH_BITS | place;
  }

  static long batch(long number) {
    return number >>> BATCH_BITS;
  }

  static int place(long number) {
    return (int) number & BATCH - 1;
  }

  boolean isEmpty() {
    return away.isEmpty();
  }

  /** Returns how many jobs were repeated as their nodes were lost. */
  long repeated() {
    return repeated.get();
  }

  /** Sends jobs to a node that is to execute them. */
  void dispatch(TaskMember thief, List<JobDeparture> departures) {
    long batch = batches.incrementAndGet();
    for (int i = 0; i < departures.size(); i++) {
      away.put(number(batch, i), new Away(departures.get(i), thief));
    }
    try {
      peers.send(
          thief,
          departures.getFirst().label().isEmpty() ? PacketKind.TASKS : PacketKind.LABELLED,
          batch,
          new TaskParcel(
              departures.stream().map(JobDeparture::job).toList(),
              departures.stream().map(JobDeparture::name).toList(),
              departures.stream().map(JobDeparture::isRepeated).toList(),
              departures.stream().map(JobDeparture::label).toList()));
    } catch (Throwable cannotTravel) { // an error, too, would leave the frame waiting
      undo(thief, batch, departures, cannotTravel);
      return;
    }
    for (int i = 0; i < departures.size(); i++) {
      long job = number(batch, i);
      if (departures.get(i).isCancelled() && !abort(job)) {
        // It was cancelled meanwhile, so that the news may have come before the job.
        peers.send(thief, PacketKind.ABORT, job, null);
      }
    }
    repeatIfLost(thief);
  }

  private void undo(
      TaskMember thief, long batch, List<JobDeparture> departures, Throwable cannotTravel) {
    for (int i = 0; i < departures.size(); i++) {
      boolean isOurs = away.remove(number(batch, i)) != null; // else it was cancelled meanwhile
      if (isOurs && departures.size() > 1) {
        dispatch(thief, List.of(departures.get(i)));
      } else if (isOurs && cannotTravel instanceof StackOverflowError && Engine.current() != null) {
        departures.get(i).comeBack(); // the stack of this worker is full, which the job cannot help
      } else if (isOurs) {
        departures.get(i).ended(job -> raise(cannotTravel));
      }
    }
    if (departures.size() == 1) {
      peers.send(thief, PacketKind.REFUSED, 0, null);
    }
  }

  private void repeatIfLost(TaskMember thief) {
    var why = peers.lossOf(thief.node());
    if (why != null) {
      repeatAllOf(thief.node(), why);
    }
  }

  /**
   * Asks a node for the result of a job that it executes for a node that was lost. Returns whether
   * the departure will be ended.
   */
  boolean claim(JobDeparture fork, TaskMember holder, JobName name) {
    long job = number(batches.incrementAndGet(), 0);
    away.put(job, new Away(fork, holder));
    try {
      peers.send(holder, PacketKind.CLAIM, job, name);
    } catch (RuntimeException | Error failure) {
      if (away.remove(job) != null) {
        return false;
      }
    }
    repeatIfLost(holder);
    return true;
  }

  /** Ends a job with a result or a failure. */
  void outcome(long job, JobDeparture.Outcome outcome) {
    var entry = away.remove(job);
    if (entry != null) {
      entry.departure.ended(outcome);
    }
  }

  /** Stores the result that a packet brings. */
  void result(long job, Packet packet) {
    outcome(job, ended -> Engine.setOutcome(ended, packet.value()));
  }

  /** Ends a job with the failure that a packet brings. */
  void failed(long job, Packet packet) {
    outcome(job, ended -> raise((Throwable) packet.value()));
  }

  /** Takes a job back. */
  void returned(long job) {
    var entry = away.remove(job);
    if (entry != null) {
      entry.departure.comeBack();
      fed.run();
    }
  }

  /** Takes all jobs of a batch back. */
  void untouched(long batch) {
    for (int i = 0; i < BATCH; i++) {
      returned(number(batch, i));
    }
  }

  /** Ends the jobs of a batch that could not be decoded. */
  void unread(long batch, Packet reason) {
    var decoded = new AtomicReference<@Nullable Throwable>();
    for (int i = 0; i < BATCH; i++) {
      outcome(
          number(batch, i),
          ended -> {
            synchronized (decoded) { // a packet may be decoded once, and several threads may come
              if (decoded.get() == null) {
                decoded.set((Throwable) reason.value());
              }
            }
            raise(decoded.get());
          });
    }
  }

  private static void raise(@Nullable Throwable failure) throws Throwable {
    throw failure == null ? new IllegalStateException("the task has failed") : failure;
  }

  /** Ends the jobs that were cancelled, and tells their nodes. */
  void cancelled() {
    away.forEach(
        (job, entry) -> {
          if (entry.departure.isCancelled()) {
            abort(job);
          }
        });
  }

  /** Ends a cancelled job, unless it has ended; returns whether it had not. */
  private boolean abort(long job) {
    var entry = away.remove(job);
    if (entry == null) {
      return false;
    }
    entry.departure.cancelled();
    peers.send(entry.thief, PacketKind.ABORT, job, null);
    return true;
  }

  /** Lets all jobs be executed once more that a node had taken. */
  void repeatAllOf(NodeId node, String why) {
    away.forEach(
        (job, entry) -> {
          if (entry.thief.node().equals(node) && away.remove(job, entry)) {
            repeat(entry.departure, why);
          }
        });
  }

  private void repeat(JobDeparture departure, String why) {
    if (departure.repeat(why, retries)) {
      repeated.incrementAndGet();
      fed.run();
      return;
    }
    var all = String.join("; ", departure.losses());
    departure.ended(job -> raise(lostTooOften(job, all)));
  }

  private IllegalStateException lostTooOften(Spawn job, String all) {
    return new IllegalStateException(
        "the nodes of "
            + job.getClass().getName()
            + " were lost each time it ran, "
            + retries
            + " times after the first: "
            + all
            + ". Raise -Dtroupe.tasks.retries if the task is not the cause");
  }
}
