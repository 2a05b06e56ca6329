package org.troupe.links.port;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.links.IoFailures;
import org.troupe.links.connect.StreamSplice;
import org.troupe.links.host.NetworkInterfaces;

/**
 * Forwards connections to a port that callers cannot reach but this machine can. Listens on
 * addresses of this machine; close ends the forwarded connections. Thread-safe.
 */
public final class PortForwarder implements Closeable {

  /*
   * The forwarder does not know the secret: the port authenticates the callers and enforces its own limits on
   * those that fail. The forwarder bounds only the number of connections, as each costs two descriptors and up to
   * two buffers.
   */

  private static final int BACKLOG = 1024;

  /** The pause after a failed accept, which mostly lacks descriptors. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final InetSocketAddress port;
  private final int most;
  private final List<ServerSocketChannel> listeners = new ArrayList<>();
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  private PortForwarder(InetSocketAddress port, int most) {
    this.port = port;
    this.most = most;
  }

  /**
   * Starts to listen.
   *
   * @param port the address to which connections are forwarded
   * @param networks the networks in which to listen; if this machine has no address in them, it
   *     listens on all addresses but loopback
   * @param most the maximum number of connections; further ones are closed at once
   * @throws IOException if this machine has no such address, or cannot listen on any
   */
  public static PortForwarder open(InetSocketAddress port, List<String> networks, int most)
      throws IOException {
    List<InetAddress> addresses = NetworkInterfaces.preferred(networks);
    if (addresses.isEmpty()) {
      throw new IOException("this machine has no address that other hosts could reach");
    }
    var forwarder = new PortForwarder(port, most);
    @Nullable IOException failure = null;
    for (var address : addresses) {
      try {
        forwarder.listen(address);
      } catch (IOException e) { // such as an address that is not fully configured yet
        failure = e;
      }
    }
    if (forwarder.listeners.isEmpty()) {
      throw Objects.requireNonNull(failure, "each address has failed");
    }
    return forwarder;
  }

  private void listen(InetAddress address) throws IOException {
    var listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(address, 0), BACKLOG);
    } catch (IOException e) {
      IoFailures.closeQuietly(listener);
      throw e;
    }
    listeners.add(listener);
    Thread.ofPlatform().daemon().name("troupe-forwarder").start(() -> acceptAll(listener));
  }

  /** Returns the addresses on which it listens. */
  public List<InetSocketAddress> addresses() throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (var listener : listeners) {
      addresses.add((InetSocketAddress) listener.getLocalAddress());
    }
    return addresses;
  }

  private void acceptAll(ServerSocketChannel listener) {
    while (!isClosed) {
      try {
        forwardIfAllowed(listener.accept());
      } catch (IOException e) {
        if (!isClosed) {
          LOG.log(Level.DEBUG, "no connection could be accepted", e);
          LockSupport.parkNanos(RETRY_NANOS);
        }
      }
    }
  }

  private void forwardIfAllowed(SocketChannel caller) {
    if (open.size() >= most) {
      IoFailures.closeQuietly(caller);
      return;
    }
    open.add(caller);
    Thread.ofVirtual().name("troupe-forward").start(() -> forward(caller));
  }

  private void forward(SocketChannel caller) {
    @Nullable SocketChannel destination = null;
    try {
      destination = SocketChannel.open(port);
      caller.setOption(StandardSocketOptions.TCP_NODELAY, true);
      destination.setOption(StandardSocketOptions.TCP_NODELAY, true);
      open.remove(caller);
      var splice = StreamSplice.startUnauthenticated(caller, destination, open);
      if (isClosed) { // close may have missed it
        splice.close();
      }
    } catch (IOException | OutOfMemoryError e) {
      LOG.log(Level.DEBUG, "a connection to {0} could not be forwarded: {1}", port, e);
      open.remove(caller);
      IoFailures.closeQuietly(caller);
      if (destination != null) {
        IoFailures.closeQuietly(destination);
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
    listeners.forEach(IoFailures::closeQuietly);
    open.forEach(IoFailures::closeQuietly);
  }
}
