package org.troupe.transport.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * The remote interface of an endpoint. Arguments are bytes and strings, so that its filter can
 * reject every class.
 */
interface RemoteReceiver extends Remote {

  /**
   * Delivers frames, in order.
   *
   * @param parts the frames in the form of {@link FramePacking#pack(List)}
   */
  void deliver(byte[][] parts) throws RemoteException;

  /**
   * Delivers a frame while the caller's thread waits for the reply.
   *
   * @param frame the frame in the form of {@link FramePacking#pack(Frame)}
   * @return the packed reply; {@code null} if it will follow as a separate frame
   */
  @Nullable Object exchange(Object frame) throws RemoteException;
}
