package org.troupe.benchmarks.models;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * How often each leaf of a tree was begun, in a file that the JVMs of this machine map, so that the
 * counts of a killed JVM remain.
 */
final class LeafCounts {

  private static final Map<String, LeafCounts> OPEN = new ConcurrentHashMap<>();

  private static final VarHandle COUNT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer counts;

  private LeafCounts(Path file, int leaves) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      counts = channel.map(MapMode.READ_WRITE, 0, (long) leaves * Integer.BYTES);
    }
  }

  /** Returns the counts of a file, which has none at first. */
  static LeafCounts of(String file, int leaves) {
    return OPEN.computeIfAbsent(
        file,
        _ -> {
          try {
            return new LeafCounts(Path.of(file), leaves);
          } catch (IOException e) {
            throw new UncheckedIOException("the counts of leaves cannot be mapped", e);
          }
        });
  }

  void add(int leaf) {
    COUNT.getAndAdd(counts, leaf * Integer.BYTES, 1);
  }

  private IntStream all() {
    return IntStream.range(0, counts.capacity() / Integer.BYTES)
        .map(leaf -> (int) COUNT.getVolatile(counts, leaf * Integer.BYTES));
  }

  /** Returns how many leaves were begun at least once. */
  long begun() {
    return all().filter(count -> count > 0).count();
  }

  /** Returns how often leaves were begun after their first time. */
  long repeated() {
    return all().map(count -> Math.max(0, count - 1)).sum();
  }
}
