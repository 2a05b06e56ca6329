package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** Decides about the connections of a receive port, and is told of their end. */
public interface ReceivePortConnectUpcall {

  /**
   * Returns whether a send port may connect; refused, its connect fails at once.
   *
   * <p>What it throws counts as a refusal.
   */
  boolean gotConnection(ReceivePort receiver, SendPortIdentifier applicant);

  /**
   * Tells that a connection has ended.
   *
   * @param reason {@code null} if the sender closed it
   */
  void lostConnection(ReceivePort receiver, SendPortIdentifier origin, @Nullable Throwable reason);
}
