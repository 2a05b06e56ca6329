package org.troupe.transport.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What one endpoint calls on another. Bytes only: nothing else has to be let in. */
interface Frames extends Remote {

  /**
   * Delivers frames, in order.
   *
   * @param parts header and body of the first, header and body of the second ...
   */
  void deliver(byte[][] parts) throws RemoteException;

  /**
   * Delivers a frame for whose reply the calling thread waits.
   *
   * @return header and body of the reply, or {@code null} if it will come as a frame of its own
   */
  byte[][] exchange(byte[] header, byte[] body) throws RemoteException;
}
