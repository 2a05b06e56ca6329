package org.troupe.activeobjects.internal.collective;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.body.FailureReporter;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.ObservedCall;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.futures.Outcome;

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

  /**
   * Sends a call of a group, of which the observer sees one call.
   *
   * @param call one of the calls, which differ in their arguments only
   */
  static void observed(
      @Nullable RecordedCall call,
      List<? extends Ref<?>> objects,
      CallResult @Nullable [] results,
      Runnable send) {
    if (call == null || objects.isEmpty() || !ObserverBinding.isObserved(call.called())) {
      send.run();
      return;
    }
    var first = (Reference<?>) objects.getFirst();
    var called =
        ObserverBinding.called(
            new ObservedCall(first, call.called(), results == null, objects.size()));
    var observation = called == null ? null : new GroupObservation(called);
    if (results != null && observation != null) {
      endsWith(results, observation);
    }
    var before = ObserverBinding.sends(ObserverBinding.contextOf(observation));
    try {
      send.run();
    } catch (RuntimeException | Error failure) {
      ObserverBinding.ended(observation, failure);
      throw failure;
    } finally {
      ObserverBinding.sends(before);
    }
    if (results == null) {
      ObserverBinding.ended(observation, (Throwable) null);
    }
  }

  /** Ends an observation with the last of the results, as the first of them has failed, if any. */
  private static void endsWith(CallResult[] results, Observer.CallObservation observation) {
    var left = new AtomicInteger(results.length);
    var outcome = new AtomicReference<Outcome<Object>>();
    for (var result : results) {
      result.observedBy(observation);
      result.onSettled(
          its -> {
            if (FailureReporter.isFailure(its)) {
              outcome.compareAndSet(null, its);
            }
            if (left.decrementAndGet() == 0) {
              var failure = outcome.get();
              ObservedCall.ended(observation, failure == null ? its : failure);
            }
          });
    }
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
