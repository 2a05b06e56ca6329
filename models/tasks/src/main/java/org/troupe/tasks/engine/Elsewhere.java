package org.troupe.tasks.engine;

import org.jspecify.annotations.Nullable;

/** The other nodes, as workers see them: there may be none, and none stops a worker. */
final class Elsewhere {

  private final FailureGuard guard;
  private volatile @Nullable JobSource source;

  Elsewhere(FailureGuard guard) {
    this.guard = guard;
  }

  void connect(JobSource nodes) {
    source = nodes;
  }

  /** Returns a job of another node; {@code null} if none has come. */
  @Nullable Spawn ask(boolean isIdle) {
    var nodes = source;
    if (nodes == null) {
      return null;
    }
    try {
      return nodes.ask(isIdle);
    } catch (RuntimeException failure) { // this node may be ending
      guard.log("Other nodes could not be asked", failure);
      return null;
    }
  }

  boolean hasArrived() {
    var nodes = source;
    return nodes != null && nodes.hasArrived();
  }

  boolean claim(JobDeparture fork) {
    var nodes = source;
    return nodes != null && nodes.claim(fork);
  }

  void searchEnded() {
    var nodes = source;
    if (nodes != null) {
      guard.call("a task with a label may wait for a busy worker", nodes::searchEnded);
    }
  }

  void fed() {
    var nodes = source;
    if (nodes != null) {
      guard.call("no task was sent to nodes without work", nodes::fed);
    }
  }

  void offered(String label) {
    var nodes = source;
    if (nodes != null) {
      guard.call("nodes with a label were not told of a task", () -> nodes.offered(label));
    }
  }

  void cancelled() {
    var nodes = source;
    if (nodes != null) {
      guard.call("cancelled tasks may go on on other nodes", nodes::cancelled);
    }
  }
}
