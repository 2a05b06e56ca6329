package org.troupe.links.port;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.IoFailures;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.connect.ChannelSocket;
import org.troupe.links.connect.PendingHandshakes;
import org.troupe.links.connect.PortDialler;
import org.troupe.links.connect.Relay;
import org.troupe.links.connect.RelayRegistration;
import org.troupe.links.connect.SocketFactory;
import org.troupe.links.driver.LinkFactory;
import org.troupe.links.handshake.DriverNegotiation;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.handshake.Handshake;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.WireVersions;
import org.troupe.links.host.HostIdentity;

/**
 * The one listening port of a JVM: accepts connections of several named services, and connects to
 * those of other ports.
 *
 * <p>A connection exists only between ports that have proved to each other that they know the same
 * secret. The connections of other peers are closed within 10 s and logged once per host and cause.
 * Ports are thread-safe; all threads of a port are daemons.
 */
public final class Port implements AutoCloseable {

  /*
   * Threads
   *
   * One thread accepts; each handshake has a thread until its connection is handed over. They are
   * platform threads because a virtual thread would slow the socket down for good (see
   * PendingHandshakes). There are at most HandshakeLimits.unfinished() of them, plus those that run
   * the handler of a service or connect.
   */

  private static final long ACCEPT_END_MILLIS = 1_000;
  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private static final Pattern SERVICE =
      Pattern.compile("[A-Za-z0-9._-]{1," + Handshake.SERVICE_BYTES + "}");

  /** The number of connections that the kernel may hold before they are accepted. */
  private static final int BACKLOG = 1024;

  private final Secret secret;
  private final ServerSocketChannel listener;
  private final Address address;
  private final DriverNegotiation.NetworkLocation location;
  private final LinkFactory links;
  private final DriverPreferences drivers;
  private final ExecutorService threads;
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final SocketFactory channels = SocketFactory.ofChannels();
  private final SocketFactory sockets = SocketFactory.forLibraries(open);
  private final PortDialler dialler;
  private final ConnectionAcceptor acceptor;
  private volatile @Nullable Thread accepting; // null until the port serves

  private Port(
      Secret secret,
      ServerSocketChannel listener,
      Address address,
      PortOptions options,
      WireVersions versions,
      HandshakeLimits limits,
      DriverPreferences drivers) {
    this.secret = secret;
    this.listener = listener;
    this.address = address;
    this.drivers = drivers;
    location = new DriverNegotiation.NetworkLocation(HostIdentity.here(), options.trusted());
    var handshake = new Handshake(secret, versions);
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemon().name(threadName(), 0).factory());
    links =
        new LinkFactory(secret, location, limits, threads, "troupe-port-" + address.port(), open);
    acceptor =
        new ConnectionAcceptor(
            listener,
            address,
            handshake,
            new LinkAgreement(new DriverNegotiation(secret), location, drivers, links),
            new PendingHandshakes(limits),
            threads,
            open,
            this);
    Relay relay = options.isRelay() ? new Relay(open) : null;
    dialler = new PortDialler(handshake, relay, options.relay().orElse(null), threads, open);
    if (relay != null) {
      acceptor.serveRelay(Relay.ATTEND, Address.IDENTITY_BYTES, relay::register);
      acceptor.serveRelay(Relay.DIAL, Address.IDENTITY_BYTES, relay::connect);
      acceptor.serveRelay(Relay.RETURN, Relay.TOKEN_BYTES, relay::acceptReturn);
    }
  }

  private String threadName() {
    return "troupe-port-" + address.port() + "-";
  }

  /**
   * Opens a port on loopback, with a number that the system chooses.
   *
   * @throws IOException if no port number is free
   */
  public static Port open(Secret secret) throws IOException {
    return open(secret, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /**
   * Opens a port on one address of this machine.
   *
   * @param bind not the wildcard; port number 0 lets the system choose
   * @throws IllegalArgumentException if the address is the wildcard
   * @see #open(Secret, PortOptions)
   */
  public static Port open(Secret secret, InetSocketAddress bind) throws IOException {
    return open(secret, bind, WireVersions.OURS, HandshakeLimits.DEFAULT);
  }

  /**
   * Opens a port.
   *
   * <p>Connections with other hosts are encrypted by TLS, unless both ports are in one trusted
   * network, or the system property {@code troupe.links} says otherwise on both sides: a list of
   * drivers in order of preference, such as {@code shm,uds,tcp}.
   *
   * <p>If the options name a relay, blocks until the port is registered there.
   *
   * @throws BindException if the port is in use, or the address is not one of this machine
   * @throws IOException if this machine has no address in the networks, or the relay cannot be
   *     reached
   * @throws IllegalArgumentException if the options name an invalid network, or the property an
   *     unknown driver
   */
  public static Port open(Secret secret, PortOptions options) throws IOException {
    return open(
        secret,
        options,
        WireVersions.OURS,
        HandshakeLimits.DEFAULT,
        DriverPreferences.ofProperty());
  }

  static Port open(
      Secret secret, InetSocketAddress bind, WireVersions versions, HandshakeLimits limits)
      throws IOException {
    return open(secret, bind, versions, limits, DriverPreferences.ofProperty());
  }

  static Port open(
      Secret secret,
      InetSocketAddress bind,
      WireVersions versions,
      HandshakeLimits limits,
      DriverPreferences drivers)
      throws IOException {
    if (!bind.isUnresolved() && bind.getAddress().isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "cannot listen on all addresses ("
              + bind.getAddress().getHostAddress()
              + "): peers need a certain one; name an address of this machine, or use PortOptions,"
              + " which publishes all of them");
    }
    return open(secret, PortOptions.at(bind), versions, limits, drivers);
  }

  static Port open(
      Secret secret,
      PortOptions options,
      WireVersions versions,
      HandshakeLimits limits,
      DriverPreferences drivers)
      throws IOException {
    InetSocketAddress bind = options.bind();
    if (bind.isUnresolved()) {
      throw new UnknownHostException(
          "cannot listen on '"
              + bind.getHostString()
              + "': the host name cannot be resolved; use an address");
    }
    ServerSocketChannel listener = listen(bind);
    Port port = null;
    boolean opened = false;
    try {
      Address address = options.address(listener.socket().getLocalPort());
      port = new Port(secret, listener, address, options, versions, limits, drivers);
      port.start(options);
      opened = true;
      return port;
    } finally {
      if (!opened) {
        IoFailures.closeQuietly(port == null ? listener : port::close);
      }
    }
  }

  private void start(PortOptions options) throws IOException {
    if (!options.bind().getAddress().isLoopbackAddress() && drivers.permitUnencrypted()) {
      LOG.log(
          Level.WARNING,
          "port {0} can be reached from other hosts, and system property ''{1}'' lets its"
              + " connections be unencrypted; use it on a trusted network only",
          address.name(),
          DriverPreferences.PROPERTY);
    }
    accepting = daemon().name(threadName() + "accept").start(acceptor::acceptAll);
    if (options.relay().isPresent()) {
      var registration =
          new RelayRegistration(
              dialler,
              options.relay().get(),
              Handshake.name(address),
              sockets,
              channels,
              acceptor::acceptRelayed);
      open.add(registration);
      registration.begin();
      daemon().name(threadName() + "relay").start(registration);
    }
  }

  private static ServerSocketChannel listen(InetSocketAddress bind) throws IOException {
    var listener = ServerSocketChannel.open();
    try {
      listener.bind(bind, BACKLOG);
      return listener;
    } catch (BindException e) {
      listener.close();
      var named =
          new BindException(
              "cannot listen on "
                  + bind.getAddress().getHostAddress()
                  + ":"
                  + bind.getPort()
                  + ": "
                  + e.getMessage()
                  + "; use port 0 for any free one, or end the program that has this one, and make"
                  + " sure that the address is one of this machine");
      named.initCause(e);
      throw named;
    }
  }

  /** Waits until the port is closed or the time has passed. */
  void awaitClosed(long millis) throws InterruptedException {
    boolean _ = closed.await(millis, TimeUnit.MILLISECONDS);
  }

  private static Thread.Builder.OfPlatform daemon() {
    return Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
  }

  /** Returns where peers reach this port. */
  public Address address() {
    return address;
  }

  /**
   * Gives the incoming links of a service to an acceptor, from now on.
   *
   * <p>The call runs on a platform thread that exists for this link, which should be given back
   * soon; the link's next byte is the service's own.
   *
   * @param service 1 to 64 letters, digits, dots, dashes and underscores
   * @throws IllegalArgumentException if the name is invalid
   * @throws IllegalStateException if the service has an acceptor
   */
  public void serve(String service, Consumer<? super Link> handler) {
    checkName(service);
    acceptor.serveLinks(service, handler);
  }

  /**
   * Passes the incoming connections of a service to an acceptor, as sockets for libraries that need
   * them.
   *
   * <p>Works like {@link #serve}. The sockets are connected, with neither a read timeout nor
   * Nagle's algorithm. A socket should not be read on both platform threads and virtual threads, as
   * a read on a virtual thread makes all later reads slower.
   */
  public void serveSockets(String service, Consumer<? super Socket> handler) {
    checkName(service);
    acceptor.serveSockets(service, handler);
  }

  /**
   * Connects to a service behind the port of a peer, over the best driver that both have; blocks
   * until both sides have proved the secret to each other, but no longer than the timeout.
   *
   * @return a link like those that {@link #serve} passes to the other side
   * @throws org.troupe.links.WrongSecretException if the peer does not know the secret
   * @throws org.troupe.links.VersionMismatchException if the peer has no wire version in common
   * @throws org.troupe.links.NoSuchServiceException if the peer serves no links under this name
   * @throws SocketTimeoutException if the timeout has passed
   * @throws InterruptedIOException if the thread was interrupted; it remains interrupted
   * @throws IOException if the peer cannot be reached, disconnects or has no driver in common, or
   *     this port is closed
   */
  public Link connect(Address peer, String service, Duration timeout) throws IOException {
    checkName(service);
    return dial(
        peer,
        service,
        timeout,
        channels,
        dialled ->
            links.callForLink(
                dialled.socket(),
                dialled.session(),
                dialled.peer(),
                service,
                drivers.forLink(mayOfferPlain(dialled))));
  }

  /**
   * Performs an operation over sockets of a port in which an interrupt ends a wait for bytes even
   * if it comes before the wait: the read fails and the socket is closed. Otherwise a read defers
   * such an interrupt until its bytes have arrived. Interrupts have no effect on the sockets of
   * connections that this side has opened without a relay.
   */
  public static <T, X extends Throwable> T interruptibly(ScopedValue.CallableOp<T, X> operation)
      throws X {
    return ChannelSocket.interruptibly(operation);
  }

  /**
   * Connects to a service that {@link #serveSockets} serves, as {@link #connect} does for links.
   *
   * @return a socket like those that {@link #serveSockets} passes to the other side
   */
  public Socket connectSocket(Address peer, String service, Duration timeout) throws IOException {
    checkName(service);
    return dial(
        peer,
        service,
        timeout,
        sockets,
        dialled -> {
          open.add(dialled.socket());
          return links.callForSocket(
              dialled.socket(),
              dialled.session(),
              dialled.peer(),
              service,
              drivers.forSocket(mayOfferPlain(dialled)));
        });
  }

  /** Returns whether to offer unencrypted drivers; the peer decides. */
  private boolean mayOfferPlain(PortDialler.AuthenticatedSocket dialled) {
    return dialled.isDirect()
        && DriverPreferences.mayBePlain(
            dialled.socket().getInetAddress(), true, !location.trusted().isEmpty());
  }

  private <C extends Closeable> C dial(
      Address peer,
      String service,
      Duration timeout,
      SocketFactory kind,
      PortDialler.Continuation<C> continuation)
      throws IOException {
    C connection = null;
    try {
      connection = dialler.dial(peer, service, timeout, kind, continuation);
    } catch (InterruptedIOException e) { // or the timeout has passed
      throw e;
    } catch (IOException e) {
      if (!isClosed()) {
        throw e;
      }
    }
    if (connection == null || isClosed()) {
      IoFailures.closeQuietly(connection);
      throw new SocketException(
          "cannot connect to "
              + peer.name()
              + ": the port "
              + address.name()
              + " of this JVM is closed");
    }
    return connection;
  }

  /** Returns whether the latest connection to a peer used the relay. */
  public boolean isRelayed(Address peer) {
    return dialler.isRelayed(peer);
  }

  private static void checkName(String service) {
    if (!SERVICE.matcher(service).matches()) {
      throw new IllegalArgumentException(
          "'"
              + service
              + "' is no valid name of a service; use 1 to "
              + Handshake.SERVICE_BYTES
              + " letters, digits, dots, dashes and underscores");
    }
  }

  /**
   * Creates memory that other ports of this user on this host can open; empty if links of this JVM
   * may not use shared memory.
   */
  public Optional<HostMemory> createMemory(long size) throws IOException {
    return HostMemory.create(secret, drivers, size);
  }

  /**
   * Opens memory that another port has created; empty if it is on another host, or links of this
   * JVM may not use shared memory.
   *
   * @throws IOException if it no longer exists or has another size
   */
  public Optional<HostMemory> openMemory(byte[] details, long size) throws IOException {
    return HostMemory.open(secret, drivers, details, size);
  }

  /** Returns whether {@link #close} has been called. */
  boolean isClosed() {
    return closed.getCount() == 0;
  }

  /**
   * Closes the port and every connection made through it, in either direction.
   *
   * <p>Blocked reads, writes and connects throw an exception. Does not wait for running acceptors.
   */
  @Override
  public void close() {
    closed.countDown();
    try {
      listener.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "port " + address.name() + " could not be closed properly", e);
    }
    threads.shutdown();
    open.forEach(IoFailures::closeQuietly);
    links.close();
    awaitAcceptor();
  }

  /**
   * Waits for the accepting thread, as the kernel frees the port number only when accept returns.
   */
  private void awaitAcceptor() {
    Thread thread = accepting;
    if (thread == null || thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(ACCEPT_END_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
