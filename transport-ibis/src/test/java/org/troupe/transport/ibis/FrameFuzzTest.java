package org.troupe.transport.ibis;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.links.Driver;
import org.troupe.testing.LogRecords;

/** Arbitrary bytes give frames or an error, and no more memory than a multiple of their number. */
@Timeout(120)
class FrameFuzzTest {

  /** The seed is fixed; {@code -Dtroupe.long=true} tries a hundred thousand. */
  private static final int STREAMS = Boolean.getBoolean("troupe.long") ? 100_000 : 1_000;

  private static final int MEBI = 1 << 20;
  private static final long HEAP = 1L << 30;

  /** Memory for buffers, streams and error messages. */
  private static final long ALLOWANCE = MEBI;

  private static final int GROWTH =
      8; // the new array has four times the bytes, and the old one is still there

  private static final Executor PLATFORM = work -> Thread.ofPlatform().daemon().start(work);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private LinkPair links;

  @BeforeEach
  void open() throws IOException {
    Drivers.only(Driver.TCP);
    links = new LinkPair();
  }

  @AfterEach
  void close() {
    links.close();
    Drivers.any();
  }

  private FrameInput input(ReceiveBudget budget) {
    return new FrameInput(links.near(), LinkEndpoint.FRAMES_BUFFER_BYTES, budget);
  }

  private static List<Frame> frames() {
    return List.of(
        new Frame(new byte[] {1, 2, 3}),
        new Frame(new byte[20], new byte[300]),
        new Frame(new byte[5], new byte[100_000]),
        new Frame(new byte[7], new byte[9], List.of(new double[2_000], new int[5_000])),
        new Frame(new byte[80_000], new byte[0], List.of(new byte[70_000])));
  }

  @Test
  void damagedStreamsEndInOneErrorAndTakeLittleMemory(LogRecords records) throws Exception {
    records.allow(WARNING, "bytes of it are dropped");
    var random = new Random(18);
    int ended = 0;
    for (int i = 0; i < STREAMS; i++) {
      var stream = damaged(stream(frames().get(i % frames().size())), random);
      links.connect();
      var sender = sending(links, stream);
      var input = input(new ReceiveBudget(i % 2 == 0 ? 0 : 4L * MEBI, HEAP));
      long before = THREADS.getCurrentThreadAllocatedBytes();
      try {
        for (Frame last = FrameInput.NO_FRAME; last != null; ) {
          last = input.read(last);
        }
      } catch (EOFException | BadFrameException e) {
        ended++;
      } catch (Throwable e) {
        throw new AssertionError("stream " + i, e);
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      long most = GROWTH * (long) stream.length + ALLOWANCE + (i % 2 == 0 ? 0 : 4L * MEBI);
      assertThat(allocated).as("allocated for stream %d", i).isLessThan(most);
      sender.join();
    }
    assertThat(ended).isEqualTo(STREAMS);
  }

  private static CompletableFuture<Void> sending(LinkPair links, byte[] stream) {
    var far = links.far();
    return CompletableFuture.runAsync(
        () -> {
          try {
            far.write(ByteBuffer.wrap(stream));
          } catch (IOException e) {
            // The receiver has closed the link.
          }
          far.close();
        },
        PLATFORM);
  }

  /** Returns the bytes of a frame on a link, twice. */
  private static byte[] stream(Frame frame) {
    var bytes = ByteBuffer.allocate(2 * (int) (frame.size() + 100));
    for (int times = 0; times < 2; times++) {
      int arrays = frame.arrays().size();
      bytes.putInt(frame.header().length);
      bytes.putInt(frame.body().length | (arrays == 0 ? 0 : FrameOutput.ARRAYS));
      if (arrays > 0) {
        bytes.putInt(arrays);
      }
      for (Object array : frame.arrays()) {
        var kind = ArrayKind.of(array);
        bytes.put(kind.code()).putInt((int) (Frame.bytes(array) / kind.elementBytes));
      }
      bytes.put(frame.header()).put(frame.body());
      for (Object array : frame.arrays()) {
        bytes.put(ArrayKind.segment(array).toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** Damages the beginning, which holds most of the lengths and kinds. */
  private static byte[] damaged(byte[] stream, Random random) {
    var bytes = stream.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(random.nextBoolean() ? Math.min(32, bytes.length) : bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2147483000, 0, 0", // a body
    "2147483000, 0, 0, 0", // a header
    "10, 0, 1, 268000000", // an array
    "10, 0, 250000, 2000", // many arrays
    "1000000000, 1000000000, 0, 0"
  })
  void whatIsOnlyAnnouncedTakesNoMemory(int header, int body, int arrays, int length)
      throws Exception {
    links.connect();
    var stream = ByteBuffer.allocate(5_000);
    stream.putInt(header).putInt(body | (arrays == 0 ? 0 : FrameOutput.ARRAYS));
    if (arrays > 0) {
      stream.putInt(arrays).put(ArrayKind.DOUBLE.code()).putInt(length);
    }
    var sender = sending(links, stream.array());
    var budget = new ReceiveBudget(MEBI, Long.MAX_VALUE);
    var input = input(budget);
    long before = THREADS.getCurrentThreadAllocatedBytes();

    assertThatThrownBy(() -> input.read(FrameInput.NO_FRAME)).isInstanceOf(IOException.class);

    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(3L * MEBI);
    assertThat(budget.reserved()).isZero();
    sender.join();
  }

  @Test
  void aFrameThatTheHeapCannotHoldIsPassedOver(LogRecords records) throws Exception {
    links.connect();
    var output = new FrameOutput(links.far(), 1024);
    var sender =
        CompletableFuture.runAsync(
            () -> {
              try {
                output.put(new Frame(new byte[] {7}, new byte[9 * MEBI]));
                output.put(new Frame(new byte[] {8}, new byte[MEBI]));
                output.flush();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            PLATFORM);
    var input = input(new ReceiveBudget(MEBI, 8L * MEBI));

    var dropped = input.read(FrameInput.NO_FRAME);
    var next = input.read(FrameInput.NO_FRAME);

    assertThat(dropped.header()).containsExactly(7);
    assertThat(dropped.body()).isEqualTo(Frame.tooLarge(new byte[0]).body());
    assertThat(next.header()).containsExactly(8);
    assertThat(next.body()).isEqualTo(Frame.tooLarge(new byte[0]).body()); // the heap is used
    sender.join();
    records.expect(WARNING, "9,437", "bytes of it are dropped", "-Xmx");
    records.allow(WARNING, "bytes of it are dropped"); // of the next one, more or less
  }

  @ParameterizedTest
  @MethodSource("org.troupe.transport.ibis.Drivers#all")
  void whatGrowsArrivesAsWhatIsAllocatedAtOnce(Driver driver) throws Exception {
    Drivers.only(driver);
    links.close();
    links = new LinkPair();
    links.connect();
    var random = new Random(3);
    var bytes = new byte[3 * MEBI + 5];
    random.nextBytes(bytes);
    var doubles = random.doubles(MEBI + 1).toArray();
    var header = new byte[200_000];
    random.nextBytes(header);
    var shorts = new short[] {1, 2, 3};
    List<Object> arrays = List.of(doubles, shorts, bytes.clone(), new int[0]);
    var output = new FrameOutput(links.far(), LinkEndpoint.FRAMES_BUFFER_BYTES);
    var sender =
        CompletableFuture.runAsync(
            () -> {
              try {
                output.put(new Frame(header, bytes, arrays));
                output.put(new Frame(new byte[] {1}, bytes, arrays)); // which can be polled
                output.flush();
                links.far().close();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            PLATFORM);
    var grows = input(new ReceiveBudget(0, HEAP));

    var first = grows.read(FrameInput.NO_FRAME);
    var second = polled(grows);

    assertThat(first.header()).isEqualTo(header);
    assertThat(second.header()).containsExactly(1);
    for (var frame : List.of(first, second)) {
      assertThat(frame.body()).isEqualTo(bytes);
      assertThat(frame.arrays()).hasSize(4);
      assertThat((double[]) frame.arrays().get(0)).isEqualTo(doubles);
      assertThat((short[]) frame.arrays().get(1)).isEqualTo(shorts);
      assertThat((byte[]) frame.arrays().get(2)).isEqualTo(bytes);
      assertThat((int[]) frame.arrays().get(3)).isEmpty();
    }
    sender.join();
  }

  private Frame polled(FrameInput input) throws IOException {
    Frame frame = null;
    while (links.near().canPoll() && frame == null && links.near().awaitReadable()) {
      frame = input.poll(FrameInput.NO_FRAME);
      input.readAhead();
    }
    return frame == null ? input.read(FrameInput.NO_FRAME) : frame;
  }
}
