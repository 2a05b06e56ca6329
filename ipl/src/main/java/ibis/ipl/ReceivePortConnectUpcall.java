package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** Accepts or refuses the connections of a receive port, and receives notice of their end. */
public interface ReceivePortConnectUpcall {

  /**
   * Returns whether a send port may connect; refused, its connect fails at once.
   *
   * <p>An exception counts as a refusal.
   */
  boolean gotConnection(ReceivePort receiver, SendPortIdentifier applicant);

  /**
   * A connection has ended.
   *
   * @param reason {@code null} if the sender closed it
   */
  void lostConnection(ReceivePort receiver, SendPortIdentifier origin, @Nullable Throwable reason);
}
