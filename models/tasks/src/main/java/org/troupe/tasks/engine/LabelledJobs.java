package org.troupe.tasks.engine;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
   * that node may wait for what this job is a part of, and no other node helps. So a worker that waits, and may not execute
   * the labelled jobs of its node, gives its place to another worker meanwhile, as in a call that waits. Workers look for
   * labelled jobs first.
   */

  /** The labels of this node, and those of all nodes. */
  private record Known(Set<String> own, Set<String> all) {}

  private final JobQueue waiting = new JobQueue();
  private volatile Known known = new Known(Set.of(), Set.of());

  /** Sets which labels there are. */
  void set(Set<String> own, Set<String> all) {
    known = new Known(Set.copyOf(own), Set.copyOf(all));
  }

  /** Returns the queue of the jobs. */
  JobQueue waiting() {
    return waiting;
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
   * Removes and returns the oldest job that this node may execute and that suits; {@code null} if
   * there is none.
   */
  @Nullable Spawn pollOwn(Predicate<Spawn> suits) {
    return waiting.poll(job -> isOwn(label(job)) && suits.test(job));
  }

  /**
   * Removes and returns the oldest job whose label is among some; {@code null} if there is none.
   */
  @Nullable Spawn poll(Predicate<String> labels) {
    return waiting.poll(job -> labels.test(label(job)));
  }

  /** Returns whether there is a job that this node may execute. */
  boolean hasOwn() {
    return waiting.anyMatch(job -> isOwn(label(job)));
  }

  /** Returns the labels of the jobs. */
  Set<String> ofWaiting() {
    var labels = new TreeSet<String>();
    waiting.forEach(job -> labels.add(label(job)));
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
