package org.troupe.tasks.nodes;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.troupe.tasks.engine.Engine;

/** The nodes that wait until this one has jobs for them. May be used by any thread. */
final class Lifelines {

  private final TaskPeers peers;
  private final Engine engine;
  private final BooleanSupplier mayGive;
  private final Queue<Integer> waiting = new ConcurrentLinkedQueue<>();

  /**
   * Creates them.
   *
   * @param mayGive whether jobs may be given now
   */
  Lifelines(TaskPeers peers, Engine engine, BooleanSupplier mayGive) {
    this.peers = peers;
    this.engine = engine;
    this.mayGive = mayGive;
  }

  /** Adds a node that has no work. */
  void add(TaskMember thief) {
    if (!waiting.contains(thief.number())) {
      waiting.add(thief.number());
    }
  }

  void remove(TaskMember thief) {
    waiting.remove(thief.number());
  }

  /** Sends jobs to nodes that wait, if there are more than idle workers here. */
  void fed(DepartedJobs departed) {
    if (!mayGive.getAsBoolean()) {
      return;
    }
    while (!waiting.isEmpty() && engine.shared() > engine.idleWorkers()) {
      var number = waiting.poll();
      var thief = number == null ? null : peers.get(number);
      if (thief != null && peers.isAlive(thief)) {
        var departures = engine.depart(DepartedJobs.BATCH);
        if (departures.isEmpty()) {
          waiting.add(number);
          break;
        }
        departed.dispatch(thief, departures);
      }
    }
    if (!waiting.isEmpty()) {
      engine.askToShare();
    }
  }
}
