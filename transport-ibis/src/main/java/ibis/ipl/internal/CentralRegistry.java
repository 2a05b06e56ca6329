package ibis.ipl.internal;

import ibis.ipl.Credentials;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.RegistryEventHandler;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectOutputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Port;

/** The registry of a member whose pool is kept by a server. */
final class CentralRegistry extends PoolView {

  /*
   * One thread reads the session: it takes events in the server's order and completes requests.
   * When the link breaks it connects anew, for at most RECONNECT; the server, which sees the break
   * too, looks meanwhile whether we are alive.
   */

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  /** Servers and members are often started together; a server that is not there yet may come. */
  private static final Duration SERVER_MAY_START = Duration.ofSeconds(5);

  private static final Duration RECONNECT = Duration.ofSeconds(1);
  private static final Duration LEAVING = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 50;

  private final Port links;
  private final Address server;
  private final CentralSettings settings;
  private final Identifier identifier;
  private final long[] key;
  private final Session session = new Session(Workers.POOL, this::incoming);
  private final Map<Integer, CompletableFuture<DataInputStream>> pending =
      new ConcurrentHashMap<>();
  private final AtomicInteger lastRequest = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);

  /** Set by the reading thread: why the server has no session with us any more. */
  private volatile String dismissed;

  private volatile boolean left;

  private CentralRegistry(
      IbisCapabilities capabilities,
      RegistryEventHandler handler,
      Registries.Leavers leavers,
      int poolSize,
      Port links,
      Address server,
      CentralSettings settings,
      Identifier identifier,
      long[] key) {
    super(capabilities, identifier.poolName(), poolSize, handler, leavers);
    this.links = links;
    this.server = server;
    this.settings = settings;
    this.identifier = identifier;
    this.key = key;
  }

  /**
   * Joins the pool that the properties name; returns when this instance is a member.
   *
   * @throws IbisConfigurationException if the server refuses
   * @throws IOException if it cannot be reached
   */
  static CentralRegistry join(
      Properties properties,
      IbisCapabilities capabilities,
      RegistryEventHandler handler,
      Credentials credentials,
      byte[] tag,
      String version,
      Port links,
      Registries.Leavers leavers)
      throws IOException {
    var settings = CentralSettings.of(properties);
    Address server = Settings.server(properties);
    boolean isClosedWorld = capabilities.hasCapability(IbisCapabilities.CLOSED_WORLD);
    int size = isClosedWorld ? Registries.poolSize(properties) : -1;
    String pool = Registries.poolName(properties);
    checkTag(tag);
    byte[] shown = encode(credentials);
    byte[] hello =
        Protocol.message(
            Protocol.JOIN,
            out -> {
              out.writeUTF(pool);
              out.writeUTF(version);
              out.writeInt(size);
              out.writeLong(settings.heartbeat().toMillis());
              out.writeUTF(Settings.location(properties).toString());
              out.writeUTF(links.address().toString());
              writeBytes(out, tag);
              writeBytes(out, shown);
            });
    var self = new CompletableFuture<Identifier>();
    links.serve(Protocol.MEMBER, asking -> sayWhoWeAre(asking, self));
    Framed link = new Framed(connectAtStart(links, server, settings));
    boolean joined = false;
    try {
      DataInputStream answer = ask(link, hello, settings.clientConnect());
      int kind = answer.readByte();
      if (kind == Protocol.REFUSED) {
        throw new IbisConfigurationException(
            "the server at " + server + " refuses us: " + answer.readUTF());
      }
      if (kind != Protocol.JOINED) {
        throw new IOException("the server at " + server + " answers what we do not understand");
      }
      var identifier = Identifier.readFrom(answer);
      long[] key = {answer.readLong(), answer.readLong()};
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
              key);
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

  private static void checkTag(byte[] tag) {
    if (tag != null && tag.length > Identifier.MOST_TAG_BYTES) {
      throw new IbisConfigurationException(
          "the tag has "
              + tag.length
              + " bytes, and may have "
              + Identifier.MOST_TAG_BYTES
              + ": it is part of the identifier that all members get");
    }
  }

  private static byte[] encode(Credentials credentials) throws IOException {
    if (credentials == null) {
      return null;
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(credentials);
    }
    return bytes.toByteArray();
  }

  private static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  private static Link connectAtStart(Port links, Address server, CentralSettings settings)
      throws IOException {
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        return links.connect(server, Protocol.REGISTRY, settings.clientConnect());
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

  /** Says the first words over a link and waits for the answer; a server that hangs is cut off. */
  private static DataInputStream ask(Framed link, byte[] words, Duration timeout)
      throws IOException {
    CompletableFuture<Void> deadline = Workers.after(timeout.toMillis(), link::close);
    try {
      link.write(words);
      return Protocol.read(link.read());
    } finally {
      deadline.cancel(false);
    }
  }

  private void start(Framed link) {
    boolean isNew = session.attach(link, 0);
    assert isNew;
    Thread.ofPlatform()
        .daemon()
        .name("ibis-registry " + identifier.name())
        .start(() -> readAll(link));
    keepAlive();
  }

  /** Answers whoever looks whether we are alive; while we are joining, he waits for our name. */
  private static void sayWhoWeAre(Link link, CompletableFuture<Identifier> self) {
    try (var framed = new Framed(link)) {
      Identifier identifier = self.join();
      framed.write(Protocol.message(Protocol.MEMBER_NAME, out -> identifier.writeTo(out)));
    } catch (CancellationException _) {
      // We could not join, so we are nobody: closing says so.
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "whoever looked whether we are alive has gone: {0}", e.getMessage());
    }
  }

  /** Tells the server twice per interval that we are alive. */
  private void keepAlive() {
    if (over.getCount() > 0) {
      session.signOfLife();
      CompletableFuture<Void> _ =
          Workers.after(Math.max(1, settings.heartbeat().toMillis() / 2), this::keepAlive);
    }
  }

  private void readAll(Framed first) {
    Framed link = first;
    IOException broken = null;
    while (link != null) {
      try {
        session.read(link);
      } catch (IOException e) {
        broken = e;
      } catch (RuntimeException e) { // a malformed event: nothing after it can be trusted
        broken = new IOException("the server said what we do not understand: " + e, e);
        dismissed = broken.getMessage();
      }
      link = over.getCount() > 0 && dismissed == null ? reconnect() : null;
    }
    fail(
        new IOException(
            left
                ? "the instance has ended"
                : dismissed != null
                    ? dismissed
                    : "the server at " + server + " is lost: " + why(broken),
            broken));
  }

  private static String why(IOException broken) {
    return broken.getMessage() + "; the registry cannot be used any more, ports can";
  }

  private void fail(IOException cause) {
    over.countDown();
    session.close();
    lose(cause);
    for (CompletableFuture<DataInputStream> request : pending.values()) {
      request.completeExceptionally(cause);
    }
    if (!left) {
      LOG.log(Level.WARNING, "{0}: {1}", identifier, cause.getMessage());
      if (settings.exitOnServerFailure()) {
        Thread.ofPlatform().start(() -> System.exit(1));
      }
    }
  }

  /** Connects anew and goes on where the session was; returns {@code null} if that fails. */
  private Framed reconnect() {
    long end = System.nanoTime() + RECONNECT.toNanos();
    while (over.getCount() > 0) {
      long leftNanos = end - System.nanoTime();
      if (leftNanos <= 0) {
        return null;
      }
      try {
        Framed link =
            new Framed(links.connect(server, Protocol.REGISTRY, Duration.ofNanos(leftNanos)));
        if (resume(link)) {
          return link;
        }
        link.close();
        return null;
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "cannot reach the Ibis server again yet: {0}", e.getMessage());
      }
      try {
        boolean _ = over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException _) {
        return null; // nobody interrupts this thread but to end it
      }
    }
    return null;
  }

  private boolean resume(Framed link) throws IOException {
    byte[] words =
        Protocol.message(
            Protocol.RESUME,
            out -> {
              out.writeUTF(identifier.poolName());
              out.writeUTF(identifier.name());
              out.writeLong(key[0]);
              out.writeLong(key[1]);
              out.writeLong(session.received());
            });
    DataInputStream answer = ask(link, words, RECONNECT);
    if (answer.readByte() != Protocol.RESUMED) {
      dismissed = answer.readUTF();
      return false;
    }
    return session.attach(link, answer.readLong());
  }

  private void incoming(byte[] message) {
    DataInputStream in = Protocol.read(message);
    try {
      int kind = in.readByte();
      switch (kind) {
        case Protocol.REPLY -> {
          CompletableFuture<DataInputStream> request = pending.get(in.readInt());
          if (request != null) { // else its caller has given up
            request.complete(in);
          }
        }
        case Protocol.ERROR -> {
          CompletableFuture<DataInputStream> request = pending.get(in.readInt());
          if (request != null) {
            request.completeExceptionally(new IOException(in.readUTF()));
          }
        }
        case Protocol.EXPELLED, Protocol.SERVER_ENDS -> dismissed = in.readUTF();
        default -> happened(event(kind, in));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("malformed message of a registry", e);
    }
  }

  private static Event event(int kind, DataInputStream in) throws IOException {
    return switch (kind) {
      case Protocol.EVENT_JOINED -> new Event.Joined(Identifier.readFrom(in));
      case Protocol.EVENT_LEFT -> new Event.Gone(Identifier.readFrom(in), false);
      case Protocol.EVENT_DIED -> new Event.Gone(Identifier.readFrom(in), true);
      case Protocol.EVENT_ELECTED ->
          new Event.Elected(in.readUTF(), in.readBoolean() ? Identifier.readFrom(in) : null);
      case Protocol.EVENT_SIGNAL -> new Event.Signalled(in.readUTF(), Identifier.readFrom(in));
      case Protocol.EVENT_CLOSED -> new Event.Closed();
      case Protocol.EVENT_TERMINATED -> new Event.Terminated(Identifier.readFrom(in));
      default -> throw new IOException("there is no event of kind " + kind);
    };
  }

  /**
   * Asks the server and waits for its reply.
   *
   * @param timeoutMillis 0 for as long as a server that works may need at most
   * @return {@code null} if the time was not enough
   */
  private DataInputStream request(int kind, long timeoutMillis, Protocol.Body arguments)
      throws IOException {
    int number = lastRequest.incrementAndGet();
    byte[] message =
        Protocol.message(
            kind,
            out -> {
              out.writeInt(number);
              arguments.writeTo(out);
            });
    var reply = new CompletableFuture<DataInputStream>();
    pending.put(number, reply);
    try {
      checkNotLost(); // after it can be seen by whoever fails the pending ones
      boolean _ = session.send(message);
      long bound = settings.heartbeat().plus(settings.serverConnect()).toMillis();
      return reply.get(timeoutMillis > 0 ? timeoutMillis : bound, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (timeoutMillis > 0) {
        return null;
      }
      throw new IOException("the server at " + server + " does not answer; it hangs", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
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
      DataInputStream _ = request(Protocol.LEAVE, LEAVING.toMillis(), out -> {});
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "left without the server: {0}", e.getMessage());
    }
    left = true;
    fail(new IOException("the instance has ended"));
  }

  @Override
  public IbisIdentifier elect(String electionName, long timeoutMillis) throws IOException {
    requireElections();
    DataInputStream reply =
        request(Protocol.ELECT, timeoutMillis, out -> out.writeUTF(electionName));
    return reply == null ? null : Identifier.readFrom(reply);
  }

  @Override
  public void maybeDead(IbisIdentifier ibisIdentifier) throws IOException {
    DataInputStream _ = request(Protocol.MAYBE_DEAD, 0, out -> out.writeUTF(ibisIdentifier.name()));
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) throws IOException {
    DataInputStream _ =
        request(Protocol.ASSUME_DEAD, 0, out -> out.writeUTF(ibisIdentifier.name()));
  }

  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) throws IOException {
    require("a signal", IbisCapabilities.SIGNALS);
    DataInputStream _ =
        request(
            Protocol.SIGNAL,
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
    return request(Protocol.SEQUENCE, 0, out -> out.writeUTF(name)).readLong();
  }

  @Override
  public void addTokens(String name, int count) throws IOException {
    DataInputStream _ =
        request(
            Protocol.ADD_TOKENS,
            0,
            out -> {
              out.writeUTF(name);
              out.writeInt(count);
            });
  }

  @Override
  public String getToken(String name) throws IOException {
    boolean got = request(Protocol.GET_TOKEN, 0, out -> out.writeUTF(name)).readBoolean();
    return got ? name : null;
  }

  @Override
  public void terminate() throws IOException {
    require("termination", IbisCapabilities.TERMINATION);
    DataInputStream _ = request(Protocol.TERMINATE, 0, out -> {});
  }
}
