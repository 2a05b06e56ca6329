package org.troupe.transport.rmi;

import java.io.IOException;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;

/** Stands in a travelling reference for the way to its object, which every caller has to know. */
enum PeerSockets implements RMIClientSocketFactory {

  /** Replaced by a {@link PeerDialler} wherever a reference arrives. */
  OF_CALLER;

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("a reference of RMI is used outside the connection that it was made for");
  }
}
