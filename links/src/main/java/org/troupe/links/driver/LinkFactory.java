package org.troupe.links.driver;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Driver;
import org.troupe.links.IoFailures;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.connect.ChannelSocket;
import org.troupe.links.handshake.DriverNegotiation;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.host.LinuxSystemCalls;
import org.troupe.links.host.SocketFolder;

/** Creates links and sockets from authenticated connections, over the negotiated driver. */
public final class LinkFactory implements Closeable {

  /*
   * The resources that drivers need in addition to the connection (a folder with a socket, a
   * monitoring thread, a key) are created for the first link that needs them.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.links");
  private static final byte[] NO_DETAILS = {};

  private final Secret secret;
  private final DriverNegotiation negotiation;
  private final DriverNegotiation.NetworkLocation location;
  private final HandshakeLimits limits;
  private final ExecutorService threads;
  private final Set<Closeable> open;
  private final String threadName;
  private @Nullable TlsContext tls; // guarded by this
  private @Nullable UnixListener listener; // guarded by this
  private @Nullable LinkMonitor monitor; // guarded by this
  private boolean hasUsedUnixSockets; // guarded by this
  private boolean closed; // guarded by this

  public LinkFactory(
      Secret secret,
      DriverNegotiation.NetworkLocation location,
      HandshakeLimits limits,
      ExecutorService threads,
      String threadName,
      Set<Closeable> open) {
    this.secret = secret;
    this.location = location;
    this.limits = limits;
    this.threads = threads;
    this.threadName = threadName;
    this.open = open;
    negotiation = new DriverNegotiation(secret);
  }

  private synchronized TlsContext tls() throws IOException {
    if (tls == null) {
      tls = new TlsContext(secret);
    }
    return tls;
  }

  private synchronized UnixListener listener() throws IOException {
    checkOpen();
    if (listener == null) {
      listener = UnixListener.open(daemon("-unix"), threads, limits);
    }
    return listener;
  }

  private synchronized LinkMonitor monitor() throws IOException {
    checkOpen();
    if (monitor == null) {
      monitor = LinkMonitor.start(daemon("-watch"));
    }
    return monitor;
  }

  private Thread.Builder daemon(String suffix) {
    return Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name(threadName + suffix);
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("the port of this JVM is closed");
    }
  }

  /** Negotiates a link on the caller's side, from its offer on. */
  public Link callForLink(
      Socket socket, byte[] session, String peer, String service, List<Driver> offered)
      throws IOException {
    negotiation.offer(socket, session, DriverNegotiation.Kind.LINK, offered, location);
    String name = "link with " + peer;
    for (int round = 0; ; round++) {
      DriverNegotiation.Answer answer =
          negotiation.readAnswer(socket, session, round, peer, service, offered);
      switch (answer.driver()) {
        case TCP -> {
          return tcp(socket, name);
        }
        case TLS -> {
          return TlsLink.over(socket.getChannel(), tls(), true, session, "the tls " + name, open);
        }
        case UDS -> {
          Link link = connectUnix(socket, answer, name);
          if (link != null) {
            return link;
          }
        }
        case SHM -> {
          Link link = mapMemory(socket, answer, name);
          if (link != null) {
            return link;
          }
        }
      }
    }
  }

  private Link tcp(Socket socket, String name) {
    return new ChannelLink(socket.getChannel(), Driver.TCP, "the tcp " + name, open);
  }

  /** Connects to the peer's Unix domain socket; returns null if that fails. */
  private @Nullable Link connectUnix(Socket socket, DriverNegotiation.Answer answer, String name)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    var deadline = new CompletableFuture<Void>();
    deadline
        .orTimeout(limits.handshake().toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (_, late) -> {
              if (late != null) {
                IoFailures.closeQuietly(channel);
              }
            });
    try {
      UnixListener.connect(channel, answer.details());
    } catch (IOException | RuntimeException e) {
      return failed(socket, Driver.UDS, channel, e);
    } finally {
      deadline.complete(null);
    }
    synchronized (this) {
      hasUsedUnixSockets = true;
    }
    Link link = new ChannelLink(channel, Driver.UDS, "the uds " + name, open);
    return reported(socket, link);
  }

  private Link reported(Socket socket, Link link) throws IOException {
    try {
      DriverNegotiation.report(socket, true);
      if (link.driver() == Driver.UDS) {
        socket.close(); // the link does not need it
      }
      return link;
    } catch (IOException e) {
      link.close();
      throw e;
    }
  }

  /** Maps the memory that the peer shares; returns null if that fails. */
  private @Nullable Link mapMemory(Socket socket, DriverNegotiation.Answer answer, String name)
      throws IOException {
    SharedMemory memory;
    try {
      memory = SharedMemory.open(answer.details());
    } catch (IOException | RuntimeException e) {
      return failed(socket, Driver.SHM, null, e);
    }
    DriverNegotiation.report(socket, true);
    return ring(socket, memory, true, name);
  }

  private static @Nullable Link failed(
      Socket socket, Driver driver, @Nullable Closeable resource, Exception cause)
      throws IOException {
    LOG.log(Level.DEBUG, "a common driver does not work: " + driver, cause);
    IoFailures.closeQuietly(resource);
    DriverNegotiation.report(socket, false);
    return null;
  }

  private Link ring(Socket socket, SharedMemory memory, boolean isCaller, String name)
      throws IOException {
    try {
      return new RingLink(
          LinuxSystemCalls.system().orElseThrow(),
          memory,
          isCaller,
          socket.getChannel(),
          monitor(),
          threads,
          "the shm " + name,
          open);
    } catch (IOException e) {
      memory.close();
      throw e;
    }
  }

  /** Negotiates a link on the port's side, with the common drivers, the best first. */
  public Link acceptLink(Socket socket, byte[] session, List<Driver> common) throws IOException {
    String name = "link with " + socket.getRemoteSocketAddress();
    int round = 0;
    for (Driver driver : common) {
      switch (driver) {
        case TCP -> {
          answer(socket, session, round, driver, NO_DETAILS);
          return tcp(socket, name);
        }
        case TLS -> {
          TlsContext ours = tls();
          answer(socket, session, round, driver, NO_DETAILS);
          return TlsLink.over(socket.getChannel(), ours, false, session, "the tls " + name, open);
        }
        case UDS -> {
          UnixListener.Expected expected = expect();
          if (expected != null) {
            try (expected) {
              answer(socket, session, round++, driver, expected.details());
              if (DriverNegotiation.readReport(socket)) {
                SocketChannel channel = expected.take();
                socket.close();
                return new ChannelLink(channel, driver, "the uds " + name, open);
              }
            }
          }
        }
        case SHM -> {
          SharedMemory.Offered offered = offerMemory();
          if (offered != null) {
            try (offered) {
              answer(socket, session, round++, driver, offered.details());
              if (DriverNegotiation.readReport(socket)) {
                return ring(socket, offered.take(), false, name);
              }
            }
          }
        }
      }
    }
    negotiation.refuse(socket, session, round);
    throw new IOException("no driver in common works");
  }

  private void answer(Socket socket, byte[] session, int round, Driver driver, byte[] details)
      throws IOException {
    negotiation.answer(socket, session, round, new DriverNegotiation.Answer(driver, details));
  }

  private UnixListener.@Nullable Expected expect() {
    try {
      return listener().expect();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "no Unix domain socket can be opened", e);
      return null;
    }
  }

  private static SharedMemory.@Nullable Offered offerMemory() {
    try {
      return SharedMemory.offer(LinuxSystemCalls.system().orElseThrow());
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "no memory can be shared", e);
      return null;
    }
  }

  /** Negotiates a socket on the caller's side. */
  public Socket callForSocket(
      Socket socket, byte[] session, String peer, String service, List<Driver> offered)
      throws IOException {
    negotiation.offer(socket, session, DriverNegotiation.Kind.SOCKET, offered, location);
    var answer = negotiation.readAnswer(socket, session, 0, peer, service, offered);
    return answer.driver() == Driver.TLS ? secured(socket, true, session) : socket;
  }

  /** Negotiates a socket on the port's side. */
  public Socket acceptSocket(Socket socket, byte[] session, List<Driver> common)
      throws IOException {
    answer(socket, session, 0, common.getFirst(), NO_DETAILS);
    Socket wrapped = ChannelSocket.of(socket, open);
    return common.getFirst() == Driver.TLS ? secured(wrapped, false, session) : wrapped;
  }

  private Socket secured(Socket socket, boolean isCaller, byte[] session) throws IOException {
    TlsContext ours = tls();
    SSLSocket secured = ours.socket(socket, isCaller);
    try {
      secured.startHandshake();
      if (isCaller) {
        secured.getOutputStream().write(ours.proof(true, true, session, secured.getSession()));
      }
      byte[] peerProof = secured.getInputStream().readNBytes(TlsContext.PROOF_BYTES);
      ours.check(peerProof, isCaller, session, secured.getSession());
      if (!isCaller) {
        secured.getOutputStream().write(ours.proof(false, true, session, secured.getSession()));
      }
      return secured;
    } catch (IOException e) {
      IoFailures.closeQuietly(secured);
      throw e;
    }
  }

  @Override
  public void close() {
    UnixListener closedListener;
    LinkMonitor closedMonitor;
    boolean removesFolders;
    synchronized (this) {
      closed = true;
      closedListener = listener;
      closedMonitor = monitor;
      removesFolders = hasUsedUnixSockets || listener != null;
    }
    IoFailures.closeQuietly(closedListener);
    IoFailures.closeQuietly(closedMonitor);
    if (removesFolders) {
      SocketFolder.removeLeftovers(); // of peers that were killed while they were connected
    }
  }
}
