package org.troupe.activeobjects.internal.body;

import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.call.ActiveType;

/** Creates the bodies of active objects. */
public final class BodyFactory {

  private BodyFactory() {}

  /**
   * Creates the body for an object of a class, of the kind that the class and the options require.
   */
  public static Body create(BodyHost node, ActiveType<?> type, Options options) {
    if (options.refuses() && options.queueBound() == 0) {
      throw new IllegalArgumentException(
          IndefiniteArticle.before(type.name())
              + " cannot refuse calls to a full queue, because its queue has no bound; give it one by"
              + " Options.withQueueBound(..), or leave out refusing()");
    }
    var scheduling = type.scheduling();
    if (scheduling.hasOwnService()) {
      return new ServiceBody(node, type, options);
    }
    if (options.keep().logsCalls()) {
      return new LoggedBody(node, type, options);
    }
    return scheduling.isConcurrent()
        ? new ConcurrentBody(node, type, options)
        : new FifoBody(node, type, options);
  }
}
