package org.troupe.activeobjects.internal.collective;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.spi.Observer;

/**
 * The observation of a call of a group. It ends once, although two things may end it: the last
 * result, and a failure to send the call, of which some results become known nevertheless.
 */
final class GroupObservation implements Observer.CallObservation {

  private final Observer.CallObservation observation;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  GroupObservation(Observer.CallObservation observation) {
    this.observation = observation;
  }

  @Override
  public byte[] context() {
    return observation.context();
  }

  @Override
  public void ended(Observer.@Nullable Failure failure) {
    if (hasEnded.compareAndSet(false, true)) {
      observation.ended(failure);
    }
  }
}
