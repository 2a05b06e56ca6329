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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.troupe.links.IoFailures;
import org.troupe.links.connect.StreamSplice;
import org.troupe.links.host.NetworkInterfaces;

/**
 * Lets others reach a port that they cannot dial but this machine can: listens on addresses of this
 * machine, and passes every byte on to the port and back. Closed, it ends what goes through it. May
 * be shared between threads.
 */
public final class PortForwarder implements Closeable {

  /*
   * It knows no secret. Whoever comes has to prove to the port that he does, and is sent away by the port's own
   * limits if he cannot; all that is bounded here is how many there are at a time, since each costs two descriptors
   * and up to two buffers.
   */

  private static final int BACKLOG = 1024;

  /** How long to wait before the next accept if one failed: for lack of descriptors, mostly. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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
   * Begins to listen.
   *
   * @param port what everything is passed on to
   * @param networks on whose addresses of this machine it listens; if it has none there, on all but
   *     loopback
   * @param most how many connections there may be at a time; others are closed at once
   * @throws IOException if this machine has no such address, or can listen at none
   */
  public static PortForwarder open(InetSocketAddress port, List<String> networks, int most)
      throws IOException {
    List<InetAddress> addresses = NetworkInterfaces.preferred(networks);
    if (addresses.isEmpty()) {
      throw new IOException("this machine has no address that others could reach it by");
    }
    var forwarder = new PortForwarder(port, most);
    IOException failure = null;
    for (var address : addresses) {
      try {
        forwarder.listen(address);
      } catch (IOException e) { // such as one that is not quite configured yet
        failure = e;
      }
    }
    if (forwarder.listeners.isEmpty()) {
      throw failure;
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

  /** Returns where it listens. */
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
        take(listener.accept());
      } catch (IOException e) {
        if (!isClosed) {
          LOG.log(Level.DEBUG, "no connection could be accepted", e);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  private void take(SocketChannel caller) {
    if (open.size() >= most) {
      IoFailures.closeQuietly(caller);
      return;
    }
    open.add(caller);
    Thread.ofVirtual().name("troupe-forward").start(() -> passOn(caller));
  }

  private void passOn(SocketChannel caller) {
    SocketChannel onward = null;
    try {
      onward = SocketChannel.open(port);
      caller.setOption(StandardSocketOptions.TCP_NODELAY, true);
      onward.setOption(StandardSocketOptions.TCP_NODELAY, true);
      open.remove(caller);
      var splice = StreamSplice.startFromAnybody(caller, onward, open);
      if (isClosed) { // nobody else would end it
        splice.close();
      }
    } catch (IOException | OutOfMemoryError e) {
      LOG.log(Level.DEBUG, "a connection to {0} could not be passed on: {1}", port, e);
      open.remove(caller);
      IoFailures.closeQuietly(caller);
      if (onward != null) {
        IoFailures.closeQuietly(onward);
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
