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
 * secret. Strangers are closed, at the latest after 10 s, and logged once per host and cause. Port
 * and connections may be shared between threads; all threads of a port are daemons.
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

  private static final long LAST_ACCEPT_MILLIS = 1_000;
  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private static final Pattern SERVICE =
      Pattern.compile("[A-Za-z0-9._-]{1," + Handshake.SERVICE_BYTES + "}");

  /** What the kernel may hold back for us; it may take less. */
  private static final int BACKLOG = 1024;

  private final ServerSocketChannel listener;
  private final Address address;
  private final DriverNegotiation.Place place;
  private final LinkFactory links;
  private final DriverPreferences drivers;
  private final ExecutorService threads;
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final SocketFactory channels = SocketFactory.ofChannels();
  private final SocketFactory sockets = SocketFactory.forOthers(open);
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
    this.listener = listener;
    this.address = address;
    this.drivers = drivers;
    place = new DriverNegotiation.Place(HostIdentity.here(), options.trusted());
    var handshake = new Handshake(secret, versions);
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemon().name(threadName(), 0).factory());
    links = new LinkFactory(secret, place, limits, threads, "troupe-port-" + address.port(), open);
    acceptor =
        new ConnectionAcceptor(
            listener,
            address,
            handshake,
            new LinkAgreement(new DriverNegotiation(secret), place, drivers, links),
            new PendingHandshakes(limits),
            threads,
            open,
            this);
    Relay relay = options.isRelay() ? new Relay(open) : null;
    dialler = new PortDialler(handshake, relay, options.relay().orElse(null), threads, open);
    if (relay != null) {
      acceptor.serveRelay(Relay.ATTEND, Address.IDENTITY_BYTES, relay::attend);
      acceptor.serveRelay(Relay.DIAL, Address.IDENTITY_BYTES, relay::dial);
      acceptor.serveRelay(Relay.RETURN, Relay.TOKEN_BYTES, relay::returned);
    }
  }

  private String threadName() {
    return "troupe-port-" + address.port() + "-";
  }

  /**
   * Opens a port on loopback, with a number that the system chooses.
   *
   * @throws IOException if the system has none
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
   * <p>With a relay to go to, waits until the relay will call it.
   *
   * @throws BindException if the port is in use, or the address is not one of this machine
   * @throws IOException if this machine has no address in the networks, or the relay cannot be
   *     reached
   * @throws IllegalArgumentException if the options name what is no network, or the property what
   *     is no driver
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
              + "): peers have to be told one; name an address of this machine, or use"
              + " PortOptions, which tells them all");
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
          "cannot listen on '" + bind.getHostString() + "': no such host is known; use an address");
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
    if (!options.bind().getAddress().isLoopbackAddress() && drivers.areOpenToTheNetwork()) {
      LOG.log(
          Level.WARNING,
          "port {0} can be reached from other hosts, and system property ''{1}'' lets its"
              + " connections go without encryption; use it on a trusted network only",
          address.name(),
          DriverPreferences.PROPERTY);
    }
    accepting = daemon().name(threadName() + "accept").start(acceptor::acceptAll);
    if (options.relay().isPresent()) {
      var attendance =
          new RelayRegistration(
              dialler,
              options.relay().get(),
              Handshake.name(address),
              sockets,
              channels,
              acceptor::welcomeRelayed);
      open.add(attendance);
      attendance.begin();
      daemon().name(threadName() + "relay").start(attendance);
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
                  + "; use port 0 to be given a free one, end the program that has this one, and"
                  + " make sure that the address is one of this machine");
      named.initCause(e);
      throw named;
    }
  }

  /** Waits for the port to be closed, at most for a time. */
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
   * @throws IllegalArgumentException if the name is none
   * @throws IllegalStateException if the service has an acceptor
   */
  public void serve(String service, Consumer<? super Link> handler) {
    checkName(service);
    acceptor.serveLinks(service, handler);
  }

  /**
   * Gives the incoming connections of a service to an acceptor, as sockets for libraries that know
   * nothing else.
   *
   * <p>As {@link #serve}, with one connected socket for each call, without a read timeout and
   * without delay of small writes. A socket that is to be read on platform threads should not be
   * touched on a virtual one: it would be slower from then on.
   */
  public void serveSockets(String service, Consumer<? super Socket> handler) {
    checkName(service);
    acceptor.serveSockets(service, handler);
  }

  /**
   * Connects to a service behind the port of a peer, over the best driver that both have; blocks
   * until both sides have proved the secret to each other, but no longer than the timeout.
   *
   * @return a link like those that {@link #serve} gives to the other side
   * @throws org.troupe.links.WrongSecretException if the peer does not share our secret
   * @throws org.troupe.links.VersionMismatchException if it has no wire version in common with us
   * @throws org.troupe.links.NoSuchServiceException if it does not serve links under this name
   * @throws SocketTimeoutException if the time was not enough
   * @throws InterruptedIOException if the thread was interrupted; it still is
   * @throws IOException if the peer cannot be reached, breaks off or has no driver in common with
   *     us, or this port is closed
   */
  public Link connect(Address peer, String service, Duration timeout) throws IOException {
    checkName(service);
    return dial(
        peer,
        service,
        timeout,
        channels,
        reached ->
            links.callForLink(
                reached.socket(),
                reached.session(),
                reached.peer(),
                service,
                drivers.forLink(mayOfferPlain(reached))));
  }

  /**
   * Connects to a service that {@link #serveSockets} serves, as {@link #connect} does for links.
   *
   * @return a socket like those that the other side is given
   */
  public Socket connectSocket(Address peer, String service, Duration timeout) throws IOException {
    checkName(service);
    return dial(
        peer,
        service,
        timeout,
        sockets,
        reached -> {
          open.add(reached.socket());
          return links.callForSocket(
              reached.socket(),
              reached.session(),
              reached.peer(),
              service,
              drivers.forSocket(mayOfferPlain(reached)));
        });
  }

  /** The peer, which will know where we are, has the last word. */
  private boolean mayOfferPlain(PortDialler.Reached reached) {
    return reached.isDirect()
        && DriverPreferences.mayBePlain(
            reached.socket().getInetAddress(), true, !place.trusted().isEmpty());
  }

  private <C extends Closeable> C dial(
      Address peer,
      String service,
      Duration timeout,
      SocketFactory kind,
      PortDialler.Sequel<C> sequel)
      throws IOException {
    C connection = null;
    try {
      connection = dialler.dial(peer, service, timeout, kind, sequel);
    } catch (InterruptedIOException e) { // or the time is over
      throw e;
    } catch (IOException e) {
      if (!isClosed()) {
        throw e;
      }
    }
    if (connection == null || isClosed()) {
      IoFailures.closeQuietly(connection);
      throw new SocketException(
          "cannot connect to " + peer.name() + ": our own port " + address.name() + " is closed");
    }
    return connection;
  }

  /** Says whether connections with a peer come about over the relay, as far as is known. */
  public boolean isRelayed(Address peer) {
    return dialler.isRelayed(peer);
  }

  private static void checkName(String service) {
    if (!SERVICE.matcher(service).matches()) {
      throw new IllegalArgumentException(
          "'"
              + service
              + "' is no name of a service; use 1 to "
              + Handshake.SERVICE_BYTES
              + " letters, digits, dots, dashes and underscores");
    }
  }

  /** Says whether {@link #close} has begun. */
  boolean isClosed() {
    return closed.getCount() == 0;
  }

  /**
   * Closes the port and every connection made through it, in either direction.
   *
   * <p>Whoever reads, writes or connects gets an exception. Does not wait for acceptors that run.
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
    awaitAccepting();
  }

  /** The system gives the port number back only when nobody stands in accept any more. */
  private void awaitAccepting() {
    Thread thread = accepting;
    if (thread == null || thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(LAST_ACCEPT_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
