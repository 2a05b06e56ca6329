package org.troupe.activeobjects.internal.listing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The objects of one node that are on trial. Thread-safe; calls nothing while it is locked. */
public class NodeTrials {

  /*
   * Design: trials
   *
   * An object on trial exists as an image, which names the objects to which it refers. Its node holds the image firmly, but
   * the object only weakly, so a cycle of such objects is open. The coordinator leads one round of trials at a time. The
   * states of an object in a round:
   *
   *   PREPARED --begins--> ON TRIAL --cleared--> CLEARED --freed--> (gone)
   *      |                    |                     |
   *      +------returns-------+-------returns-------+--> RETURNED --over--> (as before the round)
   *
   * PREPARED: its image is made, and it does not serve. When all nodes have prepared their objects, the coordinator tells
   * all of them which objects take part. An object on trial keeps its references to others than these.
   *
   * CLEARED: nothing of this JVM refers to it. It is proved if, moreover, no other node has a copy of a reference
   * (HostedCopies). A call, or a reference that comes home, lets it return.
   *
   * RETURNED: it exists again, made from its image if it was cleared, and serves. Its node holds it until the round is
   * over, as an image elsewhere may name it. A round is over when all objects that were not freed have returned, and the
   * hosts of the objects that they name have acknowledged the references made from names.
   *
   * Invariant: each reference of an object is counted, or held by the JVM, or a name in a report; and each object that
   * is named takes part, and is held by its node.
   */

  private enum State {
    PREPARED,
    ON_TRIAL,
    CLEARED,
    RETURNED
  }

  private static final class Trial {
    final List<ObjectName> names;
    boolean isUnreferenced;
    State state = State.PREPARED;

    Trial(List<ObjectName> names, boolean isUnreferenced) {
      this.names = names;
      this.isUnreferenced = isUnreferenced;
    }

    boolean isOnTrial() {
      return state == State.ON_TRIAL || state == State.CLEARED;
    }
  }

  private final Map<Long, Trial> trials = new LinkedHashMap<>();
  private volatile boolean areAny;

  /** Returns whether there is a round in which objects of this node take part. */
  public final boolean areAny() {
    return areAny;
  }

  /**
   * Adds an object to the round.
   *
   * @param names the objects that its image names
   * @param isUnreferenced whether no other node refers to it
   */
  public final synchronized void prepared(
      long number, List<ObjectName> names, boolean isUnreferenced) {
    trials.put(number, new Trial(names, isUnreferenced));
    areAny = true;
  }

  /** Begins the trial of an object; returns {@code false} if it has returned. */
  public final synchronized boolean begins(long number) {
    var trial = trials.get(number);
    if (trial == null || trial.state != State.PREPARED) {
      return false;
    }
    trial.state = State.ON_TRIAL;
    return true;
  }

  /** Records that nothing of this JVM refers to an object any more. */
  public final synchronized void cleared(long number) {
    var trial = trials.get(number);
    if (trial != null && trial.state == State.ON_TRIAL) {
      trial.state = State.CLEARED;
    }
  }

  /** Records a change of the copies that other nodes have of references to an object. */
  public final synchronized void counted(long number, boolean isUnreferenced) {
    var trial = trials.get(number);
    if (trial != null) {
      trial.isUnreferenced = isUnreferenced;
    }
  }

  /** Lets an object return, which is needed; returns {@code false} if it has before. */
  public final synchronized boolean returns(long number) {
    var trial = trials.get(number);
    if (trial == null || trial.state == State.RETURNED) {
      return false;
    }
    trial.state = State.RETURNED;
    return true;
  }

  /** Forgets an object that was freed, or has ended. */
  public final synchronized void ended(long number) {
    if (trials.remove(number) != null) {
      areAny = !trials.isEmpty();
    }
  }

  /** Ends the round, and returns the objects that took part, all of which have returned. */
  public final synchronized Set<Long> over() {
    var all = Set.copyOf(trials.keySet());
    trials.clear();
    areAny = false;
    return all;
  }

  /** Returns whether an object is on trial, so that its node must not hold it. */
  public final synchronized boolean isOnTrial(long number) {
    var trial = trials.get(number);
    return trial != null && trial.isOnTrial();
  }

  /** Returns whether an object takes part and is not on trial, so that its node must hold it. */
  public synchronized boolean isHeld(long number) {
    var trial = trials.get(number);
    return trial != null && !trial.isOnTrial();
  }

  /** Returns the objects that take part and have not returned. */
  public final synchronized List<Long> unreturned() {
    List<Long> all = new ArrayList<>();
    trials.forEach(
        (number, trial) -> {
          if (trial.state != State.RETURNED) {
            all.add(number);
          }
        });
    return all;
  }

  /** Returns the present state of all trials. */
  public final synchronized TrialReport report() {
    List<TrialReport.Line> lines = new ArrayList<>();
    trials.forEach(
        (number, trial) -> {
          var returned = trial.state == State.RETURNED;
          if (!returned || reportsReturned()) {
            var isCleared = trial.state == State.CLEARED;
            var isProved = trial.isOnTrial() && isProved(isCleared, trial.isUnreferenced);
            lines.add(new TrialReport.Line(number, isProved, trial.names));
          }
        });
    return new TrialReport(lines);
  }

  boolean reportsReturned() {
    return true;
  }

  boolean isProved(boolean isCleared, boolean isUnreferenced) {
    return isCleared && isUnreferenced;
  }
}
