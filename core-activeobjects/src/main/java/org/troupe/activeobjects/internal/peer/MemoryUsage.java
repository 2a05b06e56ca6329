package org.troupe.activeobjects.internal.peer;

/**
 * The memory that a node uses; the exit report of a lost node shows the last usage reported.
 *
 * @param heapUsedBytes the used part of the heap, garbage included
 * @param residentBytes the resident set of the process; 0 if it is unknown
 */
public record MemoryUsage(long heapUsedBytes, long heapMostBytes, long residentBytes) {

  public static final MemoryUsage NONE = new MemoryUsage(0, 0, 0);

  /** Returns the memory usage of this JVM, whose resident set is given. */
  public static MemoryUsage ofThisJvm(long residentBytes) {
    var runtime = Runtime.getRuntime();
    return new MemoryUsage(
        runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(), residentBytes);
  }
}
