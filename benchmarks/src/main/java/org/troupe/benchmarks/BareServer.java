package org.troupe.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.Base64;

/** An object exported by the JDK's RMI, and nothing else. */
final class BareServer {

  private static final Served SERVED = new Served(); // an exported object is held weakly

  private BareServer() {}

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
