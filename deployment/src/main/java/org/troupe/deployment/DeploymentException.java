package org.troupe.deployment;

import java.util.List;
import org.troupe.deployment.files.TerminalText;

/**
 * Nodes could not be started; nothing is left running. The message lists every problem, each with
 * its remedy; of very many problems it lists the first ones.
 */
public final class DeploymentException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private static final int MOST_LISTED = 20;

  private final String[] problems;

  DeploymentException(List<String> problems) {
    super(message(plain(problems)));
    this.problems = plain(problems).toArray(String[]::new);
  }

  /** Returns the problems without control characters: they quote schedulers and hosts. */
  private static List<String> plain(List<String> problems) {
    return problems.stream().map(TerminalText::plain).toList();
  }

  private static String message(List<String> problems) {
    var listed = String.join("\n", problems.subList(0, Math.min(problems.size(), MOST_LISTED)));
    var rest = problems.size() - MOST_LISTED;
    return rest <= 0
        ? listed
        : listed
            + "\n... and %d more of %d problems; '--verbose' or problems() lists them"
                .formatted(rest, problems.size());
  }

  /** Returns every problem; never empty. */
  public List<String> problems() {
    return List.of(problems);
  }
}
