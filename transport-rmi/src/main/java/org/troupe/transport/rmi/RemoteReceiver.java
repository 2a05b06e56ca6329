package org.troupe.transport.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** What one endpoint calls on another. Bytes and strings: nothing else has to be let in. */
interface RemoteReceiver extends Remote {

  /**
   * Delivers frames, in order.
   *
   * @param parts as {@link FramePacking} packs several frames
   */
  void deliver(byte[][] parts) throws RemoteException;

  /**
   * Delivers a frame for whose reply the calling thread waits.
   *
   * @param frame as {@link FramePacking} packs it
   * @return the reply, packed, or {@code null} if it will come as a frame of its own
   */
  @Nullable Object exchange(Object frame) throws RemoteException;
}
