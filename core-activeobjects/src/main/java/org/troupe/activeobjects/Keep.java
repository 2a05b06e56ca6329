package org.troupe.activeobjects;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of an active object that a store keeps. Immutable; may travel to other nodes.
 *
 * {@snippet file="org/troupe/activeobjects/snippets/LastingSnippets.java" region="keep"}
 *
 * @param store where the object is kept; {@code null} if it is not
 * @param logsCalls whether its requests are logged between two images
 * @param every how long an object that serves requests may go without a new image
 */
public record Keep(@Nullable Store store, boolean logsCalls, Duration every) {

  private static final Keep NOTHING = new Keep(null, false, Duration.ofMinutes(1));

  /** Checks the values. */
  public Keep {
    if (logsCalls && store == null) {
      throw new IllegalArgumentException("calls cannot be logged without a store; give one");
    }
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
   * object that is restarted, on its node or on another one, is made from its last image, and
   * {@link LifeCycle#arrived} runs before its first request. The effects of requests served since
   * that image are lost. A {@linkplain Ref#terminate terminated} object is removed from the store;
   * one that has failed stays there.
   *
   * <p>What the store has outlives the grid: a later run can go on with it, from {@code
   * Grid.resume(store, descriptor)} on. An object that is to be found there has a {@linkplain
   * ActiveObjects.Creation#named name}, or another object refers to it.
   *
   * <p>An image that cannot be made or written leaves the former one in place, and is reported by
   * the node.
   *
   * <p>Classes with a {@link Service} loop that is not {@link Resumable}, or with {@link
   * Concurrent} methods, have no moment between two requests, so their objects cannot be created
   * with this option.
   */
  public static Keep state(Store store) {
    return new Keep(Objects.requireNonNull(store, "the store is null"), false, NOTHING.every);
  }

  /**
   * Keeps images of the object as {@link #state} does, and logs its requests between two images. An
   * object that is restarted is made from its last image, and serves the logged requests again, so
   * it has the effects of all requests that were served before it failed. The request with which it
   * failed is answered with its exception, and is not served again; its changes to the object are
   * undone, and calls that it had made stay made.
   *
   * <p>A request is in the store before it is served. No call and no answer leaves the object
   * before the store has made the input of the object stable; only actions that {@link
   * ActiveObjects#once} runs may take effect before. Calls that the object makes are sent once, and
   * have the same answers when their requests are served again.
   *
   * <p>That requires an object that does the same when it is given the same requests and answers.
   * Values that may differ (clocks, random numbers, files, look-ups, lists of nodes, whether an
   * answer has arrived yet, the creation of objects) belong into {@link ActiveObjects#once}. A
   * request waits for arguments that are results before it is served. Calls of groups, and the
   * creation and the move of objects outside of that, are refused in a request, as are stages of
   * futures. Threads that the object starts, changes by {@link Immediate} methods, and static
   * fields are not logged. If a replay differs in a call, in an argument that is a number, a string
   * or an enum constant, or in an answer, the object ends with a {@link ReplayException} as the
   * reason, and its store stays as it is.
   *
   * <p>Images are made also when 10,000 requests or 1 MiB have been logged since the last one, and
   * that is 100 ms old. If the log cannot be written, the object fails.
   *
   * <p>Objects of classes with a {@link Service} loop, with {@link Concurrent} methods, or that
   * handle failures themselves cannot be created with this option.
   *
   * <p>If the object is {@linkplain Restart#elsewhere restarted on another node}, calls to it are
   * answered after that, and it makes the calls again of which its log has no answer. Each call is
   * served once; if the called object is not kept, as long as that object's node lives. A request
   * during which the object's node has ended three times in succession is not served again.
   *
   * <p>The journals of objects that call each other belong together. If that of a caller is put
   * back to an older state, by a copy or by the failure of a host whose store is not synced, its
   * next calls to objects that remember later ones fail with an error that says so.
   */
  public static Keep calls(Store store) {
    return new Keep(Objects.requireNonNull(store, "the store is null"), true, NOTHING.every);
  }

  /** Returns this with another time after which an object that serves requests gets a new image. */
  public Keep every(Duration time) {
    return new Keep(store, logsCalls, time);
  }
}
