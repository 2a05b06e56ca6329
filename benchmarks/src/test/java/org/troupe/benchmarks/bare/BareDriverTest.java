package org.troupe.benchmarks.bare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bare links deliver their data unchanged. */
class BareDriverTest {

  private static final int SECONDS = 30;

  /** Larger than any buffer on the way, and not a multiple of one. */
  private static final int LENGTH = 3_000_001;

  private static <T> FutureTask<T> meanwhile(Callable<T> work) {
    var task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  @ParameterizedTest
  @EnumSource
  void carriesSmallMessagesThereAndBack(BareDriver driver) throws Exception {
    assumeThat(driver.isAvailable()).as("%s on this machine", driver).isTrue();
    try (var listener = driver.listen()) {
      var echo =
          meanwhile(
              () -> {
                try (var link = listener.accept()) {
                  var buffer = ByteBuffer.allocateDirect(Long.BYTES);
                  for (var i = 0; i < 1000; i++) {
                    link.readFully(buffer.clear());
                    link.write(buffer.flip());
                  }
                }
                return null;
              });
      try (var link = driver.connect(listener.address())) {
        var buffer = ByteBuffer.allocateDirect(Long.BYTES);
        for (var i = 0L; i < 1000; i++) {
          link.write(buffer.clear().putLong(0, i));
          link.readFully(buffer.clear());
          assertThat(buffer.getLong(0)).isEqualTo(i);
        }
        echo.get(SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void carriesLargeArraysWhole(BareDriver driver) throws Exception {
    assumeThat(driver.isAvailable()).as("%s on this machine", driver).isTrue();
    var sent = new byte[LENGTH];
    for (var i = 0; i < LENGTH; i++) {
      sent[i] = (byte) (i * 31 >> 3);
    }
    try (var listener = driver.listen()) {
      var received =
          meanwhile(
              () -> {
                try (var link = listener.accept()) {
                  var bytes = new byte[LENGTH];
                  link.readFully(MemorySegment.ofArray(bytes));
                  return bytes;
                }
              });
      try (var link = driver.connect(listener.address())) {
        link.write(MemorySegment.ofArray(sent));
        assertThat(received.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(sent);
      }
    }
  }
}
