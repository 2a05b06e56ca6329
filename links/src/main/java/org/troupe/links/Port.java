package org.troupe.links;

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
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.links.connect.Dialler;
import org.troupe.links.connect.PendingHandshakes;
import org.troupe.links.connect.Relay;
import org.troupe.links.connect.RelayRegistration;
import org.troupe.links.connect.Sockets;
import org.troupe.links.driver.LinkFactory;
import org.troupe.links.handshake.Drivers;
import org.troupe.links.handshake.Handshake;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.HostIdentity;
import org.troupe.links.handshake.Negotiation;
import org.troupe.links.handshake.Refusal;
import org.troupe.links.handshake.RefusalLog;
import org.troupe.links.handshake.RefusedException;
import org.troupe.links.handshake.WireVersions;

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
   * Threads: one accepts; a handshake has one of its own until the connection is handed over. They
   * are platform threads because a virtual one would spoil the socket (see Unfinished), and no more
   * than Limits.unfinished() plus those that run an acceptor or connect.
   */

  private static final long LAST_ACCEPT_MILLIS = 1_000;
  private static final System.Logger LOG = System.getLogger(Port.class.getPackageName());

  private static final Pattern SERVICE =
      Pattern.compile("[A-Za-z0-9._-]{1," + Handshake.SERVICE_BYTES + "}");

  /** What the kernel may hold back for us; it may take less. */
  private static final int BACKLOG = 1024;

  /** How long to wait before the next accept if one failed: for lack of descriptors, mostly. */
  private static final long PAUSE_MILLIS = 100;

  private final ServerSocketChannel listener;
  private final Address address;
  private final List<byte[]> names; // by which callers may mean this port
  private final Negotiation.Place place;
  private final Handshake handshake;
  private final Negotiation negotiation;
  private final LinkFactory maker;
  private final Drivers drivers;
  private final PendingHandshakes unfinished;
  private final ExecutorService threads;
  private final RefusalLog refusals = new RefusalLog(LOG);
  private final Map<String, Service> services = new ConcurrentHashMap<>();
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Sockets channels = Sockets.ofChannels();
  private final Sockets sockets = Sockets.forOthers(open);
  private final Dialler dialler;
  private volatile @Nullable Thread accepting; // null until the port serves

  private Port(
      Secret secret,
      ServerSocketChannel listener,
      Address address,
      PortOptions options,
      WireVersions versions,
      HandshakeLimits limits,
      Drivers drivers) {
    this.listener = listener;
    this.address = address;
    this.drivers = drivers;
    names = List.of(Handshake.name(address), Handshake.name(address.port()));
    place = new Negotiation.Place(HostIdentity.here(), options.trusted());
    handshake = new Handshake(secret, versions);
    negotiation = new Negotiation(secret);
    unfinished = new PendingHandshakes(limits);
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemon().name(threadName(), 0).factory());
    maker = new LinkFactory(secret, place, limits, threads, "troupe-port-" + address.port(), open);
    Relay relay = options.isRelay() ? new Relay(open) : null;
    dialler = new Dialler(handshake, relay, options.relay().orElse(null), threads, open);
    if (relay != null) {
      serve(Relay.ATTEND, Address.IDENTITY_BYTES, relay::attend);
      serve(Relay.DIAL, Address.IDENTITY_BYTES, relay::dial);
      serve(Relay.RETURN, Relay.TOKEN_BYTES, relay::returned);
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
    return open(secret, options, WireVersions.OURS, HandshakeLimits.DEFAULT, Drivers.ofProperty());
  }

  public static Port open(
      Secret secret, InetSocketAddress bind, WireVersions versions, HandshakeLimits limits)
      throws IOException {
    return open(secret, bind, versions, limits, Drivers.ofProperty());
  }

  public static Port open(
      Secret secret,
      InetSocketAddress bind,
      WireVersions versions,
      HandshakeLimits limits,
      Drivers drivers)
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

  public static Port open(
      Secret secret,
      PortOptions options,
      WireVersions versions,
      HandshakeLimits limits,
      Drivers drivers)
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
        closeQuietly(port == null ? listener : port::close);
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
          Drivers.PROPERTY);
    }
    accepting = daemon().name(threadName() + "accept").start(this::acceptAll);
    if (options.relay().isPresent()) {
      var attendance =
          new RelayRegistration(
              dialler,
              options.relay().get(),
              Handshake.name(address),
              sockets,
              channels,
              this::welcomeCalled);
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
  public void serve(String service, Consumer<? super Link> acceptor) {
    add(service, new Service.OfLinks(acceptor));
  }

  /**
   * Gives the incoming connections of a service to an acceptor, as sockets for libraries that know
   * nothing else.
   *
   * <p>As {@link #serve}, with one connected socket for each call, without a read timeout and
   * without delay of small writes. A socket that is to be read on platform threads should not be
   * touched on a virtual one: it would be slower from then on.
   */
  public void serveSockets(String service, Consumer<? super Socket> acceptor) {
    add(service, new Service.OfSockets(acceptor));
  }

  private void serve(String service, int headBytes, Service.Taker taker) {
    services.put(service, new Service.OfRelay(headBytes, taker));
  }

  private void add(String name, Service service) {
    checkName(name);
    if (services.putIfAbsent(name, service) != null) {
      throw new IllegalStateException(
          "service '"
              + name
              + "' of port "
              + address.name()
              + " has an acceptor already; use another name, or share the acceptor");
    }
  }

  /** What happens with the connections of a service. */
  private sealed interface Service {
    record OfLinks(Consumer<? super Link> acceptor) implements Service {}

    record OfSockets(Consumer<? super Socket> acceptor) implements Service {}

    /** Our own: gets what the caller says first, and the connection as it is. */
    record OfRelay(int headBytes, Taker taker) implements Service {}

    /** Takes a connection. */
    interface Taker {
      void take(byte[] head, Socket socket) throws IOException;
    }
  }

  /**
   * Connects to a service behind the port of a peer, over the best driver that both have; blocks
   * until both sides have proved the secret to each other, but no longer than the timeout.
   *
   * @return a link like those that {@link #serve} gives to the other side
   * @throws WrongSecretException if the peer does not share our secret
   * @throws VersionMismatchException if it has no wire version in common with us
   * @throws NoSuchServiceException if it does not serve links under this name
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
            maker.callForLink(
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
          return maker.callForSocket(
              reached.socket(),
              reached.session(),
              reached.peer(),
              service,
              drivers.forSocket(mayOfferPlain(reached)));
        });
  }

  /** The peer, which will know where we are, has the last word. */
  private boolean mayOfferPlain(Dialler.Reached reached) {
    return reached.isDirect()
        && Drivers.mayBePlain(reached.socket().getInetAddress(), true, !place.trusted().isEmpty());
  }

  private <C extends Closeable> C dial(
      Address peer, String service, Duration timeout, Sockets kind, Dialler.Sequel<C> sequel)
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
      closeQuietly(connection);
      throw new SocketException(
          "cannot connect to " + peer.name() + ": our own port " + address.name() + " is closed");
    }
    return connection;
  }

  /** Says whether connections with a peer come about over the relay, as far as is known. */
  public boolean isRelayed(Address peer) {
    return dialler.isRelayed(peer);
  }

  public static <E extends Throwable> E caused(E named, Throwable cause) {
    named.initCause(cause);
    return named;
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

  private void acceptAll() {
    boolean failing = false;
    while (!isClosed()) {
      try {
        accept();
        failing = false;
      } catch (InterruptedException | ClosedByInterruptException _) {
        close(); // nobody but the JVM's owner can mean that
      } catch (IOException | OutOfMemoryError e) { // the latter: no more threads for now
        if (!failing && !isClosed()) {
          LOG.log(
              Level.WARNING, "port " + address.name() + " cannot accept connections; trying on", e);
        }
        failing = true;
        pause();
      }
    }
  }

  private void pause() {
    try {
      boolean _ = closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      close();
    }
  }

  private void accept() throws IOException, InterruptedException {
    Socket socket = listener.accept().socket();
    boolean started = false;
    try {
      open.add(socket);
      PendingHandshakes.Peer peer = unfinished.admit(socket);
      try {
        threads.execute(() -> welcome(socket, peer, true));
        started = true;
      } catch (RejectedExecutionException _) {
        assert isClosed();
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
    closeQuietly(socket);
  }

  /** Takes the connection of somebody for whom the relay has called us. */
  private void welcomeCalled(Socket socket) {
    open.add(socket);
    try {
      welcome(socket, unfinished.admit(socket), false);
    } catch (InterruptedException _) {
      drop(socket);
      Thread.currentThread().interrupt();
    }
  }

  private void welcome(Socket socket, PendingHandshakes.Peer peer, boolean isDirect) {
    InetAddress host = socket.getInetAddress();
    Closeable connection = socket;
    boolean accepted = false;
    try {
      Handshake.Agreement agreed = prove(socket, peer);
      switch (Objects.requireNonNull(
          services.get(agreed.service()), "the handshake refuses unknown services")) {
        case Service.OfLinks service -> {
          Link link =
              agree(socket, peer, isDirect, agreed, Negotiation.Kind.LINK, maker::acceptLink);
          connection = link;
          service.acceptor.accept(link);
        }
        case Service.OfSockets service -> {
          Socket handed =
              agree(socket, peer, isDirect, agreed, Negotiation.Kind.SOCKET, maker::acceptSocket);
          connection = handed;
          service.acceptor.accept(handed);
        }
        case Service.OfRelay service -> {
          byte[] head = Relay.read(socket, service.headBytes);
          if (!peer.finish()) {
            throw new IOException("it took too long to say what it wants of the relay");
          }
          service.taker.take(head, socket);
        }
      }
      accepted = true;
    } catch (RefusedException e) {
      if (!isClosed()) {
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
      open.remove(socket); // if all went well, what was made of it is there instead
      if (!accepted || isClosed()) {
        closeQuietly(connection);
      }
    }
  }

  /** Lets the peer prove that it knows the secret; from then on only its deadline presses. */
  private Handshake.Agreement prove(Socket socket, PendingHandshakes.Peer peer) throws IOException {
    Handshake.Agreement agreed = null;
    boolean kept = false;
    try {
      if (isClosed()) { // then nobody else might close this connection
        throw new RefusedException(Refusal.LEFT);
      }
      socket.setTcpNoDelay(true);
      agreed = handshake.serve(socket, names, services::containsKey);
      kept = peer.prove();
    } finally {
      if (!kept) {
        boolean _ = peer.finish();
      }
    }
    if (!kept) {
      throw new RefusedException(Refusal.TOO_SLOW);
    }
    return agreed;
  }

  /** How the accepting side makes what its service wants, of the drivers that are possible. */
  private interface Accepting<C> {
    C accept(Socket socket, byte[] session, List<Driver> common) throws IOException;
  }

  private <C extends Closeable> C agree(
      Socket socket,
      PendingHandshakes.Peer peer,
      boolean isDirect,
      Handshake.Agreement agreed,
      Negotiation.Kind kind,
      Accepting<C> accepting)
      throws IOException {
    C connection = null;
    try {
      byte[] session = agreed.session();
      var offer = negotiation.readOffer(socket, session, place);
      if (offer.kind() != kind) {
        negotiation.refuseKind(socket, session);
        throw new IOException("it asked '" + agreed.service() + "' for a " + offer.kind());
      }
      boolean mayBePlain =
          isDirect
              && Drivers.mayBePlain(
                  socket.getInetAddress(), offer.sameStack(), offer.sameTrusted());
      List<Driver> ours =
          kind == Negotiation.Kind.LINK
              ? drivers.forLink(mayBePlain)
              : drivers.forSocket(mayBePlain);
      List<Driver> common = Drivers.common(offer.drivers(), ours, offer.sameHost());
      if (common.isEmpty()) {
        negotiation.refuse(socket, session, 0);
        throw new IOException("no driver in common: it offers " + offer.drivers());
      }
      connection = accepting.accept(socket, session, common);
    } finally {
      if (!peer.finish()) {
        closeQuietly(connection);
        connection = null;
      }
    }
    if (connection == null) {
      throw new IOException("it took too long to agree on a driver");
    }
    return connection;
  }

  /** Closes where nobody could do anything about a failure: the descriptor is gone all the same. */
  public static void closeQuietly(@Nullable Closeable connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException _) {
        // as said above
      }
    }
  }

  private boolean isClosed() {
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
    open.forEach(Port::closeQuietly);
    maker.close();
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
