package org.troupe.links.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.host.LinuxSystemCalls;

/** Orders of steps that threads come to once in hours. */
@Timeout(
    value = 60,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // who sleeps hears no interrupt
class RingTest {

  private static final int BYTES = 1 << 16;

  /**
   * Who waits has looked, and not yet gone to sleep; meanwhile another thread looks for bytes, the
   * ring becomes full, and the other stops looking. Nobody would ever wake it: the writer waits,
   * too.
   */
  @Test
  void doesNotSleepThroughTheEndOfAPoll() throws Exception {
    var system = LinuxSystemCalls.system().orElse(null);
    assumeTrue(system != null, "there are no futexes here");
    try (var arena = Arena.ofShared()) {
      var segment = arena.allocate(Ring.HEAD_BYTES + BYTES, Ring.HEAD_BYTES);
      var writing = new Ring(system, segment, "the writer's end");
      var reading = new Ring(system, segment, "the reader's end");

      var came =
          reading.awaitBytes(
              (linux, flag, raised) -> {
                reading.poll(true);
                writing.put(ByteBuffer.allocate(BYTES));
                writing.flush();
                reading.poll(false);
                linux.await(flag, raised);
              });

      assertThat(came).isTrue();
    }
  }
}
