package org.troupe.deployment;

import java.util.List;

/**
 * Nodes could not be started; nothing is left running. The message has every problem, and needs no
 * stack trace to act on.
 */
public final class DeploymentException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String[] problems;

  DeploymentException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = problems.toArray(String[]::new);
  }

  /** Everything that went wrong; never empty. */
  public List<String> problems() {
    return List.of(problems);
  }
}
