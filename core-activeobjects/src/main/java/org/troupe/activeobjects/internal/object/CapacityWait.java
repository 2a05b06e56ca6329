package org.troupe.activeobjects.internal.object;

import java.util.function.Supplier;
import org.troupe.activeobjects.collective.ResultSources;

/** The wait of one call for capacity in the queues of its targets. */
public final class CapacityWait extends DerivedResult<Object> {

  /** The number by which other nodes know the wait. */
  public final long id;

  /**
   * Creates the wait.
   *
   * @param call the call, for messages
   * @param full returns the {@linkplain QueueVacancy full queues} that hold the call back
   */
  CapacityWait(NodeObjects node, String call, Supplier<ResultSources> full) {
    super(node, () -> "room in a full queue for " + call, full);
    this.id = node.nextId();
  }
}
