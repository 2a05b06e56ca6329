package ibis.ipl.internal.port;

import ibis.ipl.AlreadyConnectedException;
import ibis.ipl.ConnectionFailedException;
import ibis.ipl.ConnectionRefusedException;
import ibis.ipl.ConnectionTimedOutException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.PortMismatchException;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.internal.base.InstanceIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * A receive port to connect to.
 *
 * @param given the identifier that the program passed; {@code null} if it passed a name
 */
record ConnectTarget(ReceivePortName port, @Nullable ReceivePortIdentifier given) {

  static ConnectTarget of(ReceivePortIdentifier given) {
    return new ConnectTarget(of(given.ibisIdentifier(), given.name()).port, given);
  }

  static ConnectTarget of(IbisIdentifier instance, String name) {
    return new ConnectTarget(new ReceivePortName(name, InstanceIdentifier.of(instance)), null);
  }

  InstanceIdentifier instance() {
    return InstanceIdentifier.of(port.ibisIdentifier());
  }

  ConnectionFailedException failed(String message, @Nullable Throwable cause) {
    return given != null
        ? new ConnectionFailedException(message, given, cause)
        : new ConnectionFailedException(message, port.ibisIdentifier(), port.name(), cause);
  }

  ConnectionFailedException timedOut(String message, @Nullable Throwable cause) {
    return given != null
        ? new ConnectionTimedOutException(message, given, cause)
        : new ConnectionTimedOutException(message, port.ibisIdentifier(), port.name(), cause);
  }

  ConnectionFailedException refused(String message) {
    return given != null
        ? new ConnectionRefusedException(message, given)
        : new ConnectionRefusedException(message, port.ibisIdentifier(), port.name());
  }

  ConnectionFailedException alreadyConnected(String message) {
    return given != null
        ? new AlreadyConnectedException(message, given)
        : new AlreadyConnectedException(message, port.ibisIdentifier(), port.name());
  }

  ConnectionFailedException mismatch(String message) {
    return given != null
        ? new PortMismatchException(message, given)
        : new PortMismatchException(message, port.ibisIdentifier(), port.name());
  }

  @Override
  public String toString() {
    return port.toString();
  }
}
