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
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.port.Port;

/** A member's registry whose pool is kept by a central server. */
final class CentralRegistry extends PoolView {

  /*
   * Threads. One thread reads the session: it applies events in the server's order and completes
   * requests.
   *
   * Loss of the server. When the link breaks, the thread reconnects; the server, which notices the break
   * too, meanwhile checks whether this instance is alive. After the time RECONNECT, or if the server has
   * announced its end, the server counts as lost: pending calls fail, and new ones fail at once. The
   * thread continues to reconnect for the time clientConnect.
   *
   * Restarted servers. A restarted server has no state. The members send it their identifiers and their
   * knowledge of the pool, and receive new sessions. Its events may repeat known ones, which are
   * ignored.
   */

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  /** The time for a server to appear, as servers and members are often started together. */
  private static final Duration SERVER_MAY_START = Duration.ofSeconds(5);

  private static final Duration RECONNECT = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final Duration LEAVING = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 50;

  /** The time after which reconnection attempts become less frequent. */
  private static final Duration IMPATIENCE = Duration.ofSeconds(5);

  private static final long LONG_PAUSE_MILLIS = 500;

  private final Port links;
  private final Address server;
  private final CentralSettings settings;
  private final InstanceIdentifier identifier;
  private final RegistryProtocol.Body application;
  private volatile ServerSession session = new ServerSession(WorkerThreads.POOL, this::incoming);

  // Confined to the reading thread once it has started.
  private long serverNumber;
  private final long[] key = new long[2];
  private final Map<String, InstanceIdentifier> present = new LinkedHashMap<>();
  private final Set<String> gone = new HashSet<>();
  private int joined;

  /** The next number of each sequence, as far as this member knows. */
  private final Map<String, Long> sequences = new ConcurrentHashMap<>();

  private final Map<Integer, CompletableFuture<DataInputStream>> pending =
      new ConcurrentHashMap<>();
  private final AtomicInteger lastRequest = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);

  /** The reason for which the server has ended the session; set by the reading thread. */
  private volatile @Nullable String dismissed;

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
      RegistryProtocol.Body application) {
    super(capabilities, identifier.poolName(), poolSize, handler, leavers);
    this.links = links;
    this.server = server;
    this.settings = settings;
    this.identifier = identifier;
    this.application = application;
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
    String pool = RegistryFactory.poolName(properties);
    checkTag(tag);
    byte[] shown = encode(credentials);
    String location = IplSettings.location(properties).toString();
    RegistryProtocol.Body application =
        out -> {
          out.writeUTF(pool);
          out.writeUTF(version);
          out.writeInt(size);
          out.writeLong(settings.heartbeat().toMillis());
          out.writeUTF(location);
          out.writeUTF(links.address().toString());
          writeBytes(out, tag);
          writeBytes(out, shown);
        };
    byte[] hello = RegistryProtocol.message(RegistryProtocol.JOIN, application);
    var self = new CompletableFuture<InstanceIdentifier>();
    links.serve(RegistryProtocol.MEMBER, asking -> sayWhoWeAre(asking, self));
    FramedLink link = new FramedLink(connectAtStart(links, server, settings));
    boolean joined = false;
    try {
      DataInputStream answer = ask(link, hello, settings.clientConnect());
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
      registry.greeted(serverNumber, answer);
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

  private static void checkTag(byte @Nullable [] tag) {
    if (tag != null && tag.length > InstanceIdentifier.MOST_TAG_BYTES) {
      throw new IbisConfigurationException(
          "the tag has "
              + tag.length
              + " bytes, and may have "
              + InstanceIdentifier.MOST_TAG_BYTES
              + ": it is part of the identifier that all members receive");
    }
  }

  private static byte @Nullable [] encode(@Nullable Credentials credentials) throws IOException {
    if (credentials == null) {
      return null;
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(credentials);
    }
    return bytes.toByteArray();
  }

  private static void writeBytes(DataOutput out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  /** Connects to a server that may still be starting. */
  static Link connectAtStart(Port links, Address server, CentralSettings settings)
      throws IOException {
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        return links.connect(server, RegistryProtocol.REGISTRY, settings.clientConnect());
      } catch (ConnectException | NoSuchServiceException e) {
        if (System.nanoTime() - start
            > Math.min(SERVER_MAY_START.toNanos(), settings.clientConnect().toNanos())) {
          throw new IOException(
              "there is no server at "
                  + server
                  + ": "
                  + e.getMessage()
                  + "; start one there with './troupe ibis-server', or correct the property"
                  + " 'ibis.server.address'",
              e);
        }
        if (!told) {
          LOG.log(Level.INFO, "no Ibis server at {0} yet; trying again", server);
          told = true;
        }
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
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
  private static DataInputStream ask(FramedLink link, byte[] words, Duration timeout)
      throws IOException {
    CompletableFuture<Void> deadline = WorkerThreads.after(timeout.toMillis(), link::close);
    try {
      link.write(words);
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
  private static void sayWhoWeAre(Link link, CompletableFuture<InstanceIdentifier> self) {
    try (var framed = new FramedLink(link)) {
      InstanceIdentifier identifier = self.join();
      framed.write(
          RegistryProtocol.message(RegistryProtocol.MEMBER_NAME, out -> identifier.writeTo(out)));
    } catch (CancellationException _) {
      // The join has failed, so there is no identifier; the closed link tells the caller.
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
        dismissed = broken.getMessage();
      }
      link = over.getCount() > 0 && dismissed == null ? reconnect(broken) : null;
    }
    fail(
        new IOException(
            left
                ? "the instance has ended"
                : dismissed != null
                    ? dismissed
                    : "the server at "
                        + server
                        + " is lost, and none came back there within "
                        + patience().toSeconds()
                        + " s; the registry cannot be used any more, ports can",
            broken));
  }

  private void fail(IOException cause) {
    over.countDown();
    session.close();
    lose(cause);
    failPending(cause);
    if (!left) {
      LOG.log(Level.WARNING, "{0}: {1}", identifier, cause.getMessage());
      exitIfWanted();
    }
  }

  private void failPending(IOException cause) {
    for (CompletableFuture<DataInputStream> request : pending.values()) {
      request.completeExceptionally(cause);
    }
  }

  private void exitIfWanted() {
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
            + "; registry calls fail until one is there again, ports go on";
    happened(new PoolEvent.ServerLost(reason));
    failPending(new IOException(reason, broken));
    LOG.log(
        Level.WARNING,
        "{0}: {1}; looking for it for {2} s",
        identifier,
        reason,
        patience().toSeconds());
    exitIfWanted();
  }

  /** Returns for how long the member tries to reconnect. */
  private Duration patience() {
    Duration patience = settings.clientConnect();
    return patience.compareTo(RECONNECT) < 0 ? RECONNECT : patience;
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
      if (past.compareTo(patience()) >= 0) {
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
                past.compareTo(IMPATIENCE) < 0 ? PAUSE_MILLIS : LONG_PAUSE_MILLIS,
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
    byte[] words =
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
    DataInputStream answer = ask(link, words, ANSWER);
    switch (answer.readByte()) {
      case RegistryProtocol.RESUMED -> {
        if (!session.attach(link, answer.readLong())) {
          dismissed = "the server has lost our session";
          return false;
        }
        serverFound();
        return true;
      }
      case RegistryProtocol.RESTARTED -> {
        return rejoin(link, broken);
      }
      default -> {
        dismissed = answer.readUTF();
        return false;
      }
    }
  }

  /** Rejoins at a restarted server with the former identifier. */
  private boolean rejoin(FramedLink link, @Nullable IOException broken) throws IOException {
    var winners = new LinkedHashMap<String, InstanceIdentifier>();
    winners().forEach((election, winner) -> winners.put(election, InstanceIdentifier.of(winner)));
    IbisIdentifier terminator = terminator();
    var history =
        new PoolHistory(
            joined,
            List.copyOf(present.values()),
            winners,
            Map.copyOf(sequences),
            terminator == null ? null : InstanceIdentifier.of(terminator));
    byte[] words =
        RegistryProtocol.message(
            RegistryProtocol.REJOIN,
            out -> {
              application.writeTo(out);
              identifier.writeTo(out);
              history.writeTo(out);
            });
    DataInputStream answer = ask(link, words, ANSWER);
    if (answer.readByte() != RegistryProtocol.JOINED) {
      dismissed =
          "the server at "
              + server
              + " was restarted and refuses this instance: "
              + answer.readUTF();
      return false;
    }
    serverLost(broken); // the restarted server does not know pending requests
    long number = answer.readLong();
    var _ = InstanceIdentifier.readFrom(answer);
    greeted(number, answer);
    var next = new ServerSession(WorkerThreads.POOL, this::incoming);
    boolean isNew = next.attach(link, 0);
    assert isNew;
    session.close();
    session = next;
    serverFound();
    return true;
  }

  private void greeted(long number, DataInputStream keys) throws IOException {
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
        case RegistryProtocol.REPLY -> {
          CompletableFuture<DataInputStream> request = pending.get(in.readInt());
          if (request != null) { // otherwise its caller has timed out
            request.complete(in);
          }
        }
        case RegistryProtocol.ERROR -> {
          CompletableFuture<DataInputStream> request = pending.get(in.readInt());
          if (request != null) {
            request.completeExceptionally(new IOException(in.readUTF()));
          }
        }
        case RegistryProtocol.EXPELLED -> dismissed = in.readUTF();
        case RegistryProtocol.SERVER_ENDS -> serverEnds = true;
        default -> {
          PoolEvent event = event(kind, in);
          if (isNewHere(event)) {
            happened(event);
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("malformed message of a registry", e);
    }
  }

  /** Records the members; returns whether an event of a restarted server is new. */
  private boolean isNewHere(PoolEvent event) {
    return switch (event) {
      case PoolEvent.Joined(IbisIdentifier member) -> {
        InstanceIdentifier newcomer = InstanceIdentifier.of(member);
        joined = Math.max(joined, PoolHistory.numberOf(newcomer) + 1);
        yield !gone.contains(newcomer.name())
            && present.putIfAbsent(newcomer.name(), newcomer) == null;
      }
      case PoolEvent.Gone(IbisIdentifier member, boolean _) -> {
        gone.add(member.name());
        yield present.remove(member.name()) != null;
      }
      default -> true;
    };
  }

  private static PoolEvent event(int kind, DataInputStream in) throws IOException {
    return switch (kind) {
      case RegistryProtocol.EVENT_JOINED -> new PoolEvent.Joined(InstanceIdentifier.readFrom(in));
      case RegistryProtocol.EVENT_LEFT ->
          new PoolEvent.Gone(InstanceIdentifier.readFrom(in), false);
      case RegistryProtocol.EVENT_DIED -> new PoolEvent.Gone(InstanceIdentifier.readFrom(in), true);
      case RegistryProtocol.EVENT_ELECTED ->
          new PoolEvent.Elected(
              in.readUTF(), in.readBoolean() ? InstanceIdentifier.readFrom(in) : null);
      case RegistryProtocol.EVENT_SIGNAL ->
          new PoolEvent.Signalled(in.readUTF(), InstanceIdentifier.readFrom(in));
      case RegistryProtocol.EVENT_CLOSED -> new PoolEvent.Closed();
      case RegistryProtocol.EVENT_TERMINATED ->
          new PoolEvent.Terminated(InstanceIdentifier.readFrom(in));
      default -> throw new IOException("there is no event of kind " + kind);
    };
  }

  /** Sends a request and waits for the reply, without a time limit of the caller. */
  private <T> T answered(
      int kind, RegistryProtocol.Body arguments, Function<DataInputStream, T> taken)
      throws IOException {
    return Objects.requireNonNull(
        request(kind, 0, arguments, taken), "null stands for the caller's time limit");
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @param timeoutMillis 0 for the longest time that a working server may need
   * @return {@code null} if no reply came in time
   */
  private @Nullable DataInputStream request(
      int kind, long timeoutMillis, RegistryProtocol.Body arguments) throws IOException {
    return request(kind, timeoutMillis, arguments, reply -> reply);
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @param taken applied to the reply by the reading thread before it reads further events
   */
  private <T> @Nullable T request(
      int kind,
      long timeoutMillis,
      RegistryProtocol.Body arguments,
      Function<DataInputStream, T> taken)
      throws IOException {
    int number = lastRequest.incrementAndGet();
    byte[] message =
        RegistryProtocol.message(
            kind,
            out -> {
              out.writeInt(number);
              arguments.writeTo(out);
            });
    var words = new CompletableFuture<DataInputStream>();
    CompletableFuture<T> reply = words.thenApply(taken);
    pending.put(number, words);
    try {
      checkNotLost(); // checked after the request has become visible to the thread that fails
      // pending ones
      boolean _ = session.send(message);
      long bound = settings.heartbeat().plus(settings.serverConnect()).toMillis();
      return reply.get(timeoutMillis > 0 ? timeoutMillis : bound, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (timeoutMillis > 0) {
        return null;
      }
      throw new IOException("the server at " + server + " does not answer; it hangs", e);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause(), "what failed");
      throw new IOException(cause.getMessage(), cause);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the server at " + server);
    } finally {
      pending.remove(number);
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
      DataInputStream _ = request(RegistryProtocol.LEAVE, LEAVING.toMillis(), out -> {});
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
        request(RegistryProtocol.ELECT, timeoutMillis, out -> out.writeUTF(electionName));
    return reply == null ? null : InstanceIdentifier.readFrom(reply);
  }

  @Override
  public void maybeDead(IbisIdentifier ibisIdentifier) throws IOException {
    DataInputStream _ =
        request(RegistryProtocol.MAYBE_DEAD, 0, out -> out.writeUTF(ibisIdentifier.name()));
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) throws IOException {
    DataInputStream _ =
        request(RegistryProtocol.ASSUME_DEAD, 0, out -> out.writeUTF(ibisIdentifier.name()));
  }

  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) throws IOException {
    require("a signal", IbisCapabilities.SIGNALS);
    DataInputStream _ =
        request(
            RegistryProtocol.SIGNAL,
            0,
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
    return answered(
        RegistryProtocol.SEQUENCE,
        out -> out.writeUTF(name),
        reply -> {
          try {
            long number = reply.readLong();
            sequences.merge(
                name, number + 1, Math::max); // before a restarted server can ask for it
            return number;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public void addTokens(String name, int count) throws IOException {
    DataInputStream _ =
        request(
            RegistryProtocol.ADD_TOKENS,
            0,
            out -> {
              out.writeUTF(name);
              out.writeInt(count);
            });
  }

  @Override
  public @Nullable String getToken(String name) throws IOException {
    boolean got =
        answered(RegistryProtocol.GET_TOKEN, out -> out.writeUTF(name), reply -> reply)
            .readBoolean();
    return got ? name : null;
  }

  @Override
  public void terminate() throws IOException {
    require("termination", IbisCapabilities.TERMINATION);
    DataInputStream _ = request(RegistryProtocol.TERMINATE, 0, out -> {});
  }
}
