package org.troupe.groups.spmd;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.Collectives;

/** Lets the surviving members of a group agree on the set of survivors. Used by one thread. */
final class SurvivorAgreement {

  /*
   * Leader election and decision
   *
   * The lowest rank that is not lost leads. Every other member joins it, and it decides when all
   * members that are not lost have joined. A member that learns the decision sends it to all others
   * before it continues. So the decision of a leader that is lost in the meantime survives: the
   * next leader waits for every remaining member and adopts a decision that one of them knows. A
   * member that has joined a leader ignores earlier ones.
   *
   * Preconditions, which core guarantees: reports of lost nodes are correct, they reach all nodes,
   * and no message arrives from a node after its loss.
   */
  private static final long JOIN = 0;
  private static final long DECIDED = 1;
  private static final int RANKS = 4; // the index of the first rank in a decision

  private final Communicator communicator;
  private final Mailbox.Wait wait;
  private final BitSet joined = new BitSet();
  private long @Nullable [] known; // decided by an earlier leader
  private int leader = -1;

  /**
   * The decision of a leader.
   *
   * @param ranks of the survivors
   */
  record Decision(Key key, int[] ranks) {}

  SurvivorAgreement(Communicator communicator, Mailbox.Wait wait) {
    this.communicator = communicator;
    this.wait = wait;
    joined.set(communicator.rank());
  }

  Decision reach() {
    for (; ; ) {
      var lost = communicator.allLost();
      follow(lost);
      if (leader == communicator.rank() && (known != null || missing().isEmpty())) {
        return decided(known != null ? known : decision(lost));
      }
      var message =
          communicator
              .mailbox()
              .takeAgreement(
                  () -> communicator.allLost().size() > lost.size(),
                  () -> leader == communicator.rank() ? missing() : List.of(leader),
                  wait);
      if (message == null) {
        continue; // another member is lost
      }
      var words = (long[]) Objects.requireNonNull(message.packet().value(), "members send words");
      if (words[0] == JOIN) {
        joined.set(message.from());
      } else if (words[1] >= leader && leader != communicator.rank()) {
        return decided(words);
      } else if (leader == communicator.rank() && (known == null || known[1] < words[1])) {
        known = words;
      }
    }
  }

  private void follow(List<Integer> lost) {
    var first = 0;
    while (lost.contains(first)) {
      first++;
    }
    if (first != leader) {
      leader = first;
      if (leader != communicator.rank()) {
        communicator.send(leader, Communicator.AGREEMENT, 0, new long[] {JOIN});
      }
    }
  }

  private List<Integer> missing() {
    var missing = new BitSet();
    missing.set(0, communicator.size());
    missing.andNot(joined);
    communicator.allLost().forEach(missing::clear);
    return missing.stream().boxed().toList();
  }

  private long[] decision(List<Integer> lost) {
    var ranks = new BitSet();
    ranks.set(0, communicator.size());
    lost.forEach(ranks::clear);
    var key = Collectives.current().newKey();
    var words = new long[RANKS + ranks.cardinality()];
    words[2] = key.origin();
    words[3] = key.number();
    var next = RANKS;
    for (var each : ranks.stream().toArray()) {
      words[next++] = each;
    }
    return words;
  }

  private Decision decided(long[] decision) {
    var words = decision.clone(); // a received array may be shared
    words[0] = DECIDED;
    words[1] = leader;
    for (var each = 0; each < communicator.size(); each++) {
      if (each != communicator.rank() && !communicator.isLost(each)) {
        communicator.send(each, Communicator.AGREEMENT, 0, words);
      }
    }
    var ranks = new int[words.length - RANKS];
    for (var i = 0; i < ranks.length; i++) {
      ranks[i] = (int) words[RANKS + i];
    }
    return new Decision(new Key(words[2], words[3]), ranks);
  }
}
