package org.troupe.benchmarks.sides;

import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.Base64;

/** Exports an object by the JDK's RMI. */
final class BareRmiServer {

  private static final CalleeService SERVED =
      new CalleeService(); // strongly held, since an exported object is not

  private BareRmiServer() {}

  static void main(String[] arguments) throws Exception {
    var stub = RemoteObject.toStub(export());
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    System.out.println(Base64.getEncoder().encodeToString(bytes.toByteArray()));
    System.in.readAllBytes();
    System.exit(0);
  }

  private static Remote export() throws RemoteException {
    UnicastRemoteObject.exportObject(SERVED, 0);
    return SERVED;
  }
}
