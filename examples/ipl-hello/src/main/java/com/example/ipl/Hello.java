package com.example.ipl;

import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisFactory;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;

/** Started twice: one of the two says hello, the other asks for the message and prints it. */
public final class Hello {

  private static final PortType ONE_TO_ONE =
      new PortType(
          PortType.COMMUNICATION_RELIABLE,
          PortType.SERIALIZATION_OBJECT,
          PortType.RECEIVE_EXPLICIT,
          PortType.CONNECTION_ONE_TO_ONE);

  private Hello() {}

  /** Runs one of the two; the election says which. */
  public static void main(String[] args) throws Exception {
    IbisCapabilities needs = new IbisCapabilities(IbisCapabilities.ELECTIONS_STRICT);
    Ibis ibis = IbisFactory.createIbis(needs, null, ONE_TO_ONE);
    IbisIdentifier listener = ibis.registry().elect("listener");
    if (listener.equals(ibis.identifier())) {
      listen(ibis);
    } else {
      sayHello(ibis, listener);
    }
    ibis.end();
  }

  private static void listen(Ibis ibis) throws Exception {
    ReceivePort in = ibis.createReceivePort(ONE_TO_ONE, "in");
    in.enableConnections();
    ReadMessage message = in.receive(); // waits
    System.out.println("heard: " + message.readObject());
    message.finish();
    in.close(); // waits until the sender has closed
  }

  private static void sayHello(Ibis ibis, IbisIdentifier listener) throws Exception {
    SendPort out = ibis.createSendPort(ONE_TO_ONE);
    out.connect(listener, "in"); // waits until that port is there
    WriteMessage message = out.newMessage();
    message.writeObject("hello");
    message.finish();
    out.close();
  }
}
