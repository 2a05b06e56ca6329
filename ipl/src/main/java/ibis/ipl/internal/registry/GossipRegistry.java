package ibis.ipl.internal.registry;

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
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/**
 * A decentralized registry: members exchange their knowledge by gossip. The server only introduces
 * newcomers to some members.
 */
final class GossipRegistry extends PoolView {

  /*
   * Gossip. Once per interval each member chooses another at random; both send their GossipKnowledge and
   * merge that of the other (push-pull gossip). One member per interval, on average, introduces itself to the
   * server again, so that a restarted server can introduce newcomers.
   *
   * Elections. A candidate waits for the time `settle` before it believes the result.
   */

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  static final String PREFIX = "ibis.registry.gossip.";
  static final String INTERVAL = PREFIX + "gossip.interval";
  static final String SILENCE = PREFIX + "peer.dead.timeout";
  static final String QUORUM = PREFIX + "witnesses.required";
  static final String SETTLE = PREFIX + "election.timeout";

  private static final Duration CONTACT_TIMEOUT = Duration.ofSeconds(5);

  /** The number of members that are notified directly when this one leaves. */
  private static final int DEPARTURE_NOTICES = 5;

  private static final byte STATE = 1;
  private static final byte SIGNAL = 2;

  private final Port links;
  private final Address server;
  private final InstanceIdentifier self;
  private final Duration interval;
  private final Duration settle;
  private final GossipKnowledge knowledge;
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean isServerLost; // confined to the gossiping thread

  private GossipRegistry(
      Properties properties,
      IbisCapabilities capabilities,
      @Nullable RegistryEventHandler handler,
      byte @Nullable [] tag,
      Port links,
      RegistryFactory.Leavers leavers) {
    super(capabilities, RegistryFactory.poolName(properties), 0, handler, leavers);
    this.links = links;
    server = Objects.requireNonNull(IplSettings.server(properties), "RegistryFactory requires it");
    interval = CentralSettings.seconds(properties, INTERVAL, "1");
    settle = CentralSettings.seconds(properties, SETTLE, "5");
    self =
        new InstanceIdentifier(
            RegistryFactory.poolName(properties),
            "Ibis " + UUID.randomUUID(),
            IplSettings.location(properties),
            tag,
            links.address().toString());
    knowledge =
        new GossipKnowledge(
            self,
            CentralSettings.seconds(properties, SILENCE, "120"),
            quorum(properties),
            this::happened,
            this::declaredDead);
  }

  private void declaredDead() {
    over.countDown();
    lose(new IOException("this instance was declared dead by the other members"));
  }

  private static int quorum(Properties properties) {
    String text = properties.getProperty(QUORUM, "5").strip();
    try {
      return Math.max(1, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw new IbisConfigurationException(
          "the property '" + QUORUM + "' is '" + text + "'; it is a whole number, 1 or more", e);
    }
  }

  /**
   * Joins the pool; blocks until this instance has been introduced.
   *
   * @throws IbisConfigurationException if a requested capability needs a central server
   * @throws IOException if the server cannot be reached
   */
  static GossipRegistry join(
      Properties properties,
      IbisCapabilities capabilities,
      @Nullable RegistryEventHandler handler,
      byte @Nullable [] tag,
      Port links,
      RegistryFactory.Leavers leavers)
      throws IOException {
    var beyond =
        new IbisCapabilities(
            IbisCapabilities.CLOSED_WORLD,
            IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED,
            IbisCapabilities.ELECTIONS_STRICT,
            IbisCapabilities.TERMINATION);
    for (String capability : beyond.getCapabilities()) {
      if (capabilities.hasCapability(capability)) {
        throw lacks("the capability '" + capability + "'");
      }
    }
    var registry = new GossipRegistry(properties, capabilities, handler, tag, links, leavers);
    registry.start(CentralSettings.of(properties));
    return registry;
  }

  private static IbisConfigurationException lacks(String what) {
    return new IbisConfigurationException(
        "the gossip registry has no server and so cannot offer "
            + what
            + "; do without, or set 'ibis.registry.implementation' to central");
  }

  private void start(CentralSettings settings) throws IOException {
    links.serve(RegistryProtocol.GOSSIP, this::answer);
    knowledge.join();
    introduce(CentralRegistry.connectAtStart(links, server, settings));
    Thread.ofPlatform().daemon().name("ibis-gossip " + self.name()).start(this::gossip);
  }

  /** Asks the server for other members and exchanges news with each. */
  private void introduce(Link toServer) throws IOException {
    List<InstanceIdentifier> others = new ArrayList<>();
    try (var link = new FramedLink(toServer)) {
      CompletableFuture<Void> deadline =
          WorkerThreads.after(CONTACT_TIMEOUT.toMillis(), link::close);
      link.write(RegistryProtocol.message(RegistryProtocol.BOOTSTRAP, self::writeTo));
      DataInputStream in = RegistryProtocol.read(link.read());
      deadline.cancel(false);
      in.readByte();
      for (int count = in.readInt(); count > 0; count--) {
        others.add(InstanceIdentifier.readFrom(in));
      }
    }
    for (InstanceIdentifier other : others) {
      if (knowledge.isKnown(other)) {
        continue;
      }
      try {
        exchange(other);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "{0}, introduced by the server, has gone", other);
      }
    }
  }

  private void gossip() {
    try {
      while (!over.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        List<InstanceIdentifier> others = knowledge.others();
        if (ThreadLocalRandom.current().nextInt(others.size() + 1) == 0) {
          introduceAgain();
        }
        if (!others.isEmpty()) {
          contact(others.get(ThreadLocalRandom.current().nextInt(others.size())));
        }
      }
    } catch (InterruptedException _) {
      // an interrupt ends this thread
    }
  }

  private void introduceAgain() {
    try {
      introduce(links.connect(server, RegistryProtocol.REGISTRY, CONTACT_TIMEOUT));
      if (isServerLost) {
        isServerLost = false;
        LOG.log(Level.WARNING, "{0}: the server at {1} is there again", self, server);
      }
    } catch (IOException e) {
      if (!isServerLost && over.getCount() > 0) {
        isServerLost = true;
        LOG.log(
            Level.WARNING,
            "{0}: the server at {1} is lost: {2}; newcomers cannot join the pool until a server is"
                + " there again; its members keep working",
            self,
            server,
            e.getMessage());
      }
    }
  }

  private void contact(InstanceIdentifier other) {
    try {
      exchange(other);
      knowledge.reached(other);
    } catch (IOException e) {
      knowledge.notReached(other);
    }
  }

  /** Returns the arguments of a message. */
  private static DataInputStream body(byte[] message) throws IOException {
    DataInputStream in = RegistryProtocol.read(message);
    byte _ = in.readByte(); // the kind
    return in;
  }

  /** Exchanges all knowledge with another member. */
  private void exchange(InstanceIdentifier other) throws IOException {
    try (var link =
        new FramedLink(links.connect(other.address(), RegistryProtocol.GOSSIP, CONTACT_TIMEOUT))) {
      CompletableFuture<Void> deadline =
          WorkerThreads.after(CONTACT_TIMEOUT.toMillis(), link::close);
      link.write(RegistryProtocol.message(STATE, knowledge::writeTo));
      knowledge.merge(body(link.read()));
      deadline.cancel(false);
    }
  }

  private void answer(Link from) {
    var framed = new FramedLink(from);
    CompletableFuture<Void> deadline =
        WorkerThreads.after(CONTACT_TIMEOUT.toMillis(), framed::close);
    try (framed) {
      byte[] message = framed.read();
      if (message.length > 0 && message[0] == SIGNAL) {
        DataInputStream in = body(message);
        String target = in.readUTF();
        if (target.equals(self.name())) {
          knowledge.signalled(in.readUTF(), InstanceIdentifier.readFrom(in));
        }
        return;
      }
      knowledge.merge(body(message));
      framed.write(RegistryProtocol.message(STATE, knowledge::writeTo));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a member disconnected while it sent news: {0}", e.getMessage());
    } finally {
      deadline.cancel(false);
    }
  }

  // Calls of the program

  @Override
  boolean isOver() {
    return over.getCount() == 0;
  }

  @Override
  public IbisIdentifier getIbisIdentifier() {
    return self;
  }

  @Override
  public void leave() {
    knowledge.leave();
    over.countDown();
    knowledge.others().stream().limit(DEPARTURE_NOTICES).forEach(this::announceDeparture);
    knowledge.freeze();
    lose(new IOException("the instance has ended"));
  }

  private void announceDeparture(InstanceIdentifier other) {
    try {
      exchange(other);
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG,
          "{0} could not be notified that this instance leaves: {1}",
          other,
          e.getMessage());
    }
  }

  /** Becomes a candidate; returns the winner after the time for news to spread. */
  @Override
  public @Nullable IbisIdentifier elect(String electionName, long timeoutMillis)
      throws IOException {
    requireElections();
    checkNotLost();
    knowledge.addCandidacy(electionName);
    long settling = settle.toMillis();
    boolean inTime = timeoutMillis == 0 || timeoutMillis >= settling;
    try {
      boolean _ = over.await(inTime ? settling : timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while election '" + electionName + "' was settling");
    }
    checkNotLost();
    return inTime ? getElectionResult(electionName, -1) : null;
  }

  @Override
  public void maybeDead(IbisIdentifier ibisIdentifier) throws IOException {
    checkNotLost();
    InstanceIdentifier suspect = InstanceIdentifier.of(ibisIdentifier);
    WorkerThreads.POOL.execute(() -> contact(suspect));
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) throws IOException {
    checkNotLost();
    knowledge.assumeDead(ibisIdentifier.name());
  }

  /**
   * {@inheritDoc} Sends the signal directly to each member; an unreachable one does not receive it.
   */
  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) throws IOException {
    require("a signal", IbisCapabilities.SIGNALS);
    checkNotLost();
    for (IbisIdentifier target : ibisIdentifiers) {
      if (knowledge.isPresent(target.name())) {
        byte[] message =
            RegistryProtocol.message(
                SIGNAL,
                out -> {
                  out.writeUTF(target.name());
                  out.writeUTF(signal);
                  self.writeTo(out);
                });
        try (var link =
            new FramedLink(
                links.connect(
                    InstanceIdentifier.of(target).address(),
                    RegistryProtocol.GOSSIP,
                    CONTACT_TIMEOUT))) {
          link.write(message);
        } catch (IOException e) {
          LOG.log(
              Level.WARNING, "{0} did not get signal '{1}': {2}", target, signal, e.getMessage());
        }
      }
    }
  }

  @Override
  public long getSequenceNumber(String name) {
    throw lacks("sequence numbers");
  }

  @Override
  public void addTokens(String name, int count) {
    throw lacks("tokens");
  }

  @Override
  public String getToken(String name) {
    throw lacks("tokens");
  }

  @Override
  public void terminate() {
    throw lacks("termination");
  }
}
