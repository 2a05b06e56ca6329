package org.troupe.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.Evolving;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.graph.Serializer;

/** Decoding any stream gives objects or a SerializationException, and allocates in proportion. */
class DecoderFuzzTest {

  /** Graphs of this depth are decoded on the calling thread, whose allocations are counted. */
  private static final GraphLimits LIMITS =
      new GraphLimits(1 << 20, 1 << 20, 200, 1 << 20, 1 << 20);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final Serializer SERIALIZER =
      Serializer.builder()
          .allow(TypeFilter.platform().or(TypeFilter.patterns("org.troupe.verification.**")))
          .limits(LIMITS)
          .build();

  /*
   * Jazzer's instrumentation allocates several times as much as the decoder itself, for which
   * FuzzTest in the module serialization checks tighter bounds.
   */
  private static final long FIXED_BYTES = 8 << 20;
  private static final long BYTES_PER_BYTE = 10_000;

  private enum Colour {
    RED,
    GREEN
  }

  private record Part(String name, int[] data, Colour colour, Optional<Object> more) {}

  @Evolving
  private static final class Tree implements Serializable {
    private static final long serialVersionUID = 1;

    private final Part part = new Part("p", new int[] {1, 2}, Colour.RED, Optional.of(7L));
    private final Object[] array = {new long[] {1}, new String[] {"x", null}, part};
    private final Object self = this;
  }

  /** Seeds: streams of many kinds of objects. */
  static Stream<byte[]> streams() {
    return Stream.of(
            new Tree(),
            List.of(new Part("q", null, Colour.GREEN, Optional.empty()), "s", 'c', 2.0f, true),
            new HashMap<>(Map.of("a", 1, "b", List.of(2))),
            new TreeMap<>(Map.of("a", 1)),
            new IdentityHashMap<>(Map.of("a", 1)),
            new ConcurrentHashMap<>(Map.of("a", 1)),
            new PriorityQueue<>(List.of(3, 1, 2)),
            new TreeSet<>(Comparator.<String>naturalOrder().reversed()),
            EnumSet.of(Colour.RED),
            new EnumMap<>(Map.of(Colour.GREEN, 1)),
            new RuntimeException("x", new IOException("y")),
            new BigDecimal("12.5"),
            ZonedDateTime.parse("2020-01-01T00:00:00Z"),
            new Object[] {new boolean[] {true}, new byte[] {1}, new double[] {1}, String.class})
        .map(
            sample -> {
              var out = new ByteOutput();
              var writer = SERIALIZER.writer(out);
              writer.write(sample);
              writer.write(List.of(sample, "again"));
              return out.toByteArray();
            });
  }

  @MethodSource("streams")
  @FuzzTest
  void givesObjectsOrOneException(byte[] bytes) {
    long most = FIXED_BYTES + BYTES_PER_BYTE * bytes.length;
    if (allocatedFor(bytes) >= most) { // measured again without the cost of loading classes
      assertThat(allocatedFor(bytes)).as("bytes allocated").isLessThan(most);
    }
  }

  private static long allocatedFor(byte[] bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      var in = new ByteInput(bytes);
      var reader = SERIALIZER.reader(in);
      while (in.remaining() > 0) {
        reader.read();
      }
    } catch (SerializationException expected) {
      // The documented refusal.
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
