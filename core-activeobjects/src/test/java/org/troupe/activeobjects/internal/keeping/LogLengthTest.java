package org.troupe.activeobjects.internal.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A log is replaced by an image when it is long, but not again at once. */
class LogLengthTest {

  private static final int MEBI = 1 << 20;

  private long now = 5_000;
  private final LogLength log = new LogLength(() -> now);

  /** Adds requests without arguments until an image should be made; returns their number. */
  private int requests(int most) {
    for (var count = 1; count <= most; count++) {
      log.addRequest(0);
      if (log.isTooLong()) {
        return count;
      }
    }
    return -1;
  }

  /** Adds requests until an image should be made; returns their bytes. */
  private int bytes(int each, int most) {
    for (var count = each; count <= most; count += each) {
      log.addRequest(each);
      if (log.isTooLong()) {
        return count;
      }
    }
    return -1;
  }

  private void passes(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void aLogOfTenThousandRequestsIsLong() {
    passes(100);
    assertThat(requests(20_000)).isEqualTo(10_000);
  }

  @Test
  void aLogOfAMebibyteIsLong() {
    passes(100);
    assertThat(bytes(MEBI / 256, 2 * MEBI)).isEqualTo(MEBI);
  }

  @Test
  void aLogOfTwoLargeImagesIsLong() {
    log.reset(3 * MEBI);
    passes(100);
    assertThat(bytes(MEBI / 256, 10 * MEBI)).isEqualTo(6 * MEBI);
  }

  @Test
  void shortRequestsWaitUntilTheLastImageIsOldEnough() {
    passes(99);
    assertThat(requests(50_000)).isEqualTo(-1);
    passes(1);
    assertThat(requests(625)).isPositive(); // the clock is not read behind each
  }

  @Test
  void theTimeBeginsAnewWithEachImage() {
    passes(100);
    log.reset();
    assertThat(requests(50_000)).isEqualTo(-1);
  }

  @Test
  void aLogThatGrowsFastIsReplacedBeforeThat() {
    assertThat(bytes(MEBI, 100 * MEBI)).isEqualTo(17 * MEBI);
    log.reset(3 * MEBI);
    assertThat(bytes(MEBI, 100 * MEBI)).isEqualTo(22 * MEBI);
  }
}
