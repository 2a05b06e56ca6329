package org.troupe.activeobjects.internal.service;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.CallerAccount;

/**
 * The properties of an object that accompany its image when it moves. Travels.
 *
 * @param special its options; {@code null} for the standard ones, which most objects have
 * @param leaders the stubs of the objects that it is linked to
 * @param origin how it is made anew after failures; {@code null} if it is not
 * @param counted the failures that count at the moment; {@code null} for none
 * @param restarts how often it was made anew on another node
 * @param callers the accounts of callers that number their calls; a logged object has them in its
 *     image
 * @param self a reference to the object, if the copies of those are counted; else {@code null}
 */
public record Luggage(
    @Nullable Options special,
    Object[] leaders,
    @Nullable Origin origin,
    RestartBudget.@Nullable History counted,
    int restarts,
    List<CallerAccount> callers,
    @Nullable Reference<?> self) {

  /** Returns the luggage of an object, without parts that are standard, as for most objects. */
  public static Luggage of(
      Options options,
      Object[] leaders,
      @Nullable Origin origin,
      RestartBudget.History failures,
      int restarts,
      List<CallerAccount> callers,
      @Nullable Reference<?> self) {
    return new Luggage(
        options.equals(Options.STANDARD) ? null : options,
        leaders,
        origin,
        failures == RestartBudget.History.NONE ? null : failures,
        restarts,
        callers,
        self);
  }

  /** Returns the options of the object. */
  public Options options() {
    return special == null ? Options.STANDARD : special;
  }

  /** Returns the failures of the object that count at the moment. */
  public RestartBudget.History failures() {
    return counted == null ? RestartBudget.History.NONE : counted;
  }
}
