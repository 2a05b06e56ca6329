package org.troupe.deployment.node;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.troupe.activeobjects.hosting.MiddlewareObject;

/**
 * The active object of a node that does what a user asks of the node's JVM, one thing at a time.
 * Each method returns a sentence for the user, or throws an exception whose message is one.
 */
public class NodeUpkeep implements MiddlewareObject {

  /** One for all grids of the JVM: each change must know the level before the first one. */
  private static final LogLevels LEVELS = new LogLevels();

  /** Collects the garbage of the JVM. */
  public String collectGarbage() {
    var before = HeapDump.usedBytes();
    var collections = collections();
    System.gc();
    if (collections() == collections) {
      throw new IllegalArgumentException(
          "the JVM ignores requests to collect garbage; start it without -XX:+DisableExplicitGC");
    }
    return "%d MiB of the heap were in use, and %d MiB are after the collection"
        .formatted(HeapDump.mebibytes(before), HeapDump.mebibytes(HeapDump.usedBytes()));
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  /**
   * Changes the level of a logger for some time.
   *
   * @param logger its name; empty for the root of all
   * @param level the name of a {@link System.Logger.Level}
   */
  public String setLogLevel(String logger, String level, int seconds) {
    var named = LogLevels.named(level);
    LEVELS.set(logger, named, seconds);
    return "%s logs from %s on for %d s"
        .formatted(logger.isEmpty() ? "each logger" : "'" + logger + "'", named, seconds);
  }

  /**
   * Writes the objects of the heap to a file, which only the user of the node can read.
   *
   * @param run the id of the run
   * @param node the name of the node
   * @param host the name of its machine
   * @param silenceNanos how long a node may be silent: while it writes, it does nothing else
   */
  public String dumpHeap(String run, String node, String host, long silenceNanos) {
    var home = Path.of(System.getProperty("user.home"));
    return HeapDump.write(home.resolve(HeapDump.DUMPS).resolve(run), node, host, silenceNanos);
  }
}
