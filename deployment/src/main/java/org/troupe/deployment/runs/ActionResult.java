package org.troupe.deployment.runs;

import java.util.List;
import java.util.Objects;

/**
 * What an action has done. Immutable.
 *
 * @param done a sentence for the user; empty if no node has answered
 * @param silent the nodes that have not answered in time; they may still do it
 * @param isPartial whether a part of it was refused or has failed, as {@code done} says; programs
 *     of older versions do not tell
 */
public record ActionResult(String done, List<String> silent, boolean isPartial) {

  /** Copies the list. */
  public ActionResult {
    Objects.requireNonNull(done, "an action without a result");
    silent = List.copyOf(silent);
  }

  static ActionResult of(String done) {
    return new ActionResult(done, List.of(), false);
  }

  static ActionResult partial(String done) {
    return new ActionResult(done, List.of(), true);
  }

  /** Returns this result with a further sentence. */
  ActionResult and(String more) {
    return new ActionResult(done.isEmpty() ? more : done + "; " + more, silent, isPartial);
  }
}
