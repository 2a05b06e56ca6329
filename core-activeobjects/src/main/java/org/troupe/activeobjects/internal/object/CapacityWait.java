package org.troupe.activeobjects.internal.object;

import java.util.function.Supplier;
import org.troupe.activeobjects.collective.ResultSources;

/** The wait of one call for room in the queues that it goes to. */
public final class CapacityWait extends DerivedResult<Object> {

  /** The number by which other nodes know the wait. */
  public final long id;

  /**
   * Makes the wait.
   *
   * @param call the call, for messages
   * @param full gives the {@linkplain QueueVacancy queues} without room that keep the call back
   */
  CapacityWait(NodeObjects node, String call, Supplier<ResultSources> full) {
    super(node, () -> "room in a full queue for " + call, full);
    this.id = node.nextId();
  }
}
