package org.troupe.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.WireVersions;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortTest;
import org.troupe.links.port.TestPorts;

/** What a link promises, whatever its driver. */
@Timeout(120)
class LinkTest {

  /** Larger than all buffers on the way together. */
  private static final int HUGE = 40_000_000;

  private final Secret secret = Secret.random();
  private final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
  private Port here;
  private Port there;
  private Link near;
  private Link far;

  private void connect(Driver driver) throws Exception {
    var drivers = new DriverPreferences(List.of(driver));
    here =
        TestPorts.open(secret, PortTest.ANY, WireVersions.OURS, HandshakeLimits.DEFAULT, drivers);
    there =
        TestPorts.open(secret, PortTest.ANY, WireVersions.OURS, HandshakeLimits.DEFAULT, drivers);
    there.serve("link", accepted::add);
    near = connectOnce();
    far = accepted();
    assertThat(near.driver()).isEqualTo(driver);
    assertThat(far.driver()).isEqualTo(driver);
  }

  private void connectShared(Driver driver) throws Exception {
    connect(driver);
    near.share();
    far.share();
  }

  private Link connectOnce() throws IOException {
    return here.connect(there.address(), "link", PortTest.LONG);
  }

  private Link accepted() throws InterruptedException {
    Link link = accepted.poll(30, TimeUnit.SECONDS);
    assertThat(link).as("link given to the acceptor within 30 s").isNotNull();
    return link;
  }

  @AfterEach
  void closePorts() {
    if (here != null) {
      here.close();
    }
    if (there != null) {
      there.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void tellsItsAddresses(Driver driver) throws Exception {
    connect(driver);
    var ours = near.addresses();
    var theirs = far.addresses();

    assertThat(ours.file()).isEqualTo(theirs.file());
    if (driver == Driver.UDS) {
      assertThat(ours.file()).startsWith("/");
    } else {
      assertThat(ours.remote()).isEqualTo("127.0.0.1:" + there.address().port());
      assertThat(ours).isEqualTo(new LinkAddresses(theirs.remote(), theirs.local(), ours.file()));
      assertThat(ours.file()).isEqualTo(driver == Driver.SHM ? "/memfd:troupe-link" : "");
    }
    if (driver == Driver.SHM) {
      var mapped = Files.readString(Path.of("/proc/self/maps")); // both sides are in this process
      assertThat(mapped).contains(ours.file());
    }
  }

  @Test
  void writesAnAddressOfVersionSixInBrackets() throws Exception {
    var its = new InetSocketAddress(InetAddress.getByName("::1"), 7);

    assertThat(LinkAddresses.of(its, null))
        .isEqualTo(new LinkAddresses("[0:0:0:0:0:0:0:1]:7", "", ""));
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void readsWhatHasComeWithoutWaiting(Driver driver) throws Exception {
    connect(driver);
    ByteBuffer into = ByteBuffer.allocate(100);
    assertThat(far.tryRead(into)).isZero();

    near.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    Thread.currentThread().interrupt(); // which does a link no harm, as nobody waits
    while (into.position() < 3) {
      assertThat(far.tryRead(into)).isNotNegative();
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));

    near.write(ByteBuffer.wrap(new byte[] {4}));
    assertThat(far.read(into.clear())).isEqualTo(1); // it can still wait
    near.close();
    int end = 0;
    while (end == 0) {
      end = far.tryRead(into.clear());
    }
    assertThat(end).isEqualTo(-1);
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(Link link, int count) throws IOException {
    byte[] bytes = new byte[count];
    link.readFully(MemorySegment.ofArray(bytes));
    return bytes;
  }

  private static <T> FutureTask<T> inBackground(Callable<T> task) {
    var future = new FutureTask<>(task);
    Thread.ofPlatform().daemon().start(future);
    return future;
  }

  private static <T> T get(FutureTask<T> task) throws Exception {
    return task.get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void carriesBytesBothWays(Driver driver) throws Exception {
    connect(driver);

    near.write(ByteBuffer.wrap("ping".getBytes()));
    assertThat(read(far, 4)).asString().isEqualTo("ping");
    far.write(ByteBuffer.wrap("pong".getBytes()));
    assertThat(read(near, 4)).asString().isEqualTo("pong");
  }

  @ParameterizedTest
  @EnumSource
  void gathersPartsOfAllKindsAndSizes(Driver driver) throws Exception {
    connect(driver);
    var random = new Random(7);
    for (int round = 0; round < 60; round++) {
      var parts = new ArrayList<ByteBuffer>();
      int total = 0;
      for (int i = random.nextInt(6); i >= 0; i--) {
        int size = random.nextInt(3) == 0 ? random.nextInt(400_000) : random.nextInt(50);
        var part =
            random.nextBoolean()
                ? ByteBuffer.allocate(size + 3)
                : ByteBuffer.allocateDirect(size + 3);
        part.put(random(size + 3)).flip().position(random.nextInt(4));
        total += part.remaining();
        parts.add(part);
      }
      byte[] expected = new byte[total];
      var all = ByteBuffer.wrap(expected);
      parts.forEach(part -> all.put(part.duplicate()));
      int count = total;
      var reader = inBackground(() -> read(far, count));

      near.write(parts.toArray(ByteBuffer[]::new));

      assertThat(get(reader)).isEqualTo(expected);
      assertThat(parts).noneMatch(ByteBuffer::hasRemaining);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsIntoBuffersOfAllKinds(Driver driver) throws Exception {
    connect(driver);
    byte[] bytes = random(300_000);
    var writer =
        inBackground(
            () -> {
              near.write(ByteBuffer.wrap(bytes));
              near.close();
              return null;
            });

    var all = ByteBuffer.allocate(bytes.length + 1);
    var direct = ByteBuffer.allocateDirect(1000);
    int count;
    do {
      var into = all.position() % 2 == 0 ? ByteBuffer.allocate(77_777) : direct.clear();
      count = far.read(into);
      assertThat(into.position()).isEqualTo(Math.max(0, count));
      all.put(into.flip());
    } while (count >= 0);

    get(writer);
    assertThat(Arrays.copyOf(all.array(), all.position())).isEqualTo(bytes);
    assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void carriesHugeArrays(Driver driver) throws Exception {
    connect(driver);
    double[] sent = new Random(3).doubles(HUGE / 8).toArray();
    var writer =
        inBackground(
            () -> {
              near.write(MemorySegment.ofArray(sent));
              return null;
            });
    double[] received = new double[sent.length];

    far.readFully(MemorySegment.ofArray(received));

    get(writer);
    assertThat(Arrays.equals(sent, received)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void isFullBothWaysAtOnce(Driver driver) throws Exception {
    connect(driver);
    byte[] bytes = random(HUGE / 4);
    var tasks = new ArrayList<FutureTask<Boolean>>();
    for (Link link : List.of(near, far)) {
      tasks.add(
          inBackground(
              () -> {
                link.write(ByteBuffer.wrap(bytes));
                return true;
              }));
    }
    for (Link link : List.of(near, far)) {
      tasks.add(inBackground(() -> Arrays.equals(read(link, bytes.length), bytes)));
    }
    for (var task : tasks) {
      assertThat(get(task)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void offersOnlyWhatGoesAtOnce(Driver driver) throws Exception {
    connectShared(driver);
    byte[] bytes = random(HUGE);
    var parts =
        new ByteBuffer[] {ByteBuffer.wrap(bytes, 0, 9), ByteBuffer.wrap(bytes, 9, HUGE - 9)};

    assertThat(near.offer(parts)).isFalse();
    assertThat(near.offer(parts)).isFalse();

    assertThat(parts[0].hasRemaining()).isFalse();
    assertThat(parts[1].position()).isBetween(10, HUGE - 1);
    var reader = inBackground(() -> read(far, HUGE));
    near.write(parts);
    assertThat(Arrays.equals(get(reader), bytes)).isTrue();
    assertThat(near.offer(ByteBuffer.wrap(bytes, 0, 9))).isTrue();
    assertThat(read(far, 9)).isEqualTo(Arrays.copyOf(bytes, 9));
  }

  @ParameterizedTest
  @EnumSource
  void writesAllAtOnceOrNothing(Driver driver) throws Exception {
    connectShared(driver);
    byte[] beginning = random(9);
    double[] numbers = {1, 2, 3};
    var huge = List.of(MemorySegment.ofArray(numbers), MemorySegment.ofArray(random(HUGE)));
    var small = List.of(MemorySegment.ofArray(numbers), MemorySegment.ofArray(numbers));
    var buffer = ByteBuffer.wrap(beginning);

    assertThat(near.tryWrite(buffer, huge)).isFalse();
    assertThat(buffer.position()).isZero();
    if (!near.tryWrite(buffer, small)) {
      assertThat(driver).as("tells beforehand").isNotEqualTo(Driver.SHM);
      near.write(buffer);
      near.write(small.getFirst());
      near.write(small.getLast());
    }

    assertThat(buffer.hasRemaining()).isFalse();
    assertThat(read(far, 9)).isEqualTo(beginning);
    for (var i = 0; i < small.size(); i++) {
      double[] received = new double[3];
      far.readFully(MemorySegment.ofArray(received));
      assertThat(received).isEqualTo(numbers);
    }
  }

  @Test
  void tellsWithoutReadingWhatIsThere() throws Exception {
    connectShared(Driver.SHM);
    assertThat(near.canPoll()).isTrue();

    assertThat(far.available()).isZero();
    assertThat(near.offer(ByteBuffer.wrap(random(9)))).isTrue();
    assertThat(far.available()).isEqualTo(9);
    assertThat(far.awaitReadable()).isTrue();
    assertThat(read(far, 9)).hasSize(9);
    assertThat(far.available()).isZero();

    near.close();
    assertThat(far.awaitReadable()).isFalse();
    assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @Test
  void wakesWhoWaitsWhenNobodyPollsAnyMore() throws Exception {
    connectShared(Driver.SHM);
    var reader =
        inBackground(
            () -> {
              assertThat(far.awaitReadable()).isTrue();
              return read(far, 9);
            });
    for (var i = 0; i < 1000; i++) {
      far.poll(true);
      assertThat(far.available()).isZero();
      far.poll(false);
    }
    near.write(ByteBuffer.wrap(new byte[9]));

    assertThat(get(reader)).isEqualTo(new byte[9]);
  }

  @ParameterizedTest
  @EnumSource
  void boundsWhatIsUnderWayToASlowReader(Driver driver) throws Exception {
    connectShared(driver);
    var block = ByteBuffer.allocateDirect(1 << 20);
    long sent = 0;
    while (near.offer(block.clear())) {
      sent += block.capacity();
      assertThat(sent).isLessThan(100_000_000L);
    }
    Link other = connectOnce();
    Link end = accepted();
    other.write(ByteBuffer.wrap(random(1000)));
    assertThat(read(end, 1000)).isEqualTo(random(1000));
  }

  @ParameterizedTest
  @EnumSource
  void offersFromVirtualThreads(Driver driver) throws Exception {
    connectShared(driver);
    var reader = inBackground(() -> read(far, 4));

    Thread.ofVirtual()
        .start(
            () -> {
              try {
                assertThat(near.offer(ByteBuffer.wrap("ping".getBytes()))).isTrue();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })
        .join();

    assertThat(get(reader)).asString().isEqualTo("ping");
  }

  @ParameterizedTest
  @EnumSource
  void isWrittenByVirtualThreadsThoughNotShared(Driver driver) throws Exception {
    connect(driver);
    byte[] bytes = random(HUGE);
    var reader = inBackground(() -> read(far, HUGE));

    var writer =
        new FutureTask<>(
            () -> {
              near.write(ByteBuffer.wrap(bytes));
              return null;
            });
    Thread.ofVirtual().start(writer);

    get(writer);
    assertThat(Arrays.equals(get(reader), bytes)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void deliversWhatWasWrittenBeforeTheClose(Driver driver) throws Exception {
    connect(driver);
    near.write(ByteBuffer.wrap("last words".getBytes()));
    near.close();

    assertThat(read(far, 10)).asString().isEqualTo("last words");
    assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThatThrownBy(() -> read(far, 1)).isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @EnumSource
  void wakesItsOwnReaderAndThePeersWhenClosed(Driver driver) throws Exception {
    for (boolean shared : new boolean[] {false, true}) {
      connect(driver);
      if (shared) {
        near.share();
        far.share();
      }
      var own = inBackground(() -> near.read(ByteBuffer.allocate(1)));
      var peers = inBackground(() -> far.read(ByteBuffer.allocate(1)));

      near.close();

      assertThatThrownBy(() -> get(own)).hasCauseInstanceOf(IOException.class);
      assertThat(get(peers)).isEqualTo(-1);
      closePorts();
    }
  }

  @ParameterizedTest
  @EnumSource
  void wakesAWriterWhenEitherSideCloses(Driver driver) throws Exception {
    for (boolean shared : new boolean[] {false, true}) {
      for (boolean byPeer : new boolean[] {false, true}) {
        connect(driver);
        if (shared) {
          near.share();
          far.share();
        }
        var first = new CountDownLatch(1);
        var writer =
            inBackground(
                () -> {
                  near.write(ByteBuffer.allocate(1));
                  first.countDown();
                  near.write(ByteBuffer.allocate(HUGE));
                  return null;
                });
        assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();

        (byPeer ? far : near).close();

        assertThatThrownBy(() -> get(writer)).hasCauseInstanceOf(IOException.class);
        closePorts();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsForGoodOnceClosed(Driver driver) throws Exception {
    connectShared(driver);
    near.close();
    near.close();

    assertThatThrownBy(() -> near.read(ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is closed");
    assertThatThrownBy(() -> near.write(ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is closed");
    assertThatThrownBy(() -> near.offer(ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is closed");
  }

  @ParameterizedTest
  @EnumSource
  void endsWithItsPort(Driver driver) throws Exception {
    connect(driver);
    var reader = inBackground(() -> near.read(ByteBuffer.allocate(1)));

    here.close();

    assertThatThrownBy(() -> get(reader)).hasCauseInstanceOf(IOException.class);
    assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void isClosedByAnInterruptInAWait(Driver driver) throws Exception {
    connect(driver);
    var stayed = new CountDownLatch(1);
    var reading = new CountDownLatch(1);
    var failure = new ArrayList<Throwable>();
    Thread reader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  reading.countDown();
                  try {
                    near.read(ByteBuffer.allocate(1));
                  } catch (Throwable e) {
                    failure.add(e);
                    if (Thread.currentThread().isInterrupted()) {
                      stayed.countDown();
                    }
                  }
                });
    assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();

    reader.interrupt();

    reader.join(30_000);
    assertThat(failure).singleElement().isInstanceOf(InterruptedIOException.class);
    assertThat(stayed.getCount()).isZero();
    if (driver == Driver.TLS) { // the channel is closed by the interrupt, without a last word
      assertThatThrownBy(() -> far.read(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
    } else {
      assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void survivesInterruptsOnceShared(Driver driver) throws Exception {
    connectShared(driver);
    byte[] bytes = random(HUGE / 4);
    var reader =
        inBackground(
            () -> {
              Thread.currentThread().interrupt();
              byte[] all = read(far, bytes.length);
              assertThat(Thread.interrupted()).isTrue();
              return all;
            });
    Thread.currentThread().interrupt();

    near.write(ByteBuffer.wrap(bytes));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(Arrays.equals(get(reader), bytes)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void carriesThousandsOfSmallMessagesOnSeveralLinks(Driver driver) throws Exception {
    connect(driver);
    int messages = 5000;
    var tasks = new ArrayList<FutureTask<Boolean>>();
    for (int i = 0; i < 8; i++) {
      Link a = connectOnce();
      Link b = accepted();
      tasks.add(
          inBackground(
              () -> {
                for (int k = 0; k < messages; k++) {
                  var message = ByteBuffer.allocate(4 + k % 90).putInt(k).rewind();
                  a.write(message);
                }
                return true;
              }));
      tasks.add(
          inBackground(
              () -> {
                for (int k = 0; k < messages; k++) {
                  if (ByteBuffer.wrap(read(b, 4 + k % 90)).getInt() != k) {
                    return false;
                  }
                }
                return true;
              }));
    }
    for (var task : tasks) {
      assertThat(get(task)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void isNotOfferedToBeforeItIsShared(Driver driver) throws Exception {
    connect(driver);

    assertThatThrownBy(() -> near.offer(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("share()");
  }
}
