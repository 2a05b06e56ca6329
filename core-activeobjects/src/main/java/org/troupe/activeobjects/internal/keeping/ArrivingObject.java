package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.serialization.ClassSource;

/** An object that has moved to this node, and takes over its journal before it serves. */
final class ArrivingObject implements Origin.InPlace {

  /*
   * Design: from one node to the next by the journal
   *
   * The former node has stored an image before the move was granted. This node opens the journal with the granted epoch,
   * which ends what the former one could write. An object whose requests are logged is made from that image, as after a
   * loss, since the image has its accounts. Any other is the object that was sent, and begins with an image of its own.
   *
   * If the store fails meanwhile, the next attempt goes on where this one has stopped. The object that was sent is held
   * until then, so that what it names is not collected. After that the origin is the journal.
   */

  /** Opens the journal with the granted epoch, and keeps the object there. */
  interface Opening {
    KeptObject open() throws IOException;
  }

  private final Opening opening;
  private final boolean isLogged;
  private final Origin.Stored stored;
  private @Nullable Object sent; // until it is here; accessed by one thread at a time
  private volatile @Nullable KeptObject one;
  private volatile boolean hasBegun;

  ArrivingObject(Origin.Stored stored, Object sent, Opening opening) {
    this.stored = stored;
    this.isLogged = stored.options().keep().logsCalls();
    this.sent = sent;
    this.opening = opening;
  }

  @Override
  public Object make(Class<?> type, Marshaller marshaller, ClassSource classes) throws Throwable {
    var its = one;
    if (its == null) {
      its = opening.open();
      one = its;
    }
    var arriving = sent;
    if (arriving == null) {
      return its.make(type, marshaller, classes);
    }
    Object made;
    if (isLogged) {
      made = its.make(type, marshaller, classes);
    } else {
      its.born(arriving);
      made = arriving;
      if (made instanceof LifeCycle living) {
        its.arrive(living);
      }
    }
    sent = null;
    return made;
  }

  @Override
  public String problem() {
    return sent == null
        ? "it could not be made from its last image:"
        : "it could not take over its journal:";
  }

  @Override
  public String remedy() {
    return stored.remedy();
  }

  @Override
  public void begin(LifeCycle object) {
    var its = one;
    if (hasBegun && its != null) {
      its.begin(object);
    }
    hasBegun = true; // it has been told that it has arrived
  }

  @Override
  public Origin travelling() {
    return stored;
  }
}
