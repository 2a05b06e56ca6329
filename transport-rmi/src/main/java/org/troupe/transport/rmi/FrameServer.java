package org.troupe.transport.rmi;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.activeobjects.transport.Transport.Receiver;
import org.troupe.activeobjects.transport.Transport.RefusedConnectionException;
import org.troupe.serialization.SerializationException;

/** The remote object of an endpoint; passes the frames that peers deliver to the receiver. */
final class FrameServer extends RMIJRMPServerImpl implements RemoteReceiver {

  /*
   * Why this class extends a class of the JDK's management. UnicastRemoteObject keeps the JVM alive by a
   * non-daemon thread for every exported object, and requests a full collection of the heap once an
   * hour. RMI has "permanent" objects without either effect, but exports as such only its registry and,
   * for management agents that are daemons, this class. Its management functions are unused, and
   * newClient refuses every client. If a later JDK ignored the entry of the environment, an open
   * endpoint would keep the JVM alive, and the test of that would fail.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.transport.rmi");

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "jmx.remote.x.daemon",
          "true",
          // Rejects every class. Strings and arrays of primitives pass, because RMI consults no
          // filter for their classes. An array longer than any piece of a frame is rejected before
          // it is allocated.
          RMIConnectorServer.CREDENTIALS_FILTER_PATTERN,
          "maxdepth=2;maxarray=" + FramePacking.LONGEST_ARRAY + ";!*");

  private final Receiver receiver;
  private volatile boolean closed;

  /**
   * Creates the object; peers can call it after {@link #export}.
   *
   * @param port any number except 0, for which RMI would share sockets between objects
   */
  FrameServer(int port, RMIServerSocketFactory sockets, Receiver receiver) throws IOException {
    super(port, PeerSockets.OF_CALLER, sockets, ENVIRONMENT);
    this.receiver = receiver;
  }

  @Override
  protected void export() throws IOException {
    super.export();
  }

  /** Returns the reference by which peers call this object; it names no interfaces. */
  RemoteObjectInvocationHandler reference() throws IOException {
    return (RemoteObjectInvocationHandler) Proxy.getInvocationHandler(toStub());
  }

  @Override
  public void deliver(byte[][] parts) throws RemoteException {
    try {
      for (Frame frame : FramePacking.unpackAll(parts)) {
        received(frame, null);
      }
    } catch (SerializationException e) {
      throw closedBecauseOf(e);
    } catch (RefusedConnectionException e) {
      throw closedBecauseOf(e);
    }
  }

  @Override
  public @Nullable Object exchange(Object frame) throws RemoteException {
    var exchange = new CallExchange();
    @Nullable Frame reply;
    try {
      received(FramePacking.unpack(frame), exchange);
    } catch (SerializationException e) {
      throw closedBecauseOf(e);
    } catch (RefusedConnectionException e) {
      throw closedBecauseOf(e);
    } finally {
      reply = exchange.end();
    }
    return reply == null ? null : FramePacking.pack(reply);
  }

  /**
   * Closes the socket on which an unreadable frame came. The caller's connection fails then; the
   * exception returned reaches it only if RMI did not serve the call on the socket's thread.
   */
  private static RemoteException closedBecauseOf(SerializationException e) {
    LOG.log(
        Level.WARNING,
        "closed the connection on which a peer sent an unreadable frame: {0}",
        e.getMessage());
    CallSocket.closeCurrent();
    return new UnmarshalException("the frame cannot be read: " + e.getMessage());
  }

  /** Closes the socket of a connection that the receiver refuses, which has been reported. */
  private static RemoteException closedBecauseOf(RefusedConnectionException e) {
    LOG.log(Level.DEBUG, "closed a connection again: {0}", e.getMessage());
    CallSocket.closeCurrent();
    return new UnmarshalException("the connection is refused: " + e.getMessage());
  }

  /** The RMI call that delivered a frame; its result can carry the reply until the call returns. */
  private static final class CallExchange implements Exchange {
    private boolean ended; // under this
    private @Nullable Frame reply; // under this

    @Override
    public synchronized boolean reply(@Nullable Frame frame) {
      if (ended) {
        return false;
      }
      ended = true;
      reply = frame;
      return true;
    }

    /**
     * Ends the exchange and returns the reply; {@code null} if the reply must follow as a separate
     * frame.
     */
    synchronized @Nullable Frame end() {
      ended = true;
      return reply;
    }
  }

  private void received(Frame frame, @Nullable Exchange exchange) {
    if (closed) {
      return;
    }
    try {
      receiver.received(frame, exchange);
    } catch (SerializationException | RefusedConnectionException e) {
      throw e;
    } catch (RuntimeException e) {
      // Not thrown to the peer, which could only retransmit the frame.
      LOG.log(Level.ERROR, "an incoming frame could not be processed", e);
    }
  }

  @Override
  public RMIConnection newClient(Object credentials) {
    throw new UnsupportedOperationException("this RMI object offers no management connections");
  }

  /** Unexports the object; frames that arrive later are discarded. */
  @Override
  public void close() {
    closed = true;
    try {
      UnicastRemoteObject.unexportObject(this, true);
    } catch (NoSuchObjectException _) {
      // The object was never exported, or is unexported already.
    }
  }
}
