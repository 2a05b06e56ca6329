package org.troupe.tasks.engine;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an engine that lie in no deque: roots, jobs that any worker may execute, and jobs
 * with labels. Thread-safe.
 *
 * <p>A job that is added while the engine is closed, or while it is cancelled, ends at once: both
 * are written first, and the queues are looked at then.
 */
final class WaitingJobs {

  private final Engine engine;
  private final SleepingWorkers sleeping;
  private final Elsewhere elsewhere;
  private final JobQueue roots = new JobQueue();
  private final JobQueue given = new JobQueue();
  private final LabelledJobs labelled = new LabelledJobs();

  WaitingJobs(Engine engine, SleepingWorkers sleeping, Elsewhere elsewhere) {
    this.engine = engine;
    this.sleeping = sleeping;
    this.elsewhere = elsewhere;
  }

  /** Returns the queue of roots, which workers of this JVM execute. */
  JobQueue roots() {
    return roots;
  }

  /** Returns the queue of jobs that workers of any node execute. */
  JobQueue given() {
    return given;
  }

  /** Returns the jobs with labels. */
  LabelledJobs labelled() {
    return labelled;
  }

  /** Adds a job for any worker that may execute it. */
  void add(Spawn job) {
    var label = job.state().label;
    if (label != null) {
      add(job, label);
    } else if (!isEndedIn(given, job)) {
      sleeping.wake();
    }
  }

  private void add(Spawn job, String label) {
    var queue = labelled.queue(label);
    if (isEndedIn(queue, job)) {
      return;
    }
    if (!labelled.exists(label) && queue.remove(job)) { // no longer, or it came back
      failWithoutLabel(job);
      return;
    }
    if (labelled.isOwn(label)) {
      sleeping.wake();
    }
    elsewhere.offered(label);
  }

  /** Adds a job to a queue. Returns whether it ends at once instead. */
  private boolean isEndedIn(JobQueue queue, Spawn job) {
    var departure = new JobDeparture(engine, job);
    queue.add(job);
    boolean ends = (engine.isClosed() || departure.isCancelled()) && queue.remove(job);
    if (ends) {
      departure.cancelled();
    }
    return ends;
  }

  /** Ends the jobs whose label no node has any more. */
  void failWithoutLabel() {
    for (Spawn job; (job = labelled.poll(label -> !labelled.exists(label))) != null; ) {
      failWithoutLabel(job);
    }
  }

  private void failWithoutLabel(Spawn job) {
    var sentence = labelled.missing(LabelledJobs.label(job));
    new JobDeparture(engine, job)
        .ended(
            ended -> {
              throw new IllegalStateException(sentence);
            });
  }

  /** Removes and returns a job that suits, first one with a label of this node. */
  @Nullable Spawn poll(Predicate<Spawn> suits) {
    var job = labelled.pollOwn(suits);
    return job != null ? job : given.poll(suits);
  }

  /** Ends all jobs. */
  void cancelAll() {
    roots.removeAll(_ -> true).forEach(this::cancel);
    cancelAll(_ -> true);
  }

  /** Ends the jobs that were cancelled; roots end when a worker looks at them. */
  void cancelMarked() {
    cancelAll(job -> new JobDeparture(engine, job).isCancelled());
  }

  private void cancelAll(Predicate<Spawn> suits) {
    given.removeAll(suits).forEach(this::cancel);
    for (var queue : labelled.queues()) {
      queue.removeAll(suits).forEach(this::cancel);
    }
  }

  private void cancel(Spawn job) {
    new JobDeparture(engine, job).cancelled();
  }
}
