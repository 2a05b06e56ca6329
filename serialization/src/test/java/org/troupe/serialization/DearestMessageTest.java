package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.graph.Serializer;

/**
 * A search for the dearest messages: those that took a receiver longest are mutated further.
 *
 * <p>The seeds are fixed. {@code -Dtroupe.long=true} tries a million and holds the dearest against
 * the goal, {@code -Dtroupe.fuzz=N} as many as wanted, {@code -Dtroupe.fuzz.seed=S} others. A build
 * only shows that the search works; {@link FuzzTest} tries more of the same mutations.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class DearestMessageTest {

  private static final boolean LONG = Boolean.getBoolean("troupe.long");
  private static final int MESSAGES = Integer.getInteger("troupe.fuzz", LONG ? 1_000_000 : 300);
  private static final long SEED = Long.getLong("troupe.fuzz.seed", 42);

  private static final int LONGEST = 1024;
  private static final int KEPT = 64;
  private static final double GOAL_MILLIS = 10;

  private static final MethodHandle CPU_TIME = cpuTime();

  private record Tried(byte[] message, double millis) {}

  private final Serializer serializer =
      Serializer.builder()
          .allow(TypeFilter.platform().or(TypeFilter.patterns("org.troupe.**")))
          .build();

  private static MethodHandle cpuTime() {
    try {
      // By name, because the module of these classes is no dependency of ours.
      Class<?> factory = Class.forName("java.lang.management.ManagementFactory");
      Object bean = factory.getMethod("getThreadMXBean").invoke(null);
      return MethodHandles.publicLookup()
          .unreflect(
              Class.forName("java.lang.management.ThreadMXBean")
                  .getMethod("getCurrentThreadCpuTime"))
          .bindTo(bean);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static long nanos() {
    try {
      return (long) CPU_TIME.invoke();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /** Decodes a message; returns the CPU time that it took at least. */
  private double millis(byte[] message, int times) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long start = nanos();
      try {
        serializer.decode(
            new EncodedGraph(message, new int[0], List.of("token")), serializer.ownTypes(), t -> t);
      } catch (SerializationException expected) {
        // what a damaged message gives
      } catch (Throwable t) {
        throw new AssertionError("message " + HexFormat.of().formatHex(message), t);
      }
      least = Math.min(least, (nanos() - start) / 1e6);
    }
    return least;
  }

  @Test
  void noneIsDearerThanItsBytesAllow(TestReporter reporter) {
    List<Tried> kept = new ArrayList<>();
    for (byte[] message : new DearMessages(serializer).all().values()) {
      if (message.length <= LONGEST) {
        kept.add(new Tried(message, millis(message, 3)));
      }
    }
    for (Object sample : FuzzTest.samples()) {
      byte[] message = serializer.encode(sample).bytes();
      kept.add(new Tried(message, millis(message, 3)));
    }
    Random random = new Random(SEED);
    for (int i = 0; i < MESSAGES; i++) {
      byte[] message = Mutations.of(kept.get(random.nextInt(kept.size())).message, random);
      if (message.length > LONGEST) {
        continue;
      }
      double millis = millis(message, 1);
      if (kept.size() < KEPT || millis > kept.getLast().millis) {
        kept.add(new Tried(message, millis(message, 3)));
        kept.sort(Comparator.comparingDouble(Tried::millis).reversed());
        if (kept.size() > KEPT) {
          kept.removeLast();
        }
      }
    }
    Tried dearest = kept.getFirst();
    double least = millis(dearest.message, 20); // warm, and without what else the machine does
    reporter.publishEntry(
        "the dearest of %d messages took %.2f ms: %s"
            .formatted(MESSAGES, least, HexFormat.of().formatHex(dearest.message)));
    if (LONG) {
      assertThat(least).isLessThan(GOAL_MILLIS);
    }
  }
}
