package org.troupe.activeobjects.internal.object;

import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.ActiveType;

/**
 * Keeps the objects of one node in stores. Objects are created without knowledge of images and
 * journals, which the package that implements this interface has.
 */
public interface ObjectKeeper {

  /**
   * Checks, before an object is constructed, that it can be kept as its options say.
   *
   * @throws IllegalArgumentException if not, with the reason
   */
  void require(ActiveType<?> type, Options options);

  /**
   * Stores the first image of an object, if its options say so, before its service begins. Waits
   * for the store.
   *
   * @throws RuntimeException if that is not possible; the body has ended
   */
  void keep(Body body, Object object, Options options);

  /** Returns whether an object is kept. */
  boolean isKept(Body body);

  /** Stores an image of an object; completes when the image is stable. */
  CompletableFuture<Void> checkpoint(Body body);

  /** Stores the last images of all objects, ends the objects, and closes the stores. */
  void close();
}
