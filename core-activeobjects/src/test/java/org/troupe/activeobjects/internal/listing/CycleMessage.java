package org.troupe.activeobjects.internal.listing;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A message on a link of {@link CycleGrid}. */
sealed interface CycleMessage {
  /** A reference to an object, which a thread of the receiver holds. */
  record Reference(ObjectName object) implements CycleMessage {}

  /** A call of an object, with a reference to another as its argument. */
  record Call(ObjectName target, ObjectName argument) implements CycleMessage {}

  record Told(ObjectName object, CopyChanges changes) implements CycleMessage {}

  record Kept(ObjectName object) implements CycleMessage {}

  record KeptAcknowledged() implements CycleMessage {}

  record Statement(ObjectName object, int lost, int count, long view) implements CycleMessage {}

  record Acknowledgement(long view) implements CycleMessage {}

  record Died(int lost, long view) implements CycleMessage {}

  record Stated(long view) implements CycleMessage {}

  record Settled(long view) implements CycleMessage {}

  /** Begins a round; {@code null} lets the node choose at random. */
  record Prepare(@Nullable Set<Long> candidates) implements CycleMessage {}

  record Prepared(Set<Long> numbers) implements CycleMessage {}

  record Go(Set<ObjectName> participants) implements CycleMessage {}

  record Ask(int poll) implements CycleMessage {}

  record Answer(int poll, TrialReport report) implements CycleMessage {}

  record Free(Set<Long> numbers) implements CycleMessage {}

  record Finish() implements CycleMessage {}

  record Finished() implements CycleMessage {}

  record Over() implements CycleMessage {}
}
