package org.troupe.transport.rmi;

import java.io.IOException;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;

/** Placeholder in a serialized reference for the socket factory that its reader supplies. */
enum PeerSockets implements RMIClientSocketFactory {

  /** The placeholder; {@link ReferenceInput} replaces it by a {@link PeerDialler}. */
  OF_CALLER;

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException(
        "an RMI reference was used outside the connection that it was created for");
  }
}
