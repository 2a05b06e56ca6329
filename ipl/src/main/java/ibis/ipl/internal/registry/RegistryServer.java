package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.internal.base.FramedLink;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.IplSettings;
import ibis.ipl.internal.base.LocationImpl;
import ibis.ipl.internal.base.WorkerThreads;
import ibis.ipl.registry.ControlPolicy;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
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

  /*
   * Failure detection. A member is suspected when its link breaks, when it has been silent for longer
   * than the heartbeat interval, when another member suspects it, or when it does not read. The server
   * then connects to the member's own port, which answers with its identifier. A connection that is
   * refused, breaks or takes longer than serverConnect means that the member is dead. A member that is
   * alive without a link has the time RESUME to reconnect.
   */

  private static final System.Logger LOG = System.getLogger("ibis.ipl");

  /** The beginning of the log line about a pool that has ended. */
  public static final String ENDED = "ended: pool ";

  private static final Duration RESUME = Duration.ofSeconds(5);

  /** The shortest interval between two checks of a member. */
  private static final long CHECK_PAUSE_MILLIS = 1_000;

  /** How long the end of the server waits for members to receive the notice. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** The numbers of remembered members of a gossip pool, and of remembered gossip pools. */
  private static final int INTRODUCED = 16;

  private static final int INTRODUCED_POOLS = 1024;

  private static final int MOST_CREDENTIALS_BYTES = 1 << 20;

  /** Distinguishes this server from a former one at the same address. */
  private final long number = new SecureRandom().nextLong();

  private final Port links;
  private final @Nullable ControlPolicy policy;
  private final Duration serverConnect;
  private final Consumer<String> log;
  private final Map<String, ServerPool> pools = new ConcurrentHashMap<>();

  /** The most recent newcomers of gossip pools. */
  private final Map<String, Deque<InstanceIdentifier>> introduced =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<InstanceIdentifier>> eldest) {
          return size() > INTRODUCED_POOLS;
        }
      };

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
    serverConnect = CentralSettings.of(properties).serverConnect();
    IplSettings.Access access = IplSettings.access(properties, true);
    InetAddress address = IplSettings.listenAddress(properties, access, null);
    links = Port.open(access.secret(), new InetSocketAddress(address, port));
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
    List<CompletableFuture<Void>> told = new ArrayList<>();
    for (ServerPool pool : pools.values()) {
      pool.serverEnds();
      pool.members().forEach(member -> told.add(member.session.finish()));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(told.toArray(CompletableFuture[]::new))
            .completeOnTimeout(null, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    all.join();
    links.close();
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
          if (ending.getCount() == 0) {
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
        case RegistryProtocol.ASK_POOLS -> tellPools(link);
        case RegistryProtocol.ASK_MEMBERS -> tellMembers(link, membersOf(in.readUTF()));
        default -> refuse(link, "the server does not understand; use the same release");
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(Level.DEBUG, "a member's link ended: {0}", e.getMessage());
    }
  }

  private static void refuse(FramedLink link, String why) throws IOException {
    link.write(RegistryProtocol.message(RegistryProtocol.REFUSED, out -> out.writeUTF(why)));
  }

  /** What an instance says of itself to join. */
  private record Application(
      String pool,
      ServerPool.Rules rules,
      LocationImpl location,
      String port,
      byte @Nullable [] tag,
      byte @Nullable [] credentials) {

    static Application readFrom(DataInputStream in) throws IOException {
      return new Application(
          in.readUTF(),
          new ServerPool.Rules(in.readUTF(), in.readInt(), in.readLong()),
          LocationImpl.parse(in.readUTF()),
          Address.parse(in.readUTF()).toString(),
          InstanceIdentifier.readTag(in),
          readBytes(in));
    }
  }

  /** Adds a member to a pool; {@code null} if the pool has ended meanwhile. */
  private interface Entry {
    ServerPool.@Nullable Member enter(ServerPool pool) throws JoinRefusedException;
  }

  private void join(FramedLink link, DataInputStream in) throws IOException {
    var application = Application.readFrom(in);
    admit(
        link,
        application,
        pool ->
            pool.join(
                application.rules(),
                application.location(),
                application.port(),
                application.tag(),
                request -> answer(pool, request)));
  }

  /** Takes in a member of a pool that another server at this address kept before. */
  private void rejoin(FramedLink link, DataInputStream in) throws IOException {
    if (in.readByte() != RegistryProtocol.REJOIN) {
      refuse(link, "the server does not understand; use the same release");
      return;
    }
    var application = Application.readFrom(in);
    var self = InstanceIdentifier.readFrom(in);
    var history = PoolHistory.readFrom(in);
    admit(
        link,
        application,
        pool -> {
          ServerPool.Member member =
              pool.rejoin(application.rules(), self, history, request -> answer(pool, request));
          CompletableFuture<Void> _ =
              WorkerThreads.after(RESUME.toMillis(), () -> checkMissing(pool));
          return member;
        });
  }

  /** Looks for members that have not come back after a restart. */
  private void checkMissing(ServerPool pool) {
    for (ServerPool.Member member : pool.members()) {
      if (!member.session.isAttached()) {
        WorkerThreads.POOL.execute(
            () -> checkIfDetached(pool, member, "it did not come back to the restarted server"));
      }
    }
  }

  private void admit(FramedLink link, Application application, Entry entry) throws IOException {
    String name = application.pool();
    ServerPool pool;
    ServerPool.Member member;
    try {
      authorise(application.credentials());
      Seat seat = seat(name, application.rules(), entry);
      pool = seat.pool();
      member = seat.member();
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
      broken(pool, member);
    }
  }

  /** Tells a newcomer to a pool without a centre of some who came before, the latest first. */
  private void introduce(FramedLink link, InstanceIdentifier newcomer) throws IOException {
    List<InstanceIdentifier> others;
    synchronized (introduced) {
      Deque<InstanceIdentifier> latest =
          introduced.computeIfAbsent(newcomer.poolName(), _ -> new ArrayDeque<>());
      latest.remove(newcomer);
      others = List.copyOf(latest);
      latest.addFirst(newcomer);
      if (latest.size() > INTRODUCED) {
        latest.removeLast();
      }
    }
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

  private static void tellMembers(FramedLink link, List<InstanceIdentifier> members)
      throws IOException {
    link.write(
        RegistryProtocol.message(RegistryProtocol.MEMBERS, out -> out.writeInt(members.size())));
    for (InstanceIdentifier member : members) {
      link.write(RegistryProtocol.message(RegistryProtocol.MEMBER_NAME, member::writeTo));
    }
  }

  private void tellPools(FramedLink link) throws IOException {
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

  private record Seat(ServerPool pool, ServerPool.Member member) {}

  private Seat seat(String name, ServerPool.Rules rules, Entry entry) throws JoinRefusedException {
    while (true) {
      if (ending.getCount() == 0) {
        throw new JoinRefusedException("the server ends");
      }
      ServerPool pool = pools.computeIfAbsent(name, _ -> open(name, rules));
      ServerPool.Member member = entry.enter(pool);
      if (member != null) {
        return new Seat(pool, member);
      }
      forget(pool);
    }
  }

  private ServerPool open(String name, ServerPool.Rules rules) {
    var pool =
        new ServerPool(
            name,
            rules,
            (self, slow) ->
                WorkerThreads.POOL.execute(() -> remove(self, slow, "it does not read")),
            log);
    watch(pool);
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
    var shown = CredentialsReader.read(credentials, policy.credentialTypes());
    try {
      policy.onJoin(shown);
    } catch (RuntimeException e) {
      throw new JoinRefusedException(
          "the server's policy refuses the credentials: " + e.getMessage());
    }
  }

  private static byte @Nullable [] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    if (length > MOST_CREDENTIALS_BYTES) {
      throw new IOException("credentials of " + length + " bytes are too large");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  private void resume(FramedLink link, DataInputStream in) throws IOException {
    ServerPool pool = pools.get(in.readUTF());
    String name = in.readUTF();
    ServerPool.Member member = pool == null ? null : pool.find(name, in.readLong(), in.readLong());
    if (pool == null || member == null) {
      refuse(link, "this instance was declared dead, and is no member any more");
      return;
    }
    long theyReceived = in.readLong();
    long weReceived = member.session.suspend();
    link.write(
        RegistryProtocol.message(RegistryProtocol.RESUMED, out -> out.writeLong(weReceived)));
    if (!member.session.attach(link, theyReceived)) {
      return;
    }
    try {
      member.session.read(link);
    } finally {
      broken(pool, member);
    }
  }

  private void broken(ServerPool pool, ServerPool.Member member) {
    if (ending.getCount() > 0
        && !member.session.isAttached()
        && pool.find(member.identifier.name()) == member) {
      WorkerThreads.POOL.execute(() -> check(pool, member, "its connection broke"));
    }
  }

  private void answer(ServerPool pool, ServerPool.Request request) {
    ServerPool.Member member = request.member();
    DataInputStream in = RegistryProtocol.read(request.message());
    try {
      int kind = in.readByte();
      int number = in.readInt();
      byte[] reply;
      try {
        RegistryProtocol.Body result = perform(pool, member, kind, in);
        reply =
            RegistryProtocol.message(
                RegistryProtocol.REPLY,
                out -> {
                  out.writeInt(number);
                  result.writeTo(out);
                });
      } catch (IllegalArgumentException e) {
        reply =
            RegistryProtocol.message(
                RegistryProtocol.ERROR,
                out -> {
                  out.writeInt(number);
                  out.writeUTF(String.valueOf(e.getMessage()));
                });
      }
      boolean _ = member.session.send(reply);
    } catch (IOException e) {
      throw new IllegalArgumentException("malformed request of " + member.identifier, e);
    }
  }

  private RegistryProtocol.Body perform(
      ServerPool pool, ServerPool.Member member, int kind, DataInputStream in) throws IOException {
    switch (kind) {
      case RegistryProtocol.ELECT -> {
        InstanceIdentifier winner = pool.elect(member, in.readUTF());
        return out -> winner.writeTo(out);
      }
      case RegistryProtocol.SEQUENCE -> {
        long number = pool.nextNumber(member, in.readUTF());
        return out -> out.writeLong(number);
      }
      case RegistryProtocol.ADD_TOKENS -> pool.addTokens(member, in.readUTF(), in.readInt());
      case RegistryProtocol.GET_TOKEN -> {
        boolean got = pool.takeToken(member, in.readUTF());
        return out -> out.writeBoolean(got);
      }
      case RegistryProtocol.SIGNAL -> {
        String signal = in.readUTF();
        int count = in.readInt();
        var targets = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
          targets.add(in.readUTF());
        }
        pool.signal(member, signal, targets);
      }
      case RegistryProtocol.TERMINATE -> pool.terminate(member);
      case RegistryProtocol.MAYBE_DEAD -> {
        ServerPool.Member suspect = pool.find(in.readUTF());
        if (suspect != null) {
          WorkerThreads.POOL.execute(
              () -> check(pool, suspect, member.identifier.name() + " suspects it"));
        }
      }
      case RegistryProtocol.ASSUME_DEAD -> {
        ServerPool.Member dead = pool.find(in.readUTF());
        if (dead != null) {
          remove(pool, dead, member.identifier.name() + " declared it dead");
        }
      }
      case RegistryProtocol.LEAVE -> {
        boolean _ = pool.remove(member, false, "");
        forgetIfEnded(pool);
      }
      default -> throw new IllegalArgumentException("there is no request of kind " + kind);
    }
    return out -> {};
  }

  // Who is alive.

  /** Looks, from time to time, for members that have been silent too long. */
  private void watch(ServerPool pool) {
    if (pool.hasEnded() || ending.getCount() == 0) {
      return;
    }
    long interval = pool.rules().heartbeatMillis();
    for (ServerPool.Member member : pool.members()) {
      if (member.session.silentMillis() > interval + interval / 4) {
        WorkerThreads.POOL.execute(() -> check(pool, member, "it was silent"));
      } else {
        member.session.signOfLife();
      }
    }
    CompletableFuture<Void> _ = WorkerThreads.after(Math.max(10, interval / 4), () -> watch(pool));
  }

  /** Looks up a member at its own port; declares it dead if it is not there. */
  private void check(ServerPool pool, ServerPool.Member member, String suspicion) {
    if (!member.checked.compareAndSet(false, true)) {
      if (!member.session.isAttached()) {
        // The check that runs, or ran, may have found it with its link; look again after it.
        CompletableFuture<Void> _ =
            WorkerThreads.after(CHECK_PAUSE_MILLIS, () -> checkIfDetached(pool, member, suspicion));
      }
      return;
    }
    CompletableFuture<Void> _ =
        WorkerThreads.after(CHECK_PAUSE_MILLIS, () -> member.checked.set(false));
    try {
      askWho(member);
    } catch (IOException e) {
      remove(pool, member, suspicion + ", and it cannot be reached: " + e.getMessage());
      return;
    }
    if (member.session.silentMillis() > pool.rules().heartbeatMillis()) {
      // Alive, but not over this link, which may have lost its other end without a word.
      long _ = member.session.suspend();
    }
    if (!member.session.isAttached()) {
      CompletableFuture<Void> _ =
          WorkerThreads.after(
              RESUME.toMillis(),
              () -> {
                if (!member.session.isAttached()) {
                  remove(pool, member, suspicion + ", and it did not connect again");
                }
              });
    }
  }

  private void checkIfDetached(ServerPool pool, ServerPool.Member member, String suspicion) {
    if (!member.session.isAttached() && pool.find(member.identifier.name()) == member) {
      check(pool, member, suspicion);
    }
  }

  private void askWho(ServerPool.Member member) throws IOException {
    try (Link link =
            links.connect(member.identifier.address(), RegistryProtocol.MEMBER, serverConnect);
        var framed = new FramedLink(link)) {
      CompletableFuture<Void> deadline =
          WorkerThreads.after(serverConnect.toMillis(), framed::close);
      DataInputStream in = RegistryProtocol.read(framed.read());
      deadline.cancel(false);
      if (in.readByte() != RegistryProtocol.MEMBER_NAME
          || !InstanceIdentifier.readFrom(in).equals(member.identifier)) {
        throw new IOException("another instance has its port now");
      }
    }
  }

  private void remove(ServerPool pool, ServerPool.Member member, String why) {
    if (ending.getCount() == 0 || !pool.remove(member, true, why)) {
      return;
    }
    boolean _ =
        member.session.send(
            RegistryProtocol.event(
                RegistryProtocol.EXPELLED,
                out -> out.writeUTF("this instance was declared dead: " + why)));
    CompletableFuture<Void> _ = member.session.finish();
    CompletableFuture<Void> _ = WorkerThreads.after(LAST_WORDS.toMillis(), member.session::close);
    forgetIfEnded(pool);
  }

  private void forgetIfEnded(ServerPool pool) {
    if (pool.hasEnded()) {
      forget(pool);
    }
  }
}
