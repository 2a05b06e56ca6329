package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.InstanceIdentifier;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One member's knowledge of a gossip pool, merged with that of other members. Thread-safe. */
final class GossipKnowledge {

  /*
   * Merging. Knowledge grows monotonically: a member goes from present to left or dead and never back,
   * and candidates of elections are added and never removed.
   *
   * Failure detection. A member becomes a witness against another when it has not reached it for the
   * time `silence`, and stops being one when it reaches it. Each member reports only its own
   * observations, so outdated ones do not circulate. A member that knows `quorum` witnesses, or all
   * others if there are fewer, declares the suspect dead, and that spreads.
   *
   * Elections. The winner is the smallest candidate that is present. All members eventually agree, but
   * some may have seen another winner before: hence "unreliable".
   *
   * Order. Events are delivered under the lock of this object, so that they have one order.
   */

  private static final int MOST_ENTRIES = 1 << 20;

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

  private final InstanceIdentifier self;
  private final Duration silence;
  private final int quorum;
  private final Consumer<PoolEvent> events;
  private final Runnable declaredDead;

  private final Map<String, Known> members = new TreeMap<>();
  private final Map<String, TreeSet<String>> candidates = new TreeMap<>();
  private final Map<String, InstanceIdentifier> winners = new HashMap<>();
  private boolean frozen;

  /**
   * Creates the knowledge of an empty pool.
   *
   * @param silence how long a member may be unreachable before this one becomes a witness
   * @param quorum the number of witnesses that declare a member dead
   * @param events receives the changes in order, under the lock; must not block
   * @param declaredDead called, under the lock, when the other members have declared this one dead
   */
  GossipKnowledge(
      InstanceIdentifier self,
      Duration silence,
      int quorum,
      Consumer<PoolEvent> events,
      Runnable declaredDead) {
    this.self = self;
    this.silence = silence;
    this.quorum = quorum;
    this.events = events;
    this.declaredDead = declaredDead;
  }

  /** Adds this member itself. */
  synchronized void join() {
    addPresent(self);
  }

  /** Marks this member as left. */
  synchronized void leave() {
    Known me = members.get(self.name());
    if (me != null && me.condition == Condition.PRESENT) {
      me.condition = Condition.LEFT;
    }
  }

  /** Ignores further knowledge of other members. */
  synchronized void freeze() {
    frozen = true;
  }

  synchronized boolean isKnown(InstanceIdentifier member) {
    return members.containsKey(member.name());
  }

  synchronized boolean isPresent(String name) {
    Known known = members.get(name);
    return known != null && known.condition == Condition.PRESENT;
  }

  /** Returns the present members except this one. */
  synchronized List<InstanceIdentifier> others() {
    return members.values().stream()
        .filter(known -> known.condition == Condition.PRESENT)
        .map(known -> known.identifier)
        .filter(identifier -> !identifier.equals(self))
        .toList();
  }

  /** Records a successful contact. */
  synchronized void reached(InstanceIdentifier other) {
    Known known = members.get(other.name());
    if (known != null) {
      known.silentSince = 0;
      known.witnesses.remove(self.name());
    }
  }

  /** Records a failed contact. */
  synchronized void notReached(InstanceIdentifier other) {
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

  /** Declares a member dead without witnesses. */
  synchronized void assumeDead(String name) {
    Known known = members.get(name);
    if (known != null && known.condition == Condition.PRESENT) {
      remove(known, Condition.DEAD);
    }
  }

  /** Makes this member a candidate of an election. */
  synchronized void addCandidacy(String election) {
    candidates.computeIfAbsent(election, _ -> new TreeSet<>()).add(self.name());
    elect();
  }

  /** Delivers a signal in the order of the other events. */
  synchronized void signalled(String signal, InstanceIdentifier source) {
    events.accept(new PoolEvent.Signalled(signal, source));
  }

  /** Writes all knowledge, for {@link #merge} of another member. */
  synchronized void writeTo(DataOutput out) throws IOException {
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

  /** Adds the knowledge that another member has written. */
  synchronized void merge(DataInputStream in) throws IOException {
    if (frozen) {
      return;
    }
    String informant = in.readUTF();
    for (int count = count(in); count > 0; count--) {
      InstanceIdentifier identifier = InstanceIdentifier.readFrom(in);
      int condition = in.readByte();
      boolean isWitness = in.readBoolean();
      if (identifier.poolName().equals(self.poolName())) {
        mergeMember(identifier, condition, isWitness, informant);
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
    if (count < 0 || count > MOST_ENTRIES) {
      throw new IOException("malformed knowledge of a member: " + count + " entries");
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
      InstanceIdentifier identifier, int condition, boolean isWitness, String informant) {
    Known known = members.get(identifier.name());
    if (known == null && condition != Condition.PRESENT.ordinal()) {
      known = new Known(identifier); // the member left before this one joined
      known.condition = condition == Condition.LEFT.ordinal() ? Condition.LEFT : Condition.DEAD;
      members.put(identifier.name(), known);
      return;
    }
    if (known == null) {
      known = addPresent(identifier);
    }
    if (known.condition != Condition.PRESENT) {
      return;
    }
    if (condition == Condition.LEFT.ordinal()) {
      remove(known, Condition.LEFT);
    } else if (condition == Condition.DEAD.ordinal()) {
      remove(known, Condition.DEAD);
    } else if (isWitness) {
      known.witnesses.add(informant);
    } else {
      known.witnesses.remove(informant);
    }
  }

  private Known addPresent(InstanceIdentifier identifier) {
    var known = new Known(identifier);
    members.put(identifier.name(), known);
    events.accept(new PoolEvent.Joined(identifier));
    return known;
  }

  private void remove(Known known, Condition condition) {
    known.condition = condition;
    known.witnesses.clear();
    if (known.identifier.equals(self)) {
      declaredDead.run();
      return;
    }
    events.accept(new PoolEvent.Gone(known.identifier, condition == Condition.DEAD));
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
        remove(known, Condition.DEAD);
      }
    }
  }

  /** Determines the winners of all elections; delivers changes as events. */
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
            events.accept(new PoolEvent.Elected(election, winner));
          }
        });
  }
}
