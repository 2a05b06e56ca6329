package org.troupe.transport.rmi;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.links.Secret;
import org.troupe.serialization.SerializationException;

/** Tests the form of frames as arguments of RMI calls, in pieces of bounded length. */
@Timeout(60)
class FramePackingTest {

  /** The seed is fixed; {@code -Dtroupe.long=true} tries a million. */
  private static final int DAMAGED = Boolean.getBoolean("troupe.long") ? 1_000_000 : 10_000;

  private static final int MEBI = 1 << 20;

  private static byte[] bytes(int length) {
    var bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static List<Frame> frames(int length) {
    var doubles = new Random(1).doubles(length / 8 + 3).toArray();
    return List.of(
        new Frame(bytes(20), bytes(length)),
        new Frame(bytes(length), bytes(3)),
        new Frame(
            bytes(20),
            bytes(length),
            List.of(doubles, new Frame.Slice(doubles, 2, doubles.length - 2), new short[0])),
        new Frame(bytes(7)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 600, MEBI - 1, MEBI, MEBI + 1, 5 * MEBI + 3})
  void framesOfAnyLengthArriveInShortPieces(int length) {
    var frames = frames(length);

    var parts = FramePacking.pack(frames);
    var arrived = FramePacking.unpackAll(parts.clone());

    assertThat(List.of(parts)).allMatch(part -> part.length <= MEBI);
    assertThat(arrived).hasSameSizeAs(frames);
    for (int i = 0; i < frames.size(); i++) {
      assertSame(arrived.get(i), frames.get(i));
      assertSame(FramePacking.unpack(FramePacking.pack(frames.get(i))), frames.get(i));
    }
  }

  private static void assertSame(Frame arrived, Frame sent) {
    var arrays = sent.withWholeArrays().arrays();
    assertThat(Arrays.equals(arrived.header(), sent.header())).as("the header").isTrue();
    assertThat(Arrays.equals(arrived.body(), sent.body())).as("the body").isTrue();
    assertThat(Objects.deepEquals(arrived.arrays().toArray(), arrays.toArray()))
        .as("the arrays")
        .isTrue();
  }

  @Test
  void damagedPartsGiveFramesOrTheOneException() {
    var random = new Random(18);
    var parts = FramePacking.pack(frames(600));
    for (int i = 0; i < DAMAGED; i++) {
      var damaged = new ArrayList<>(Arrays.asList(parts));
      for (int changes = 1 + random.nextInt(3); changes > 0 && !damaged.isEmpty(); changes--) {
        int at = random.nextInt(damaged.size());
        switch (random.nextInt(4)) {
          case 0 -> damaged.remove(at);
          case 1 -> damaged.set(at, null);
          case 2 -> damaged.add(at, bytes(random.nextInt(40)));
          default -> {
            var part = damaged.get(at) == null ? new byte[0] : damaged.get(at).clone();
            if (part.length > 0) {
              part[random.nextInt(Math.min(part.length, 13))] = (byte) random.nextInt();
            }
            damaged.set(at, part);
          }
        }
      }
      try {
        FramePacking.unpackAll(damaged.toArray(byte[][]::new));
      } catch (SerializationException e) {
        // the exception that the contract names
      } catch (Throwable e) {
        throw new AssertionError("parts " + i, e);
      }
    }
    for (Object wrong : new Object[] {"", "\uffff", "\0\5abc", new byte[0][], 7}) {
      assertThatThrownBy(() -> FramePacking.unpack(wrong))
          .isInstanceOf(SerializationException.class);
    }
  }

  @Test
  void anArrayLongerThanAPieceIsRefusedBeforeItIsAllocated() throws Exception {
    var options = new EndpointOptions(Secret.random().reveal(), "127.0.0.1", 0);
    var received = new LinkedBlockingQueue<Frame>();
    try (var receiving = RmiEndpoint.open(options, (frame, _) -> received.add(frame));
        var sending = RmiEndpoint.open(options, (_, _) -> {});
        var connection = (RmiConnection) sending.connect(receiving.address())) {
      var tooLong = new byte[][] {{}, {1}, new byte[FramePacking.LONGEST_ARRAY + 1]};

      assertThatThrownBy(() -> connection.peer.deliver(tooLong))
          .isInstanceOf(RemoteException.class);
      assertThatThrownBy(() -> connection.peer.deliver(new byte[FramePacking.LONGEST_ARRAY + 1][]))
          .isInstanceOf(RemoteException.class);
      assertThatThrownBy(() -> connection.peer.exchange(tooLong))
          .isInstanceOf(RemoteException.class);

      connection.send(frames(3 * MEBI));
      for (var each : frames(3 * MEBI)) {
        assertSame(received.poll(30, SECONDS), each);
      }
      assertThat(received).isEmpty();
    }
  }
}
