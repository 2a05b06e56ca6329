package org.troupe.activeobjects.internal.supervision;

import java.util.LinkedHashMap;
import java.util.Map;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * The data from which an object is made anew that was lost with its node. Travels.
 *
 * @param type the name of its class
 * @param failures those that count at the moment
 * @param leaders the objects that it is linked to, with their stubs
 */
public record Supervised(
    String type,
    Options options,
    Origin origin,
    RestartBudget.History failures,
    Map<ObjectIdentity, Object> leaders) {

  public Supervised {
    leaders = new LinkedHashMap<>(leaders);
  }

  /** Returns its name in the grid; empty if it has none. */
  String key() {
    return origin instanceof Origin.Stored stored ? stored.key() : "";
  }

  /** Returns the policy that it is restarted by. */
  public Restart policy() {
    return options.restart();
  }

  /** Returns this object with other failures and links. */
  Supervised with(RestartBudget.History otherFailures, Map<ObjectIdentity, Object> otherLeaders) {
    return new Supervised(type, options, origin, otherFailures, otherLeaders);
  }
}
