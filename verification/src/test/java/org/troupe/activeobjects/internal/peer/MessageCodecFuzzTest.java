package org.troupe.activeobjects.internal.peer;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.listing.CopyChanges;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.SerializationException;

/** Reading any frame header gives a message or a SerializationException. */
class MessageCodecFuzzTest {

  private static final InProcessGrid GRID = InProcessGrid.start(1);

  /** An active object to refer to. */
  public static class Thing {}

  private static Peer peer() {
    return NodeRuntime.main().peers().known(GRID.get(0).id());
  }

  /** Seeds: headers of messages of most kinds. */
  static Stream<byte[]> headers() {
    var reference = (Reference<?>) ActiveObjects.ref(ActiveObjects.here().create(Thing.class));
    List<Object> side = List.of(reference);
    var summary = FailureSummary.of(new IllegalStateException("a"), 3);
    byte[] context = {1, 2, 3};
    var call = new Message.Call(7, "type#method()V", true, true, 9, "caller", side, context);
    var origin = GRID.get(0).id();
    var stamp = new MulticastStamp(origin, "address", new long[] {1, 2}, new long[] {3, 4});
    long[] targets = {7, 8};
    return Stream.of(
            new Message.Hello("name", "address", 4, 3, true),
            new Message.Heartbeat(new MemoryUsage(1, 300, 70000), List.of(1L, 300L, 70_000L)),
            call,
            new Message.Multicast(
                targets, "type#method()V", true, true, stamp, 9, "caller", List.of()),
            new Message.Behind(origin, "address", 3, call),
            new Message.Packet(7, new BodyExtension.Key(1, 2), 3, 4, side),
            new Message.Terminate(7, true),
            new Message.Vacated(new ObjectIdentity(origin, "address", 7)),
            new Message.PassedOnServed(origin),
            new Message.Answer(side),
            new Message.Simple(8),
            new Message.Failed(summary, side),
            new Message.OneWayFailed(9, "a call", summary, List.of()),
            new Message.ValueFailed(10, summary, List.of()),
            new Message.Credit(7, 2),
            new Message.CopiesChanged(
                List.of(
                    new RemoteObjects.Change(7, new CopyChanges(Map.of(5L, 1), Map.of(6L, 2))))),
            new Message.CopiesStated(5, List.of(new RemoteObjects.Stated(7, 3))),
            new Message.ObjectKept(7),
            new Message.Probe(1, 2, Message.Probe.Follows.CALL, 3, 4, true, List.of("one")))
        .map(message -> peer().newCodec().write(5, 4, 3, 8, message, new int[0], null));
  }

  @MethodSource("headers")
  @FuzzTest
  void givesAMessageOrOneException(byte[] header) {
    try {
      var in = new ByteInput(header);
      in.readLong(); // the sender
      long number = in.readVarLong();
      in.readVarLong(); // the last frame that it acknowledges
      in.readVarLong(); // how many calls it has served
      in.readVarLong(); // the call
      peer().newCodec().read(in, number != 0);
    } catch (SerializationException expected) {
      // The documented refusal.
    }
  }
}
