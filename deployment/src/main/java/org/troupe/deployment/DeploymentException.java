package org.troupe.deployment;

import java.util.List;

/**
 * Nodes could not be started; nothing is left running. The message lists every problem, each with
 * its remedy.
 */
public final class DeploymentException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String[] problems;

  DeploymentException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = problems.toArray(String[]::new);
  }

  /** Returns every problem; never empty. */
  public List<String> problems() {
    return List.of(problems);
  }
}
