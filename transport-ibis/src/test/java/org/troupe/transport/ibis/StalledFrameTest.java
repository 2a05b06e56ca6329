package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.links.Driver;

/** The stall time of a frame is measured from its latest piece. */
@Timeout(60)
class StalledFrameTest {

  private static final int PIECE_BYTES = 256 << 10;
  private static final int PIECES = 32;

  private LinkPair links;

  @BeforeEach
  void connect() throws Exception {
    Drivers.only(Driver.TCP);
    links = new LinkPair();
    links.connect();
  }

  @AfterEach
  void close() {
    links.close();
    Drivers.any();
  }

  /** Delivers a frame slowly in pieces, as a link on a slow network does. */
  @Test
  void isCountedAnewWithEachPiece() throws Exception {
    var input = new FrameInput(links.near(), LinkEndpoint.FRAMES_BUFFER_BYTES, budget());
    input.isStillSending();
    var received = new CompletableFuture<Frame>();
    Thread.ofPlatform().daemon().start(() -> read(input, received));
    links.far().write(ByteBuffer.allocate(8).putInt(0).putInt(PIECES * PIECE_BYTES).flip());

    for (int i = 0; i < PIECES; i++) {
      long before = System.nanoTime();
      links.far().write(ByteBuffer.allocate(PIECE_BYTES));
      awaitCountedFrom(before, input, received);
    }

    assertThat(received.join().body()).hasSize(PIECES * PIECE_BYTES);
    assertThat(input.stalledNanos()).isZero();
  }

  /** A budget below the size of the frame, so that its memory grows with the received bytes. */
  private static ReceiveBudget budget() {
    return new ReceiveBudget(1 << 20, 1L << 40);
  }

  private static void read(FrameInput input, CompletableFuture<Frame> received) {
    try {
      received.complete(input.read(FrameInput.NO_FRAME));
    } catch (Throwable e) {
      received.completeExceptionally(e);
    }
  }

  /** Waits until the stall timer has been restarted after the given time. */
  private static void awaitCountedFrom(
      long moment, FrameInput input, CompletableFuture<Frame> received) {
    long from;
    do {
      Thread.onSpinWait();
      assertThat(received.isCompletedExceptionally()).as("reading has failed").isFalse();
      long now = System.nanoTime();
      assertThat(now - moment)
          .as("nanoseconds since a piece was sent, and the time is counted from before it")
          .isLessThan(TimeUnit.SECONDS.toNanos(30));
      from = now - input.stalledNanos(); // or a little earlier
    } while (from - moment <= 0);
  }
}
