package org.troupe.descriptors.read;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The chains of gateways through which machines are reached. */
final class GatewayChains {

  /** A longer chain is considered a mistake. */
  private static final int MOST_MACHINES = 10;

  private final Map<String, List<String>> via;

  /**
   * @param via the gateways that each login names, by its id; unknown names are ignored
   */
  GatewayChains(Map<String, List<String>> via) {
    this.via = via;
  }

  /** A chain of gateways has a mistake. */
  static final class InvalidChain extends Exception {

    private static final long serialVersionUID = 1;

    private final HashSet<String> machines;

    private InvalidChain(String what, List<String> machines) {
      super(what);
      this.machines = new HashSet<>(machines);
    }

    /** The elements that cause the mistake, which are equal for all users of the chain. */
    Set<String> machines() {
      return machines;
    }
  }

  /**
   * Returns all gateways, the nearest first: each that is named, after those that it names itself.
   *
   * @param user the id of the element that uses the chain
   */
  List<String> of(String user, List<String> named) throws InvalidChain {
    return new ArrayList<>(of(user, named, List.of(user)));
  }

  private Set<String> of(String user, List<String> named, List<String> users) throws InvalidChain {
    Set<String> gateways = new LinkedHashSet<>();
    for (String name : named) {
      if (!via.containsKey(name)) {
        continue;
      }
      List<String> chain = Stream.concat(users.stream(), Stream.of(name)).toList();
      if (users.contains(name)) {
        List<String> cycle = chain.subList(chain.indexOf(name), chain.size());
        throw new InvalidChain(
            "'" + name + "' goes through itself: " + String.join(" -> ", cycle), cycle);
      }
      if (gateways.contains(name)) {
        throw new InvalidChain(
            "'" + user + "' goes through '" + name + "' twice: " + String.join(", ", named),
            List.of(user));
      }
      if (users.size() <= MOST_MACHINES) {
        gateways.addAll(of(name, via.get(name), chain));
      }
      gateways.add(name);
      if (users.size() > MOST_MACHINES || gateways.size() > MOST_MACHINES) {
        throw new InvalidChain(
            "'" + users.getFirst() + "' goes through more than " + MOST_MACHINES + " machines",
            List.of(users.getFirst()));
      }
    }
    return gateways;
  }
}
