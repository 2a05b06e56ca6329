package org.troupe.serialization;

/**
 * The largest graph that is encoded or decoded; each limit is checked before anything is allocated.
 *
 * @param maxArrayLength elements of one array or collection
 * @param maxStringLength characters of one string
 * @param maxDepth objects on the longest path of references that is followed at once
 * @param maxObjects objects in one graph, each counted once
 * @param maxBytes bytes of one encoded graph
 */
public record GraphLimits(
    int maxArrayLength, int maxStringLength, int maxDepth, int maxObjects, long maxBytes) {

  /** Refuses limits that are not positive. */
  public GraphLimits {
    requirePositive("maxArrayLength", maxArrayLength);
    requirePositive("maxStringLength", maxStringLength);
    requirePositive("maxDepth", maxDepth);
    requirePositive("maxObjects", maxObjects);
    requirePositive("maxBytes", maxBytes);
  }

  /** Returns limits that a reasonable message does not reach, for peers that are trusted. */
  public static GraphLimits standard() {
    return new GraphLimits(1 << 30, 1 << 28, 2_000_000, 1 << 27, Integer.MAX_VALUE - 8);
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(
          "%s is '%d', but a limit must be positive".formatted(name, value));
    }
  }
}
