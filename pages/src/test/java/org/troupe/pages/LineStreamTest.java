package org.troupe.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of lines, when nothing is sent, and when nobody reads. */
@Timeout(60)
class LineStreamTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(10);

  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
  private final OutputStream out =
      new OutputStream() {
        @Override
        public void write(int value) {
          written.add(Character.toString(value));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
          written.add(new String(bytes, offset, length, UTF_8));
        }
      };
  private final OutputStream gone =
      new OutputStream() {
        @Override
        public void write(int value) throws IOException {
          throw new IOException("the browser has gone");
        }
      };

  @Test
  void collectsLinesUntilTheyAreToBeSent() {
    try (var stream = new LineStream(out, LONG, LONG)) {
      assertThat(stream.send("é")).isTrue();
      assertThat(stream.send("2")).isTrue();
      assertThat(written).isEmpty();

      assertThat(stream.flush()).isTrue();
      assertThat(written).containsExactly("é\n2\n");
      stream.send("x".repeat(100_000));
      assertThat(written).hasSize(2);
    }
  }

  @Test
  void sendsAnEmptyLineAfterAPause() throws Exception {
    try (var _ = new LineStream(out, LONG, SHORT)) {
      assertThat(written.take()).isEqualTo("\n");
      assertThat(written.take()).isEqualTo("\n");
    }
  }

  @Test
  void writesTheLastLinesOfAnAnswerThatHasBegun() {
    try (var stream = new LineStream(out, LONG, LONG)) {
      stream.send("1");
      stream.flush();
      stream.send("2");
    }
    assertThat(written).containsExactly("1\n", "2\n");
  }

  @Test
  void writesNothingOfAnAnswerThatHasNotBegun() {
    try (var stream = new LineStream(out, LONG, LONG)) {
      stream.send("1");
    }
    assertThat(written).isEmpty();
  }

  @Test
  void doesNotInterruptAProducerThatHasClosedIt() {
    for (var i = 0; i < 500; i++) {
      try (var stream = new LineStream(out, LONG, Duration.ZERO)) {
        stream.send("1");
        stream.flush();
      }
      assertThat(Thread.interrupted()).as("in round %s", i).isFalse();
    }
  }

  @Test
  void endsWhenTheBrowserHasGone() {
    try (var stream = new LineStream(gone, LONG, LONG)) {
      assertThat(stream.send("1")).as("not sent yet").isTrue();
      assertThat(stream.flush()).isFalse();
      assertThat(stream.send("2")).isFalse();
    }
  }

  @Test
  void interruptsAProducerThatWaitsForItsNextLine() {
    try (var _ = new LineStream(gone, LONG, SHORT)) {
      assertThatThrownBy(() -> new CountDownLatch(1).await())
          .isInstanceOf(InterruptedException.class);
    }
  }
}
