package org.troupe.links;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
  private final Handshake handshake;
  private final Negotiation negotiation;
  private final LinkMaker maker;
  private final Drivers drivers;
  private final Unfinished unfinished;
  private final ExecutorService threads;
  private final RefusalLog refusals = new RefusalLog(LOG);
  private final Map<String, Service> services = new ConcurrentHashMap<>();
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Thread accepting;

  private Port(
      Secret secret,
      ServerSocketChannel listener,
      Versions versions,
      Limits limits,
      Drivers drivers) {
    this.listener = listener;
    this.drivers = drivers;
    var socket = listener.socket();
    address = new Address(socket.getInetAddress().getHostAddress(), socket.getLocalPort());
    handshake = new Handshake(secret, versions);
    negotiation = new Negotiation(secret);
    unfinished = new Unfinished(limits);
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemon().name("troupe-port-" + address.port() + "-", 0).factory());
    maker = new LinkMaker(secret, limits, threads, "troupe-port-" + address.port(), open);
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
   * Opens a port on an address of this machine.
   *
   * <p>Connections with other hosts are encrypted by TLS, unless the system property {@code
   * troupe.links} says otherwise on both sides: a list of drivers in order of preference, such as
   * {@code shm,uds,tcp}.
   *
   * @param bind one address of this machine, not the wildcard; port number 0 lets the system choose
   * @throws BindException if the port is in use, or the address is not one of this machine
   * @throws IllegalArgumentException if the address is the wildcard, or the property names what is
   *     no driver
   */
  public static Port open(Secret secret, InetSocketAddress bind) throws IOException {
    return open(secret, bind, Versions.OURS, Limits.DEFAULT);
  }

  static Port open(Secret secret, InetSocketAddress bind, Versions versions, Limits limits)
      throws IOException {
    return open(secret, bind, versions, limits, Drivers.ofProperty());
  }

  static Port open(
      Secret secret, InetSocketAddress bind, Versions versions, Limits limits, Drivers drivers)
      throws IOException {
    if (bind.isUnresolved()) {
      throw new UnknownHostException(
          "cannot listen on '" + bind.getHostString() + "': no such host is known; use an address");
    }
    if (bind.getAddress().isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "cannot listen on all addresses ("
              + bind.getAddress().getHostAddress()
              + "): peers have to be told one; name an address of this machine");
    }
    var port = new Port(secret, listen(bind), versions, limits, drivers);
    if (!bind.getAddress().isLoopbackAddress() && drivers.areOpenToTheNetwork()) {
      LOG.log(
          Level.WARNING,
          "port {0} can be reached from other hosts, and system property ''{1}'' lets its"
              + " connections go without encryption; use it on a trusted network only",
          port.address,
          Drivers.PROPERTY);
    }
    port.accepting =
        daemon().name("troupe-port-" + port.address.port() + "-accept").start(port::acceptAll);
    return port;
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

  private void add(String name, Service service) {
    checkName(name);
    if (services.putIfAbsent(name, service) != null) {
      throw new IllegalStateException(
          "service '"
              + name
              + "' of port "
              + address
              + " has an acceptor already; use another name, or share the acceptor");
    }
  }

  /** What happens with the connections of a service. */
  private sealed interface Service {
    record OfLinks(Consumer<? super Link> acceptor) implements Service {}

    record OfSockets(Consumer<? super Socket> acceptor) implements Service {}
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
    Socket socket = SocketChannel.open().socket();
    open.add(socket);
    try {
      return connect(socket, peer, timeout, () -> dialLink(socket, peer, service));
    } finally {
      open.remove(socket); // the link is there in its place
    }
  }

  /**
   * Connects to a service that {@link #serveSockets} serves, as {@link #connect} does for links.
   *
   * @return a socket like those that the other side is given
   */
  public Socket connectSocket(Address peer, String service, Duration timeout) throws IOException {
    checkName(service);
    var socket = new PortSocket(open);
    open.add(socket);
    return connect(socket, peer, timeout, () -> dialSocket(socket, peer, service));
  }

  private <C extends Closeable> C connect(
      Socket socket, Address peer, Duration timeout, Callable<C> dialling) throws IOException {
    C connection = null;
    var done = new CompletableFuture<C>();
    try {
      // On another thread, so that looking up the host is bounded as well.
      threads.execute(() -> complete(done, dialling));
      connection = done.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException _) {
      assert isClosed();
    } catch (ExecutionException e) {
      if (!isClosed()) {
        throw atThisLine(e.getCause());
      }
    } catch (TimeoutException _) {
      throw new SocketTimeoutException(late(socket, peer, timeout));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connecting to " + peer);
    } finally {
      if (connection == null) {
        closeQuietly(socket);
        boolean _ = done.cancel(false); // what comes now is closed by the thread that made it
        if (done.state() == Future.State.SUCCESS) {
          closeQuietly(done.resultNow());
        }
      }
    }
    if (connection == null || isClosed()) {
      closeQuietly(connection);
      throw new SocketException(
          "cannot connect to " + peer + ": our own port " + address + " is closed");
    }
    return connection;
  }

  private static <C extends Closeable> void complete(
      CompletableFuture<C> done, Callable<C> dialling) {
    try {
      C connection = dialling.call();
      if (!done.complete(connection)) {
        closeQuietly(connection);
      }
    } catch (Throwable e) {
      done.completeExceptionally(e);
    }
  }

  private static String late(Socket socket, Address peer, Duration timeout) {
    String within = " within " + timeout.toMillis() + " ms; ";
    return socket.isConnected()
        ? peer + " did not finish the handshake" + within + "its JVM hangs, or is no JVM of ours"
        : peer + " did not accept a connection" + within + "check address, network and firewall";
  }

  private Socket dialSocket(Socket socket, Address peer, String service) throws IOException {
    return dial(
        socket,
        peer,
        service,
        session ->
            maker.callForSocket(
                socket, session, peer, service, drivers.forSocket(socket.getInetAddress())));
  }

  private Link dialLink(Socket socket, Address peer, String service) throws IOException {
    return dial(
        socket,
        peer,
        service,
        session ->
            maker.callForLink(
                socket, session, peer, service, drivers.forLink(socket.getInetAddress())));
  }

  /** What follows on a handshake. */
  private interface Sequel<C> {
    C make(byte[] session) throws IOException;
  }

  private <C> C dial(Socket socket, Address peer, String service, Sequel<C> sequel)
      throws IOException {
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(peer.host(), peer.port()));
      rejectSelf(socket);
      return sequel.make(handshake.call(socket, peer, service).session());
    } catch (UnknownHostException e) {
      throw caused(new UnknownHostException("no host is known as '" + peer.host() + "'"), e);
    } catch (ConnectException e) {
      throw caused(
          new ConnectException(
              "cannot connect to "
                  + peer
                  + ": "
                  + e.getMessage()
                  + "; its JVM has ended or not yet started, or the address is wrong"),
          e);
    } catch (SocketException e) {
      throw caused(
          new SocketException(
              "the connection to " + peer + " broke during the handshake: " + e.getMessage()),
          e);
    }
  }

  /** On loopback, the system may pick the very port we dial as our own end, if nobody has it. */
  private static void rejectSelf(Socket socket) throws ConnectException {
    if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
      throw new ConnectException("nobody listens there");
    }
  }

  static <E extends Throwable> E caused(E named, Throwable cause) {
    named.initCause(cause);
    return named;
  }

  /** Adds the frames of the connecting thread to what another thread has thrown for it. */
  private static IOException atThisLine(Throwable thrown) {
    StackTraceElement[] here = new Throwable().getStackTrace();
    thrown.setStackTrace(
        Stream.of(thrown.getStackTrace(), here)
            .flatMap(Stream::of)
            .toArray(StackTraceElement[]::new));
    return switch (thrown) {
      case IOException e -> e;
      case Error e -> throw e;
      default -> throw new AssertionError("dialling threw what it cannot throw", thrown);
    };
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
          LOG.log(Level.WARNING, "port " + address + " cannot accept connections; trying on", e);
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
      Unfinished.Peer peer = unfinished.admit(socket);
      try {
        threads.execute(() -> welcome(socket, peer));
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

  private void welcome(Socket socket, Unfinished.Peer peer) {
    InetAddress host = socket.getInetAddress();
    Closeable connection = socket;
    boolean accepted = false;
    try {
      Handshake.Agreement agreed = prove(socket, peer);
      switch (services.get(agreed.service())) {
        case Service.OfLinks service -> {
          Link link = agree(socket, peer, agreed, Negotiation.Kind.LINK, maker::acceptLink);
          connection = link;
          service.acceptor.accept(link);
        }
        case Service.OfSockets service -> {
          Socket handed = agree(socket, peer, agreed, Negotiation.Kind.SOCKET, maker::acceptSocket);
          connection = handed;
          service.acceptor.accept(handed);
        }
      }
      accepted = true;
    } catch (RefusedException e) {
      if (!isClosed()) {
        refusals.refused(address, host, peer.cause(e));
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "port {0} and {1} did not connect: {2}", address, host, e.getMessage());
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "port " + address + ": an acceptor failed; its connection is closed", e);
    } finally {
      open.remove(socket); // if all went well, what was made of it is there instead
      if (!accepted || isClosed()) {
        closeQuietly(connection);
      }
    }
  }

  /** Lets the peer prove that it knows the secret; from then on only its deadline presses. */
  private Handshake.Agreement prove(Socket socket, Unfinished.Peer peer) throws IOException {
    Handshake.Agreement agreed = null;
    boolean kept = false;
    try {
      if (isClosed()) { // then nobody else might close this connection
        throw new RefusedException(Refusal.LEFT);
      }
      socket.setTcpNoDelay(true);
      agreed = handshake.serve(socket, address.port(), services::containsKey);
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
      Unfinished.Peer peer,
      Handshake.Agreement agreed,
      Negotiation.Kind kind,
      Accepting<C> accepting)
      throws IOException {
    C connection = null;
    try {
      byte[] session = agreed.session();
      var offer = negotiation.readOffer(socket, session, Host.here());
      if (offer.kind() != kind) {
        negotiation.refuseKind(socket, session);
        throw new IOException("it asked '" + agreed.service() + "' for a " + offer.kind());
      }
      InetAddress host = socket.getInetAddress();
      List<Driver> ours =
          kind == Negotiation.Kind.LINK ? drivers.forLink(host) : drivers.forSocket(host);
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
  static void closeQuietly(Closeable connection) {
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
      LOG.log(Level.WARNING, "port " + address + " could not be closed properly", e);
    }
    threads.shutdown();
    open.forEach(Port::closeQuietly);
    maker.close();
    awaitAccepting();
  }

  /** The system gives the port number back only when nobody stands in accept any more. */
  private void awaitAccepting() {
    if (Thread.currentThread() == accepting) {
      return;
    }
    try {
      accepting.join(LAST_ACCEPT_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
