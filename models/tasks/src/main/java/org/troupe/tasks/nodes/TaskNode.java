package org.troupe.tasks.nodes;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.tasks.engine.Departure;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.JobName;
import org.troupe.tasks.engine.JobSource;
import org.troupe.tasks.engine.Spawn;

/**
 * One node's part in a set of tasks: the tasks that its engine takes from other nodes, and gives to
 * them.
 */
final class TaskNode implements BodyExtension, JobSource {

  /*
   * Design: stealing between nodes
   *
   * All messages are packets, whose tag is (operation, number). Packets of one sender arrive in the order sent.
   *
   *   thief                               victim
   *   STEAL ------------------------------>  takes the oldest shared jobs out of its engine (Departure),
   *         <------------- TASKS b, or REFUSED   writes them down under the numbers b * BATCH + i
   *   decodes them on a worker, executes them
   *   RESULT, FAILED or RETURNED n ------->  forgets the number, ends the departure or gives it to its own workers
   *         <--------------------- ABORT n   the number is forgotten: a later result is dropped
   *   UNREAD b --------------------------->  the jobs of the batch could not be decoded: they fail with the reason
   *   UNTOUCHED b ------------------------>  the jobs of the batch come back
   *   LIFELINE --------------------------->  remembers the thief until it has more jobs than idle workers, then TASKS
   *
   * The reader of the link answers STEAL, from the shared parts of the deques, so an answer never waits for a worker. It
   * encodes jobs and decodes nothing; values of users' classes are decoded by workers.
   *
   * A node without work has at most one request to its own cluster and one to all others outstanding, whatever the
   * number of its workers. An answer 'refused' lets the reader send the next request, while workers are idle. After as many
   * refusals in a row as there are nodes (16 at most) the node falls silent and tells its lifelines. It begins anew when a
   * task has come, or after a second.
   *
   * Each job that has departed is in 'away' until its outcome is known, so of a lost thief all jobs are repeated:
   * 'lost' and 'send' both look after the other has written (the entry, the loss), so none slips through.
   *
   * Orphans. A job here whose owner (the node that waits for it) is lost goes on, and its name is told to all. When a
   * repeated job forks a child of that name, its node claims it: the orphan gets a new owner, and a result that was there before is
   * sent at once. A repeated job may so wait for an older one, and is executed at the bottom of a stack only (see
   * Worker.mayRunAbove); a node whose workers all wait returns it. So what was taken from a lost node is not computed twice, and the claim is the usual case of a job
   * that is away. A fork that comes before the news computes it twice.
   */

  private static final Logger LOG = System.getLogger(TaskNode.class.getName());

  private static final int STEAL = 1;
  private static final int TASKS = 2;
  private static final int REFUSED = 3;
  private static final int RESULT = 4;
  private static final int FAILED = 5;
  private static final int RETURNED = 6;
  private static final int ABORT = 7;
  private static final int UNREAD = 8;
  private static final int LIFELINE = 9;
  private static final int UNTOUCHED = 10;
  private static final int SAVED = 11;
  private static final int CLAIM = 12;

  private static final int OPERATION_BITS = 8;
  private static final int BATCH_BITS = 6;
  private static final int BATCH = 1 << BATCH_BITS;
  private static final int MOST_FAILURES = 16;
  private static final int MOST_EARLY_ABORTS = 1_000;
  private static final long SILENCE_NANOS = 1_000_000_000;

  private final Key key;
  private final int number;
  private final Settings settings;
  private final Engine engine;
  private final Map<Integer, TaskMember> members = new ConcurrentHashMap<>();
  private final Map<NodeId, String> lost = new ConcurrentHashMap<>();

  private final AtomicLong batches = new AtomicLong();
  private final Map<Long, Away> away = new ConcurrentHashMap<>();
  private final Map<Owner, Work> here = new ConcurrentHashMap<>();
  private final Map<JobName, Work> orphans = new ConcurrentHashMap<>();
  private final Map<JobName, Holder> savedElsewhere = new ConcurrentHashMap<>();
  private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> lifelines = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong fromCluster = new AtomicLong();
  private final AtomicLong fromBeyond = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong saved = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();
  // guarded by lock
  private final Map<Spawn, List<String>> losses = new IdentityHashMap<>();
  private final Set<Owner> earlyAborts = new LinkedHashSet<>();
  private final List<Integer> early = new ArrayList<>(); // requests of nodes that are not known yet
  private @Nullable TaskMember near;
  private @Nullable TaskMember far;
  private int failures;
  private boolean isSilent;
  private long silentSince;
  private @Nullable CompletableFuture<Void> left;

  private volatile boolean paused;
  private volatile boolean closed;
  private volatile boolean hasWarned;

  /** A job that another node executes. */
  private record Away(Departure departure, TaskMember thief) {}

  /** A job of another node. */
  private static final class Work {
    final Spawn job;
    final JobName name;
    // guarded by this
    @Nullable Owner owner; // null: an orphan that was not claimed
    boolean hasEnded;

    Work(Spawn job, JobName name, Owner owner) {
      this.job = job;
      this.name = name;
      this.owner = owner;
    }
  }

  /** Where an orphan is. */
  private record Holder(int member, long fingerprint) {}

  /** The node that waits for a job, and the number that it gave it. */
  private record Owner(int member, long job) {}

  /** Jobs that have come and are not decoded. */
  private record Arrival(TaskMember owner, long batch, Packet parcel) {}

  TaskNode(Key key, int number, Settings settings, Engine engine) {
    this.key = key;
    this.number = number;
    this.settings = settings;
    this.engine = engine;
    engine.connect(this);
  }

  @Override
  public Key key() {
    return key;
  }

  Engine engine() {
    return engine;
  }

  @Override
  public void attached(Ref<?> self) {}

  void joined(TaskMember member) {
    members.put(member.number(), member);
    boolean hasAsked;
    lock.lock();
    try {
      hasAsked = early.removeIf(each -> each == member.number());
      failures = 0;
      isSilent = false;
    } finally {
      lock.unlock();
    }
    if (hasAsked) {
      steal(member);
    }
    engine.wake();
  }

  /** Returns how many other nodes take part. */
  int others() {
    return (int) members.values().stream().filter(this::isAlive).filter(m -> !isSelf(m)).count();
  }

  private boolean isSelf(TaskMember member) {
    return member.number() == number;
  }

  private boolean isAlive(TaskMember member) {
    return !lost.containsKey(member.node());
  }

  // The thief.

  @Override
  public @Nullable Spawn ask(boolean isIdle) {
    var job = nextArrived(isIdle);
    if (job == null && !paused && !closed) {
      request();
    }
    return job;
  }

  @Override
  public boolean hasArrived() {
    return !arrivals.isEmpty();
  }

  private @Nullable Spawn nextArrived(boolean isIdle) {
    Arrival arrival;
    while ((arrival = arrivals.poll()) != null) {
      TaskParcel parcel;
      try {
        parcel = (TaskParcel) Objects.requireNonNull(arrival.parcel.value(), "a parcel");
      } catch (Throwable unreadable) {
        unreadable(arrival, unreadable);
        continue;
      }
      Spawn first = null;
      for (int i = 0; i < parcel.jobs().size(); i++) {
        var owner = new Owner(arrival.owner.number(), arrival.batch * BATCH + i);
        var job = parcel.jobs().get(i);
        if (parcel.repeated().get(i) && (!isIdle || first != null)) {
          send(arrival.owner, RETURNED, owner.job, null); // as it may have to wait for older ones
          continue;
        }
        var work = new Work(job, parcel.names().get(i), owner);
        here.put(owner, work);
        engine.arrive(job, work.name, parcel.repeated().get(i), ended -> ended(work));
        if (wasAborted(owner)) {
          engine.cancel(job);
        }
        if (first == null) {
          first = job;
        } else {
          engine.give(job);
        }
      }
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  private void unreadable(Arrival arrival, Throwable reason) {
    try {
      send(arrival.owner, UNREAD, arrival.batch, reason);
    } catch (Throwable cannotTravel) { // else the owner would wait for ever
      var why = "a task cannot be decoded: " + reason.getClass().getName();
      send(arrival.owner, UNREAD, arrival.batch, new IllegalStateException(why));
    }
  }

  private boolean wasAborted(Owner owner) {
    lock.lock();
    try {
      return earlyAborts.remove(owner) || !members.containsKey(owner.member);
    } finally {
      lock.unlock();
    }
  }

  /** Sends requests for tasks, if none are outstanding and it is not the time to be silent. */
  private void request() {
    if (!lock.tryLock()) {
      return;
    }
    TaskMember askNear = null;
    TaskMember askFar = null;
    List<TaskMember> told = List.of();
    try {
      if (isSilent && System.nanoTime() - silentSince > SILENCE_NANOS) {
        isSilent = false;
        failures = Math.max(0, failures - 1);
      }
      if (isSilent) {
        return;
      }
      var self = members.get(number);
      var all = members.values().stream().filter(m -> !isSelf(m) && isAlive(m)).toList();
      if (all.isEmpty()) {
        return;
      }
      var victims =
          switch (settings.strategy()) {
            case RS -> all;
            case MW -> all.stream().filter(m -> m.number() == 0).toList();
            case CRS -> all.stream().filter(m -> isNear(self, m)).toList();
          };
      var beyond =
          settings.strategy() == Strategy.CRS
              ? all.stream().filter(m -> !isNear(self, m)).toList()
              : List.<TaskMember>of();
      if (failures >= Math.min(MOST_FAILURES, all.size())) {
        isSilent = true;
        silentSince = System.nanoTime();
        told = lifelinesAmong(victims, beyond);
      } else {
        if (near == null && !victims.isEmpty()) {
          near = askNear = victims.get(ThreadLocalRandom.current().nextInt(victims.size()));
        }
        if (far == null && !beyond.isEmpty()) {
          far = askFar = beyond.get(ThreadLocalRandom.current().nextInt(beyond.size()));
        }
      }
    } finally {
      lock.unlock();
    }
    for (var member : told) {
      send(member, LIFELINE, 0, null);
    }
    ask(askNear);
    ask(askFar);
  }

  private static boolean isNear(@Nullable TaskMember self, TaskMember other) {
    return self == null || self.cluster().equals(other.cluster());
  }

  /** The members at distances of powers of 2 behind this one in its cluster, and one beyond. */
  private List<TaskMember> lifelinesAmong(List<TaskMember> cluster, List<TaskMember> beyond) {
    var ring = cluster.stream().sorted((a, b) -> Integer.compare(place(a), place(b))).toList();
    var chosen = new ArrayList<TaskMember>();
    for (int distance = 1; distance <= ring.size(); distance *= 2) {
      chosen.add(ring.get(distance - 1));
    }
    if (!beyond.isEmpty()) {
      chosen.add(beyond.get(ThreadLocalRandom.current().nextInt(beyond.size())));
    }
    var home = members.get(0);
    if (home != null && number != 0 && !chosen.contains(home)) {
      chosen.add(home); // which has the root tasks
    }
    return chosen;
  }

  /** The place of a member on the ring that begins behind this one. */
  private int place(TaskMember member) {
    return member.number() > number ? member.number() - number : member.number() + (1 << 30);
  }

  private void ask(@Nullable TaskMember victim) {
    if (victim != null) {
      requests.incrementAndGet();
      send(victim, STEAL, 0, null);
      if (!isAlive(victim)) {
        answered(victim, true);
      }
    }
  }

  /** Returns whether the member was asked. */
  private boolean answered(TaskMember by, boolean isRefusal) {
    boolean wasAsked = true;
    lock.lock();
    try {
      if (near != null && near.number() == by.number()) {
        near = null;
        failures = isRefusal ? failures + 1 : 0;
      } else if (far != null && far.number() == by.number()) {
        far = null;
        failures = isRefusal ? failures : 0;
      } else {
        wasAsked = false;
      }
      if (!isRefusal) {
        failures = 0;
        isSilent = false;
      }
    } finally {
      lock.unlock();
    }
    return wasAsked;
  }

  private void arrived(TaskMember owner, long batch, Packet parcel) {
    if (!answered(owner, false) && !engine.hasIdleWorker()) {
      send(owner, UNTOUCHED, batch, null); // the lifeline is from a time without work
      return;
    }
    (isNear(members.get(number), owner) ? fromCluster : fromBeyond).incrementAndGet();
    arrivals.add(new Arrival(owner, batch, parcel));
    if (closed) {
      giveBackArrivals();
    }
    engine.wake();
  }

  private void refused(TaskMember by) {
    answered(by, true);
    if (engine.hasIdleWorker() && !paused && !closed) {
      request();
    }
  }

  /** Reports the end of a job of another node, on the thread of the worker that has executed it. */
  private void ended(Work work) {
    Owner owner;
    synchronized (work) {
      work.hasEnded = true;
      owner = work.owner;
    }
    if (owner != null) {
      answer(owner, work.job);
    }
    checkLeft();
  }

  private void answer(Owner owner, Spawn job) {
    here.remove(owner);
    var member = members.get(owner.member);
    if (member == null) {
      return;
    }
    var failure = Engine.failureOf(job);
    if (failure == null) {
      try {
        send(member, RESULT, owner.job, Engine.outcomeOf(job));
      } catch (Throwable cannotTravel) { // else the owner would wait for ever
        fail(member, owner.job, cannotTravel);
      }
    } else if (Engine.isCancellation(failure)) {
      send(member, RETURNED, owner.job, null);
    } else {
      fail(member, owner.job, failure);
    }
  }

  private void fail(TaskMember member, long job, Throwable failure) {
    try {
      send(member, FAILED, job, failure);
    } catch (Throwable cannotTravel) { // else the owner would wait for ever
      send(
          member,
          FAILED,
          job,
          new IllegalStateException(
              "a task has failed with a "
                  + failure.getClass().getName()
                  + ", which cannot be sent: "
                  + cannotTravel.getClass().getName()));
    }
  }

  // The victim.

  private void steal(TaskMember thief) {
    var departures = paused ? List.<Departure>of() : engine.depart(BATCH);
    if (departures.isEmpty()) {
      send(thief, REFUSED, 0, null);
      engine.askToShare();
    } else {
      dispatch(thief, departures);
    }
  }

  private void dispatch(TaskMember thief, List<Departure> departures) {
    long batch = batches.incrementAndGet();
    for (int i = 0; i < departures.size(); i++) {
      away.put(batch * BATCH + i, new Away(departures.get(i), thief));
    }
    try {
      send(
          thief,
          TASKS,
          batch,
          new TaskParcel(
              departures.stream().map(Departure::job).toList(),
              departures.stream().map(Departure::name).toList(),
              departures.stream().map(Departure::isRepeated).toList()));
    } catch (Throwable cannotTravel) { // an error, too, would leave the frame waiting
      for (int i = 0; i < departures.size(); i++) {
        away.remove(batch * BATCH + i);
      }
      if (departures.size() > 1) {
        departures.forEach(each -> dispatch(thief, List.of(each)));
      } else {
        departures.getFirst().ended(job -> raise(cannotTravel));
        send(thief, REFUSED, 0, null);
      }
      return;
    }
    var why = lost.get(thief.node());
    if (why != null) {
      repeatAllOf(thief.node(), why);
    }
  }

  @Override
  public void fed() {
    while (!lifelines.isEmpty() && engine.shared() > engine.idleWorkers()) {
      var waiting = lifelines.poll();
      var thief = waiting == null ? null : members.get(waiting);
      if (thief != null && isAlive(thief)) {
        var departures = engine.depart(BATCH);
        if (departures.isEmpty()) {
          lifelines.add(waiting);
          break;
        }
        dispatch(thief, departures);
      }
    }
    if (!lifelines.isEmpty()) {
      engine.askToShare();
    }
  }

  @Override
  public void cancelled() {
    away.forEach(
        (job, entry) -> {
          if (entry.departure.isCancelled() && away.remove(job, entry)) {
            entry.departure.cancelled();
            send(entry.thief, ABORT, job, null);
          }
        });
  }

  private void abort(TaskMember owner, long job) {
    var at = new Owner(owner.number(), job);
    var running = here.get(at);
    if (running != null) {
      engine.cancel(running.job);
      return;
    }
    lock.lock();
    try {
      earlyAborts.add(at);
      if (earlyAborts.size() > MOST_EARLY_ABORTS) {
        earlyAborts.remove(earlyAborts.iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  private void unread(long batch, Packet reason) {
    for (int i = 0; i < BATCH; i++) {
      var entry = away.remove(batch * BATCH + i);
      if (entry != null) {
        entry.departure.ended(job -> raise((Throwable) reason.value()));
      }
    }
  }

  private static void raise(@Nullable Throwable failure) throws Throwable {
    throw failure == null ? new IllegalStateException("the task has failed") : failure;
  }

  // Packets.

  @Override
  public void received(int from, long tag, Packet packet) {
    var member = members.get(from);
    int operation = (int) tag & (1 << OPERATION_BITS) - 1;
    long subject = tag >>> OPERATION_BITS;
    if (member == null) {
      if (operation == STEAL) {
        askedEarly(from);
      }
      return;
    }
    switch (operation) {
      case STEAL -> steal(member);
      case TASKS -> arrived(member, subject, packet);
      case REFUSED -> refused(member);
      case RESULT -> outcome(subject, job -> setOutcome(job, packet));
      case FAILED -> outcome(subject, job -> raise((Throwable) packet.value()));
      case RETURNED -> returned(subject);
      case ABORT -> abort(member, subject);
      case UNREAD -> unread(subject, packet);
      case SAVED -> saved(from, (SavedJobs) Objects.requireNonNull(packet.value()));
      case CLAIM -> claimed(member, subject, (JobName) Objects.requireNonNull(packet.value()));
      case UNTOUCHED -> {
        for (int i = 0; i < BATCH; i++) {
          returned(subject * BATCH + i);
        }
      }
      case LIFELINE -> {
        if (!lifelines.contains(from)) {
          lifelines.add(from);
        }
        fed(); // jobs may have come since this node refused some
      }
      default -> LOG.log(Level.WARNING, "Packet with unknown operation {0} dropped", operation);
    }
  }

  private static void setOutcome(Spawn job, Packet packet) {
    Engine.setOutcome(job, packet.value());
  }

  private void askedEarly(int from) {
    lock.lock();
    try {
      early.add(from);
    } finally {
      lock.unlock();
    }
    var now = members.get(from);
    if (now != null) {
      joined(now);
    }
  }

  private void outcome(long job, Departure.Outcome outcome) {
    var entry = away.remove(job);
    if (entry != null) {
      forgetLosses(entry.departure.job());
      entry.departure.ended(outcome);
    }
  }

  private void returned(long job) {
    var entry = away.remove(job);
    if (entry != null) {
      entry.departure.comeBack();
      fed();
    }
  }

  private void send(TaskMember member, int operation, long subject, @Nullable Object value) {
    Collectives.current()
        .sendToNode(
            ActiveObjects.ref(member.host()),
            key,
            number,
            subject << OPERATION_BITS | operation,
            value);
  }

  // Losses, leaves, ends.

  @Override
  public void lost(NodeId node, String why) {
    if (lost.putIfAbsent(node, why) != null) {
      return;
    }
    repeatAllOf(node, why);
    for (var member : List.copyOf(members.values())) {
      if (member.node().equals(node)) {
        lifelines.remove(member.number());
        answered(member, true);
        arrivals.removeIf(arrival -> arrival.owner.number() == member.number());
        members.remove(member.number());
        savedElsewhere.values().removeIf(holder -> holder.member == member.number());
        Thread.startVirtualThread(() -> orphan(member.number())); // encodes users' objects
      }
    }
    engine.wake();
  }

  /** Keeps or drops the jobs that a lost node waits for. */
  private void orphan(int owner) {
    var names = new ArrayList<JobName>();
    var fingerprints = new ArrayList<Long>();
    for (var entry : List.copyOf(here.entrySet())) {
      if (entry.getKey().member != owner || here.remove(entry.getKey()) == null) {
        continue;
      }
      var work = entry.getValue();
      if (!settings.keepsOrphans()) {
        engine.cancel(work.job);
        continue;
      }
      synchronized (work) {
        work.owner = null;
      }
      orphans.put(work.name, work);
      names.add(work.name);
      fingerprints.add(Fingerprint.of(work.job));
    }
    if (!names.isEmpty()) {
      var news = new SavedJobs(names, fingerprints);
      for (var member : members.values()) {
        send(member, SAVED, 0, news);
      }
    }
    checkLeft();
  }

  private void saved(int holder, SavedJobs news) {
    for (int i = 0; i < news.names().size(); i++) {
      savedElsewhere.put(news.names().get(i), new Holder(holder, news.fingerprints().get(i)));
    }
  }

  @Override
  public boolean claim(Departure fork) {
    if (savedElsewhere.isEmpty()) {
      return false;
    }
    var name = fork.name();
    var holder = savedElsewhere.remove(name);
    var member = holder == null ? null : members.get(holder.member);
    if (holder == null || member == null) {
      return false;
    }
    if (Fingerprint.of(fork.job()) != holder.fingerprint) {
      if (!hasWarned) {
        hasWarned = true;
        LOG.log(
            Level.WARNING,
            "{0} is repeated with other arguments than before its node was lost, so its saved"
                + " result is not used; the forks of the program depend on chance or time",
            fork);
      }
      return false;
    }
    long job = batches.incrementAndGet() * BATCH;
    away.put(job, new Away(fork, member));
    saved.incrementAndGet();
    send(member, CLAIM, job, name);
    var why = lost.get(member.node());
    if (why != null) {
      repeatAllOf(member.node(), why);
    }
    return true;
  }

  /** Gives an orphan to the node that waits for it now. */
  private void claimed(TaskMember by, long job, JobName name) {
    var work = orphans.remove(name);
    if (work == null) {
      send(by, RETURNED, job, null);
      return;
    }
    var owner = new Owner(by.number(), job);
    here.put(owner, work);
    boolean hasEnded;
    synchronized (work) {
      work.owner = owner;
      hasEnded = work.hasEnded;
    }
    if (hasEnded) {
      answer(owner, work.job);
    }
    if (!isAlive(by)) {
      orphan(by.number());
    }
  }

  /** Forgets orphans; no task runs any more that could need them. */
  void forget() {
    savedElsewhere.clear();
    for (var name : List.copyOf(orphans.keySet())) {
      var work = orphans.remove(name);
      if (work != null) {
        engine.cancel(work.job);
      }
    }
    checkLeft();
  }

  private void repeatAllOf(NodeId node, String why) {
    away.forEach(
        (job, entry) -> {
          if (entry.thief.node().equals(node) && away.remove(job, entry)) {
            repeat(entry.departure, why);
          }
        });
  }

  private void repeat(Departure departure, String why) {
    List<String> reasons;
    lock.lock();
    try {
      reasons = losses.computeIfAbsent(departure.job(), job -> new ArrayList<>());
      reasons.add(why);
      reasons = List.copyOf(reasons);
    } finally {
      lock.unlock();
    }
    if (reasons.size() > settings.retries()) {
      forgetLosses(departure.job());
      var all = String.join("; ", reasons);
      departure.ended(
          job ->
              raise(
                  new IllegalStateException(
                      "the nodes of "
                          + job.getClass().getName()
                          + " were lost each time it ran, "
                          + settings.retries()
                          + " times after the first: "
                          + all
                          + ". Raise -Dtroupe.tasks.retries if the task is not the cause")));
    } else {
      repeated.incrementAndGet();
      departure.repeat();
      fed();
    }
  }

  private void forgetLosses(Spawn job) {
    if (!lost.isEmpty()) {
      lock.lock();
      try {
        losses.remove(job);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Takes nothing from others any more, and gives back what was not begun. */
  CompletableFuture<Void> leave() {
    CompletableFuture<Void> done;
    lock.lock();
    try {
      if (left == null) {
        left = new CompletableFuture<>();
      }
      done = left;
    } finally {
      lock.unlock();
    }
    closed = true;
    engine.leave(settings.leave().toNanos());
    giveBackArrivals();
    checkLeft();
    return done;
  }

  private void giveBackArrivals() {
    Arrival arrival;
    while ((arrival = arrivals.poll()) != null) {
      send(arrival.owner, UNTOUCHED, arrival.batch, null);
    }
  }

  private void checkLeft() {
    CompletableFuture<Void> done;
    lock.lock();
    try {
      done = left;
    } finally {
      lock.unlock();
    }
    if (done != null && here.isEmpty() && away.isEmpty()) {
      done.complete(null);
    }
  }

  boolean hasLost() {
    return !lost.isEmpty();
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    engine.wake();
  }

  void close() {
    closed = true;
    for (var work : here.values()) {
      engine.cancel(work.job);
    }
    for (var work : orphans.values()) {
      engine.cancel(work.job);
    }
    engine.close();
  }

  NodeTotals totals() {
    return new NodeTotals(
        engine.totals(),
        requests.get(),
        fromCluster.get(),
        fromBeyond.get(),
        repeated.get(),
        saved.get());
  }
}
