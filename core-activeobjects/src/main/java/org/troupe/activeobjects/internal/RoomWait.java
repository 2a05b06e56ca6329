package org.troupe.activeobjects.internal;

import java.util.function.Supplier;
import org.troupe.activeobjects.spi.Pending;

/** The wait of one call for room in the queues that it goes to. */
final class RoomWait extends PendingResult<Object> {

  /** The number by which other nodes know the wait. */
  final long id;

  /**
   * Makes the wait.
   *
   * @param call the call, for messages
   * @param full gives the {@linkplain FullQueue queues} without room that keep the call back
   */
  RoomWait(NodeRuntime node, String call, Supplier<Pending.Sources> full) {
    super(node, () -> "room in a full queue for " + call, full);
    this.id = node.nextId();
  }
}
