package org.troupe.tasks.nodes;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.JobDeparture;
import org.troupe.tasks.engine.JobName;

/** Jobs whose owner was lost: those that this node executes, and the names of those elsewhere. */
final class Orphans {

  /*
   * Design: orphans
   *
   * A job here whose owner (the node that waits for it) is lost goes on, and its name is told to all. When a
   * repeated job forks a child of that name, its node claims it: the orphan gets a new owner, and a result that was there before is
   * sent at once. A repeated job may so wait for an older one, and is executed at the bottom of a stack only (see
   * Worker.mayRunAbove); a node whose workers all wait returns it. So what was taken from a lost node is not computed twice, and
   * the claim is the usual case of a job that is away. A fork that comes before the news of the orphan computes it twice.
   *
   * The names of forks may depend on chance or time, as those of a handler do. So an orphan is claimed only by a fork with the
   * same fingerprint, and one that has none is given up.
   *
   * Orphans belong to root tasks that ran when the node was lost. When all of these have ended, the program
   * lets all nodes forget them. One that is forgotten too early is computed twice.
   */

  private static final Logger LOG = System.getLogger(Orphans.class.getName());

  private final TaskPeers peers;
  private final Engine engine;
  private final TakenJobs taken;
  private final DepartedJobs departed;
  private final Map<JobName, TakenJobs.Work> kept = new ConcurrentHashMap<>();
  private final Map<JobName, Holder> elsewhere = new ConcurrentHashMap<>();
  private final AtomicLong saved = new AtomicLong();
  private volatile boolean hasWarned;

  /** Where an orphan is. */
  private record Holder(int member, long fingerprint) {}

  Orphans(TaskPeers peers, Engine engine, TakenJobs taken, DepartedJobs departed) {
    this.peers = peers;
    this.engine = engine;
    this.taken = taken;
    this.departed = departed;
  }

  /** Returns how many results were used. */
  long saved() {
    return saved.get();
  }

  /** Keeps jobs whose owner was lost, and tells all nodes of them. */
  void keep(List<TakenJobs.Work> orphans) {
    var names = new ArrayList<JobName>();
    var fingerprints = new ArrayList<Long>();
    for (var work : orphans) {
      var fingerprint = Fingerprint.of(work.job());
      if (fingerprint.isEmpty()) {
        engine.cancel(work.job());
        continue;
      }
      kept.put(work.name(), work);
      names.add(work.name());
      fingerprints.add(fingerprint.getAsLong());
    }
    if (!names.isEmpty()) {
      var news = new SavedJobs(names, fingerprints);
      for (var member : peers.all()) {
        peers.send(member, PacketKind.SAVED, 0, news);
      }
    }
  }

  /** Learns which orphans a node has. */
  void saved(int holder, SavedJobs news) {
    for (int i = 0; i < news.names().size(); i++) {
      elsewhere.put(news.names().get(i), new Holder(holder, news.fingerprints().get(i)));
    }
  }

  /** Forgets what a node has that was lost. */
  void lost(int member) {
    elsewhere.values().removeIf(holder -> holder.member == member);
  }

  /** Claims the orphan that has the name of a fork. Returns whether the departure will be ended. */
  boolean claim(JobDeparture fork) {
    if (elsewhere.isEmpty()) {
      return false;
    }
    var name = fork.name();
    var holder = elsewhere.remove(name);
    var member = holder == null ? null : peers.get(holder.member);
    if (holder == null || member == null) {
      return false;
    }
    var fingerprint = Fingerprint.of(fork.job());
    if (fingerprint.isEmpty() || fingerprint.getAsLong() != holder.fingerprint) {
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
    if (!departed.claim(fork, member, name)) {
      return false;
    }
    saved.incrementAndGet();
    return true;
  }

  /** Gives an orphan to the node that waits for it now. */
  void claimed(TaskMember by, long job, JobName name) {
    var work = kept.remove(name);
    if (work == null) {
      peers.send(by, PacketKind.RETURNED, job, null);
      return;
    }
    taken.adopt(work, by, job);
  }

  /** Forgets all orphans; no task runs any more that could need them. */
  void forget() {
    elsewhere.clear();
    cancelAll();
  }

  void cancelAll() {
    for (var name : List.copyOf(kept.keySet())) {
      var work = kept.remove(name);
      if (work != null) {
        engine.cancel(work.job());
      }
    }
  }

  /** Returns how many orphans are known, here and elsewhere. */
  int size() {
    return kept.size() + elsewhere.size();
  }
}
