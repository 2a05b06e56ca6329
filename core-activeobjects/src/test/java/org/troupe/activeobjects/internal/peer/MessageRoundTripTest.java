package org.troupe.activeobjects.internal.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.listing.CopyChanges;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.graph.TypeDefinition;

/** Every kind of message arrives as it was sent, component by component. */
@Timeout(60)
class MessageRoundTripTest {

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

  /** No component has the value that it would have if it were forgotten. */
  static Stream<Message> messages() {
    StackTraceElement[] frames = {
      new StackTraceElement("a.Type", "method", "Type.java", 8),
      new StackTraceElement("a.Type", "other", null, 9)
    };
    var cause = new FailureSummary("a.Cause", null, frames, null);
    var summary = new FailureSummary("a.Failure", "message", frames, cause);
    var call = new Message.Call(7, "type#method()V", true, true, 9, "caller", List.of());
    var stamp =
        new MulticastStamp(peer().id(), peer().address(), new long[] {1, 2}, new long[] {3, 4});
    var multicast =
        new Message.Multicast(
            new long[] {7, 8}, "type#method()V", true, true, stamp, 9, "caller", List.of());
    var path = List.of("one", "two");
    var other = new NodeId("other", 6);
    var object = new ObjectIdentity(grid.get(0).id(), "address", 12);
    var types = List.of(new TypeDefinition(3, new byte[] {1, 2}));
    var mark = new Message.Mark(2, 14);
    var tailEnd = new Message.TailEnd();
    var logged = new CallOrigin.Logged(new ObjectIdentity(other, "another address", 13));
    var numbered = new Message.Numbered(new CallName(logged, 9, 7, 5, 6, true), call);
    return Stream.of(
        new Message.Hello("name", "address", 4, 3, true),
        new Message.Heartbeat(new MemoryUsage(1, 300, 70_000), List.of(1L, 300L, 70_000L)),
        call,
        new Message.Call(
            7, "type#method()V", true, true, 9, "caller", List.of(), new byte[] {1, 2, 3}),
        multicast,
        new Message.Multicast(
            new long[] {7, 8},
            "type#method()V",
            true,
            true,
            stamp,
            9,
            "caller",
            List.of(),
            new byte[] {4, 5},
            1),
        numbered,
        new Message.Numbered(new CallName(new CallOrigin.Process(other), 3, 1, 2), call),
        new Message.Behind(grid.get(0).id(), "address", 5, numbered),
        new Message.Taken(object, logged, 0, 17),
        new Message.Taken(object, logged, 300, 17_000),
        new Message.Settled(object, new CallOrigin.Process(other), 18),
        new Message.Behind(grid.get(0).id(), "address", 3, call),
        new Message.Behind(grid.get(0).id(), "address", 4, multicast),
        new Message.Packet(7, new BodyExtension.Key(1, 2), 3, 4, List.of()),
        new Message.Terminate(7, true),
        new Message.Answer(List.of()),
        new Message.Simple(8),
        new Message.Simple(8L),
        new Message.Simple(8.5),
        new Message.Simple(true),
        new Message.Simple(8.5f),
        new Message.Simple((short) 8),
        new Message.Simple((byte) 8),
        new Message.Simple('8'),
        new Message.Failed(summary, List.of()),
        new Message.OneWayFailed(9, "a call", summary, List.of()),
        new Message.Value(10, List.of()),
        new Message.ValueFailed(11, summary, List.of()),
        new Message.Credit(7, 2),
        new Message.Backlog(true),
        new Message.CapacityRequest(7),
        new Message.CapacityGrant(8),
        new Message.Routed(object, 2, 5, List.of(other), 1, other, "its address", types, call),
        new Message.Routed(object, 2, 5, List.of(), -1, other, "its address", List.of(), mark),
        new Message.Relocated(object, 1, other, "its address", 3),
        new Message.Switched(object, -1, 15, other, "its address", 3),
        tailEnd,
        new Message.Routed(object, 2, 5, List.of(), 1, other, "its address", List.of(), tailEnd),
        new Message.Routed(object, 2, 5, List.of(other), 1, other, "its address", types, numbered),
        new Message.Vacated(object),
        new Message.PassedOnServed(other),
        mark,
        new Message.CopiesChanged(
            List.of(
                new RemoteObjects.Change(7, new CopyChanges(Map.of(5L, 1, 6L, 300), Map.of())),
                new RemoteObjects.Change(9, new CopyChanges(Map.of(), Map.of(5L, 2))))),
        new Message.CopiesStated(5, List.of(new RemoteObjects.Stated(7, 3))),
        new Message.ObjectKept(7),
        new Message.Abandon(),
        new Message.Unexchanged(),
        new Message.Probe(1, 2, Message.Probe.Follows.QUEUE, 3, 4, true, path));
  }

  private static Message roundTrip(MessageCodec sender, MessageCodec receiver, Message message) {
    var isOrdered = !(message instanceof Message.Unordered);
    var header = sender.write(isOrdered ? 5 : 0, 4, 3, 8, message, new int[0], null);
    var in = new ByteInput(header);
    in.readLong(); // the sender
    in.readVarLong(); // the number
    in.readVarLong(); // what it acknowledges
    in.readVarLong(); // what it has served
    in.readVarLong(); // the call
    return receiver.read(in, isOrdered);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void arrivesAsItWasSent(Message message) {
    var received = roundTrip(peer().newCodec(), peer().newCodec(), message);
    assertThat(received).hasSameClassAs(message);
    assertThat(flat(received)).isEqualTo(flat(message));
  }

  /** Returns the components of a record, with those of records and arrays in it. */
  private static List<Object> flat(Object value) {
    if (value == null || !value.getClass().isRecord() && !value.getClass().isArray()) {
      return Collections.singletonList(value);
    }
    List<Object> flat = new ArrayList<>();
    if (value.getClass().isArray()) {
      for (var i = 0; i < Array.getLength(value); i++) {
        flat.addAll(flat(Array.get(value, i)));
      }
      return flat;
    }
    for (var component : value.getClass().getRecordComponents()) {
      try {
        flat.addAll(flat(component.getAccessor().invoke(value)));
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
    return flat;
  }

  @Test
  void coversEveryKind() {
    Set<Class<?>> covered = new HashSet<>();
    messages().forEach(each -> covered.add(each.getClass()));
    assertThat(covered).containsExactlyInAnyOrderElementsOf(kinds(Message.class));
  }

  private static Set<Class<?>> kinds(Class<?> type) {
    Set<Class<?>> kinds = new HashSet<>();
    for (var each : type.getPermittedSubclasses()) {
      if (each.isSealed()) {
        kinds.addAll(kinds(each));
      } else {
        kinds.add(each);
      }
    }
    return kinds;
  }

  /** The codecs use the last message of a method again if it is that of the next call. */
  @Test
  void callsThatDifferInOneComponentStayApart() {
    var sender = peer().newCodec();
    var receiver = peer().newCodec();
    var calls =
        List.of(
            new Message.Call(7, "type#method()V", true, true, 9, "caller", List.of()),
            new Message.Call(8, "type#method()V", true, true, 9, "caller", List.of()),
            new Message.Call(8, "type#method()V", false, true, 9, "caller", List.of()),
            new Message.Call(8, "type#method()V", false, false, 9, "caller", List.of()),
            new Message.Call(8, "type#method()V", false, false, 10, "other", List.of()),
            new Message.Call(8, "type#other()V", false, false, 10, "other", List.of()),
            new Message.Call(
                8,
                "type#other()V",
                false,
                false,
                10,
                "other",
                List.of(),
                ObserverBinding.NOT_TRACED));
    List<Message> received = new ArrayList<>();
    for (var call : calls) {
      received.add(roundTrip(sender, receiver, call));
      assertThat(roundTrip(sender, receiver, call)).isSameAs(received.getLast());
    }
    assertThat(received).isEqualTo(calls);
    assertThat(Arrays.stream(Message.Call.class.getRecordComponents()))
        .as("components that a new one must join here and in Message.Call.is")
        .hasSize(8);
  }
}
