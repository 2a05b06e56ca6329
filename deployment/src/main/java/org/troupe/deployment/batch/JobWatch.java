package org.troupe.deployment.batch;

import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Watches the jobs of a deployment at one batch system, with one poll for all of them. */
public final class JobWatch<S extends JobMonitor> implements Closeable {

  /*
   * Schedulers suffer from many queries more than from many jobs. So there is one query at a time, and frequent ones
   * only while a change is expected. A batch system that does not answer only delays reports.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /**
   * The number of searches for a job that has vanished, since accounting records are written some
   * time later.
   */
  private static final int MOST_SEARCHES = 6;

  private final String name;
  private final S system;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  // Guarded by the lock.
  private final Map<String, Watched> jobs = new HashMap<>();
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private boolean isRunning;
  private boolean isClosed;
  private String outage = ""; // the reason of the last failed poll; empty after an answer
  private long outageStart;

  /** One job. */
  private static final class Watched {

    private final CompletableFuture<JobEnd> end = new CompletableFuture<>();
    private @Nullable JobReport report; // null before the first poll
    private int searches;
    private long startMillis; // when it was first seen to run; 0 before
  }

  /**
   * @param name of the batch system, for messages
   */
  public JobWatch(String name, S system) {
    this.name = name;
    this.system = system;
  }

  String name() {
    return name;
  }

  S system() {
    return system;
  }

  /** Watches a job until it ends; the future never fails. */
  public CompletableFuture<JobEnd> watch(String jobId) {
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

  /** Polls soon; completes when the poll has succeeded or failed. */
  public CompletableFuture<Void> ask() {
    lock.lock();
    try {
      var asked = new CompletableFuture<Void>();
      if (isRunning) {
        waiting.add(asked);
        news.signal();
      } else {
        asked.complete(null);
      }
      return asked;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the latest report of a job; empty before the first poll. */
  public Optional<JobReport> report(String jobId) {
    lock.lock();
    try {
      return Optional.ofNullable(jobs.get(jobId)).map(job -> job.report);
    } finally {
      lock.unlock();
    }
  }

  /** Returns when a job was first seen to run; 0 if it was not, or has ended. */
  long startMillis(String jobId) {
    lock.lock();
    try {
      var job = jobs.get(jobId);
      return job == null ? 0 : job.startMillis;
    } finally {
      lock.unlock();
    }
  }

  /** Describes for how long, and why, the batch system has not answered; empty if it answers. */
  public String outage() {
    lock.lock();
    try {
      return outage.isEmpty()
          ? ""
          : "%s has not answered for %d s, polling continues; check whether it runs there: %s"
              .formatted(
                  name, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - outageStart), outage);
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    var pause = SHORTEST;
    for (var round = next(pause); round.isPresent(); round = next(pause)) {
      var hasNews = ask(round.get().jobs());
      var callers = round.get().waiting();
      callers.forEach(each -> each.complete(null));
      var isChangeExpected = hasNews || !callers.isEmpty(); // such as the end of a cancelled job
      var longer = pause.multipliedBy(3).dividedBy(2);
      pause = isChangeExpected ? SHORTEST : longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }
  }

  /** A poll of these jobs, and the callers that wait for it. */
  private record Round(List<String> jobs, List<CompletableFuture<Void>> waiting) {}

  /** Waits for the time of the next poll; empty if there is nothing left to poll. */
  private Optional<Round> next(Duration pause) {
    lock.lock();
    try {
      var left = pause.toNanos();
      var known = jobs.size();
      while (!isClosed && waiting.isEmpty() && jobs.size() <= known && left > 0) {
        left = news.awaitNanos(left);
      }
      var callers = waiting;
      waiting = new ArrayList<>();
      if (isClosed || jobs.isEmpty()) {
        isRunning = false;
        callers.forEach(each -> each.complete(null));
        return Optional.empty();
      }
      return Optional.of(new Round(List.copyOf(jobs.keySet()), callers));
    } catch (InterruptedException e) {
      isRunning = false; // only this class could interrupt the thread, and it does not
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Polls; returns whether a state has changed. */
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
    } catch (BatchException | RuntimeException e) {
      pollFailed(e);
      return false;
    }
  }

  private boolean note(String jobId, JobReport report) {
    lock.lock();
    try {
      var job = watched(jobId);
      var isNew = job.report == null || !job.report.text().equals(report.text());
      job.report = report;
      if (job.startMillis == 0 && report.state() == JobState.RUNNING) {
        job.startMillis = System.currentTimeMillis();
      }
      job.searches = 0;
      return isNew;
    } finally {
      lock.unlock();
    }
  }

  private Watched watched(String jobId) {
    return Objects.requireNonNull(jobs.get(jobId), jobId);
  }

  /** Asks for the end of a job. */
  private boolean search(String jobId) throws BatchException {
    try {
      ended(jobId, system.end(jobId));
    } catch (BatchException.NotEnded | BatchException.UnknownJob e) {
      lock.lock();
      try {
        if (++watched(jobId).searches < MOST_SEARCHES) {
          return true;
        }
      } finally {
        lock.unlock();
      }
      ended(jobId, JobEnd.unknown(jobId, "gone, and the batch system does not report why"));
    }
    return true;
  }

  private void ended(String jobId, JobEnd end) {
    Watched job;
    lock.lock();
    try {
      job = watched(jobId);
      jobs.remove(jobId);
    } finally {
      lock.unlock();
    }
    job.end.complete(end);
  }

  private void answered() {
    lock.lock();
    try {
      if (!outage.isEmpty()) {
        LOG.log(Level.INFO, name + " answers again");
      }
      outage = "";
    } finally {
      lock.unlock();
    }
  }

  private void pollFailed(Exception reason) {
    var text = reason.getMessage() == null ? reason.toString() : reason.getMessage();
    lock.lock();
    try {
      if (isClosed) {
        return; // its machine may be closed as well
      }
      if (outage.isEmpty()) {
        outageStart = System.nanoTime();
        LOG.log(
            Level.WARNING,
            name
                + " does not answer; polling continues, and its jobs may continue meanwhile: "
                + text,
            reason instanceof BatchException.Away ? null : reason);
      }
      outage = text;
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
