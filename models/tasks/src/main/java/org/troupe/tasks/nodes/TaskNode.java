package org.troupe.tasks.nodes;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.JobDeparture;
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
   * All messages are packets, whose tag is (kind, number). Packets of one sender arrive in the order sent.
   *
   *   thief                               victim
   *   STEAL ------------------------------>  takes the oldest shared jobs out of its engine (JobDeparture),
   *         <----------- TASKS b, or REFUSED o   writes them down under the numbers b * BATCH + i
   *   decodes them on a worker, executes them
   *   RESULT, FAILED or RETURNED n ------->  forgets the number, ends the departure or gives it to its own workers
   *         <--------------------- ABORT n   the number is forgotten: a later result is dropped
   *   UNREAD b --------------------------->  the jobs of the batch could not be decoded: they fail with the reason
   *   UNTOUCHED b ------------------------>  the jobs of the batch come back
   *         <--------------------- LABELLED b  in place of TASKS, one job that has a label
   *   LIFELINE --------------------------->  remembers the thief until it has more jobs than idle workers, then TASKS
   *         <--------------------- OFFER o   has jobs for a label of the thief, which sends STEAL as soon as it is idle
   *
   * Jobs with a label lie in queues of their own, from which only a node with the label gets them, one at a time. If the
   * last node with the label is lost, the jobs that wait fail. A thief whose workers have found other jobs meanwhile gives such
   * a job back.
   *
   * The reader of the link answers STEAL, from the shared parts of the deques, so an answer never waits for a worker. It
   * encodes jobs and decodes nothing; values of users' classes are decoded by workers.
   *
   * This class passes packets and events on. StealRequests asks, TakenJobs has the jobs for which other nodes wait,
   * DepartedJobs those for which this node waits, Lifelines the nodes that wait for work, Orphans the jobs whose owner is
   * lost. Each has the protocol of its part.
   */

  private static final Logger LOG = System.getLogger(TaskNode.class.getName());

  private final Key key;
  private final Settings settings;
  private final Engine engine;
  private final TaskPeers peers;
  private final StealRequests requests;
  private final TakenJobs taken;
  private final DepartedJobs departed;
  private final Lifelines lifelines;
  private final Orphans orphans;
  private final AtomicLong fromCluster = new AtomicLong();
  private final AtomicLong fromBeyond = new AtomicLong();
  private final AtomicLong offers = new AtomicLong(); // that this node has made

  private final ReentrantLock lock = new ReentrantLock();
  // guarded by lock
  private final List<Early> early = new ArrayList<>();
  private @Nullable CompletableFuture<Void> left;

  private volatile Labels labels = Labels.NONE; // written under the lock
  private volatile boolean paused;
  private volatile boolean leaves;
  private volatile boolean closed;

  /** A request of a node that is not known yet. */
  private record Early(int from, PacketKind kind, long subject) {}

  TaskNode(Key key, int number, Settings settings, Engine engine, TaskPeers.Link link) {
    this.key = key;
    this.settings = settings;
    this.engine = engine;
    peers = new TaskPeers(number, link);
    taken = new TakenJobs(peers, engine, this::checkLeft);
    requests = new StealRequests(peers, settings.strategy(), taken::hasArrived);
    departed = new DepartedJobs(peers, settings.retries(), this::fed);
    lifelines = new Lifelines(peers, engine, () -> !paused && !closed);
    orphans = new Orphans(peers, engine, taken, departed);
    engine.connect(this);
  }

  /** Returns the way of packets over the runtime. */
  static TaskPeers.Link link(Key key, int number) {
    return (receiver, tag, value) ->
        Collectives.current()
            .sendToNode(ActiveObjects.ref(receiver.host()), key, number, tag, value);
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
    List<Early> asked;
    lock.lock();
    try {
      peers.add(member);
      asked = early.stream().filter(each -> each.from == member.number()).toList();
      early.removeAll(asked);
    } finally {
      lock.unlock();
    }
    requests.beginAnew();
    asked.forEach(each -> request(member, each.kind, each.subject));
    offerWaiting();
    engine.wake();
  }

  /** Learns which nodes have which labels. */
  void labels(Labels news) {
    lock.lock();
    try {
      if (news.version() <= labels.version()) {
        return;
      }
      labels = news;
      engine.setLabels(news.of(peers.number()), news.all());
    } finally {
      lock.unlock();
    }
    offerWaiting();
  }

  /** Offers the jobs that wait to the nodes that have their labels now. */
  private void offerWaiting() {
    engine.waitingLabels().forEach(this::offered);
  }

  // Requests of workers.

  @Override
  public @Nullable Spawn ask(boolean isIdle) {
    var job = taken.next(isIdle);
    if (job == null || engine.hasIdleWorker()) {
      request();
    }
    return job;
  }

  private void request() {
    if (!paused && !leaves && !closed) {
      requests.request();
    }
  }

  @Override
  public boolean hasArrived() {
    return taken.hasArrived();
  }

  @Override
  public void searchEnded() {
    if (taken.hasArrived() && !engine.hasSearchingWorker()) {
      taken.giveBackLabelled();
    }
  }

  @Override
  public boolean claim(JobDeparture fork) {
    return orphans.claim(fork);
  }

  @Override
  public void fed() {
    lifelines.fed(departed);
  }

  @Override
  public void cancelled() {
    departed.cancelled();
  }

  @Override
  public void offered(String label) {
    var number = offers.incrementAndGet();
    for (int each : labels.having(label)) {
      var member = each == peers.number() ? null : peers.get(each);
      if (member != null && peers.isAlive(member)) {
        peers.send(member, PacketKind.OFFER, number, null);
      }
    }
  }

  // Messages of other nodes.

  @Override
  public void received(int from, long tag, Packet packet) {
    var kind = PacketKind.of(tag);
    long subject = PacketKind.subject(tag);
    if (kind == null) {
      LOG.log(Level.WARNING, "Packet with unknown kind {0} dropped", tag);
      return;
    }
    var member = peers.get(from);
    if (member == null) {
      member = known(from, kind, subject);
    }
    if (member == null) {
      return;
    }
    switch (kind) {
      case STEAL, LIFELINE, OFFER -> request(member, kind, subject);
      case TASKS -> arrived(member, new TakenJobs.Arrival(member, subject, packet, false));
      case LABELLED -> arrived(member, new TakenJobs.Arrival(member, subject, packet, true));
      case REFUSED -> refused(member, subject);
      case RESULT -> departed.result(subject, packet);
      case FAILED -> departed.failed(subject, packet);
      case RETURNED -> departed.returned(subject);
      case ABORT -> taken.abort(member, subject);
      case UNREAD -> departed.unread(subject, packet);
      case UNTOUCHED -> departed.untouched(subject);
      case SAVED -> orphans.saved(from, (SavedJobs) Objects.requireNonNull(packet.value()));
      case CLAIM -> claimed(member, subject, (JobName) Objects.requireNonNull(packet.value()));
    }
  }

  /** Returns a member that has become known just now; else keeps its request until it is known. */
  private @Nullable TaskMember known(int from, PacketKind kind, long subject) {
    lock.lock();
    try {
      var member = peers.get(from);
      if (member == null
          && (kind == PacketKind.STEAL
              || kind == PacketKind.LIFELINE
              || kind == PacketKind.OFFER)) {
        early.add(new Early(from, kind, subject));
      }
      return member;
    } finally {
      lock.unlock();
    }
  }

  private void request(TaskMember thief, PacketKind kind, long subject) {
    if (kind == PacketKind.OFFER) {
      requests.offered(thief, subject);
      requestIfIdle();
      return;
    }
    if (kind == PacketKind.LIFELINE) {
      lifelines.add(thief);
      fed(); // jobs may have come since this node refused some
      return;
    }
    var offer = offers.get(); // before it looks for jobs
    var departures =
        paused || closed
            ? List.<JobDeparture>of()
            : engine.depart(DepartedJobs.BATCH, label -> labels.has(thief.number(), label));
    if (departures.isEmpty()) {
      peers.send(thief, PacketKind.REFUSED, offer, null);
      engine.askToShare();
    } else {
      departed.dispatch(thief, departures);
    }
  }

  private void arrived(TaskMember owner, TakenJobs.Arrival arrival) {
    boolean wasAsked = requests.answered(owner, () -> taken.add(arrival));
    boolean isLate = !wasAsked && !engine.hasIdleWorker(); // the lifeline is of an idle time
    boolean mustWait = arrival.isLabelled() && !engine.hasSearchingWorker();
    if ((isLate || mustWait || leaves || closed) && taken.giveBack(arrival)) {
      return;
    }
    (peers.isNear(owner) ? fromCluster : fromBeyond).incrementAndGet();
    engine.wake();
  }

  private void refused(TaskMember by, long offer) {
    requests.refused(by, offer);
    requestIfIdle();
  }

  private void requestIfIdle() {
    if (engine.hasIdleWorker()) {
      request();
    }
  }

  private void claimed(TaskMember by, long job, JobName name) {
    orphans.claimed(by, job, name);
    if (!peers.isAlive(by)) {
      orphan(by.number());
    }
  }

  // Losses, leaves, ends.

  @Override
  public void lost(NodeId node, String why) {
    if (!peers.lose(node, why)) {
      return;
    }
    departed.repeatAllOf(node, why);
    for (var member : peers.all()) {
      if (member.node().equals(node)) {
        lifelines.remove(member);
        requests.lost(member);
        taken.dropArrivalsOf(member.number());
        peers.remove(member);
        orphans.lost(member.number());
        Thread.startVirtualThread(() -> orphan(member.number())); // encodes users' objects
      }
    }
    engine.wake();
  }

  /** Keeps or drops the jobs that a lost node waits for. */
  private void orphan(int owner) {
    var left = taken.orphan(owner);
    if (settings.keepsOrphans()) {
      orphans.keep(left);
    } else {
      left.forEach(work -> engine.cancel(work.job()));
    }
    checkLeft();
  }

  /** Forgets orphans; no task runs any more that could need them. */
  void forget() {
    orphans.forget();
    checkLeft();
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
    leaves = true;
    engine.leave(settings.leave().toNanos());
    taken.giveBackArrivals();
    checkLeft();
    return done;
  }

  private void checkLeft() {
    CompletableFuture<Void> done;
    lock.lock();
    try {
      done = left;
    } finally {
      lock.unlock();
    }
    if (done != null && taken.isEmpty() && departed.isEmpty()) {
      done.complete(null);
    }
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    fed();
    offerWaiting(); // requests were refused
    engine.wake();
  }

  void close() {
    closed = true;
    taken.cancelAll();
    orphans.cancelAll();
    engine.close();
  }

  NodeTotals totals() {
    return new NodeTotals(
        engine.totals(),
        requests.sent(),
        fromCluster.get(),
        fromBeyond.get(),
        departed.repeated(),
        orphans.saved());
  }

  /** Returns how many jobs of lost nodes are known. */
  int orphans() {
    return orphans.size();
  }
}
