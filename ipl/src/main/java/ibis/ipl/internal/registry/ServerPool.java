package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.LocationImpl;
import ibis.ipl.internal.base.WorkerThreads;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server's authoritative state of one pool, with a total order of its events. */
final class ServerPool {

  /*
   * Total order. All state is guarded by one lock, and each event is queued to the sessions of all
   * members under it. Queueing to a session never blocks.
   *
   * Restart of the server. After a restart each member knows a part of the state: the sequence numbers
   * that it received itself, and perhaps an election's result that no other member has received. The
   * pool therefore issues no number and no new winner until all known members have come back or are
   * dead.
   */

  /** The longest wait for members to come back; those that do not are checked earlier. */
  private static final long MOST_WAITED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The rules that the first member sets and that all later ones must match. */
  record Rules(String implementation, int closedWorldSize, long heartbeatMillis) {

    Rules {
      if (heartbeatMillis < 1) {
        throw new IllegalArgumentException(
            "a heartbeat interval of " + heartbeatMillis + " ms is none; use 1 ms or more");
      }
    }

    boolean isClosedWorld() {
      return closedWorldSize > 0;
    }
  }

  /** A member of the pool. */
  static final class Member {
    final InstanceIdentifier identifier;
    final long[] key = {RANDOM.nextLong(), RANDOM.nextLong()};
    final AtomicBoolean checked = new AtomicBoolean();
    final ServerSession session;

    private Member(InstanceIdentifier identifier, Consumer<? super Request> requests) {
      this.identifier = identifier;
      session =
          new ServerSession(
              WorkerThreads.POOL, message -> requests.accept(new Request(this, message)));
    }
  }

  /** A pending request of a member. */
  record Request(Member member, byte[] message) {}

  private final String name;
  private final Rules rules;
  private final BiConsumer<ServerPool, Member> tooSlow;
  private final Consumer<String> log;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Map<String, InstanceIdentifier> winners = new LinkedHashMap<>();
  private final Map<String, Long> sequences = new HashMap<>();
  private final Map<String, Long> tokens = new HashMap<>();

  /** After a restart of the server: the members that have gone since, and whether they died. */
  private final Map<String, Boolean> gone = new HashMap<>();

  /** After a restart of the server: the members known by name that have not come back yet. */
  private final Set<String> missing = new HashSet<>();

  private final Condition complete = lock.newCondition();

  private boolean isRestored;
  private int joined;
  private int died;
  private @Nullable InstanceIdentifier terminator;
  private boolean ended;

  /**
   * Creates an empty pool.
   *
   * @param tooSlow receives members that do not read; must not block
   * @param log receives events as text
   */
  ServerPool(
      String name, Rules rules, BiConsumer<ServerPool, Member> tooSlow, Consumer<String> log) {
    this.name = name;
    this.rules = rules;
    this.tooSlow = tooSlow;
    this.log = log;
  }

  String name() {
    return name;
  }

  Rules rules() {
    return rules;
  }

  /** Returns a snapshot of the members, in order of joining. */
  List<Member> members() {
    lock.lock();
    try {
      return List.copyOf(members.values());
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the last member has gone; the pool's name is then free for a new pool. */
  boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a member, sends it the state of the pool and announces it to the others.
   *
   * @return {@code null} if the pool has ended meanwhile
   * @throws JoinRefusedException if it may not join
   */
  @Nullable Member join(
      Rules asked,
      LocationImpl location,
      String port,
      byte @Nullable [] tag,
      Consumer<? super Request> requests)
      throws JoinRefusedException {
    lock.lock();
    try {
      if (ended) {
        return null;
      }
      check(asked);
      var identifier = new InstanceIdentifier(name, "Ibis " + joined, location, tag, port);
      var member = new Member(identifier, requests);
      joined++;
      for (Member present : members.values()) {
        tell(member, joinedEvent(present.identifier));
      }
      members.put(identifier.name(), member);
      tellAll(joinedEvent(identifier));
      winners.forEach((election, winner) -> tell(member, electedEvent(election, winner)));
      log.accept(identifier + " joined");
      if (isClosed()) {
        tellAll(RegistryProtocol.event(RegistryProtocol.EVENT_CLOSED, out -> {}));
        log.accept("pool " + name + " closed with " + joined + " members");
      }
      return member;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Readmits a former member after a restart of the server.
   *
   * @return {@code null} if the pool has ended meanwhile
   * @throws JoinRefusedException if its knowledge contradicts that of members that came back before
   */
  @Nullable Member rejoin(
      Rules asked, InstanceIdentifier self, PoolHistory history, Consumer<? super Request> requests)
      throws JoinRefusedException {
    lock.lock();
    try {
      if (ended) {
        return null;
      }
      checkRules(asked);
      checkHistory(self, history);
      int number = PoolHistory.numberOf(self);
      isRestored = true;
      var member = new Member(self, requests);
      missing.remove(self.name());
      Member former = members.put(self.name(), member);
      if (former != null) {
        former.session.close();
      }
      // The history may lack the member itself, whose link can break before its first event.
      joined = Math.max(joined, number + 1);
      restore(history, requests);
      signalIfComplete();
      tellAll(joinedEvent(self));
      tellDifference(member, history);
      log.accept(self + " came back after a restart of the server");
      return member;
    } finally {
      lock.unlock();
    }
  }

  private void checkHistory(InstanceIdentifier self, PoolHistory history)
      throws JoinRefusedException {
    if (gone.containsKey(self.name())) {
      throw new JoinRefusedException("this instance was declared dead, and is no longer a member");
    }
    if (joined > 0 && !isRestored) { // its names, winners and numbers belong to another pool
      throw new JoinRefusedException(
          "pool '"
              + name
              + "' has begun anew, before its former members came back; start this program again");
    }
    var all = new ArrayList<>(history.members());
    all.add(self);
    for (InstanceIdentifier known : all) {
      Member present = members.get(known.name());
      if (present != null && !present.identifier.port().equals(known.port())) {
        throw new JoinRefusedException(
            "pool '"
                + name
                + "' has begun anew, before its former members came back: '"
                + known.name()
                + "' is another instance now; start this program again");
      }
    }
  }

  /** Merges the knowledge of a readmitted member into the pool's state. */
  private void restore(PoolHistory history, Consumer<? super Request> requests) {
    joined = Math.max(joined, history.joined());
    for (InstanceIdentifier known : history.members()) {
      if (!members.containsKey(known.name()) && !gone.containsKey(known.name())) {
        members.put(known.name(), new Member(known, requests));
        missing.add(known.name());
        tellAll(joinedEvent(known));
      }
    }
    history
        .winners()
        .forEach(
            (election, winner) -> {
              if (members.containsKey(winner.name()) && !winners.containsKey(election)) {
                winners.put(election, winner);
                tellAll(electedEvent(election, winner));
              }
            });
    history.sequences().forEach((sequence, next) -> sequences.merge(sequence, next, Math::max));
    if (terminator == null && history.terminator() != null) {
      terminator = history.terminator();
      tellAll(terminatedEvent());
    }
    if (isClosed()) {
      tellAll(RegistryProtocol.event(RegistryProtocol.EVENT_CLOSED, out -> {}));
    }
  }

  private void signalIfComplete() {
    if (missing.isEmpty()) {
      complete.signalAll();
    }
  }

  /** Waits, after a restart of the server, for members that may know more; holds the lock. */
  private void awaitFormerMembers() {
    long left = MOST_WAITED_NANOS;
    try {
      while (!missing.isEmpty() && left > 0) {
        left = complete.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // proceeds with the present knowledge
    }
  }

  /** Sends a readmitted member the events that it may have missed, perhaps again. */
  private void tellDifference(Member member, PoolHistory history) {
    for (Member present : members.values()) {
      tell(member, joinedEvent(present.identifier));
    }
    for (InstanceIdentifier known : history.members()) {
      Boolean hasDied = gone.get(known.name());
      if (hasDied != null) {
        tell(member, goneEvent(known, hasDied));
      }
    }
    for (String election : history.winners().keySet()) {
      if (!winners.containsKey(election)) {
        tell(member, electedEvent(election, null));
      }
    }
    winners.forEach((election, winner) -> tell(member, electedEvent(election, winner)));
    if (terminator != null) {
      tell(member, terminatedEvent());
    }
  }

  private byte[] terminatedEvent() {
    InstanceIdentifier source = Objects.requireNonNull(terminator, "the pool is terminated");
    return RegistryProtocol.event(RegistryProtocol.EVENT_TERMINATED, out -> source.writeTo(out));
  }

  private static byte[] goneEvent(InstanceIdentifier member, boolean hasDied) {
    return RegistryProtocol.event(
        hasDied ? RegistryProtocol.EVENT_DIED : RegistryProtocol.EVENT_LEFT,
        out -> member.writeTo(out));
  }

  private void check(Rules asked) throws JoinRefusedException {
    if (terminator != null) {
      throw new JoinRefusedException(
          "pool '" + name + "' was terminated by " + terminator + "; use another name");
    }
    if (isClosed()) {
      throw new JoinRefusedException(
          "pool '"
              + name
              + "' is closed: all "
              + rules.closedWorldSize()
              + " members have joined; use another name, or a larger 'ibis.pool.size'");
    }
    checkRules(asked);
  }

  private void checkRules(Rules asked) throws JoinRefusedException {
    if (!asked.implementation().equals(rules.implementation())) {
      throw new JoinRefusedException(
          "the members of pool '"
              + name
              + "' run '"
              + rules.implementation()
              + "', this one '"
              + asked.implementation()
              + "'; all have to run the same release");
    }
    if (!asked.equals(rules)) {
      throw new JoinRefusedException(
          "pool '"
              + name
              + "' has "
              + describe(rules)
              + ", and this member asks for "
              + describe(asked)
              + "; give all members the same properties and capabilities");
    }
  }

  private static String describe(Rules rules) {
    return (rules.isClosedWorld()
            ? "a closed world of " + rules.closedWorldSize() + " members"
            : "an open world")
        + " and a heartbeat interval of "
        + rules.heartbeatMillis()
        + " ms";
  }

  private boolean isClosed() {
    return rules.isClosedWorld() && joined >= rules.closedWorldSize();
  }

  /** Returns the member that reconnects; {@code null} if it is unknown or the key is wrong. */
  @Nullable Member find(String memberName, long key, long moreKey) {
    Member member = find(memberName);
    return member != null && member.key[0] == key && member.key[1] == moreKey ? member : null;
  }

  @Nullable Member find(String memberName) {
    lock.lock();
    try {
      return members.get(memberName);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a member, unless it has gone already, and notifies the others. */
  boolean remove(Member member, boolean hasDied, String why) {
    lock.lock();
    try {
      if (!members.remove(member.identifier.name(), member)) {
        return false;
      }
      missing.remove(member.identifier.name());
      signalIfComplete();
      if (isRestored) {
        gone.put(member.identifier.name(), hasDied);
      }
      tellAll(goneEvent(member.identifier, hasDied));
      log.accept(member.identifier + (hasDied ? " died: " + why : " left"));
      var lost = new ArrayList<String>();
      winners.forEach(
          (election, winner) -> {
            if (winner.equals(member.identifier)) {
              lost.add(election);
            }
          });
      for (String election : lost) {
        winners.remove(election);
        tellAll(electedEvent(election, null));
      }
      died += hasDied ? 1 : 0;
      if (members.isEmpty()) {
        ended = true;
        log.accept(
            RegistryServer.ENDED
                + name
                + "; "
                + joined
                + " members had joined, "
                + died
                + " had died");
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the winner of an election; the member wins if there is none yet. */
  InstanceIdentifier elect(Member member, String election) {
    lock.lock();
    try {
      if (!winners.containsKey(election)) {
        awaitFormerMembers();
      }
      requireMember(member);
      InstanceIdentifier winner = winners.get(election);
      if (winner == null) {
        winner = member.identifier;
        winners.put(election, winner);
        tellAll(electedEvent(election, winner));
        log.accept(winner + " won election '" + election + "'");
      }
      return winner;
    } finally {
      lock.unlock();
    }
  }

  long nextNumber(Member member, String sequence) {
    lock.lock();
    try {
      awaitFormerMembers();
      requireMember(member);
      return sequences.merge(sequence, 1L, Long::sum) - 1;
    } finally {
      lock.unlock();
    }
  }

  void addTokens(Member member, String bag, int count) {
    lock.lock();
    try {
      requireMember(member);
      if (count < 0) {
        throw new IllegalArgumentException(
            "cannot add " + count + " tokens '" + bag + "'; add 0 or more");
      }
      tokens.merge(bag, (long) count, Long::sum);
    } finally {
      lock.unlock();
    }
  }

  boolean takeToken(Member member, String bag) {
    lock.lock();
    try {
      requireMember(member);
      if (isRestored && !tokens.containsKey(bag)) {
        throw new IllegalArgumentException(
            "how many tokens '"
                + bag
                + "' were left is lost, as the server was restarted; add those that are left again");
      }
      long left = tokens.getOrDefault(bag, 0L);
      if (left == 0) {
        return false;
      }
      tokens.put(bag, left - 1);
      return true;
    } finally {
      lock.unlock();
    }
  }

  void signal(Member source, String signal, List<String> targets) {
    lock.lock();
    try {
      requireMember(source);
      byte[] event =
          RegistryProtocol.event(
              RegistryProtocol.EVENT_SIGNAL,
              out -> {
                out.writeUTF(signal);
                source.identifier.writeTo(out);
              });
      for (String target : targets) {
        Member member = members.get(target);
        if (member != null) {
          tell(member, event);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void terminate(Member source) {
    lock.lock();
    try {
      requireMember(source);
      if (terminator == null) {
        terminator = source.identifier;
        tellAll(terminatedEvent());
        log.accept(source.identifier + " terminated pool " + name);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notifies all members that the server ends. */
  void serverEnds() {
    lock.lock();
    try {
      tellAll(RegistryProtocol.event(RegistryProtocol.SERVER_ENDS, out -> {}));
    } finally {
      lock.unlock();
    }
  }

  private void requireMember(Member member) {
    if (members.get(member.identifier.name()) != member) {
      throw new IllegalArgumentException(member.identifier + " is no longer a member");
    }
  }

  private static byte[] joinedEvent(InstanceIdentifier identifier) {
    return RegistryProtocol.event(RegistryProtocol.EVENT_JOINED, out -> identifier.writeTo(out));
  }

  private static byte[] electedEvent(String election, @Nullable InstanceIdentifier winner) {
    return RegistryProtocol.event(
        RegistryProtocol.EVENT_ELECTED,
        out -> {
          out.writeUTF(election);
          out.writeBoolean(winner != null);
          if (winner != null) {
            winner.writeTo(out);
          }
        });
  }

  private void tellAll(byte[] event) {
    for (Member member : members.values()) {
      tell(member, event);
    }
  }

  private void tell(Member member, byte[] event) {
    if (!member.session.send(event)) {
      tooSlow.accept(this, member);
    }
  }
}
