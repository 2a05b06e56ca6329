package org.troupe.deployment.runs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A program has accepted a request, and its answer has no result that this version of Troupe can
 * read. The message has the remedy.
 */
public final class MissingResultException extends IOException {

  private static final long serialVersionUID = 1;

  private static final String REMEDY =
      ": it has ended meanwhile, or has another version of Troupe; ask it with the troupe of its own version";

  private MissingResultException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns the exception for a program of a version that does not know a request. */
  static MissingResultException ofUnknownVerb(String id, String verb) {
    return new MissingResultException(
        "the program of deployment %s has another version of Troupe, which does not know '%s'; ask it with the troupe of that version"
            .formatted(id, verb),
        null);
  }

  /**
   * Returns the exception for a request whose answer has no result.
   *
   * @param id the id of the deployment
   * @param verb what was asked for: an action, which may have been done, or a question
   */
  static MissingResultException of(String id, String verb, @Nullable Throwable cause) {
    var what =
        RunAction.isVerb(verb)
            ? "the program of deployment %s has answered '%s' without a result, so it is not known what it has done"
            : "the program of deployment %s has answered '%s' with nothing that this troupe can read";
    return new MissingResultException(what.formatted(id, verb) + REMEDY, cause);
  }
}
