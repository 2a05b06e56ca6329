package org.troupe.transport.rmi;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.rmi.NoSuchObjectException;
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

/** The remote object of an endpoint: gives to the receiver what peers deliver. */
final class FrameServer extends RMIJRMPServerImpl implements RemoteReceiver {

  /*
   * Why this extends a class of the JDK's management: what UnicastRemoteObject exports keeps the JVM alive, by a
   * thread that is no daemon, and makes it collect the whole heap once an hour. RMI knows "permanent" objects that
   * do neither, but exports as such only its registry and, for daemon agents, this class. Nothing of its management
   * is used; nobody can become its client. If the environment's entry were ignored one day, an open endpoint would
   * keep the JVM alive, and the test of that would fail.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.transport.rmi");

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "jmx.remote.x.daemon",
          "true",
          // Strings and arrays of primitives pass, about which no filter is asked; nothing else
          // does. What is announced and longer than any piece of a frame is refused before it is
          // allocated.
          RMIConnectorServer.CREDENTIALS_FILTER_PATTERN,
          "maxdepth=2;maxarray=" + FramePacking.LONGEST_ARRAY + ";!*");

  private final Receiver receiver;
  private volatile boolean closed;

  /**
   * Makes the object; {@link #export} lets peers in.
   *
   * @param port any number but 0, for which RMI would share sockets
   */
  FrameServer(int port, RMIServerSocketFactory sockets, Receiver receiver) throws IOException {
    super(port, PeerSockets.OF_CALLER, sockets, ENVIRONMENT);
    this.receiver = receiver;
  }

  @Override
  protected void export() throws IOException {
    super.export();
  }

  /** Returns what peers need to call this object: its reference, without interfaces. */
  RemoteObjectInvocationHandler reference() throws IOException {
    return (RemoteObjectInvocationHandler) Proxy.getInvocationHandler(toStub());
  }

  @Override
  public void deliver(byte[][] parts) {
    FramePacking.unpackAll(parts).forEach(frame -> received(frame, null));
  }

  @Override
  public @Nullable Object exchange(Object frame) {
    var exchange = new CallExchange();
    received(FramePacking.unpack(frame), exchange);
    var reply = exchange.end();
    return reply == null ? null : FramePacking.pack(reply);
  }

  /** The call of RMI by which a frame came, and whose result can be the reply while it lasts. */
  private static final class CallExchange implements Exchange {
    private boolean ended; // under this
    private @Nullable Frame reply; // under this

    @Override
    public synchronized boolean reply(Frame frame) {
      if (ended) {
        return false;
      }
      ended = true;
      reply = frame;
      return true;
    }

    /**
     * Returns the reply, or {@code null} if it is not there yet and has to be a frame of its own.
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
    } catch (RuntimeException e) {
      // Not thrown to the peer: it could do nothing but send the frame again.
      LOG.log(Level.ERROR, "an incoming frame could not be processed", e);
    }
  }

  @Override
  public RMIConnection newClient(Object credentials) {
    throw new UnsupportedOperationException("no management here");
  }

  /** Lets no further frame in. */
  @Override
  public void close() {
    closed = true;
    try {
      UnicastRemoteObject.unexportObject(this, true);
    } catch (NoSuchObjectException _) {
      // It never was exported, or no longer is: all the same.
    }
  }
}
