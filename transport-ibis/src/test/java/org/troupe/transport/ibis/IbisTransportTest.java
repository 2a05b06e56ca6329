package org.troupe.transport.ibis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.contract.TransportContract;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Caller;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.links.Driver;

@ParameterizedClass
@MethodSource("org.troupe.transport.ibis.Drivers#all")
class IbisTransportTest extends TransportContract {

  @Parameter Driver driver;

  IbisTransportTest() {
    super("ibis");
  }

  @Override
  protected List<String> jvmOptions() {
    return List.of("--enable-native-access=ALL-UNNAMED", Drivers.option(driver));
  }

  @BeforeParameterizedClassInvocation
  static void choose(Driver driver) {
    Drivers.only(driver);
  }

  @AfterParameterizedClassInvocation
  static void chooseNoMore() {
    Drivers.any();
  }

  /**
   * Returns a frame of the given lengths whose bytes differ from those of frames of other lengths.
   */
  private static Frame frameOf(int headerLength, int bodyLength) {
    return new Frame(bytes(headerLength, 3), bytes(bodyLength, 5));
  }

  private static byte[] bytes(int length, int step) {
    var bytes = new byte[length];
    for (var i = 0; i < length; i++) {
      bytes[i] = (byte) (i * step + length);
    }
    return bytes;
  }

  /** Begins an exchange on a virtual thread, as its callers do. */
  private static CompletableFuture<Frame> begun(Connection connection, Frame frame) {
    var end = new CompletableFuture<Frame>();
    var caller =
        new Caller() {
          @Override
          public void ended(Frame reply) {
            end.complete(
                reply == null
                    ? null
                    : new Frame(reply.header().clone(), reply.body(), reply.arrays()));
          }

          @Override
          public void broke(IOException why) {
            end.completeExceptionally(new UncheckedIOException(why));
          }
        };
    Thread.startVirtualThread(
        () -> {
          try {
            connection.begin(frame, caller);
          } catch (IOException e) {
            caller.broke(e);
          }
        });
    return end;
  }

  @Test
  void goesOverTheDriverAskedFor() throws IOException {
    assertThat(connectedTo(DEAF).driver()).isEqualToIgnoringCase(driver.name());
  }

  @Test
  void tellsWhereItsFramesGo() throws IOException {
    var addresses = connectedTo(DEAF).addresses();

    assertThat(addresses.remote().isEmpty()).isEqualTo(driver == Driver.UDS);
    assertThat(addresses.file().isEmpty()).isEqualTo(driver == Driver.TCP || driver == Driver.TLS);
  }

  @Test
  void carriesFramesOfAllSizesEitherWay() throws Exception {
    var received = new LinkedBlockingQueue<Frame>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (exchange == null) {
                received.add(kept(frame));
              } else {
                exchange.reply(frame);
              }
            });
    var frames = new ArrayList<Frame>();
    for (int around : new int[] {0, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 3 << 20}) {
      for (int length = Math.max(0, around - 10); length <= around + 10; length++) {
        frames.add(frameOf(length % 7, length));
        frames.add(frameOf(length, length % 7));
      }
    }

    for (Frame frame : frames) {
      assertThat(connection.exchange(frame)).matches(reply -> same(reply, frame));
    }
    connection.send(frames);

    for (Frame frame : frames) {
      assertThat(next(received)).matches(each -> same(each, frame));
    }
  }

  @Test
  void carriesArraysApartEitherWay() throws Exception {
    var received = new LinkedBlockingQueue<Frame>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (exchange == null) {
                received.add(kept(frame));
              } else {
                exchange.reply(frame);
              }
            });
    var doubles = IntStream.range(0, 300_000).mapToDouble(i -> i / 3.0).toArray();
    var frame =
        new Frame(
            new byte[] {1},
            new byte[] {2, 3},
            List.of(
                bytes(70_000, 3),
                new short[] {-1, 2, Short.MIN_VALUE},
                "characters".toCharArray(),
                IntStream.range(0, 40_000).toArray(),
                new float[] {1.5f, Float.MIN_VALUE},
                new long[] {},
                LongStream.range(0, 3000).toArray(),
                doubles));

    var reply = connection.exchange(frame);
    connection.send(List.of(frame(1, 1), frame, frame(2, 2)));

    assertThat(same(reply, frame)).isTrue();
    assertThat(next(received)).matches(each -> same(each, frame(1, 1)));
    assertThat(same(next(received), frame)).isTrue();
    assertThat(next(received)).matches(each -> same(each, frame(2, 2)));
    if (!connection.offer(List.of(frame, frame(3, 3)))) {
      connection.send(List.of());
    }
    assertThat(same(next(received), frame)).isTrue();
    assertThat(next(received)).matches(each -> same(each, frame(3, 3)));
  }

  @Test
  void takesOffersWithoutWaitingAndSendsTheRestLater() throws Exception {
    var held = new CountDownLatch(1);
    var received = new LinkedBlockingQueue<Frame>();
    var connection =
        connectedTo(
            (frame, _) -> {
              awaited(held);
              received.add(kept(frame));
            });
    assertThat(connection.canOffer()).isTrue();
    var frames = 0;

    while (connection.offer(List.of(frameOf(4, 1000 + frames), frameOf(4, frames)))) {
      frames++; // until the buffers of the peer, which reads nothing, are full
    }
    held.countDown();
    connection.send(List.of());
    connection.send(List.of(frame(9, 9)));

    for (var i = 0; i <= frames; i++) {
      var number = i;
      assertThat(next(received)).matches(each -> same(each, frameOf(4, 1000 + number)));
      assertThat(next(received)).matches(each -> same(each, frameOf(4, number)));
    }
    assertThat(next(received)).matches(each -> same(each, frame(9, 9)));
  }

  @Test
  void sendsTheRestOfAnOfferThoughNothingFollows() throws Exception {
    var held = new CountDownLatch(1);
    var received = new LinkedBlockingQueue<Frame>();
    var connection =
        connectedTo(
            (frame, _) -> {
              awaited(held);
              received.add(kept(frame));
            });
    var frames = 1;

    while (connection.offer(List.of(frameOf(4, 1000 + frames)))) {
      frames++; // until the buffers of the peer, which reads nothing, are full
    }
    held.countDown();
    connection.send(List.of());

    for (var i = 1; i <= frames; i++) {
      var number = i;
      assertThat(next(received)).matches(each -> same(each, frameOf(4, 1000 + number)));
    }
  }

  @Test
  void takesOffersOfAnySize() throws Exception {
    var received = new LinkedBlockingQueue<Frame>();
    var connection = connectedTo((frame, _) -> received.add(kept(frame)));
    var large = frameOf(10, 5 << 20);

    if (!connection.offer(List.of(frame(1, 1), large, frame(2, 2)))) {
      connection.send(List.of());
    }

    assertThat(next(received)).matches(each -> same(each, frame(1, 1)));
    assertThat(next(received)).matches(each -> same(each, large));
    assertThat(next(received)).matches(each -> same(each, frame(2, 2)));
  }

  @Test
  void returnsTheReplyOfAnExchange() throws IOException {
    var connection =
        connectedTo(
            (frame, exchange) -> exchange.reply(frame.header()[0] == 1 ? frame(7, 2) : null));

    assertThat(connection.exchange(frame(1, 2))).matches(reply -> same(reply, frame(7, 2)));
    assertThat(connection.exchange(frame(0, 2))).isNull();
    assertThat(connection.exchange(frame(1, 2))).matches(reply -> same(reply, frame(7, 2)));
  }

  @Test
  void takesTheReplyLaterFromAnyThread() throws Exception {
    var exchanges = new LinkedBlockingQueue<Exchange>();
    var connection = connectedTo((_, exchange) -> exchanges.add(exchange));

    for (Thread.Builder thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
      var replying = exchanging(connection, frame(1, 1));
      var exchange = exchanges.take();
      assertThat(replying).isNotDone();
      thread.start(() -> exchange.reply(frameOf(10, 1 << 20)));
      assertThat(replying)
          .succeedsWithin(30, SECONDS)
          .matches(reply -> same(reply, frameOf(10, 1 << 20)));
    }
  }

  @Test
  void repliesToAnExchangeOnce() throws Exception {
    var second = new CompletableFuture<Boolean>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              exchange.reply(frame);
              second.complete(exchange.reply(frame));
            });

    assertThat(connection.exchange(frame(1, 1))).isNotNull();

    assertThat(second).succeedsWithin(30, SECONDS).isEqualTo(false);
  }

  @Test
  void exchangesAreNotHeldUpByAPeerThatTakesNoFrames() throws Exception {
    var held = new CountDownLatch(1);
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (exchange == null) {
                awaited(held);
              } else {
                exchange.reply(frame);
              }
            });
    while (connection.offer(List.of(frameOf(4, 1000)))) {
      // until the link is full
    }

    assertThat(connection.exchange(frame(1, 1))).isNotNull();
    held.countDown();
  }

  @Test
  void survivesAServerThatInterruptsItsThread() throws IOException {
    var connection =
        connectedTo(
            (frame, exchange) -> {
              exchange.reply(frame);
              Thread.currentThread().interrupt();
            });

    assertThat(connection.exchange(frame(0, 0))).isNotNull();
    assertThat(connection.exchange(frame(1, 0))).isNotNull();
  }

  @Test
  void anInterruptedCallerBreaksItsOwnExchangeOnly() throws Exception {
    var sent = new CountDownLatch(1);
    var exchanges = new LinkedBlockingQueue<Exchange>();
    var connection =
        connectedTo(
            (frame, exchange) -> {
              if (exchange == null) {
                sent.countDown();
              } else if (frame.header()[0] == 0) {
                exchanges.add(exchange);
              } else {
                exchange.reply(frame);
              }
            });
    var caller = new AtomicReference<Thread>();
    var interrupted = new CompletableFuture<Boolean>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              caller.set(Thread.currentThread());
              try {
                interrupted.completeExceptionally(
                    new AssertionError(connection.exchange(frame(0, 0))));
              } catch (IOException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
              }
            });
    var never = exchanges.take();
    var other = exchanging(connection, frame(0, 1));
    var answered = exchanges.take();

    caller.get().interrupt();

    assertThat(interrupted)
        .as("it is still interrupted")
        .succeedsWithin(30, SECONDS)
        .isEqualTo(true);
    never.reply(frame(9, 9)); // the result depends on whether it has detected the end of the caller
    answered.reply(frame(2, 2));
    assertThat(other).succeedsWithin(30, SECONDS).matches(reply -> same(reply, frame(2, 2)));
    for (var i = 1; i < 10; i++) {
      var number = i;
      assertThat(connection.exchange(frame(i, i)))
          .matches(reply -> same(reply, frame(number, number)));
    }
    connection.send(List.of(frame(1, 1)));
    assertThat(awaited(sent)).isTrue();
  }

  @Test
  void hasAsManyLanesAsCallersAndNotMore() throws Exception {
    var held = new CountDownLatch(1);
    var served = new CountDownLatch(CallLanes.MOST);
    var connection =
        connectedTo(
            (frame, exchange) -> {
              served.countDown();
              awaited(held);
              exchange.reply(frame);
            });

    var waiting =
        IntStream.range(0, CallLanes.MOST)
            .mapToObj(i -> exchanging(connection, frame(1, i)))
            .toList();
    assertThat(awaited(served)).isTrue();
    assertThatThrownBy(() -> connection.exchange(frame(1, 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("all 64 call lanes");

    held.countDown();
    for (var i = 0; i < CallLanes.MOST; i++) {
      var number = i;
      assertThat(waiting.get(i))
          .succeedsWithin(30, SECONDS)
          .matches(reply -> same(reply, frame(1, number)));
    }
    assertThat(connection.exchange(frame(1, 1))).isNotNull();
  }

  @Test
  void readsTheRepliesOfVirtualCallers() throws Exception {
    var connection = connectedTo((frame, exchange) -> exchange.reply(frame));

    for (var i = 0; i < 100; i++) {
      var all =
          IntStream.range(0, 1 + i % 5).mapToObj(each -> frameOf(1 + each, each * 30_000)).toList();
      var replies = all.stream().map(each -> begun(connection, each)).toList();
      for (var each = 0; each < all.size(); each++) {
        var sent = all.get(each);
        assertThat(replies.get(each))
            .succeedsWithin(30, SECONDS)
            .matches(reply -> same(reply, sent));
      }
    }
  }

  @Test
  void tellsVirtualCallersThatThereIsNoReply() throws Exception {
    var connection = connectedTo((_, exchange) -> exchange.reply(null));

    assertThat(begun(connection, frame(1, 1))).succeedsWithin(30, SECONDS).isNull();
    assertThat(begun(connection, frame(1, 2))).succeedsWithin(30, SECONDS).isNull();
  }

  @Test
  void tellsVirtualCallersThatTheConnectionIsClosed() throws Exception {
    var arrived = new CountDownLatch(1);
    var connection = connectedTo((_, _) -> arrived.countDown());
    var waiting = begun(connection, frame(1, 1));
    assertThat(awaited(arrived)).isTrue();

    connection.close();

    assertBroke(waiting);
    assertBroke(begun(connection, frame(1, 1)));
  }

  @Test
  void aClosedConnectionTakesNoOffers() throws IOException {
    var connection = connectedTo(DEAF);

    connection.close();

    assertThatThrownBy(() -> connection.offer(List.of(frame(0, 0))))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aClosedConnectionWakesWhoWaitsOnIt() throws Exception {
    var served = new CountDownLatch(3);
    var connection = connectedTo((_, _) -> served.countDown());
    var waiting = IntStream.range(0, 3).mapToObj(i -> exchanging(connection, frame(1, i))).toList();
    assertThat(awaited(served)).isTrue();

    connection.close();

    waiting.forEach(IbisTransportTest::assertBroke);
  }

  @Test
  void aClosedConnectionWakesItsSender() throws Exception {
    var held = new CountDownLatch(1);
    var connection = connectedTo((_, _) -> awaited(held));
    while (connection.offer(List.of(frameOf(4, 1000)))) {
      // until the link is full
    }
    var sending =
        CompletableFuture.runAsync(
            () ->
                assertThatThrownBy(() -> connection.send(List.of(frameOf(4, 64 << 20))))
                    .isInstanceOf(IOException.class),
            work -> Thread.ofPlatform().daemon().start(work));

    connection.close();

    assertThat(sending).succeedsWithin(30, SECONDS);
    held.countDown();
  }

  @Test
  void noticesThatThePeerIsGone() throws Exception {
    var endpoint = open(secret, 0, DEAF);
    var connection = open(secret, 0, DEAF).connect(endpoint.address());
    var gone = new CountDownLatch(1);
    connection.onEnd(gone::countDown);

    endpoint.close();

    assertThat(awaited(gone)).isTrue();
  }
}
