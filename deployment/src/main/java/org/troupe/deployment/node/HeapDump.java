package org.troupe.deployment.node;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.troupe.links.OwnerOnly;

/** A file with all objects of this JVM's heap. */
final class HeapDump {

  /*
   * A dump has all data of the program, so only its owner may read it. It is not in the folder of the run, which is
   * removed when the run ends. The JVM stands still while it writes; if that took longer than a node may be silent, the
   * grid would lose the node. It writes the objects to a second file beside the dump, and then copies them to it: so the
   * disk must have room for both.
   */
  static final String DUMPS = ".local/state/troupe/dumps";

  /** A slow disk, since a lost node costs more than a refused dump. */
  private static final long BYTES_PER_SECOND = 200L << 20;

  /** What a dump has beside the objects: the JDK's and the program's classes, and stacks. */
  private static final long CLASSES_BYTES = 16L << 20;

  private HeapDump() {}

  /**
   * Writes the dump to a new file, and returns a sentence that names it.
   *
   * @param folder is made if it is not there
   * @param host the name of this machine
   * @param silenceNanos how long the JVM may stand still
   * @throws IllegalArgumentException if there can be none; the message says why
   */
  static String write(Path folder, String node, String host, long silenceNanos) {
    var bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (bean == null) {
      throw new IllegalArgumentException("this JVM writes no heap dumps; start one of OpenJDK");
    }
    requireTime(silenceNanos);
    try {
      Files.createDirectories(folder, OwnerOnly.folder());
      requireSpace(usedBytes(), Files.getFileStore(folder).getUsableSpace(), folder);
      var file = free(folder, node.replaceAll("[^A-Za-z0-9._-]", "_"));
      try {
        bean.dumpHeap(file.toString(), true);
        closeToOthers(file);
      } catch (IOException e) {
        Files.deleteIfExists(file); // a part of the heap
        throw e;
      }
      return "the heap is in %s on %s, %d MiB".formatted(file, host, mebibytes(Files.size(file)));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the heap cannot be written to a file in %s: %s; this user must have the right to write there, and space"
              .formatted(folder, e),
          e);
    }
  }

  private static void requireTime(long silenceNanos) {
    var most = silenceNanos / TimeUnit.SECONDS.toNanos(1) * BYTES_PER_SECOND;
    if (usedBytes() > most) {
      throw new IllegalArgumentException(
          "the JVM stands still while it writes the %d MiB of its heap that are in use, perhaps for longer than the %d s after which a silent node is taken for lost; collect its garbage first, or start the program with a longer GridOptions.withSilence"
              .formatted(mebibytes(usedBytes()), TimeUnit.NANOSECONDS.toSeconds(silenceNanos)));
    }
  }

  /** Fails if a dump of a heap might not fit on a disk. */
  static void requireSpace(long heapBytes, long usableBytes, Path folder) {
    var needed = 2 * (heapBytes + CLASSES_BYTES);
    if (usableBytes < needed) {
      throw new IllegalArgumentException(
          "the dump of a heap with %d MiB in use may need %d MiB, and the disk of %s has %d MiB left; free some, or collect the node's garbage first"
              .formatted(mebibytes(heapBytes), mebibytes(needed), folder, mebibytes(usableBytes)));
    }
  }

  private static Path free(Path folder, String name) {
    return IntStream.iterate(1, number -> number + 1)
        .mapToObj(number -> folder.resolve(name + "-" + number + ".hprof"))
        .filter(Files::notExists)
        .findFirst()
        .orElseThrow();
  }

  private static void closeToOthers(Path file) throws IOException {
    if (OwnerOnly.isPossible()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  static long usedBytes() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
