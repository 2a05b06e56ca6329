package org.troupe.tasks.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an engine that only nodes with a label may execute, and which labels there are. May
 * be used by any thread.
 */
final class LabelledJobs {

  /*
   * Design: no wait for a worker that waits
   *
   * A repeated job runs at the bottom of a stack (Worker.mayRunAbove). If its label belongs to one node only, all workers of
   * that node may wait for the job that this one is a part of, and no other node helps. So a worker that waits, and may not execute
   * the labelled jobs of its node, gives its place to another worker meanwhile, as in a call that waits. Workers look for
   * labelled jobs first.
   */

  /** The labels of this node, their queues, and the labels of all nodes. */
  private record Known(Set<String> own, List<JobQueue> ownQueues, Set<String> all) {}

  private final Map<String, JobQueue> queues = new ConcurrentHashMap<>(); // by label; never removed
  private volatile Known known = new Known(Set.of(), List.of(), Set.of());

  /** Sets which labels there are. */
  void set(Set<String> own, Set<String> all) {
    known = new Known(Set.copyOf(own), own.stream().map(this::queue).toList(), Set.copyOf(all));
  }

  /** Returns the queue of the jobs with a label. */
  JobQueue queue(String label) {
    return queues.computeIfAbsent(label, _ -> new JobQueue());
  }

  /** Returns the queues of all labels. */
  Collection<JobQueue> queues() {
    return queues.values();
  }

  /** Returns whether this node has a label. */
  boolean isOwn(String label) {
    return known.own.contains(label);
  }

  /** Returns whether a node has a label. */
  boolean exists(String label) {
    return known.all.contains(label);
  }

  /**
   * Removes and returns a job that this node may execute and that suits, the oldest with its label;
   * {@code null} if there is none.
   */
  @Nullable Spawn pollOwn(Predicate<Spawn> suits) {
    return poll(known.ownQueues, suits);
  }

  /**
   * Removes and returns a job whose label is among some, the oldest with its label; {@code null} if
   * there is none.
   */
  @Nullable Spawn poll(Predicate<String> labels) {
    return poll(ofWaiting().stream().filter(labels).map(this::queue).toList(), _ -> true);
  }

  /** Begins with any of the queues, so that no label is served only after all others. */
  private static @Nullable Spawn poll(List<JobQueue> queues, Predicate<Spawn> suits) {
    int number = queues.size();
    int first = number < 2 ? 0 : ThreadLocalRandom.current().nextInt(number);
    for (int i = 0; i < number; i++) {
      var job = queues.get((first + i) % number).poll(suits);
      if (job != null) {
        return job;
      }
    }
    return null;
  }

  /** Returns whether there is a job that this node may execute. */
  boolean hasOwn() {
    return known.ownQueues.stream().anyMatch(queue -> !queue.isEmpty());
  }

  /** Returns the labels of the jobs. */
  Set<String> ofWaiting() {
    var labels = new TreeSet<String>();
    queues.forEach(
        (label, queue) -> {
          if (!queue.isEmpty()) {
            labels.add(label);
          }
        });
    return labels;
  }

  static String label(Spawn job) {
    return Objects.requireNonNull(job.state().label, "a labelled job");
  }

  /** Returns the sentence for a job whose label no node has. */
  String missing(String label) {
    var all = new TreeSet<>(known.all);
    return "no node has the label '"
        + label
        + "' of a task; "
        + (all.isEmpty()
            ? "there are no labels"
            : "the labels are "
                + all.stream().map(each -> "'" + each + "'").collect(Collectors.joining(", ")))
        + "; give it to nodes by Tasks.label, or fork the task without it";
  }
}
