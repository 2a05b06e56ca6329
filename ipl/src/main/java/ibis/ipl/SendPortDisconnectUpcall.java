package ibis.ipl;

/** Is told of connections of a send port that broke. */
public interface SendPortDisconnectUpcall {

  /** Tells that a connection has broken, or was closed by the receiver. */
  void lostConnection(SendPort port, ReceivePortIdentifier receiver, Throwable reason);
}
