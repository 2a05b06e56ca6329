package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.RegistryEventHandler;
import ibis.ipl.internal.base.InstanceIdentifier;
import java.io.DataInputStream;
import java.io.IOException;
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

  /** Reads the arguments of an event of one of the kinds in {@link RegistryProtocol}. */
  static PoolEvent read(int kind, DataInputStream in) throws IOException {
    return switch (kind) {
      case RegistryProtocol.EVENT_JOINED -> new Joined(InstanceIdentifier.readFrom(in));
      case RegistryProtocol.EVENT_LEFT -> new Gone(InstanceIdentifier.readFrom(in), false);
      case RegistryProtocol.EVENT_DIED -> new Gone(InstanceIdentifier.readFrom(in), true);
      case RegistryProtocol.EVENT_ELECTED ->
          new Elected(in.readUTF(), in.readBoolean() ? InstanceIdentifier.readFrom(in) : null);
      case RegistryProtocol.EVENT_SIGNAL ->
          new Signalled(in.readUTF(), InstanceIdentifier.readFrom(in));
      case RegistryProtocol.EVENT_CLOSED -> new Closed();
      case RegistryProtocol.EVENT_TERMINATED -> new Terminated(InstanceIdentifier.readFrom(in));
      default -> throw new IOException("there is no event of kind " + kind);
    };
  }

  /** Calls the method of the handler for this event. */
  default void deliver(RegistryEventHandler handler) {
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
