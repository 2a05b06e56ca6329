package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Ref;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** The end of a replicated object. */
@Timeout(60)
class ClosedReplicasTest {

  private static final String CLOSED = "was closed by a call of Replicated.close; create it anew";

  private final LocalNodes nodes = LocalNodes.start(3);

  @AfterEach
  void close() {
    nodes.close();
  }

  static class Counter {
    private long count;

    Counter() {}

    public long add() {
      return ++count;
    }

    public long count() {
      return count;
    }

    public void take(Object any) {
      count += any.hashCode();
    }

    @Reads
    public void closeWithin(Replicated<Counter> counters) {
      counters.close();
    }
  }

  /** Can be copied once on the first node: by the caller of a write, but not by the replica. */
  static class CopiedOnce implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger COPIES = new AtomicInteger();

    @Serial
    private Object readResolve() {
      if (ActiveObjects.node().name().equals("node-1") && COPIES.incrementAndGet() > 1) {
        throw new IllegalArgumentException("on purpose");
      }
      return this;
    }
  }

  /** An active object that uses the replica of its node. */
  static class Client {
    private final Replicated<Counter> counters;
    private final Counter counter;

    Client(Replicated<Counter> counters) {
      this.counters = counters;
      counter = counters.here();
    }

    public long add() {
      return counter.add();
    }

    public long count() {
      return counter.count();
    }

    /** Lets the replica of the first node fail. */
    public boolean spoils() {
      CopiedOnce.COPIES.set(0);
      counter.take(new CopiedOnce());
      return true;
    }

    public boolean closes() {
      counters.close();
      return true;
    }

    public boolean closesWithinARead() {
      counter.closeWithin(counters);
      return true;
    }

    /** Writes until that is refused; returns what the writes have returned. */
    public List<Long> addsUntilClosed() {
      List<Long> counts = new ArrayList<>();
      while (true) {
        try {
          counts.add(counter.add());
        } catch (WriteLostException e) {
          // it has taken no effect
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageContaining(CLOSED);
          return counts;
        }
      }
    }
  }

  /** Closes objects from a node that has no replica. */
  static class Stranger {
    Stranger() {}

    public boolean closes(Replicated<Counter> counters) {
      counters.close();
      return true;
    }
  }

  private Ref<Client> client(Node node, Replicated<Counter> counters) {
    return ActiveObjects.ref(ActiveObjects.on(node).create(Client.class, counters));
  }

  private List<Ref<Client>> clients(Replicated<Counter> counters) {
    return nodes.nodes().list().stream().map(node -> client(node, counters)).toList();
  }

  private static void assertClosed(Ref<Client> client) {
    assertThatThrownBy(() -> client.ask(Client::add).join()).hasStackTraceContaining(CLOSED);
    assertThatThrownBy(() -> client.ask(Client::count).join()).hasStackTraceContaining(CLOSED);
  }

  @Test
  void refuseReadsAndWritesOnAllNodes() {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    var clients = clients(counters);
    clients.getFirst().ask(Client::add).join();

    counters.close();

    clients.forEach(ClosedReplicasTest::assertClosed);
    assertThatThrownBy(() -> client(nodes.get(0), counters))
        .hasStackTraceContaining("has no replica of this object")
        .hasStackTraceContaining("or the object was closed");
    counters.close(); // has no effect
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void canBeClosedOnEachNode(int node) {
    var clients = clients(Replicas.on(nodes.nodes()).create(Counter.class));
    clients.get(node).ask(Client::add).join();

    clients.get(node).ask(Client::closes).join();

    clients.forEach(ClosedReplicasTest::assertClosed);
  }

  @Test
  void canBeClosedOnANodeWithoutAReplica() {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    var clients = clients(counters);
    var stranger = ActiveObjects.ref(ActiveObjects.here().create(Stranger.class));

    stranger.ask(it -> it.closes(counters)).join();

    clients.forEach(ClosedReplicasTest::assertClosed);
  }

  @Test
  void canOnlyBeClosedByMembersAndTheCreatorIfTheFirstNodeIsLost() {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    var clients = clients(counters);
    var stranger = ActiveObjects.ref(ActiveObjects.here().create(Stranger.class));
    nodes.kill(0);

    assertThatThrownBy(() -> stranger.ask(it -> it.closes(counters)).join())
        .hasStackTraceContaining(
            "its first node is lost or the replica there has failed; close it");
    counters.close();

    assertClosed(clients.get(1));
    assertClosed(clients.get(2));
  }

  private static void spoil(Ref<Client> first, LogRecords records) throws InterruptedException {
    assertThatThrownBy(() -> first.ask(Client::spoils).join())
        .hasStackTraceContaining("the replica of this node has failed: ");
    records.expect(System.Logger.Level.ERROR, "on node 'node-1' leaves the others");
  }

  @Test
  void canOnlyBeClosedByMembersAndTheCreatorIfTheFirstReplicaHasFailed(LogRecords records)
      throws Exception {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    var clients = clients(counters);
    var stranger = ActiveObjects.ref(ActiveObjects.here().create(Stranger.class));
    spoil(clients.getFirst(), records);

    assertThatThrownBy(() -> stranger.ask(it -> it.closes(counters)).join())
        .hasStackTraceContaining(
            "its first node is lost or the replica there has failed; close it");
    counters.close();

    assertClosed(clients.get(1));
    assertClosed(clients.get(2));
  }

  @Test
  void warnOfANodeThatJoinsWhenAllHaveFailed(LogRecords records) throws Exception {
    try (var others = LocalNodes.start(1)) {
      var counters = Replicas.on(others.nodes()).create(Counter.class);
      spoil(client(others.get(0), counters), records);

      others.join();

      records.expect(
          System.Logger.Level.WARNING,
          "node 'node-2' got no replica of",
          "all replicas are lost or have failed");
    }
  }

  @Test
  void cannotBeClosedWithinARead() {
    var client = clients(Replicas.on(nodes.nodes()).create(Counter.class)).getLast();

    assertThatThrownBy(() -> client.ask(Client::closesWithinARead).join())
        .hasStackTraceContaining("cannot be closed within a call of a replica");
    assertThat(client.ask(Client::add).join()).isEqualTo(1);
  }

  @Test
  void giveNoReplicaToANodeThatJoinsLater() {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    clients(counters).getLast().ask(Client::closes).join();

    var node = nodes.join();

    assertThatThrownBy(() -> client(node, counters)).hasStackTraceContaining("has no replica");
  }

  @Test
  void endTheWritesThatAreUnderWay() {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    var clients = clients(counters);
    var writers = clients(counters);
    var writing = writers.stream().map(each -> each.ask(Client::addsUntilClosed)).toList();
    awaitCount(clients.getFirst(), 100);

    counters.close();

    var all = new ArrayList<Long>();
    writing.forEach(each -> all.addAll(each.join()));
    assertThat(new HashSet<>(all)).hasSize(all.size()).hasSizeGreaterThan(90);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void endAlsoIfANodeIsLostMeanwhile(int lost) {
    var counters = Replicas.on(nodes.nodes()).create(Counter.class);
    var clients = clients(counters);
    var writing =
        clients(counters).stream().map(each -> each.ask(Client::addsUntilClosed)).toList();
    awaitCount(clients.get(lost), 50);
    var closing = CompletableFuture.runAsync(counters::close);

    nodes.kill(lost);

    closing.join();
    for (var node = 0; node < 3; node++) {
      if (node != lost) {
        writing.get(node).join();
        assertClosed(clients.get(node));
      }
    }
  }

  private static void awaitCount(Ref<Client> client, long count) {
    Polling.until(
        "the client has made " + count + " writes",
        () -> client.ask(Client::count).join() >= count);
  }
}
