package org.troupe.tasks.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.JobName;
import org.troupe.tasks.engine.Spawn;

/** The jobs of other nodes that this node executes. May be used by any thread. */
final class TakenJobs {

  /*
   * Design: jobs of others
   *
   * A batch that has come waits in 'arrivals' for a worker, which decodes it. If no worker looks for jobs any more, a job with a
   * label goes back to its owner, which offers it to all nodes with the label again; other jobs stay, as they are often asked for
   * in advance. The reader adds a batch and then looks for such a worker, a worker ends its search and then looks for batches. So
   * no job with a label waits behind one that runs.
   *
   * Until a batch is decoded it is also in 'undecoded', where an abort leaves a mark for a job: the abort writes the mark and then
   * looks for the job, the worker adds the job and then looks for the mark. An abort for a job that is neither there nor known is late, and is dropped.
   *
   * A job that is known has an owner, the node that waits for it. If that is lost, the job has none until another node claims
   * it (Orphans). 'owner' and 'hasEnded' change under the lock of the work, so its end is reported to its owner at that time.
   */

  private final TaskPeers peers;
  private final Engine engine;
  private final Runnable whenEnded;
  private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final Map<Owner, Arrival> undecoded = new ConcurrentHashMap<>(); // by their first jobs
  private final Map<Owner, Work> here = new ConcurrentHashMap<>();

  /** The node that waits for a job, and the number that it gave it. */
  record Owner(int member, long job) {

    private Owner firstOfBatch() {
      return new Owner(member, DepartedJobs.number(DepartedJobs.batch(job), 0));
    }
  }

  /** A job of another node. */
  static final class Work {
    private final Spawn job;
    private final JobName name;
    // guarded by this
    private @Nullable Owner owner; // null: an orphan that was not claimed
    private boolean hasEnded;

    private Work(Spawn job, JobName name, Owner owner) {
      this.job = job;
      this.name = name;
      this.owner = owner;
    }

    Spawn job() {
      return job;
    }

    JobName name() {
      return name;
    }
  }

  /** Jobs that have come. */
  static final class Arrival {
    private final TaskMember owner;
    private final long batch;
    private final Packet parcel;
    private final boolean isLabelled;
    private long aborted; // guarded by this; a bit for each job

    /**
     * Creates one.
     *
     * @param isLabelled whether it is one job with a label
     */
    Arrival(TaskMember owner, long batch, Packet parcel, boolean isLabelled) {
      this.owner = owner;
      this.batch = batch;
      this.parcel = parcel;
      this.isLabelled = isLabelled;
    }

    boolean isLabelled() {
      return isLabelled;
    }

    private Owner job(int place) {
      return new Owner(owner.number(), DepartedJobs.number(batch, place));
    }

    private synchronized void abort(int place) {
      aborted |= 1L << place;
    }

    private synchronized boolean isAborted(int place) {
      return (aborted >>> place & 1) != 0;
    }
  }

  /**
   * Creates an empty set.
   *
   * @param whenEnded called when a job has ended
   */
  TakenJobs(TaskPeers peers, Engine engine, Runnable whenEnded) {
    this.peers = peers;
    this.engine = engine;
    this.whenEnded = whenEnded;
  }

  /** Adds a batch that has come. */
  void add(Arrival arrival) {
    undecoded.put(arrival.job(0), arrival);
    arrivals.add(arrival);
  }

  boolean hasArrived() {
    return !arrivals.isEmpty();
  }

  /** Returns whether no job of another node is executed here. */
  boolean isEmpty() {
    return here.isEmpty();
  }

  /**
   * Decodes the next batch and returns its first job, the others go to any worker; {@code null} if
   * there is none. Called by a worker.
   *
   * @param isIdle whether the worker may get a repeated job
   */
  @Nullable Spawn next(boolean isIdle) {
    Arrival arrival;
    while ((arrival = arrivals.poll()) != null) {
      var first = decoded(arrival, isIdle);
      undecoded.remove(arrival.job(0));
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  private @Nullable Spawn decoded(Arrival arrival, boolean isIdle) {
    TaskParcel parcel;
    try {
      parcel = (TaskParcel) Objects.requireNonNull(arrival.parcel.value(), "a parcel");
    } catch (Throwable unreadable) {
      unreadable(arrival, unreadable);
      return null;
    }
    Spawn first = null;
    for (int i = 0; i < parcel.jobs().size(); i++) {
      var owner = arrival.job(i);
      var job = parcel.jobs().get(i);
      boolean isRepeated = parcel.repeated().get(i);
      var label = parcel.labels().get(i);
      boolean mustWait = isRepeated && (!isIdle || first != null); // perhaps for older ones
      if (mustWait && !engine.hasLabel(label)) {
        peers.send(arrival.owner, PacketKind.RETURNED, owner.job, null);
        continue;
      }
      var work = new Work(job, parcel.names().get(i), owner);
      engine.arrive(job, work.name, isRepeated, ended -> ended(work));
      here.put(owner, work);
      if (arrival.isAborted(i) || peers.get(owner.member) == null) {
        engine.cancel(job);
      }
      if (mustWait) { // no other node may have the label
        engine.give(job, label);
      } else if (first == null) {
        first = job;
      } else {
        engine.give(job);
      }
    }
    return first;
  }

  private void unreadable(Arrival arrival, Throwable reason) {
    try {
      peers.send(arrival.owner, PacketKind.UNREAD, arrival.batch, reason);
    } catch (Throwable cannotTravel) { // else the owner would wait for ever
      var why = "a task cannot be decoded: " + reason.getClass().getName();
      peers.send(arrival.owner, PacketKind.UNREAD, arrival.batch, new IllegalStateException(why));
    }
  }

  /** Cancels a job, whose owner does not wait for it any more. */
  void abort(TaskMember owner, long job) {
    var at = new Owner(owner.number(), job);
    var arrival = undecoded.get(at.firstOfBatch());
    if (arrival != null) {
      arrival.abort(DepartedJobs.place(job));
    }
    var running = here.get(at);
    if (running != null) {
      engine.cancel(running.job);
    }
  }

  /** Reports the end of a job of another node, on the thread of the worker that has executed it. */
  private void ended(Work work) {
    Owner owner;
    synchronized (work) {
      work.hasEnded = true;
      owner = work.owner;
    }
    if (owner != null) {
      answer(owner, work.job);
    }
    whenEnded.run();
  }

  private void answer(Owner owner, Spawn job) {
    here.remove(owner);
    var member = peers.get(owner.member);
    if (member == null) {
      return;
    }
    var failure = Engine.failureOf(job);
    if (failure == null) {
      try {
        peers.send(member, PacketKind.RESULT, owner.job, Engine.outcomeOf(job));
      } catch (StackOverflowError full) {
        if (Engine.current() == null) {
          fail(member, owner.job, full);
        } else { // the stack of this worker, which the job cannot help
          Thread.startVirtualThread(() -> answer(owner, job));
        }
      } catch (Throwable cannotTravel) { // else the owner would wait for ever
        fail(member, owner.job, cannotTravel);
      }
    } else if (Engine.isCancellation(failure)) {
      peers.send(member, PacketKind.RETURNED, owner.job, null);
    } else {
      fail(member, owner.job, failure);
    }
  }

  private void fail(TaskMember member, long job, Throwable failure) {
    try {
      peers.send(member, PacketKind.FAILED, job, failure);
    } catch (Throwable cannotTravel) { // else the owner would wait for ever
      var why =
          "a task has failed with "
              + failure.getClass().getName()
              + ", which cannot be sent: "
              + cannotTravel.getClass().getName();
      peers.send(member, PacketKind.FAILED, job, new IllegalStateException(why));
    }
  }

  /** Removes the batches of a lost node that are not decoded. */
  void dropArrivalsOf(int owner) {
    arrivals.removeIf(
        arrival -> {
          boolean isGone = arrival.owner.number() == owner;
          if (isGone) {
            undecoded.remove(arrival.job(0));
          }
          return isGone;
        });
  }

  /** Takes the jobs of a lost node from it. Returns them; they go on without owner. */
  List<Work> orphan(int owner) {
    var orphans = new ArrayList<Work>();
    for (var entry : List.copyOf(here.entrySet())) {
      if (entry.getKey().member == owner && here.remove(entry.getKey()) != null) {
        synchronized (entry.getValue()) {
          entry.getValue().owner = null;
        }
        orphans.add(entry.getValue());
      }
    }
    return orphans;
  }

  /** Gives a job without owner a new one, which gets its end. */
  void adopt(Work work, TaskMember by, long number) {
    var owner = new Owner(by.number(), number);
    here.put(owner, work);
    boolean hasEnded;
    synchronized (work) {
      work.owner = owner;
      hasEnded = work.hasEnded;
    }
    if (hasEnded) {
      answer(owner, work.job);
    }
  }

  /** Gives back what is not decoded. */
  void giveBackArrivals() {
    arrivals.forEach(this::giveBack);
  }

  /** Gives the jobs with labels back that are not decoded. */
  void giveBackLabelled() {
    for (var arrival : arrivals) {
      if (arrival.isLabelled) {
        giveBack(arrival);
      }
    }
  }

  /** Gives a batch back unless a worker has begun to decode it; returns whether none has. */
  boolean giveBack(Arrival arrival) {
    if (!arrivals.remove(arrival)) {
      return false;
    }
    undecoded.remove(arrival.job(0));
    peers.send(arrival.owner, PacketKind.UNTOUCHED, arrival.batch, null);
    return true;
  }

  void cancelAll() {
    here.values().forEach(work -> engine.cancel(work.job));
  }
}
