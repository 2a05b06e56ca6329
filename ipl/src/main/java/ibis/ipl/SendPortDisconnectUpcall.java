package ibis.ipl;

/** Receives the broken connections of a send port. */
public interface SendPortDisconnectUpcall {

  /** A connection has broken or was closed by the receiver. */
  void lostConnection(SendPort port, ReceivePortIdentifier receiver, Throwable reason);
}
