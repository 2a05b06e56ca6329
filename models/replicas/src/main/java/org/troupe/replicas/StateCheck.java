package org.troupe.replicas;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.stubs.StubClass;

/**
 * Compares the states of the replicas of an object, if {@code troupe.replicas.check} is set. May be
 * shared between threads.
 *
 * <p>Each replica hashes its state after each write, and reports the hashes of a hundred changes to
 * the sequencer at once. The sequencer compares them with its own, and logs the first write after
 * which two replicas differ.
 */
final class StateCheck {

  private static final System.Logger LOG = System.getLogger(StateCheck.class.getName());
  private static final int REPORTED = 100;
  private static final int KEPT = 10;

  /** The hashes of one report, and the called methods. */
  private record Own(long[] hashes, int[] methods) {}

  private final boolean isOn = Boolean.getBoolean("troupe.replicas.check");
  private final String node;
  private final String type;
  private final StubClass<?> methods;
  private final Map<Long, Own> own = new LinkedHashMap<>(); // by their first number
  private final List<OrderMessage.Hashes> early = new ArrayList<>(); // own ones are not complete
  private boolean isFound;

  StateCheck(String node, String type, StubClass<?> methods) {
    this.node = node;
    this.type = type;
    this.methods = methods;
  }

  /**
   * Takes note that a write was applied; the caller keeps other writes away.
   *
   * @return the hashes to report, if they are complete
   */
  synchronized Optional<OrderMessage.Hashes> applied(long number, int method, Object object) {
    if (!isOn) {
      return Optional.empty();
    }
    var place = (int) (number % REPORTED);
    var first = number - place;
    var current =
        own.computeIfAbsent(first, each -> new Own(new long[REPORTED], new int[REPORTED]));
    current.hashes()[place] = StateHash.of(object);
    current.methods()[place] = method;
    if (own.size() > KEPT) {
      own.remove(own.keySet().iterator().next());
    }
    return place == REPORTED - 1
        ? Optional.of(new OrderMessage.Hashes(node, first, current.hashes().clone()))
        : Optional.empty();
  }

  /** Compares a report with the own hashes, or keeps it until they are complete. */
  synchronized void compare(OrderMessage.Hashes reported) {
    early.add(reported);
    early.removeIf(this::isCompared);
  }

  private boolean isCompared(OrderMessage.Hashes reported) {
    var known = own.get(reported.first());
    if (known == null) {
      return own.keySet().stream().anyMatch(first -> first > reported.first());
    }
    if (known.hashes()[REPORTED - 1] == 0) {
      return false;
    }
    for (var i = 0; i < REPORTED && !isFound; i++) {
      var there = reported.hashes()[i];
      var here = known.hashes()[i];
      if (there != 0 && here != 0 && there != here) {
        isFound = true;
        LOG.log(System.Logger.Level.ERROR, difference(reported, i, known.methods()[i]));
      }
    }
    return true;
  }

  private String difference(OrderMessage.Hashes reported, int place, int method) {
    return "the replicas of "
        + type
        + " on the nodes '"
        + node
        + "' and '"
        + reported.node()
        + "' differ since the write "
        + methods.methods().get(method)
        + ", change "
        + (reported.first() + place)
        + " of the object. The method is not deterministic, or a method that is declared"
        + " with @Reads has changed the object; './troupe explain --replica "
        + type
        + "' shows the methods";
  }
}
