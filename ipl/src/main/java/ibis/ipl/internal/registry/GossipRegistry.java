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
import java.io.DataOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
   * Gossip. Once per interval each member chooses another at random; both send all they know and keep
   * what is new (push-pull gossip). One member per interval, on average, introduces itself to the server
   * again, so that a restarted server can introduce newcomers. Knowledge grows monotonically: a member
   * goes from present to left or dead and never back, and candidates of elections are added and never
   * removed.
   *
   * Failure detection. A member becomes a witness against another when it has not reached it for the
   * time `silence`, and stops being one when it reaches it. Each member reports only its own
   * observations, so outdated ones do not circulate. A member that knows `quorum` witnesses, or all
   * others if there are fewer, declares the suspect dead, and that spreads.
   *
   * Elections. The winner is the smallest candidate that is present. All members eventually agree, but
   * some may have seen another winner before: hence "unreliable". A candidate waits for the time
   * `settle` before it believes the result.
   */

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  static final String PREFIX = "ibis.registry.gossip.";
  static final String INTERVAL = PREFIX + "gossip.interval";
  static final String SILENCE = PREFIX + "peer.dead.timeout";
  static final String QUORUM = PREFIX + "witnesses.required";
  static final String SETTLE = PREFIX + "election.timeout";

  private static final Duration CONTACT = Duration.ofSeconds(5);
  private static final int MOST_MEMBERS = 1 << 20;

  /** The number of members that are notified directly when this one leaves. */
  private static final int GOODBYES = 5;

  private static final byte STATE = 1;
  private static final byte SIGNAL = 2;

  private enum Condition {
    PRESENT,
    LEFT,
    DEAD
  }

  /** The knowledge of one member. */
  private static final class Known {
    final InstanceIdentifier identifier;
    final Set<String> witnesses = new HashSet<>();
    Condition condition = Condition.PRESENT;

    /** The time of the first failed contact since the last successful one; 0 if there is none. */
    long silentSince;

    Known(InstanceIdentifier identifier) {
      this.identifier = identifier;
    }
  }

  private final Port links;
  private final Address server;
  private final InstanceIdentifier self;
  private final Duration interval;
  private final Duration silence;
  private final Duration settle;
  private final int quorum;
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean isServerLost; // confined to the gossiping thread

  // Guarded by this. Events are delivered under the lock, so they have one order.
  private final Map<String, Known> members = new TreeMap<>();
  private final Map<String, TreeSet<String>> candidates = new TreeMap<>();
  private final Map<String, InstanceIdentifier> winners = new HashMap<>();
  private boolean left;

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
    silence = CentralSettings.seconds(properties, SILENCE, "120");
    settle = CentralSettings.seconds(properties, SETTLE, "5");
    quorum = quorum(properties);
    self =
        new InstanceIdentifier(
            RegistryFactory.poolName(properties),
            "Ibis " + UUID.randomUUID(),
            IplSettings.location(properties),
            tag,
            links.address().toString());
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
        "the gossip registry has no centre, and so cannot offer "
            + what
            + "; do without, or set 'ibis.registry.implementation' to central");
  }

  private void start(CentralSettings settings) throws IOException {
    links.serve(RegistryProtocol.GOSSIP, this::answer);
    synchronized (this) {
      present(self);
    }
    introduce(CentralRegistry.connectAtStart(links, server, settings));
    Thread.ofPlatform().daemon().name("ibis-gossip " + self.name()).start(this::gossip);
  }

  /** Asks the server for other members and exchanges news with each. */
  private void introduce(Link toServer) throws IOException {
    List<InstanceIdentifier> others = new ArrayList<>();
    try (var link = new FramedLink(toServer)) {
      CompletableFuture<Void> deadline = WorkerThreads.after(CONTACT.toMillis(), link::close);
      link.write(RegistryProtocol.message(RegistryProtocol.BOOTSTRAP, self::writeTo));
      DataInputStream in = RegistryProtocol.read(link.read());
      deadline.cancel(false);
      in.readByte();
      for (int count = in.readInt(); count > 0; count--) {
        others.add(InstanceIdentifier.readFrom(in));
      }
    }
    for (InstanceIdentifier other : others) {
      if (isKnown(other)) {
        continue;
      }
      try {
        talkTo(other);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "{0}, introduced by the server, has gone", other);
      }
    }
  }

  private void gossip() {
    try {
      while (!over.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        List<InstanceIdentifier> others = others();
        if (ThreadLocalRandom.current().nextInt(others.size() + 1) == 0) {
          introduceAgain();
        }
        if (!others.isEmpty()) {
          visit(others.get(ThreadLocalRandom.current().nextInt(others.size())));
        }
      }
    } catch (InterruptedException _) {
      // an interrupt ends this thread
    }
  }

  private void introduceAgain() {
    try {
      introduce(links.connect(server, RegistryProtocol.REGISTRY, CONTACT));
      if (isServerLost) {
        isServerLost = false;
        LOG.log(Level.WARNING, "{0}: the server at {1} is there again", self, server);
      }
    } catch (IOException e) {
      if (!isServerLost && over.getCount() > 0) {
        isServerLost = true;
        LOG.log(
            Level.WARNING,
            "{0}: the server at {1} is lost: {2}; newcomers cannot join the pool until one is there"
                + " again, its members go on",
            self,
            server,
            e.getMessage());
      }
    }
  }

  private synchronized boolean isKnown(InstanceIdentifier other) {
    return members.containsKey(other.name());
  }

  private synchronized List<InstanceIdentifier> others() {
    return members.values().stream()
        .filter(known -> known.condition == Condition.PRESENT)
        .map(known -> known.identifier)
        .filter(identifier -> !identifier.equals(self))
        .toList();
  }

  private void visit(InstanceIdentifier other) {
    try {
      talkTo(other);
      heard(other);
    } catch (IOException e) {
      silent(other);
    }
  }

  private synchronized void heard(InstanceIdentifier other) {
    Known known = members.get(other.name());
    if (known != null) {
      known.silentSince = 0;
      known.witnesses.remove(self.name());
    }
  }

  private synchronized void silent(InstanceIdentifier other) {
    Known known = members.get(other.name());
    if (known == null || known.condition != Condition.PRESENT) {
      return;
    }
    long now = System.nanoTime();
    if (known.silentSince == 0) {
      known.silentSince = now;
    }
    if (now - known.silentSince >= silence.toNanos() && known.witnesses.add(self.name())) {
      judge();
    }
  }

  /** Exchanges all knowledge with another member. */
  private void talkTo(InstanceIdentifier other) throws IOException {
    try (var link =
        new FramedLink(links.connect(other.address(), RegistryProtocol.GOSSIP, CONTACT))) {
      CompletableFuture<Void> deadline = WorkerThreads.after(CONTACT.toMillis(), link::close);
      link.write(state());
      merge(RegistryProtocol.read(link.read()));
      deadline.cancel(false);
    }
  }

  private void answer(Link from) {
    var framed = new FramedLink(from);
    CompletableFuture<Void> deadline = WorkerThreads.after(CONTACT.toMillis(), framed::close);
    try (framed) {
      byte[] message = framed.read();
      if (message.length > 0 && message[0] == SIGNAL) {
        DataInputStream in = RegistryProtocol.read(message);
        in.readByte();
        String target = in.readUTF();
        if (target.equals(self.name())) {
          tell(new PoolEvent.Signalled(in.readUTF(), InstanceIdentifier.readFrom(in)));
        }
        return;
      }
      merge(RegistryProtocol.read(message));
      framed.write(state());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a member disconnected while it sent news: {0}", e.getMessage());
    } finally {
      deadline.cancel(false);
    }
  }

  private synchronized void tell(PoolEvent event) {
    happened(event);
  }

  // Messages

  private synchronized byte[] state() throws IOException {
    return RegistryProtocol.message(STATE, this::writeState);
  }

  private void writeState(DataOutput out) throws IOException {
    out.writeUTF(self.name());
    out.writeInt(members.size());
    for (Known known : members.values()) {
      known.identifier.writeTo(out);
      out.writeByte(known.condition.ordinal());
      out.writeBoolean(known.witnesses.contains(self.name()));
    }
    out.writeInt(candidates.size());
    for (Map.Entry<String, TreeSet<String>> election : candidates.entrySet()) {
      out.writeUTF(election.getKey());
      writeNames(out, election.getValue());
    }
  }

  private static void writeNames(DataOutput out, TreeSet<String> names) throws IOException {
    out.writeInt(names.size());
    for (String name : names) {
      out.writeUTF(name);
    }
  }

  private synchronized void merge(DataInputStream in) throws IOException {
    if (left) {
      return;
    }
    in.readByte();
    String teller = in.readUTF();
    for (int count = count(in); count > 0; count--) {
      InstanceIdentifier identifier = InstanceIdentifier.readFrom(in);
      int condition = in.readByte();
      boolean isWitness = in.readBoolean();
      if (identifier.poolName().equals(self.poolName())) {
        mergeMember(identifier, condition, isWitness, teller);
      }
    }
    for (int count = count(in); count > 0; count--) {
      candidates.computeIfAbsent(in.readUTF(), _ -> new TreeSet<>()).addAll(readNames(in));
    }
    judge();
    elect();
  }

  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST_MEMBERS) {
      throw new IOException("malformed news: " + count + " entries");
    }
    return count;
  }

  private static List<String> readNames(DataInputStream in) throws IOException {
    var names = new ArrayList<String>();
    for (int count = count(in); count > 0; count--) {
      names.add(in.readUTF());
    }
    return names;
  }

  private void mergeMember(
      InstanceIdentifier identifier, int condition, boolean isWitness, String teller) {
    Known known = members.get(identifier.name());
    if (known == null && condition != Condition.PRESENT.ordinal()) {
      known = new Known(identifier); // the member left before this one joined
      known.condition = condition == Condition.LEFT.ordinal() ? Condition.LEFT : Condition.DEAD;
      members.put(identifier.name(), known);
      return;
    }
    if (known == null) {
      known = present(identifier);
    }
    if (known.condition != Condition.PRESENT) {
      return;
    }
    if (condition == Condition.LEFT.ordinal()) {
      gone(known, Condition.LEFT);
    } else if (condition == Condition.DEAD.ordinal()) {
      gone(known, Condition.DEAD);
    } else if (isWitness) {
      known.witnesses.add(teller);
    } else {
      known.witnesses.remove(teller);
    }
  }

  private Known present(InstanceIdentifier identifier) {
    var known = new Known(identifier);
    members.put(identifier.name(), known);
    happened(new PoolEvent.Joined(identifier));
    return known;
  }

  private void gone(Known known, Condition condition) {
    known.condition = condition;
    known.witnesses.clear();
    if (known.identifier.equals(self)) {
      over.countDown();
      lose(new IOException("this instance was declared dead by the other members"));
      return;
    }
    happened(new PoolEvent.Gone(known.identifier, condition == Condition.DEAD));
    elect();
  }

  /** Declares members dead that enough witnesses cannot reach. */
  private void judge() {
    List<Known> present =
        members.values().stream().filter(known -> known.condition == Condition.PRESENT).toList();
    for (Known known : present) {
      int enough = Math.min(quorum, Math.max(1, present.size() - 1));
      long witnesses = known.witnesses.stream().filter(this::isPresent).count();
      if (witnesses >= enough && !known.identifier.equals(self)) {
        gone(known, Condition.DEAD);
      }
    }
  }

  /**
   * Determines the winners of all elections from the present knowledge; delivers changes as events.
   */
  private void elect() {
    candidates.forEach(
        (election, names) -> {
          InstanceIdentifier winner =
              names.stream()
                  .map(members::get)
                  .filter(known -> known != null && known.condition == Condition.PRESENT)
                  .map(known -> known.identifier)
                  .min(Comparator.comparing(InstanceIdentifier::name))
                  .orElse(null);
          InstanceIdentifier before = winners.get(election);
          if (winner == null ? before != null : !winner.equals(before)) {
            if (winner == null) {
              winners.remove(election);
            } else {
              winners.put(election, winner);
            }
            happened(new PoolEvent.Elected(election, winner));
          }
        });
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
    List<InstanceIdentifier> others;
    synchronized (this) {
      Known me = members.get(self.name());
      if (me != null && me.condition == Condition.PRESENT) {
        me.condition = Condition.LEFT;
      }
      others = others();
    }
    over.countDown();
    others.stream().limit(GOODBYES).forEach(this::sayGoodbye);
    synchronized (this) {
      left = true;
    }
    lose(new IOException("the instance has ended"));
  }

  private void sayGoodbye(InstanceIdentifier other) {
    try {
      talkTo(other);
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
    synchronized (this) {
      candidates.computeIfAbsent(electionName, _ -> new TreeSet<>()).add(self.name());
      elect();
    }
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
    WorkerThreads.POOL.execute(() -> visit(suspect));
  }

  @Override
  public void assumeDead(IbisIdentifier ibisIdentifier) throws IOException {
    checkNotLost();
    synchronized (this) {
      Known known = members.get(ibisIdentifier.name());
      if (known != null && known.condition == Condition.PRESENT) {
        gone(known, Condition.DEAD);
      }
    }
  }

  /**
   * {@inheritDoc} Sends the signal directly to each member; an unreachable one does not receive it.
   */
  @Override
  public void signal(String signal, IbisIdentifier... ibisIdentifiers) throws IOException {
    require("a signal", IbisCapabilities.SIGNALS);
    checkNotLost();
    for (IbisIdentifier target : ibisIdentifiers) {
      if (isPresent(target.name())) {
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
                    InstanceIdentifier.of(target).address(), RegistryProtocol.GOSSIP, CONTACT))) {
          link.write(message);
        } catch (IOException e) {
          LOG.log(
              Level.WARNING, "{0} did not get signal '{1}': {2}", target, signal, e.getMessage());
        }
      }
    }
  }

  private synchronized boolean isPresent(String name) {
    Known known = members.get(name);
    return known != null && known.condition == Condition.PRESENT;
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
