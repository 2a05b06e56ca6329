package ibis.ipl.internal.port;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.ReceivePortIdentifier;

/** The identifier of a receive port. */
record ReceivePortName(String name, IbisIdentifier ibisIdentifier)
    implements ReceivePortIdentifier {

  @Override
  public String toString() {
    return "receive port '" + name + "' of " + ibisIdentifier;
  }
}
