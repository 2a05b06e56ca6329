package org.troupe.deployment.model;

/**
 * A line that a node printed.
 *
 * @param node its name
 * @param isError whether it came on standard error
 * @param text the line, without its end
 */
public record OutputLine(String node, boolean isError, String text) {

  /** Prints the line to this program's output or error stream. */
  public void print() {
    (isError ? System.err : System.out).println(this);
  }

  /** Returns {@code [node] text}. */
  @Override
  public String toString() {
    return "[" + node + "] " + text;
  }
}
