package org.troupe.deployment.runs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A program has accepted a request, and its answer has no result that this version of Troupe can
 * read. The message has the remedy.
 */
public final class MissingResultException extends IOException {

  private static final long serialVersionUID = 1;

  private MissingResultException(String message) {
    super(message);
  }

  /** Returns the exception for a program of a version that does not know a request. */
  static MissingResultException ofUnknownVerb(String id, String verb) {
    return new MissingResultException(
        "the program of deployment %s has another version of Troupe, which does not know '%s'; ask it with the troupe of that version"
            .formatted(id, verb));
  }

  /**
   * Creates an exception.
   *
   * @param id the id of the deployment
   * @param verb what was asked for
   */
  MissingResultException(String id, String verb, @Nullable Throwable cause) {
    super(
        "the program of deployment %s has answered '%s' without a result, so it is not known what it has done: it has ended meanwhile, or has another version of Troupe; ask it with the troupe of its own version"
            .formatted(id, verb),
        cause);
  }
}
