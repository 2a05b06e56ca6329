package org.troupe.deployment.batch;

import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ggf.drmaa.DrmCommunicationException;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.ExitTimeoutException;
import org.ggf.drmaa.InvalidJobException;

/** Watches all jobs of a deployment on one batch system, with one question for all of them. */
public final class JobWatch implements Closeable {

  /*
   * Schedulers suffer from many questions more than from many jobs: so one question at a time, often only while
   * something is expected to happen. A batch system that does not answer costs nothing but news.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** How often a job that has vanished is looked for: accounts are written some time later. */
  private static final int MOST_SEARCHES = 6;

  private final String name;
  private final BatchSystem system;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  // All under the lock.
  private final Map<String, Watched> jobs = new HashMap<>();
  private List<CompletableFuture<Void>> hasty = new ArrayList<>();
  private boolean isRunning;
  private boolean isClosed;
  private String silence = ""; // what the batch system's last answer lacks
  private long silentSince;

  /** One job. */
  private static final class Watched {

    private final CompletableFuture<JobEnd> end = new CompletableFuture<>();
    private JobReport report; // null before the first
    private int searches;
  }

  /**
   * @param name of the batch system, for messages
   */
  JobWatch(String name, BatchSystem system) {
    this.name = name;
    this.system = system;
  }

  String name() {
    return name;
  }

  BatchSystem system() {
    return system;
  }

  /** Watches a job until it ends; the future never fails. */
  CompletableFuture<JobEnd> watch(String jobId) {
    lock.lock();
    try {
      var job = jobs.computeIfAbsent(jobId, same -> new Watched());
      if (!isRunning && !isClosed) {
        isRunning = true;
        Thread.ofPlatform().daemon().name("troupe-jobs").start(this::run);
      }
      news.signal();
      return job.end;
    } finally {
      lock.unlock();
    }
  }

  /** Asks soon; completes when the answer is known, or when there is none. */
  CompletableFuture<Void> ask() {
    lock.lock();
    try {
      var asked = new CompletableFuture<Void>();
      if (isRunning) {
        hasty.add(asked);
        news.signal();
      } else {
        asked.complete(null);
      }
      return asked;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the latest news of a job; nothing before the first. */
  Optional<JobReport> report(String jobId) {
    lock.lock();
    try {
      return Optional.ofNullable(jobs.get(jobId)).map(job -> job.report);
    } finally {
      lock.unlock();
    }
  }

  /** Returns since when there is no answer, and why; empty if all is well. */
  String silence() {
    lock.lock();
    try {
      return silence.isEmpty()
          ? ""
          : "%s has not answered for %d s, and is asked on; see whether it runs there: %s"
              .formatted(
                  name, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - silentSince), silence);
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    var pause = SHORTEST;
    for (var round = next(pause); round.isPresent(); round = next(pause)) {
      var hasNews = ask(round.get().jobs());
      round.get().hasty().forEach(each -> each.complete(null));
      var longer = pause.multipliedBy(3).dividedBy(2);
      pause = hasNews ? SHORTEST : longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }
  }

  /** One question: for these jobs, and for these who are in a hurry. */
  private record Round(List<String> jobs, List<CompletableFuture<Void>> hasty) {}

  /** Waits for the time of the next question; nothing if there is no more to ask. */
  private Optional<Round> next(Duration pause) {
    lock.lock();
    try {
      var left = pause.toNanos();
      var known = jobs.size();
      while (!isClosed && hasty.isEmpty() && jobs.size() <= known && left > 0) {
        left = news.awaitNanos(left);
      }
      var waiting = hasty;
      hasty = new ArrayList<>();
      if (isClosed || jobs.isEmpty()) {
        isRunning = false;
        waiting.forEach(each -> each.complete(null));
        return Optional.empty();
      }
      return Optional.of(new Round(List.copyOf(jobs.keySet()), waiting));
    } catch (InterruptedException e) {
      isRunning = false; // only code of ours could interrupt this thread, and none does
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether there is news. */
  private boolean ask(List<String> jobIds) {
    try {
      var reports = system.report(jobIds);
      answered();
      var hasNews = false;
      for (var id : jobIds) {
        var report = reports.get(id);
        hasNews |= report == null || report.hasEnded() ? search(id) : note(id, report);
      }
      return hasNews;
    } catch (DrmaaException | RuntimeException e) {
      isSilent(e);
      return false;
    }
  }

  private boolean note(String jobId, JobReport report) {
    lock.lock();
    try {
      var job = jobs.get(jobId);
      var isNew = job.report == null || !job.report.text().equals(report.text());
      job.report = report;
      job.searches = 0;
      return isNew;
    } finally {
      lock.unlock();
    }
  }

  /** Looks for the account of a job that has ended. */
  private boolean search(String jobId) throws DrmaaException {
    try {
      ended(jobId, system.end(jobId));
    } catch (ExitTimeoutException | InvalidJobException e) {
      lock.lock();
      try {
        if (++jobs.get(jobId).searches < MOST_SEARCHES) {
          return true;
        }
      } finally {
        lock.unlock();
      }
      ended(
          jobId,
          new JobEnd(
              jobId,
              java.util.OptionalInt.empty(),
              Optional.empty(),
              false,
              "gone, and the batch system does not say why"));
    }
    return true;
  }

  private void ended(String jobId, JobEnd end) {
    Watched job;
    lock.lock();
    try {
      job = jobs.remove(jobId);
    } finally {
      lock.unlock();
    }
    job.end.complete(end);
  }

  private void answered() {
    lock.lock();
    try {
      if (!silence.isEmpty()) {
        LOG.log(Level.INFO, name + " answers again");
      }
      silence = "";
    } finally {
      lock.unlock();
    }
  }

  private void isSilent(Exception reason) {
    var text = reason.getMessage() == null ? reason.toString() : reason.getMessage();
    lock.lock();
    try {
      if (isClosed) {
        return; // its machine may be closed as well
      }
      if (silence.isEmpty()) {
        silentSince = System.nanoTime();
        LOG.log(
            Level.WARNING,
            name + " does not answer, we keep asking; its jobs may go on meanwhile: " + text,
            reason instanceof DrmCommunicationException ? null : reason);
      }
      silence = text;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      news.signal();
    } finally {
      lock.unlock();
    }
  }
}
