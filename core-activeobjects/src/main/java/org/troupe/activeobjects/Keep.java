package org.troupe.activeobjects;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of an active object that a store keeps. Immutable; may travel to other nodes.
 *
 * @param store where the object is kept; {@code null} if it is not
 * @param every how long an object that serves requests may go without a new image
 */
public record Keep(@Nullable Store store, Duration every) {

  private static final Keep NOTHING = new Keep(null, Duration.ofMinutes(1));

  /** Checks the values. */
  public Keep {
    if (!every.isPositive()) {
      throw new IllegalArgumentException(
          "an image cannot be made every " + every + "; give a positive time");
    }
  }

  /** Keeps nothing: the default. An object ends with its node, or begins anew. */
  public static Keep nothing() {
    return NOTHING;
  }

  /**
   * Keeps images of the object: its fields, with all that they refer to. References to active
   * objects are kept as references; {@code transient} fields are left out.
   *
   * <p>The creation of the object completes when its first image is stable in the store. Further
   * images are made between two requests: a minute after the last one if a request was served
   * since, when {@link Ref#checkpoint} asks for one, and when the node ends in an orderly way. An
   * object that is restarted is made from its last image, and {@link LifeCycle#arrived} runs before
   * its first request. The effects of requests served since that image are lost. A {@linkplain
   * Ref#terminate terminated} object is removed from the store; one that has failed stays there.
   *
   * <p>An image that cannot be made or written leaves the former one in place, and is reported by
   * the node.
   *
   * <p>Classes with a {@link Service} loop that is not {@link Resumable}, or with {@link
   * Concurrent} methods, have no moment between two requests, so their objects cannot be created
   * with this option.
   */
  public static Keep state(Store store) {
    return new Keep(Objects.requireNonNull(store, "the store is null"), NOTHING.every);
  }

  /** Returns this with another time after which an object that serves requests gets a new image. */
  public Keep every(Duration time) {
    return new Keep(store, time);
  }
}
