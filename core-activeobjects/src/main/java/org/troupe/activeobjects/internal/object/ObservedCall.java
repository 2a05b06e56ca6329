package org.troupe.activeobjects.internal.object;

import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * A call as an observer sees it.
 *
 * @param target the object, or the first member of a group
 * @param members the number of members of a group; negative for a call of one object
 */
public record ObservedCall(Reference<?> target, CallMethod called, boolean isOneWay, int members)
    implements Observer.Call {

  @Override
  public Class<?> type() {
    return called.owner().type();
  }

  @Override
  public Method method() {
    return called.method().method();
  }

  @Override
  public String nodeName() {
    return target.nodeName();
  }

  @Override
  public Optional<Node> node() {
    return target.runtime().host().member(target.node());
  }

  @Override
  public String driver() {
    return target.target() instanceof Reference.Target.Elsewhere there ? there.home().driver() : "";
  }

  /** Returns the context of the call that a future is the result of; {@code null} if not known. */
  public static byte @Nullable [] contextOf(FutureResult<?> future) {
    return switch (future) {
      case CallResult call -> call.context();
      case ForwardedFuture forwarded -> forwarded.context;
      default -> null;
    };
  }

  /** Ends the observation of a call with its outcome. */
  public static void ended(
      Observer.@Nullable Observation observation, Outcome<? extends @Nullable Object> outcome) {
    switch (outcome) {
      case Outcome.Success<?> _ -> ObserverBinding.ended(observation, (Throwable) null);
      case Outcome.Failure<?>(Throwable cause) -> ObserverBinding.ended(observation, cause);
      case Outcome.Encoded<?> encoded ->
          ObserverBinding.ended(
              observation,
              encoded.form() instanceof EncodedFailure(var summary, _)
                  ? new Observer.Failure(summary.type(), String.valueOf(summary.message()))
                  : null);
    }
  }
}
