package org.troupe.activeobjects.hosting;

/**
 * A question for the active objects of a node.
 *
 * @param type the simple or full name of the class of interest; empty for all classes
 * @param most how many objects the answer describes one by one
 */
public record ObjectQuery(String type, int most) {

  /** How many objects an answer describes at most. */
  public static final int MOST = 10_000;

  /** Checks the number. */
  public ObjectQuery {
    if (most < 0 || most > MOST) {
      throw new IllegalArgumentException(
          "a question for " + most + " objects of a node; it may ask for 0 to " + MOST);
    }
  }

  /** Returns whether a class is of interest. */
  public boolean asksFor(Class<?> other) {
    return type.isEmpty() || type.equals(other.getName()) || type.equals(other.getSimpleName());
  }
}
