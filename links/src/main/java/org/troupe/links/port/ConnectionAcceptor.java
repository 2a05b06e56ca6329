package org.troupe.links.port;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.troupe.links.Address;
import org.troupe.links.IoFailures;
import org.troupe.links.Link;
import org.troupe.links.connect.PendingHandshakes;
import org.troupe.links.connect.Relay;
import org.troupe.links.handshake.Handshake;
import org.troupe.links.handshake.RefusalCause;
import org.troupe.links.handshake.RefusalLog;
import org.troupe.links.handshake.RefusedException;

/**
 * The listening side of a port: accepts connections, runs their handshakes and hands them to the
 * services that they ask for.
 */
final class ConnectionAcceptor {

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  /** Pause before the next attempt after a failed accept, mostly for lack of descriptors. */
  private static final long RETRY_MILLIS = 100;

  private final ServerSocketChannel listener;
  private final Address address;
  private final List<byte[]> names; // the identity and number by which callers address this port
  private final Handshake handshake;
  private final LinkAgreement agreement;
  private final PendingHandshakes pending;
  private final ExecutorService threads;
  private final Set<Closeable> open;
  private final Port port;
  private final RefusalLog refusals = new RefusalLog(LOG);
  private final Map<String, Service> services = new ConcurrentHashMap<>();

  /**
   * Prepares to accept.
   *
   * @param agreement creates links and sockets from authenticated connections
   * @param threads run handshakes and handlers
   * @param open the connections that are closed with the port
   * @param port closed if the accepting thread is interrupted
   */
  ConnectionAcceptor(
      ServerSocketChannel listener,
      Address address,
      Handshake handshake,
      LinkAgreement agreement,
      PendingHandshakes pending,
      ExecutorService threads,
      Set<Closeable> open,
      Port port) {
    this.listener = listener;
    this.address = address;
    this.names = List.of(Handshake.name(address), Handshake.name(address.port()));
    this.handshake = handshake;
    this.agreement = agreement;
    this.pending = pending;
    this.threads = threads;
    this.open = open;
    this.port = port;
  }

  /** Handles the connections of one service. */
  private sealed interface Service {
    record OfLinks(Consumer<? super Link> handler) implements Service {}

    record OfSockets(Consumer<? super Socket> handler) implements Service {}

    /** A service of the relay: receives the caller's first bytes and the connection itself. */
    record OfRelay(int headBytes, RelayHandler handler) implements Service {}

    /** Handles a connection to the relay. */
    interface RelayHandler {
      void handle(byte[] head, Socket socket) throws IOException;
    }
  }

  void serveLinks(String service, Consumer<? super Link> handler) {
    add(service, new Service.OfLinks(handler));
  }

  void serveSockets(String service, Consumer<? super Socket> handler) {
    add(service, new Service.OfSockets(handler));
  }

  void serveRelay(String service, int headBytes, Service.RelayHandler handler) {
    services.put(service, new Service.OfRelay(headBytes, handler));
  }

  private void add(String name, Service service) {
    if (services.putIfAbsent(name, service) != null) {
      throw new IllegalStateException(
          "service '"
              + name
              + "' of port "
              + address.name()
              + " has an acceptor already; use another name, or share the acceptor");
    }
  }

  /** Accepts connections until the port is closed. */
  void acceptAll() {
    boolean failing = false;
    while (!port.isClosed()) {
      try {
        accept();
        failing = false;
      } catch (InterruptedException | ClosedByInterruptException _) {
        port.close(); // only the program that owns the JVM interrupts this thread
      } catch (IOException | OutOfMemoryError e) { // the latter: no more threads for now
        if (!failing && !port.isClosed()) {
          LOG.log(
              Level.WARNING, "port " + address.name() + " cannot accept connections; retrying", e);
        }
        failing = true;
        pause();
      }
    }
  }

  private void pause() {
    try {
      port.awaitClosed(RETRY_MILLIS);
    } catch (InterruptedException _) {
      port.close();
    }
  }

  private void accept() throws IOException, InterruptedException {
    Socket socket = listener.accept().socket();
    boolean started = false;
    try {
      open.add(socket);
      PendingHandshakes.Peer peer = pending.admit(socket);
      try {
        threads.execute(() -> serve(socket, peer, true));
        started = true;
      } catch (RejectedExecutionException _) {
        assert port.isClosed();
      } finally {
        if (!started) {
          boolean _ = peer.finish();
        }
      }
    } finally {
      if (!started) {
        drop(socket);
      }
    }
  }

  private void drop(Socket socket) {
    open.remove(socket);
    IoFailures.closeQuietly(socket);
  }

  /** Serves a connection that this port has opened because the relay announced a caller. */
  void acceptRelayed(Socket socket) {
    open.add(socket);
    try {
      serve(socket, pending.admit(socket), false);
    } catch (InterruptedException _) {
      drop(socket);
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Socket socket, PendingHandshakes.Peer peer, boolean isDirect) {
    InetAddress host = socket.getInetAddress();
    Closeable connection = socket;
    boolean accepted = false;
    try {
      Handshake.Agreement agreed = authenticate(socket, peer);
      switch (Objects.requireNonNull(
          services.get(agreed.service()), "the handshake refuses unknown services")) {
        case Service.OfLinks service -> {
          Link link = agreement.link(socket, peer, isDirect, agreed);
          connection = link;
          service.handler.accept(link);
        }
        case Service.OfSockets service -> {
          Socket wrapped = agreement.socket(socket, peer, isDirect, agreed);
          connection = wrapped;
          service.handler.accept(wrapped);
        }
        case Service.OfRelay service -> {
          byte[] head = Relay.read(socket, service.headBytes);
          if (!peer.finish()) {
            throw new IOException("the peer took too long to send its request to the relay");
          }
          service.handler.handle(head, socket);
        }
      }
      accepted = true;
    } catch (RefusedException e) {
      if (!port.isClosed()) {
        refusals.refused(address, host, peer.cause(e));
      }
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG,
          "port {0} and {1} did not connect: {2}",
          address.name(),
          host,
          e.getMessage());
    } catch (RuntimeException e) {
      LOG.log(
          Level.ERROR,
          "port " + address.name() + ": an acceptor failed; its connection is closed",
          e);
    } finally {
      open.remove(socket); // the link or socket created from it is registered instead
      if (!accepted || port.isClosed()) {
        IoFailures.closeQuietly(connection);
      }
    }
  }

  /**
   * Runs the handshake, in which the peer proves that it knows the secret; afterwards the peer can
   * no longer be evicted, but must still meet its deadline.
   */
  private Handshake.Agreement authenticate(Socket socket, PendingHandshakes.Peer peer)
      throws IOException {
    Handshake.Agreement agreed = null;
    boolean isPending = false;
    try {
      if (port.isClosed()) { // close() may have missed this connection
        throw new RefusedException(RefusalCause.LEFT);
      }
      socket.setTcpNoDelay(true);
      agreed = handshake.serve(socket, names, services::containsKey);
      isPending = peer.authenticated();
    } finally {
      if (!isPending) {
        boolean _ = peer.finish();
      }
    }
    if (!isPending) {
      throw new RefusedException(RefusalCause.TOO_SLOW);
    }
    return agreed;
  }
}
