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
 * @param leaders the stubs of the objects that it is linked to
 * @param origin how it is made anew after failures; {@code null} if it is not
 * @param failures those that count at the moment
 * @param callers the accounts of callers that number their calls; a logged object has them in its
 *     image
 * @param self a reference to the object, if the copies of those are counted; else {@code null}
 */
public record Luggage(
    Options options,
    Object[] leaders,
    @Nullable Origin origin,
    RestartBudget.History failures,
    List<CallerAccount> callers,
    @Nullable Reference<?> self) {}
