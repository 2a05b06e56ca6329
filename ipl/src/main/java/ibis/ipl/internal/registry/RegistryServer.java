package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.internal.base.FramedLink;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.IplSettings;
import ibis.ipl.registry.ControlPolicy;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/** The central server: admits members to pools, forwards events and detects failed members. */
public final class RegistryServer implements PoolDirectory {

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  /** The beginning of the log line about a pool that has ended. */
  public static final String ENDED = "ended: pool ";

  /** How long the server waits for members to receive the notice of their or its end. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  /** Distinguishes this server from a former one at the same address. */
  private final long number = new SecureRandom().nextLong();

  private final Port links;
  private final @Nullable ControlPolicy policy;
  private final Consumer<String> log;
  private final MemberMonitor monitor;
  private final MemberRequests requests;
  private final GossipIntroductions introductions = new GossipIntroductions();
  private final Map<String, ServerPool> pools = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition poolEnded = lock.newCondition();
  private final CountDownLatch ending = new CountDownLatch(1);

  /**
   * Opens a server and starts to serve.
   *
   * @param port 0 for any free port
   * @param policy {@code null} to admit every instance that knows the secret
   * @param log receives events as text
   * @throws IOException if the port is in use, or there is no secret
   */
  public RegistryServer(
      Properties properties, int port, @Nullable ControlPolicy policy, Consumer<String> log)
      throws IOException {
    this.policy = policy;
    this.log = log;
    IplSettings.Access access = IplSettings.access(properties, true);
    InetAddress address = IplSettings.listenAddress(properties, access, null);
    links = Port.open(access.secret(), new InetSocketAddress(address, port));
    monitor =
        new MemberMonitor(
            links,
            CentralSettings.of(properties).serverConnect(),
            FAREWELL,
            this::isEnding,
            this::forgetIfEnded);
    requests = new MemberRequests(monitor, this::forgetIfEnded);
    links.serve(RegistryProtocol.REGISTRY, this::accept);
  }

  /** Returns the address of this server. */
  public Address address() {
    return links.address();
  }

  /** Returns the names of the pools that have members, sorted. */
  public List<String> pools() {
    return pools.keySet().stream().sorted().toList();
  }

  /** Returns the members of a pool, in order of joining; none if there is no such pool. */
  public List<String> members(String poolName) {
    return membersOf(poolName).stream().map(InstanceIdentifier::toString).toList();
  }

  private List<InstanceIdentifier> membersOf(String poolName) {
    ServerPool pool = pools.get(poolName);
    return pool == null
        ? List.of()
        : pool.members().stream().map(member -> member.identifier).toList();
  }

  @Override
  public Map<String, Integer> poolSizes() {
    Map<String, Integer> sizes = new TreeMap<>();
    pools.forEach((name, pool) -> sizes.put(name, pool.members().size()));
    return sizes;
  }

  @Override
  public IbisIdentifier[] identifiers(String poolName) {
    return membersOf(poolName).toArray(IbisIdentifier[]::new);
  }

  /**
   * Waits for the pools to end, notifies the remaining members and closes the port.
   *
   * @param timeoutMillis how long to wait at most; 0 waits for ever, less does not wait
   */
  public void end(long timeoutMillis) {
    awaitPools(timeoutMillis);
    ending.countDown();
    List<CompletableFuture<Void>> notified = new ArrayList<>();
    for (ServerPool pool : pools.values()) {
      pool.serverEnds();
      pool.members().forEach(member -> notified.add(member.session.finish()));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(notified.toArray(CompletableFuture[]::new))
            .completeOnTimeout(null, FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    all.join();
    links.close();
  }

  private boolean isEnding() {
    return ending.getCount() == 0;
  }

  private void awaitPools(long timeoutMillis) {
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (!pools.isEmpty() && (timeoutMillis == 0 || left > 0)) {
        if (timeoutMillis == 0) {
          poolEnded.await();
        } else {
          left = poolEnded.awaitNanos(left);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // then it ends at once
    } finally {
      lock.unlock();
    }
  }

  private void accept(Link link) {
    Thread.ofPlatform().daemon().name("ibis-server").start(() -> serve(new FramedLink(link)));
  }

  private void serve(FramedLink link) {
    try (link) {
      DataInputStream in = RegistryProtocol.read(link.read());
      switch (in.readByte()) {
        case RegistryProtocol.JOIN -> join(link, in);
        case RegistryProtocol.RESUME -> {
          if (isEnding()) {
            return; // the next server at this address answers
          }
          if (in.readLong() == number) {
            resume(link, in);
          } else {
            link.write(RegistryProtocol.message(RegistryProtocol.RESTARTED, out -> {}));
            rejoin(link, RegistryProtocol.read(link.read()));
          }
        }
        case RegistryProtocol.BOOTSTRAP -> introduce(link, InstanceIdentifier.readFrom(in));
        case RegistryProtocol.ASK_POOLS -> sendPools(link);
        case RegistryProtocol.ASK_MEMBERS -> sendMembers(link, membersOf(in.readUTF()));
        default -> refuse(link, "the server does not understand the request; use the same release");
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(Level.DEBUG, "the link of a member ended: {0}", e.getMessage());
    }
  }

  private static void refuse(FramedLink link, String reason) throws IOException {
    link.write(RegistryProtocol.message(RegistryProtocol.REFUSED, out -> out.writeUTF(reason)));
  }

  /** Adds a member to a pool; {@code null} if the pool has ended meanwhile. */
  private interface Admission {
    ServerPool.@Nullable Member admit(ServerPool pool) throws JoinRefusedException;
  }

  private void join(FramedLink link, DataInputStream in) throws IOException {
    var application = JoinApplication.readFrom(in);
    admit(
        link,
        application,
        pool -> {
          if (isEnding()) {
            throw new JoinRefusedException("the server ends");
          }
          return pool.join(
              application.rules(),
              application.location(),
              application.port(),
              application.tag(),
              request -> requests.serve(pool, request));
        });
  }

  /** Readmits a member of a pool that a former server at this address managed. */
  private void rejoin(FramedLink link, DataInputStream in) throws IOException {
    if (in.readByte() != RegistryProtocol.REJOIN) {
      refuse(link, "the server does not understand the request; use the same release");
      return;
    }
    var application = JoinApplication.readFrom(in);
    var self = InstanceIdentifier.readFrom(in);
    var history = PoolHistory.readFrom(in);
    if (isEnding()) {
      return; // the next server at this address answers
    }
    admit(
        link,
        application,
        pool -> {
          ServerPool.Member member =
              pool.rejoin(
                  application.rules(), self, history, request -> requests.serve(pool, request));
          monitor.watchMissing(pool);
          return member;
        });
  }

  private void admit(FramedLink link, JoinApplication application, Admission admission)
      throws IOException {
    String name = application.pool();
    ServerPool pool;
    ServerPool.Member member;
    try {
      authorise(application.credentials());
      PoolMember admitted = admitToPool(name, application.rules(), admission);
      pool = admitted.pool();
      member = admitted.member();
    } catch (JoinRefusedException e) {
      log.accept("refused a member of pool " + name + ": " + e.getMessage());
      refuse(link, String.valueOf(e.getMessage()));
      return;
    }
    try {
      link.write(
          RegistryProtocol.message(
              RegistryProtocol.JOINED,
              out -> {
                out.writeLong(number);
                member.identifier.writeTo(out);
                out.writeLong(member.key[0]);
                out.writeLong(member.key[1]);
              }));
      member.session.attach(link, 0);
      member.session.read(link);
    } finally {
      monitor.linkBroken(pool, member);
    }
  }

  /** Sends a newcomer of a gossip pool the latest earlier ones. */
  private void introduce(FramedLink link, InstanceIdentifier newcomer) throws IOException {
    List<InstanceIdentifier> others = introductions.add(newcomer);
    link.write(
        RegistryProtocol.message(
            RegistryProtocol.PEERS,
            out -> {
              out.writeInt(others.size());
              for (InstanceIdentifier other : others) {
                other.writeTo(out);
              }
            }));
  }

  private static void sendMembers(FramedLink link, List<InstanceIdentifier> members)
      throws IOException {
    link.write(
        RegistryProtocol.message(RegistryProtocol.MEMBERS, out -> out.writeInt(members.size())));
    for (InstanceIdentifier member : members) {
      link.write(RegistryProtocol.message(RegistryProtocol.MEMBER_NAME, member::writeTo));
    }
  }

  private void sendPools(FramedLink link) throws IOException {
    Map<String, Integer> sizes = poolSizes();
    link.write(
        RegistryProtocol.message(
            RegistryProtocol.POOL_SIZES,
            out -> {
              out.writeInt(sizes.size());
              for (Map.Entry<String, Integer> size : sizes.entrySet()) {
                out.writeUTF(size.getKey());
                out.writeInt(size.getValue());
              }
            }));
  }

  private record PoolMember(ServerPool pool, ServerPool.Member member) {}

  private PoolMember admitToPool(String name, ServerPool.Rules rules, Admission admission)
      throws JoinRefusedException {
    while (true) {
      ServerPool pool = pools.computeIfAbsent(name, _ -> open(name, rules));
      ServerPool.Member member = admission.admit(pool);
      if (member != null) {
        return new PoolMember(pool, member);
      }
      forget(pool);
    }
  }

  private ServerPool open(String name, ServerPool.Rules rules) {
    var pool =
        new ServerPool(
            name, rules, (self, slow) -> monitor.removeSoon(self, slow, "it does not read"), log);
    monitor.watch(pool);
    return pool;
  }

  private void forget(ServerPool pool) {
    if (pools.remove(pool.name(), pool)) {
      lock.lock();
      try {
        poolEnded.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void authorise(byte @Nullable [] credentials) throws JoinRefusedException {
    if (policy == null) {
      return;
    }
    var object = CredentialsReader.read(credentials, policy.credentialTypes());
    try {
      policy.onJoin(object);
    } catch (RuntimeException e) {
      throw new JoinRefusedException(
          "the server's policy refuses the credentials: " + e.getMessage());
    }
  }

  private void resume(FramedLink link, DataInputStream in) throws IOException {
    ServerPool pool = pools.get(in.readUTF());
    String name = in.readUTF();
    ServerPool.Member member = pool == null ? null : pool.find(name, in.readLong(), in.readLong());
    if (pool == null || member == null) {
      refuse(link, "this instance was declared dead, and is no longer a member");
      return;
    }
    long peerReceived = in.readLong();
    long received = member.session.suspend();
    link.write(RegistryProtocol.message(RegistryProtocol.RESUMED, out -> out.writeLong(received)));
    if (!member.session.attach(link, peerReceived)) {
      return;
    }
    try {
      member.session.read(link);
    } finally {
      monitor.linkBroken(pool, member);
    }
  }

  private void forgetIfEnded(ServerPool pool) {
    if (pool.hasEnded()) {
      forget(pool);
    }
  }
}
