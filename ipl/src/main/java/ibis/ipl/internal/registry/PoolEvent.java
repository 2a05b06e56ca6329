package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.RegistryEventHandler;
import org.jspecify.annotations.Nullable;

/** An event of a pool. */
sealed interface PoolEvent {

  record Joined(IbisIdentifier member) implements PoolEvent {}

  record Gone(IbisIdentifier member, boolean died) implements PoolEvent {}

  /** An election has a new winner; {@code null} if the last one has gone. */
  record Elected(String election, @Nullable IbisIdentifier winner) implements PoolEvent {}

  record Signalled(String signal, IbisIdentifier source) implements PoolEvent {}

  record Closed() implements PoolEvent {}

  record Terminated(IbisIdentifier source) implements PoolEvent {}

  record ServerLost(String reason) implements PoolEvent {}

  record ServerFound() implements PoolEvent {}

  /** Calls the method of the handler for this event. */
  default void tell(RegistryEventHandler handler) {
    switch (this) {
      case Joined(IbisIdentifier member) -> handler.joined(member);
      case Gone(IbisIdentifier member, boolean died) -> {
        if (died) {
          handler.died(member);
        } else {
          handler.left(member);
        }
      }
      case Elected(String election, IbisIdentifier winner) ->
          handler.electionResult(election, winner);
      case Signalled(String signal, IbisIdentifier source) -> handler.gotSignal(signal, source);
      case Closed() -> handler.poolClosed();
      case Terminated(IbisIdentifier source) -> handler.poolTerminated(source);
      case ServerLost(String reason) -> handler.serverLost(reason);
      case ServerFound() -> handler.serverFound();
    }
  }
}
