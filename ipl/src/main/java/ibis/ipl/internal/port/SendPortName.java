package ibis.ipl.internal.port;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.SendPortIdentifier;

/** The identifier of a send port. */
record SendPortName(String name, IbisIdentifier ibisIdentifier) implements SendPortIdentifier {

  @Override
  public String toString() {
    return "send port '" + name + "' of " + ibisIdentifier;
  }
}
