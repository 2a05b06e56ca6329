package org.troupe.activeobjects.internal.peer;

import static java.lang.System.Logger.Level.ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.testing.LogRecords;

/** A member of the grid that sends more than it may: nothing grows without bound. */
@Timeout(60)
class HostileMembersTest {

  private static final int MEBI = 1 << 20;
  private static final int STRANGERS = 3;
  private static final int FIRST_TYPE = 100_000; // of those that nobody else has defined
  private static volatile CountDownLatch open;

  private final FaultyTransport transport = new FaultyTransport();
  private final List<GridMembership> accesses = new CopyOnWriteArrayList<>();
  private InProcessGrid grid;

  private void start(long earlyBytes) {
    open = new CountDownLatch(1);
    grid =
        InProcessGrid.start(
            2,
            transport,
            (node, settings, over) -> {
              var limits = new ReceiveLimits(earlyBytes, MEBI, 10, STRANGERS, STRANGERS);
              var access = new GridMembership(node, settings, over, System::nanoTime, limits);
              accesses.add(access);
              return access;
            });
  }

  @AfterEach
  void end() {
    open.countDown();
    transport.behave();
    grid.close();
  }

  /** Notes every call. */
  public static class Log {
    private final List<Integer> calls = new ArrayList<>();

    public void note(int call, byte[] load) {
      calls.add(call);
    }

    public List<Integer> calls() {
      return calls;
    }

    public int blocked() throws InterruptedException {
      open.await();
      return calls.size();
    }
  }

  private static ByteOutput header(long sender, long number) {
    return header(sender, number, 0);
  }

  private static ByteOutput header(long sender, long number, long acknowledged) {
    var out = new ByteOutput();
    out.writeLong(sender);
    out.writeVarLong(number);
    out.writeVarLong(acknowledged);
    out.writeVarLong(0);
    out.writeVarLong(0);
    return out;
  }

  private static Frame greeting(long sender, long acknowledged, NodeId receiver) {
    var out = header(sender, 0, acknowledged);
    out.writeByte(0);
    out.writeString("stranger-" + sender);
    out.writeString("nowhere");
    out.writeLong(receiver.incarnation());
    out.writeVarLong(0);
    out.writeBoolean(false);
    return new Frame(out.toByteArray());
  }

  @Test
  void framesThatComeTooEarlyAreSentAgainWhenThereIsRoom() {
    start(2_000); // some five of those below
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    transport.misbehave(18);

    for (var call = 0; call < 400; call++) {
      log.note(call, new byte[200]);
    }
    transport.behave();

    assertThat(valueOf(onVirtualThread(log::calls), "the calls"))
        .isEqualTo(IntStream.range(0, 400).boxed().toList());
  }

  @Test
  void framesThatFollowOneThatNeverComesEndInTheLossOfTheirSender(LogRecords records)
      throws Exception {
    start(MEBI);
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    assertThat(log.calls()).isEmpty();
    var sender = NodeRuntime.main().peers().known(grid.get(0).id());
    var next = sender.nextFrameTaken() + 1;
    var body = new byte[16 * MEBI]; // one, of which as much is counted as if each had its own
    var pending = ActiveObjects.ref(log).ask(Log::blocked);

    for (var i = 0; i < 100; i++) {
      transport.inject(
          0, new Frame(header(sender.id().incarnation(), next + i).toByteArray(), body));
    }

    assertThat(failureOf(pending, "the call"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("which did not come");
    records.expect(ERROR, "node 'node-1' sent a frame", "which did not come");
  }

  @Test
  void definitionsWithoutEndEndInTheLossOfTheirSender(LogRecords records) throws Exception {
    start(MEBI);
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    assertThat(log.calls()).isEmpty();
    var sender = NodeRuntime.main().peers().known(grid.get(0).id());
    var pending = ActiveObjects.ref(log).ask(Log::blocked);
    for (var i = 0; i < 100; i++) {
      var frame = header(sender.id().incarnation(), sender.nextFrameTaken());
      frame.writeVarInt(1);
      frame.writeVarInt(FIRST_TYPE + i);
      frame.writeBytes(new byte[20_000]);
      frame.writeByte(10); // it gives a call up
      transport.inject(0, new Frame(frame.toByteArray()));
    }

    assertThat(failureOf(pending, "the call"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("it has defined names and types of more than");
    records.expect(ERROR, "node 'node-1' sent a frame", "it has defined names and types of more");
  }

  @Test
  void unknownSendersAreKnownUpToABound() {
    start(MEBI);
    var access = accesses.getFirst();
    for (var sender = 1; sender <= 100; sender++) {
      transport.inject(0, new Frame(header(sender, 7).toByteArray()));
    }

    assertThat(access.hasIgnored(new NodeId("one", 1))).isTrue();
    assertThat(access.hasIgnored(new NodeId("never seen", 1000))).isTrue(); // it might have been
    assertThat(ActiveObjects.on(grid.get(0)).create(Log.class).calls()).isEmpty();
  }

  @Test
  void greetingsOfStrangersMakeNoPeersWithoutBound() {
    start(MEBI);
    var peers = NodeRuntime.main().peers().all().size();
    for (var sender = 1; sender <= 100; sender++) {
      transport.inject(0, greeting(sender, 0, NodeRuntime.main().objects().id()));
    }

    assertThat(NodeRuntime.main().peers().all()).hasSizeBetween(peers, peers + STRANGERS);
    assertThat(ActiveObjects.on(grid.get(0)).create(Log.class).calls()).isEmpty();
  }

  @Test
  void greetingsForTheFormerNodeOfAnAddressMakeNoPeer() {
    start(MEBI);
    var former = new NodeId("node-7", 7);
    var peers = NodeRuntime.main().peers().all().size();

    transport.inject(0, greeting(1, 0, former));

    assertThat(NodeRuntime.main().peers().all()).hasSize(peers);
  }

  /** A sender repeats its greeting twenty times a second until it learns of the end. */
  @Test
  void greetingsForTheFormerNodeOfAnAddressAreReportedOnce() {
    start(MEBI);
    var known = NodeRuntime.main().peers().known(grid.get(0).id()).id().incarnation();
    for (var sender : List.of(1L, 2L, known)) {
      for (var receiver : List.of(new NodeId("node-7", 7), new NodeId("node-8", 8))) {
        var isReported = sender == known || receiver.incarnation() == 7;
        assertThat(transport.inject(0, greeting(sender, 0, receiver)))
            .as("the first greeting of %d for %s", sender, receiver)
            .isInstanceOf(
                isReported
                    ? SerializationException.class
                    : Transport.RefusedConnectionException.class);
        assertThat(transport.inject(0, greeting(sender, 0, receiver)))
            .as("the second one")
            .isInstanceOf(Transport.RefusedConnectionException.class);
      }
    }
  }

  @Test
  void greetingsForTheFormerNodeOfAnAddressChangeNoLink() {
    start(MEBI);
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    assertThat(log.calls()).isEmpty();
    var sender = NodeRuntime.main().peers().known(grid.get(0).id());
    var address = sender.address();

    // It claims to have taken all that will be sent, as the link to the former node may have.
    transport.inject(0, greeting(sender.id().incarnation(), 1_000_000, new NodeId("node-7", 7)));
    transport.misbehave(19);
    for (var call = 0; call < 100; call++) {
      log.note(call, new byte[1]);
    }
    transport.behave();

    assertThat(sender.address()).isEqualTo(address);
    assertThat(valueOf(onVirtualThread(log::calls), "the calls"))
        .isEqualTo(IntStream.range(0, 100).boxed().toList());
  }
}
