package ibis.ipl.internal.registry;

import ibis.ipl.Credentials;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.RegistryEventHandler;
import ibis.ipl.internal.base.FramedLink;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.IplSettings;
import ibis.ipl.internal.base.WorkerThreads;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.port.Port;

/** The registry of a member whose pool is managed by a central server. */
final class CentralRegistry extends PoolView {

  /*
   * Threads. One thread reads the session: it applies events in the server's order and completes
   * requests.
   *
   * Loss of the server. When the link breaks, the thread reconnects; the server, which notices the break
   * too, meanwhile checks whether this instance is alive. After the time RECONNECT, or if the server has
   * announced its end, the server counts as lost: pending calls fail, and new ones fail at once. The
   * thread continues to try for the time clientConnect.
   *
   * Restarted servers. A restarted server has no state. The members send it their identifiers and their
   * knowledge of the pool, and receive new sessions. Its events may repeat known ones, which are
   * ignored.
   */

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  /** The time for a server to appear, as servers and members are often started together. */
  private static final Duration STARTUP_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration RECONNECT = Duration.ofSeconds(1);
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(5);
  private static final long RETRY_MILLIS = 50;

  /** The time after which reconnection attempts become less frequent. */
  private static final Duration FAST_RETRY = Duration.ofSeconds(5);

  private static final long SLOW_RETRY_MILLIS = 500;

  private final Port links;
  private final Address server;
  private final CentralSettings settings;
  private final InstanceIdentifier identifier;
  private final JoinApplication application;
  private final PendingRequests requests;
  private volatile ServerSession session = new ServerSession(WorkerThreads.POOL, this::incoming);

  // Confined to the reading thread once it has started.
  private long serverNumber;
  private final long[] key = new long[2];
  private final PoolHistoryRecorder recorder = new PoolHistoryRecorder();

  private final CountDownLatch over = new CountDownLatch(1);

  /** The reason for which the server has ended the session; set by the reading thread. */
  private volatile @Nullable String dismissalReason;

  // Confined to the reading thread.
  private boolean serverEnds; // the server has announced its end
  private boolean isServerLost; // the program has been informed

  private volatile boolean left;

  private CentralRegistry(
      IbisCapabilities capabilities,
      @Nullable RegistryEventHandler handler,
      RegistryFactory.Leavers leavers,
      int poolSize,
      Port links,
      Address server,
      CentralSettings settings,
      InstanceIdentifier identifier,
      JoinApplication application) {
    super(capabilities, identifier.poolName(), poolSize, handler, leavers);
    this.links = links;
    this.server = server;
    this.settings = settings;
    this.identifier = identifier;
    this.application = application;
    this.requests =
        new PendingRequests(
            server, this::send, settings.heartbeat().plus(settings.serverConnect()).toMillis());
  }

  private void send(byte[] message) throws IOException {
    checkNotLost();
    boolean _ = session.send(message);
  }

  /**
   * Joins the pool that the properties name; blocks until this instance is a member.
   *
   * @throws IbisConfigurationException if the server refuses
   * @throws IOException if it cannot be reached
   */
  static CentralRegistry join(
      Properties properties,
      IbisCapabilities capabilities,
      @Nullable RegistryEventHandler handler,
      @Nullable Credentials credentials,
      byte @Nullable [] tag,
      String version,
      Port links,
      RegistryFactory.Leavers leavers)
      throws IOException {
    var settings = CentralSettings.of(properties);
    Address server =
        Objects.requireNonNull(IplSettings.server(properties), "RegistryFactory requires it");
    boolean isClosedWorld = capabilities.hasCapability(IbisCapabilities.CLOSED_WORLD);
    int size = isClosedWorld ? RegistryFactory.poolSize(properties) : -1;
    JoinApplication.checkTag(tag);
    var application =
        new JoinApplication(
            RegistryFactory.poolName(properties),
            new ServerPool.Rules(version, size, settings.heartbeat().toMillis()),
            IplSettings.location(properties),
            links.address().toString(),
            tag,
            JoinApplication.encode(credentials));
    byte[] join = RegistryProtocol.message(RegistryProtocol.JOIN, application::writeTo);
    var self = new CompletableFuture<InstanceIdentifier>();
    links.serve(RegistryProtocol.MEMBER, link -> sendIdentifier(link, self));
    FramedLink link = new FramedLink(connectAtStart(links, server, settings));
    boolean joined = false;
    try {
      DataInputStream answer = request(link, join, settings.clientConnect());
      int kind = answer.readByte();
      if (kind == RegistryProtocol.REFUSED) {
        throw new IbisConfigurationException(
            "the server at " + server + " refuses this instance: " + answer.readUTF());
      }
      if (kind != RegistryProtocol.JOINED) {
        throw new IOException(
            "the server at " + server + " gave an unknown answer; use the same release");
      }
      long serverNumber = answer.readLong();
      var identifier = InstanceIdentifier.readFrom(answer);
      var registry =
          new CentralRegistry(
              capabilities,
              handler,
              leavers,
              Math.max(0, size),
              links,
              server,
              settings,
              identifier,
              application);
      registry.setSessionKey(serverNumber, answer);
      self.complete(identifier);
      registry.start(link);
      joined = true;
      return registry;
    } finally {
      if (!joined) {
        self.cancel(false);
        link.close();
      }
    }
  }

  /** Connects to a server that may still be starting. */
  static Link connectAtStart(Port links, Address server, CentralSettings settings)
      throws IOException {
    long start = System.nanoTime();
    boolean hasLogged = false;
    while (true) {
      try {
        return links.connect(server, RegistryProtocol.REGISTRY, settings.clientConnect());
      } catch (ConnectException | NoSuchServiceException e) {
        if (System.nanoTime() - start
            > Math.min(STARTUP_TIMEOUT.toNanos(), settings.clientConnect().toNanos())) {
          throw new IOException(
              "there is no server at "
                  + server
                  + ": "
                  + e.getMessage()
                  + "; start one there with './troupe ibis-server', or correct the property"
                  + " 'ibis.server.address'",
              e);
        }
        if (!hasLogged) {
          LOG.log(Level.INFO, "no Ibis server at {0} yet; trying again", server);
          hasLogged = true;
        }
      }
      try {
        Thread.sleep(RETRY_MILLIS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for the server at " + server);
      }
    }
  }

  /**
   * Sends the first message over a link and waits for the answer; closes the link if the server
   * hangs.
   */
  private static DataInputStream request(FramedLink link, byte[] message, Duration timeout)
      throws IOException {
    CompletableFuture<Void> deadline = WorkerThreads.after(timeout.toMillis(), link::close);
    try {
      link.write(message);
      return RegistryProtocol.read(link.read());
    } finally {
      deadline.cancel(false);
    }
  }

  private void start(FramedLink link) {
    boolean isNew = session.attach(link, 0);
    assert isNew;
    Thread.ofPlatform()
        .daemon()
        .name("ibis-registry " + identifier.name())
        .start(() -> readAll(link));
    keepAlive();
  }

  /** Answers liveness checks with the identifier; a check during the join waits for it. */
  private static void sendIdentifier(Link link, CompletableFuture<InstanceIdentifier> self) {
    try (var framed = new FramedLink(link)) {
      InstanceIdentifier identifier = self.join();
      framed.write(
          RegistryProtocol.message(RegistryProtocol.MEMBER_NAME, out -> identifier.writeTo(out)));
    } catch (CancellationException _) {
      // The join has failed, so there is no identifier; the closed link informs the caller.
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the peer of a liveness check has gone: {0}", e.getMessage());
    }
  }

  /** Sends the server two signs of life per heartbeat interval. */
  private void keepAlive() {
    if (over.getCount() > 0) {
      session.signOfLife();
      CompletableFuture<Void> _ =
          WorkerThreads.after(Math.max(1, settings.heartbeat().toMillis() / 2), this::keepAlive);
    }
  }

  private void readAll(FramedLink first) {
    FramedLink link = first;
    IOException broken = null;
    while (link != null) {
      try {
        session.read(link);
      } catch (IOException e) {
        broken = e;
      } catch (RuntimeException e) { // after a malformed event the session cannot be trusted
        broken = new IOException("the server sent a malformed event: " + e, e);
        dismissalReason = broken.getMessage();
      }
      link = over.getCount() > 0 && dismissalReason == null ? reconnect(broken) : null;
    }
    fail(
        new IOException(
            left
                ? "the instance has ended"
                : dismissalReason != null
                    ? dismissalReason
                    : "the server at "
                        + server
                        + " is lost, and none came back there within "
                        + reconnectTimeout().toSeconds()
                        + " s; the registry cannot be used any more, ports can",
            broken));
  }

  private void fail(IOException cause) {
    over.countDown();
    session.close();
    lose(cause);
    requests.failAll(cause);
    if (!left) {
      LOG.log(Level.WARNING, "{0}: {1}", identifier, cause.getMessage());
      exitIfConfigured();
    }
  }

  private void exitIfConfigured() {
    if (settings.exitOnServerFailure()) {
      Thread.ofPlatform().start(() -> System.exit(1));
    }
  }

  /** Fails pending requests and informs the program that the server is lost. */
  private void serverLost(@Nullable IOException broken) {
    if (isServerLost) {
      return;
    }
    isServerLost = true;
    String reason =
        (serverEnds
                ? "the server has ended (" + server + ")"
                : "the server at "
                    + server
                    + " is lost: "
                    + (broken == null ? "its connection has ended" : broken.getMessage()))
            + "; registry calls fail until a server is there again; ports keep working";
    happened(new PoolEvent.ServerLost(reason));
    requests.failAll(new IOException(reason, broken));
    LOG.log(
        Level.WARNING,
        "{0}: {1}; trying to reconnect for {2} s",
        identifier,
        reason,
        reconnectTimeout().toSeconds());
    exitIfConfigured();
  }

  /** Returns for how long the member tries to reconnect. */
  private Duration reconnectTimeout() {
    Duration timeout = settings.clientConnect();
    return timeout.compareTo(RECONNECT) < 0 ? RECONNECT : timeout;
  }

  /**
   * Reconnects to the server or to a restarted one.
   *
   * @return {@code null} if the time is over or the server dismisses this member
   */
  private @Nullable FramedLink reconnect(@Nullable IOException broken) {
    long start = System.nanoTime();
    while (over.getCount() > 0) {
      Duration past = Duration.ofNanos(System.nanoTime() - start);
      if (serverEnds || past.compareTo(RECONNECT) >= 0) {
        serverLost(broken);
      }
      if (past.compareTo(reconnectTimeout()) >= 0) {
        return null;
      }
      try {
        FramedLink link =
            new FramedLink(links.connect(server, RegistryProtocol.REGISTRY, RECONNECT));
        if (resume(link, broken)) {
          return link;
        }
        link.close();
        return null;
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "cannot reach the Ibis server again yet: {0}", e.getMessage());
      }
      try {
        boolean _ =
            over.await(
                past.compareTo(FAST_RETRY) < 0 ? RETRY_MILLIS : SLOW_RETRY_MILLIS,
                TimeUnit.MILLISECONDS);
      } catch (InterruptedException _) {
        return null; // an interrupt ends this thread
      }
    }
    return null;
  }

  private boolean resume(FramedLink link, @Nullable IOException broken) throws IOException {
    boolean resumed = false;
    try {
      resumed = tryResume(link, broken);
      return resumed;
    } finally {
      if (!resumed) {
        link.close();
      }
    }
  }

  private boolean tryResume(FramedLink link, @Nullable IOException broken) throws IOException {
    byte[] request =
        RegistryProtocol.message(
            RegistryProtocol.RESUME,
            out -> {
              out.writeLong(serverNumber);
              out.writeUTF(identifier.poolName());
              out.writeUTF(identifier.name());
              out.writeLong(key[0]);
              out.writeLong(key[1]);
              out.writeLong(session.received());
            });
    DataInputStream answer = request(link, request, REPLY_TIMEOUT);
    switch (answer.readByte()) {
      case RegistryProtocol.RESUMED -> {
        if (!session.attach(link, answer.readLong())) {
          dismissalReason = "the server has lost our session";
          return false;
        }
        serverFound();
        return true;
      }
      case RegistryProtocol.RESTARTED -> {
        return rejoin(link, broken);
      }
      default -> {
        dismissalReason = answer.readUTF();
        return false;
      }
    }
  }

  /** Rejoins at a restarted server with the former identifier. */
  private boolean rejoin(FramedLink link, @Nullable IOException broken) throws IOException {
    PoolHistory history = recorder.history(winners(), terminator());
    byte[] request =
        RegistryProtocol.message(
            RegistryProtocol.REJOIN,
            out -> {
              application.writeTo(out);
              identifier.writeTo(out);
              history.writeTo(out);
            });
    DataInputStream answer = request(link, request, REPLY_TIMEOUT);
    if (answer.readByte() != RegistryProtocol.JOINED) {
      dismissalReason =
          "the server at "
              + server
              + " was restarted and refuses this instance: "
              + answer.readUTF();
      return false;
    }
    serverLost(broken); // the restarted server does not know pending requests
    long number = answer.readLong();
    var _ = InstanceIdentifier.readFrom(answer);
    setSessionKey(number, answer);
    var next = new ServerSession(WorkerThreads.POOL, this::incoming);
    boolean isNew = next.attach(link, 0);
    assert isNew;
    session.close();
    session = next;
    if (over.getCount() == 0) {
      next.close(); // the instance has ended meanwhile, and may have closed the former session only
    }
    serverFound();
    return true;
  }

  private void setSessionKey(long number, DataInputStream keys) throws IOException {
    serverNumber = number;
    key[0] = keys.readLong();
    key[1] = keys.readLong();
  }

  private void serverFound() {
    serverEnds = false;
    if (isServerLost) {
      isServerLost = false;
      happened(new PoolEvent.ServerFound());
      LOG.log(Level.WARNING, "{0}: the server at {1} is there again", identifier, server);
    }
  }

  private void incoming(byte[] message) {
    DataInputStream in = RegistryProtocol.read(message);
    try {
      int kind = in.readByte();
      switch (kind) {
        case RegistryProtocol.REPLY -> requests.complete(in.readInt(), in);
        case RegistryProtocol.ERROR -> requests.fail(in.readInt(), new IOException(in.readUTF()));
        case RegistryProtocol.EXPELLED -> dismissalReason = in.readUTF();
        case RegistryProtocol.SERVER_ENDS -> serverEnds = true;
        default -> {
          PoolEvent event = PoolEvent.read(kind, in);
          if (recorder.add(event)) {
            happened(event);
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("malformed message of a registry", e);
    }
  }

  @Override
  boolean isOver() {
    return left;
  }

  @Override
  public IbisIdentifier getIbisIdentifier() {
    return identifier;
  }

  @Override
  public void leave() throws IOException {
    try {
      DataInputStream _ =
          requests.reply(RegistryProtocol.LEAVE, LEAVE_TIMEOUT.toMillis(), out -> {});
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "left without the server: {0}", e.getMessage());
    }
    left = true;
    fail(new IOException("the instance has ended"));
  }

  @Override
  public @Nullable IbisIdentifier elect(String electionName, long timeoutMillis)
      throws IOException {
    requireElections();
    DataInputStream reply =
        requests.reply(RegistryProtocol.ELECT, timeoutMillis, out -> out.writeUTF(electionName));
    return reply == null ? null : InstanceIdentifier.readFrom(reply);
  }

  @Override
  public void maybeDead(IbisIdentifier ibisIdentifier) throws IOException {
    requests.confirm(RegistryProtocol.MAYBE_DEAD, out -> out.writeUTF(ibisIdentifier.name()));
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) throws IOException {
    requests.confirm(RegistryProtocol.ASSUME_DEAD, out -> out.writeUTF(ibisIdentifier.name()));
  }

  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) throws IOException {
    require("a signal", IbisCapabilities.SIGNALS);
    requests.confirm(
        RegistryProtocol.SIGNAL,
        out -> {
          out.writeUTF(signal);
          out.writeInt(ibisIdentifiers.length);
          for (IbisIdentifier target : ibisIdentifiers) {
            out.writeUTF(target.name());
          }
        });
  }

  @Override
  public long getSequenceNumber(String name) throws IOException {
    return requests.result(
        RegistryProtocol.SEQUENCE,
        out -> out.writeUTF(name),
        reply -> {
          try {
            long number = reply.readLong();
            recorder.addNumber(name, number); // before a restarted server can ask for it
            return number;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public void addTokens(String name, int count) throws IOException {
    requests.confirm(
        RegistryProtocol.ADD_TOKENS,
        out -> {
          out.writeUTF(name);
          out.writeInt(count);
        });
  }

  @Override
  public @Nullable String getToken(String name) throws IOException {
    boolean got =
        requests
            .result(RegistryProtocol.GET_TOKEN, out -> out.writeUTF(name), reply -> reply)
            .readBoolean();
    return got ? name : null;
  }

  @Override
  public void terminate() throws IOException {
    require("termination", IbisCapabilities.TERMINATION);
    requests.confirm(RegistryProtocol.TERMINATE, out -> {});
  }
}
