package org.troupe.activeobjects.internal.supervision;

import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;

/**
 * What makes an object anew that was lost with its node. Travels.
 *
 * @param type the name of its class
 * @param failures those that count at the moment
 * @param leaders the stubs of the objects that it is linked to
 */
public record Supervised(
    String type, Options options, Origin origin, RestartBudget.History failures, Object[] leaders) {

  /** Returns the policy that it is restarted by. */
  public Restart policy() {
    return options.restart();
  }

  /** Returns this object with other failures and links. */
  Supervised with(RestartBudget.History otherFailures, Object[] otherLeaders) {
    return new Supervised(type, options, origin, otherFailures, otherLeaders);
  }
}
