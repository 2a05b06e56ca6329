package org.troupe.tasks.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/** Takes jobs out of an engine, for other nodes. Thread-safe. */
final class DepartingJobs {

  /** From how many outstanding jobs of a frame on some of them depart together. */
  private static final int FLAT = 64;

  private final Engine engine;
  private final WorkerSet workers;
  private final WaitingJobs waiting;

  DepartingJobs(Engine engine, WorkerSet workers, WaitingJobs waiting) {
    this.engine = engine;
    this.workers = workers;
    this.waiting = waiting;
  }

  /** Does what {@link Engine#depart(int, Predicate)} says. */
  List<JobDeparture> take(int most, Predicate<String> labels) {
    var suitable = waiting.labelled().poll(labels);
    if (suitable != null) {
      return List.of(new JobDeparture(engine, suitable));
    }
    var all = workers.all();
    int first = all.length == 0 ? 0 : ThreadLocalRandom.current().nextInt(all.length);
    for (int i = 0; i < all.length; i++) {
      var deque = all[(first + i) % all.length].deque;
      var job = deque.steal();
      if (job != null) {
        return withSiblings(job, deque, most);
      }
    }
    var job = waiting.given().poll();
    if (job == null && all.length == 0) {
      job = waiting.roots().poll();
    }
    return job == null ? List.of() : List.of(new JobDeparture(engine, job));
  }

  private List<JobDeparture> withSiblings(Spawn job, SplitDeque deque, int most) {
    var parent = job.parent();
    int flat = parent == null ? 0 : parent.status; // an estimate, as the parent's thread changes it
    if (flat < FLAT || most < 2) {
      return List.of(new JobDeparture(engine, job));
    }
    var departures = new ArrayList<JobDeparture>();
    departures.add(new JobDeparture(engine, job));
    for (int left = Math.min(most, deque.sharedSize() / 2); left > 1; left--) {
      var next = deque.oldestShared();
      if (next == null || next.parent() != parent) {
        break;
      }
      next = deque.steal();
      if (next == null) {
        break;
      }
      departures.add(new JobDeparture(engine, next));
    }
    return departures;
  }
}
