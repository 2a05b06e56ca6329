package ibis.ipl.internal.registry;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.internal.base.InstanceIdentifier;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records a member's knowledge of its pool. Confined to the thread that reads the session. */
final class PoolHistoryRecorder {

  private final Map<String, InstanceIdentifier> present = new LinkedHashMap<>();
  private final Set<String> gone = new HashSet<>();
  private final Map<String, Long> nextNumbers = new LinkedHashMap<>();
  private int joined;

  /** Records an event; returns false if a restarted server has repeated a known one. */
  boolean add(PoolEvent event) {
    return switch (event) {
      case PoolEvent.Joined(IbisIdentifier member) -> {
        InstanceIdentifier newcomer = InstanceIdentifier.of(member);
        joined = Math.max(joined, PoolHistory.numberOf(newcomer) + 1);
        yield !gone.contains(newcomer.name())
            && present.putIfAbsent(newcomer.name(), newcomer) == null;
      }
      case PoolEvent.Gone(IbisIdentifier member, boolean _) -> {
        gone.add(member.name());
        yield present.remove(member.name()) != null;
      }
      default -> true;
    };
  }

  /** Records a number that this member has received from a sequence. */
  void addNumber(String sequence, long number) {
    nextNumbers.merge(sequence, number + 1, Math::max);
  }

  /** Returns the knowledge so far. */
  PoolHistory history(Map<String, IbisIdentifier> winners, @Nullable IbisIdentifier terminator) {
    var winnersByElection = new LinkedHashMap<String, InstanceIdentifier>();
    winners.forEach(
        (election, winner) -> winnersByElection.put(election, InstanceIdentifier.of(winner)));
    return new PoolHistory(
        joined,
        List.copyOf(present.values()),
        winnersByElection,
        Map.copyOf(nextNumbers),
        terminator == null ? null : InstanceIdentifier.of(terminator));
  }
}
