package com.example.ipl;

import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisFactory;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Started twice: one of the two sends numbers, the other is called with each and adds them up. */
public final class Sum implements MessageUpcall {

  private static final PortType UPCALLS =
      new PortType(
          PortType.COMMUNICATION_RELIABLE,
          PortType.SERIALIZATION_DATA,
          PortType.RECEIVE_AUTO_UPCALLS,
          PortType.CONNECTION_MANY_TO_ONE);

  private static final int NUMBERS = 100;

  private final CountDownLatch missing = new CountDownLatch(NUMBERS);
  private long sum; // touched by one upcall at a time; read when all have been

  private Sum() {}

  /** Runs one of the two; the election says which. */
  public static void main(String[] args) throws Exception {
    IbisCapabilities needs = new IbisCapabilities(IbisCapabilities.ELECTIONS_STRICT);
    Ibis ibis = IbisFactory.createIbis(needs, null, UPCALLS);
    IbisIdentifier adder = ibis.registry().elect("adder");
    if (adder.equals(ibis.identifier())) {
      new Sum().add(ibis);
    } else {
      sendNumbers(ibis, adder);
    }
    ibis.end();
  }

  private void add(Ibis ibis) throws Exception {
    ReceivePort in = ibis.createReceivePort(UPCALLS, "numbers", this);
    in.enableConnections();
    in.enableMessageUpcalls();
    missing.await();
    System.out.println("sum: " + sum);
    in.close(); // waits until the sender has closed
  }

  /** A message has come; it is finished when this returns. */
  @Override
  public void upcall(ReadMessage message) throws IOException {
    sum += message.readInt();
    missing.countDown();
  }

  private static void sendNumbers(Ibis ibis, IbisIdentifier adder) throws Exception {
    SendPort out = ibis.createSendPort(UPCALLS);
    out.connect(adder, "numbers"); // waits until that port is there
    for (int number = 1; number <= NUMBERS; number++) {
      WriteMessage message = out.newMessage();
      message.writeInt(number);
      message.finish();
    }
    out.close();
  }
}
