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

/** Makes of a connection that is agreed on what the two sides wanted it for. */
public final class LinkFactory implements Closeable {

  /*
   * What the drivers need beyond the connection (a folder with a socket, a thread that watches, a
   * key) is made for the first link that needs it.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.links");
  private static final byte[] NOTHING = {};

  private final Secret secret;
  private final DriverNegotiation negotiation;
  private final DriverNegotiation.Place place;
  private final HandshakeLimits limits;
  private final ExecutorService threads;
  private final Set<Closeable> open;
  private final String threadName;
  private @Nullable TlsContext tls; // under this
  private @Nullable UnixListener door; // under this
  private @Nullable LinkMonitor watch; // under this
  private boolean enteredDoors; // under this
  private boolean closed; // under this

  public LinkFactory(
      Secret secret,
      DriverNegotiation.Place place,
      HandshakeLimits limits,
      ExecutorService threads,
      String threadName,
      Set<Closeable> open) {
    this.secret = secret;
    this.place = place;
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

  private synchronized UnixListener door() throws IOException {
    checkOpen();
    if (door == null) {
      door = UnixListener.open(daemon("-unix"), threads, limits);
    }
    return door;
  }

  private synchronized LinkMonitor watch() throws IOException {
    checkOpen();
    if (watch == null) {
      watch = LinkMonitor.start(daemon("-watch"));
    }
    return watch;
  }

  private Thread.Builder daemon(String suffix) {
    return Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name(threadName + suffix);
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("our own port is closed");
    }
  }

  /** Takes the caller's part for a link, from its offer on. */
  public Link callForLink(
      Socket socket, byte[] session, String peer, String service, List<Driver> offered)
      throws IOException {
    negotiation.offer(socket, session, DriverNegotiation.Kind.LINK, offered, place);
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
          Link link = enter(socket, answer, name);
          if (link != null) {
            return link;
          }
        }
        case SHM -> {
          Link link = share(socket, answer, name);
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

  /** Goes over to the peer's Unix domain socket; null if that does not work. */
  private @Nullable Link enter(Socket socket, DriverNegotiation.Answer answer, String name)
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
      UnixListener.enter(channel, answer.details());
    } catch (IOException | RuntimeException e) {
      return failed(socket, Driver.UDS, channel, e);
    } finally {
      deadline.complete(null);
    }
    synchronized (this) {
      enteredDoors = true;
    }
    Link link = new ChannelLink(channel, Driver.UDS, "the uds " + name, open);
    return reported(socket, link);
  }

  private Link reported(Socket socket, Link link) throws IOException {
    try {
      DriverNegotiation.report(socket, true);
      if (link.driver() == Driver.UDS) {
        socket.close(); // the link has an end of its own
      }
      return link;
    } catch (IOException e) {
      link.close();
      throw e;
    }
  }

  /** Opens the memory that the peer shares; null if that does not work. */
  private @Nullable Link share(Socket socket, DriverNegotiation.Answer answer, String name)
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
      Socket socket, Driver driver, @Nullable Closeable half, Exception why) throws IOException {
    LOG.log(Level.DEBUG, "a driver that both have does not work between them: " + driver, why);
    IoFailures.closeQuietly(half);
    DriverNegotiation.report(socket, false);
    return null;
  }

  private Link ring(Socket socket, SharedMemory memory, boolean caller, String name)
      throws IOException {
    try {
      return new RingLink(
          LinuxSystemCalls.system().orElseThrow(),
          memory,
          caller,
          socket.getChannel(),
          watch(),
          threads,
          "the shm " + name,
          open);
    } catch (IOException e) {
      memory.close();
      throw e;
    }
  }

  /** Takes the port's part for a link, with the drivers that are possible, best first. */
  public Link acceptLink(Socket socket, byte[] session, List<Driver> common) throws IOException {
    String name = "link with " + socket.getRemoteSocketAddress();
    int round = 0;
    for (Driver driver : common) {
      switch (driver) {
        case TCP -> {
          answer(socket, session, round, driver, NOTHING);
          return tcp(socket, name);
        }
        case TLS -> {
          TlsContext ours = tls();
          answer(socket, session, round, driver, NOTHING);
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
      return door().expect();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "no Unix domain socket can be opened here", e);
      return null;
    }
  }

  private static SharedMemory.@Nullable Offered offerMemory() {
    try {
      return SharedMemory.offer(LinuxSystemCalls.system().orElseThrow());
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "no memory can be shared here", e);
      return null;
    }
  }

  /** Takes the caller's part for a socket. */
  public Socket callForSocket(
      Socket socket, byte[] session, String peer, String service, List<Driver> offered)
      throws IOException {
    negotiation.offer(socket, session, DriverNegotiation.Kind.SOCKET, offered, place);
    var answer = negotiation.readAnswer(socket, session, 0, peer, service, offered);
    return answer.driver() == Driver.TLS ? secured(socket, true, session) : socket;
  }

  /** Takes the port's part for a socket. */
  public Socket acceptSocket(Socket socket, byte[] session, List<Driver> common)
      throws IOException {
    answer(socket, session, 0, common.getFirst(), NOTHING);
    Socket handed = ChannelSocket.of(socket, open);
    return common.getFirst() == Driver.TLS ? secured(handed, false, session) : handed;
  }

  private Socket secured(Socket socket, boolean caller, byte[] session) throws IOException {
    TlsContext ours = tls();
    SSLSocket secured = ours.socket(socket, caller);
    try {
      secured.startHandshake();
      if (caller) {
        secured.getOutputStream().write(ours.proof(true, true, session, secured.getSession()));
      }
      byte[] peers = secured.getInputStream().readNBytes(TlsContext.PROOF_BYTES);
      ours.check(peers, caller, session, secured.getSession());
      if (!caller) {
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
    UnixListener oldDoor;
    LinkMonitor oldWatch;
    boolean tidy;
    synchronized (this) {
      closed = true;
      oldDoor = door;
      oldWatch = watch;
      tidy = enteredDoors || door != null;
    }
    IoFailures.closeQuietly(oldDoor);
    IoFailures.closeQuietly(oldWatch);
    if (tidy) {
      SocketFolder.removeLeftovers(); // of peers that were killed while we were connected
    }
  }
}
