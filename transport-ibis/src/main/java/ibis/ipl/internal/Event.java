package ibis.ipl.internal;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.RegistryEventHandler;

/** What happens in a pool. */
sealed interface Event {

  record Joined(IbisIdentifier member) implements Event {}

  record Gone(IbisIdentifier member, boolean died) implements Event {}

  /** An election has a winner, or has lost it: then it is {@code null}. */
  record Elected(String election, IbisIdentifier winner) implements Event {}

  record Signalled(String signal, IbisIdentifier source) implements Event {}

  record Closed() implements Event {}

  record Terminated(IbisIdentifier source) implements Event {}

  record ServerLost(String reason) implements Event {}

  record ServerFound() implements Event {}

  /** Calls the handler's method for this event. */
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
