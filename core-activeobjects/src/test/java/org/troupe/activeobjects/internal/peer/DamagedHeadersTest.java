package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.listing.CopyChanges;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.marshal.FutureToken;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.futures.FutureResult;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.SerializationException;
import org.troupe.testing.LogRecords;

/** The header of a frame, however damaged, gives a message or the one exception. */
@Timeout(120)
class DamagedHeadersTest {

  /** The seed is fixed; {@code -Dtroupe.long=true} tries a million. */
  private static final int HEADERS = Boolean.getBoolean("troupe.long") ? 1_000_000 : 50_000;

  /** An active object to refer to. */
  public static class Thing {
    public int number() {
      return 1;
    }
  }

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(1);
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private static Peer peer() {
    return NodeRuntime.main().peers().known(grid.get(0).id());
  }

  private static List<Message> messages() {
    var here = (Reference<?>) ActiveObjects.ref(ActiveObjects.here().create(Thing.class));
    var there = (Reference<?>) ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Thing.class));
    var future =
        new FutureToken(
            new FutureResult<>(NodeRuntime.main().objects().waiting()), "java.util.List");
    List<Object> side = List.of(here, there, future);
    var summary = FailureSummary.of(new IllegalStateException("a", new RuntimeException("b")), 3);
    byte[] context = {1, 2, 3};
    var call = new Message.Call(7, "type#method()V", true, true, 9, "caller", side, context);
    var origin = grid.get(0).id();
    var stamp = new MulticastStamp(origin, "address", new long[] {1, 2, 3}, new long[] {4, 5, 6});
    long[] targets = {7, 8, 9};
    return List.of(
        new Message.Hello("name", "address", 4, 3, true),
        new Message.Heartbeat(new MemoryUsage(1, 300, 70000), List.of(1L, 300L, 70_000L)),
        call,
        new Message.Multicast(
            targets, "type#method()V", true, true, stamp, 9, "caller", List.of(here)),
        new Message.Behind(origin, "address", 3, call),
        new Message.Packet(7, new BodyExtension.Key(1, 2), 3, 4, side),
        new Message.Terminate(7, true),
        new Message.Answer(side),
        new Message.Simple(8),
        new Message.Failed(summary, side),
        new Message.OneWayFailed(9, "a call", summary, List.of()),
        new Message.Value(10, side),
        new Message.ValueFailed(10, summary, List.of()),
        new Message.Credit(7, 2),
        new Message.Abandon(),
        new Message.Unexchanged(),
        new Message.Backlog(true),
        new Message.CapacityRequest(7),
        new Message.CapacityGrant(7),
        new Message.CopiesChanged(
            List.of(new RemoteObjects.Change(7, new CopyChanges(Map.of(5L, 1), Map.of(6L, 2))))),
        new Message.CopiesStated(5, List.of(new RemoteObjects.Stated(7, 3))),
        new Message.ObjectKept(7),
        new Message.PassedOnServed(origin),
        new Message.Probe(1, 2, Message.Probe.Follows.CALL, 3, 4, true, List.of("one", "two")));
  }

  @Test
  void giveAMessageOrTheOneException(LogRecords records) {
    // Damaged references name nodes that do not exist, some of them at addresses of those that do.
    records.allow(Level.WARNING, "greets a node that had the address");
    NodeRuntime.main().objects().marshaller().encode(new Thing());
    var headers =
        messages().stream()
            .map(message -> peer().newCodec().write(5, 4, 3, 8, message, new int[] {0}, null))
            .toList();
    var random = new Random(11);
    var read = 0;
    for (var i = 0; i < HEADERS; i++) {
      var damaged = damaged(headers.get(i % headers.size()), random);
      try {
        var in = new ByteInput(damaged);
        in.readLong();
        in.readVarLong();
        in.readVarLong();
        in.readVarLong();
        in.readVarLong();
        peer().newCodec().read(in, random.nextInt(8) > 0);
        read++;
      } catch (SerializationException expected) {
        // the one that is allowed
      } catch (Throwable t) {
        throw new AssertionError("header " + i + ": " + Arrays.toString(damaged), t);
      }
    }
    assertThat(read).isBetween(HEADERS / 100, HEADERS - HEADERS / 10);
  }

  private static byte[] damaged(byte[] header, Random random) {
    var bytes = header.clone();
    for (var changes = 1 + random.nextInt(3); changes > 0; changes--) {
      var at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> {
          var longer = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }
}
