package org.troupe.activeobjects.internal.listing;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The copies of references to one object, as far as its host knows them: for each pair of a giver
 * and a receiver, by how many the copies given exceed those dropped. Not thread-safe.
 */
public class HostedCopies {

  /*
   * Design: reference listing by pairs
   *
   * A node that writes a reference to the object into a frame for node Q counts one copy given to Q. Q counts it as received
   * from that node when it takes the frame off the wire, and as dropped when its JVM has cleared all references to the
   * object. Each node reports the copies given and dropped to the host as one change, in order.
   *
   * Invariant: if all differences are 0, no copy exists or is on its way. Suppose a copy did. Of the copies that the host
   * does not know to have been given, consider the one given first. Its giver held a copy then, which the host knew to
   * be given, and has not told that it dropped that copy, since it would have told of the gift as well. So the
   * difference of the pair of that copy is not 0.
   *
   * A copy that comes home is dropped at once: in its own JVM an object is held by ordinary references.
   *
   * Losses. A lost node holds nothing, so the pairs in which it is the receiver go. Copies that it had given without telling
   * is unknown: each other member states how many copies it has received from the lost node and not told as dropped, and
   * the host puts that number. Until all have done so, and the host has taken what they have told before (NodeDeaths),
   * nothing is collected, from the announcement of the loss on: a member that is lost itself may not have stated an earlier
   * loss, which is settled without it. A statement that arrives before the news of the loss is as good as that news. Later
   * reports on a lost node as the receiver are ignored. Reports on it as the giver are subtracted from the statement of the
   * same member, and ignored before that.
   *
   * The random runs of CopyProtocolTest show that each of these rules is needed.
   *
   * An object that has left its node of birth is still listed there (DepartedObject).
   */

  private static final int FEW = 4;

  /** Two nodes, the first of which has given copies to the second. */
  private record Pair(long giver, long receiver) {}

  private final NodeDeaths deaths;
  private Map<Pair, Integer> differences = Map.of(); // without zeros

  public HostedCopies(NodeDeaths deaths) {
    this.deaths = deaths;
  }

  /** Counts a copy that the host itself has written into a frame, or lets another node keep. */
  public final void given(long receiver) {
    if (!deaths.isDead(receiver)) {
      add(deaths.self(), receiver, 1);
    }
  }

  /** Counts a copy that has come home. */
  public void cameHome(long giver) {
    if (!deaths.isDead(giver)) {
      add(giver, deaths.self(), -1);
    }
  }

  /** Counts what another node has told. */
  public final void told(long teller, CopyChanges changes) {
    if (deaths.isDead(teller)) {
      return;
    }
    changes
        .given()
        .forEach(
            (receiver, count) -> {
              if (!deaths.isDead(receiver)) {
                add(teller, receiver, count);
              }
            });
    changes
        .dropped()
        .forEach(
            (giver, count) -> {
              if (countsDrops(giver, teller)) {
                add(giver, teller, -count);
              }
            });
  }

  /** Returns whether drops count: not those of a lost giver before the teller states the rest. */
  boolean countsDrops(long giver, long teller) {
    return !deaths.isDead(giver) || differences.containsKey(new Pair(giver, teller));
  }

  /** Strikes out a node that was lost. */
  public final void died(long lost) {
    if (differences.keySet().removeIf(pair -> isStruck(pair.giver(), pair.receiver(), lost))) {
      shrink();
    }
  }

  boolean isStruck(long giver, long receiver, long lost) {
    return giver == lost || receiver == lost;
  }

  /** Puts what a member has stated to hold of a node that was lost. */
  public void stated(long lost, long teller, int count) {
    if (!deaths.isDead(teller)) {
      put(lost, teller, count);
    }
  }

  /** Returns whether no other node refers to the object. */
  public final boolean isUnreferenced() {
    return differences.isEmpty() && deaths.areSettled();
  }

  /** Returns the other nodes that may have references to the object. */
  public final Set<Long> holders() {
    Set<Long> holders = new TreeSet<>();
    differences.keySet().forEach(pair -> holders.add(pair.receiver()));
    return holders;
  }

  /**
   * Returns the node that has the only copies of an object that has left this one; 0 if there is
   * none, or it is not certain.
   *
   * @param isHome whether the object has come back to this node, which needs no copy
   */
  final long soleHost(boolean isHome) {
    var holders = deaths.areSettled() ? holders() : Set.<Long>of();
    if (holders.isEmpty()) {
      return isHome && deaths.areSettled() ? deaths.self() : 0;
    }
    var first = holders.iterator().next();
    return holders.size() == 1 && !isHome && first != deaths.self() ? first : 0;
  }

  /** Returns how many copies a node has, or are on their way to it, as far as is known. */
  final int copiesOf(long receiver) {
    return differences.entrySet().stream()
        .filter(each -> each.getKey().receiver() == receiver)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** Returns whether a node is this one. */
  final boolean isHost(long node) {
    return node == deaths.self();
  }

  private void add(long giver, long receiver, int count) {
    put(giver, receiver, differences.getOrDefault(new Pair(giver, receiver), 0) + count);
  }

  private void put(long giver, long receiver, int difference) {
    var pair = new Pair(giver, receiver);
    if (difference == 0) {
      if (!differences.isEmpty()) {
        differences.remove(pair);
        shrink();
      }
      return;
    }
    if (differences.isEmpty()) {
      differences = new HashMap<>(FEW);
    }
    differences.put(pair, difference);
  }

  private void shrink() {
    if (differences.isEmpty()) {
      differences = Map.of();
    }
  }
}
