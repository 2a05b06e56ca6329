package org.troupe.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Ref;
import org.troupe.stubs.NotReifiableException;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

@Timeout(60)
class ReplicasTest {

  private static final int WRITES = 50;

  private final LocalNodes nodes = LocalNodes.start(3);

  @AfterEach
  void close() {
    nodes.close();
  }

  /** The replicated object: the order of its writes is its state. */
  static class Ledger {
    private final List<String> entries = new ArrayList<>();
    private long sum;
    private Object held = "";

    Ledger() {}

    public boolean isHolding() {
      return held instanceof Thread;
    }

    public long add(String who, long amount) {
      entries.add(who);
      sum += amount;
      return sum;
    }

    public long sum() {
      return sum;
    }

    @Reads
    public List<String> entries() {
      return entries;
    }

    public Ledger itself() {
      return this;
    }

    public void fail() {
      throw new IllegalArgumentException("on purpose");
    }

    public void call(Client client) {
      client.sum();
    }

    public void callOther(Ledger other) {
      other.sum();
    }

    public void take(Object any) {
      entries.add(String.valueOf(any));
    }

    @Reads
    public long wrong(Ledger itself) {
      return itself.add("wrong", 1);
    }

    public void addLabel(Label label) {
      entries.add(label.text());
    }

    public void hold() {
      held = Thread.currentThread();
    }

    public void roll() {
      sum += System.identityHashCode(this);
    }
  }

  /** A result for which a stub can stand. */
  static class Label {
    private final String text;

    Label(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** An object whose state cannot travel. */
  static class Holder {
    private final Thread thread = Thread.currentThread();

    Holder() {}

    public String name() {
      return thread.getName();
    }
  }

  /** An active object that uses the replica of its node. */
  static class Client {
    private static volatile CompletableFuture<Thread> began;

    private final Ledger ledger;

    Client(Replicated<Ledger> ledgers) {
      ledger = ledgers.here();
    }

    public List<Long> addsInterruptibly(int times) {
      began.complete(Thread.currentThread());
      var sums = adds("x", times);
      Thread.interrupted();
      return sums;
    }

    public List<Long> adds(String who, int times) {
      List<Long> sums = new ArrayList<>();
      for (var i = 0; i < times; i++) {
        sums.add(ledger.add(who + i, 1));
      }
      return sums;
    }

    public long sum() {
      return ledger.sum();
    }

    public List<String> entries() {
      return ledger.entries();
    }

    public boolean changesResult() {
      ledger.entries().clear();
      return ledger.entries().isEmpty();
    }

    public long sumOf(Ledger passed) {
      return passed.sum();
    }

    public long sumThrough(Ref<Client> other) {
      return other.ask(client -> client.sumOf(ledger)).join();
    }

    public boolean returnsItself() {
      return ledger.itself() == ledger;
    }

    public void fails() {
      ledger.fail();
    }

    public void callsOut(Client other) {
      ledger.call(other);
    }

    public Label label() {
      return new Label("of another node");
    }

    public List<String> addsLabelOf(Client other) {
      ledger.addLabel(other.label());
      return ledger.entries();
    }

    public void passesAThread() {
      ledger.take(Thread.currentThread());
    }

    public long writesWithinARead() {
      return ledger.wrong(ledger);
    }

    public void holds() {
      ledger.hold();
    }

    public void rolls() {
      ledger.roll();
    }

    public void callsReplica() {
      ledger.callOther(ledger);
    }
  }

  private List<Ref<Client>> clients(Replicated<Ledger> ledgers) {
    return nodes.nodes().list().stream()
        .map(node -> ActiveObjects.ref(ActiveObjects.on(node).create(Client.class, ledgers)))
        .toList();
  }

  @Test
  void appliesTheWritesOfAllNodesInOneOrder() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));

    var sums = clients.stream().map(each -> each.ask(c -> c.adds(each + "-", WRITES))).toList();
    var all = new ArrayList<Long>();
    sums.forEach(each -> all.addAll(each.join()));

    assertThat(all).doesNotHaveDuplicates().hasSize(3 * WRITES).contains(1L, 3L * WRITES);
    clients.forEach(each -> awaitSum(each, 3 * WRITES));
    var entries = clients.getFirst().ask(Client::entries).join();
    assertThat(entries).hasSize(3 * WRITES).doesNotHaveDuplicates();
    for (var each : clients) {
      assertThat(each.ask(Client::entries).join()).isEqualTo(entries);
    }
  }

  @Test
  void returnsAWriteWhenItIsAppliedHere() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));

    for (var each : clients) {
      var before = each.ask(Client::sum).join();
      var sums = each.ask(c -> c.adds("x", 5)).join();
      assertThat(each.ask(Client::sum).join()).isEqualTo(sums.getLast()).isGreaterThan(before);
    }
  }

  @Test
  void copiesResults() {
    var client = clients(Replicas.on(nodes.nodes()).create(Ledger.class)).getLast();
    client.ask(c -> c.adds("x", 1)).join();

    assertThat(client.ask(Client::changesResult).join()).isFalse();
  }

  @Test
  void passesAStubAsTheReplicaOfItsReceiver() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
    clients.getFirst().ask(c -> c.adds("x", 2)).join();
    awaitSum(clients.getLast(), 2);

    assertThat(clients.getFirst().ask(c -> c.sumThrough(clients.getLast())).join()).isEqualTo(2);
    assertThat(clients.getFirst().ask(Client::returnsItself).join()).isTrue();
  }

  @Test
  void waitsForAFutureBeforeItBecomesTheArgumentOfAWrite() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
    var other = clients.getFirst().stub();

    assertThat(clients.getLast().ask(c -> c.addsLabelOf(other)).join())
        .containsExactly("of another node");
  }

  @Test
  void throwsTheExceptionOfAWriteAtItsCaller() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));

    for (var each : clients) {
      assertThatThrownBy(() -> join(each.tell(Client::fails)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("on purpose");
    }
  }

  @Test
  void completesAWriteWhoseCallerIsInterrupted() throws Exception {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
    var began = new CompletableFuture<Thread>();
    Client.began = began;
    var adding = clients.getLast().ask(c -> c.addsInterruptibly(20 * WRITES));

    var caller = began.get();
    while (!adding.isDone()) {
      caller.interrupt();
      Thread.yield();
    }

    assertThat(adding.join()).isEqualTo(LongStream.rangeClosed(1, 20 * WRITES).boxed().toList());
    awaitSum(clients.getFirst(), 20 * WRITES);
  }

  @Test
  void refusesCallsOutOfAWrite() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
    var other = clients.getLast().stub();

    assertThatThrownBy(() -> join(clients.getFirst().tell(c -> c.callsOut(other))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("may call no active object and no replica");
    assertThatThrownBy(() -> join(clients.get(1).tell(Client::callsReplica)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it called sum() of a replica");
    assertThat(clients.getFirst().ask(c -> c.adds("x", 1)).join()).containsExactly(1L);
  }

  @Test
  void saysThatANodeHasNoReplica() {
    var ledgers = Replicas.on(nodes.nodes()).create(Ledger.class);

    assertThatThrownBy(ledgers::here)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has no replica of this object");
  }

  @Test
  void givesTheStateToANodeThatJoins() {
    var ledgers = Replicas.on(nodes.nodes()).create(Ledger.class);
    var first = clients(ledgers).getFirst();
    first.ask(c -> c.adds("before", 3)).join();

    var node = nodes.join();
    var newcomer = awaitClient(node, ledgers);

    assertThat(newcomer.ask(Client::sum).join()).isEqualTo(3);
    assertThat(newcomer.ask(c -> c.adds("after", 2)).join()).containsExactly(4L, 5L);
    awaitSum(first, 5);
    assertThat(first.ask(Client::entries).join()).isEqualTo(newcomer.ask(Client::entries).join());
  }

  @Test
  void goesOnWithoutANodeThatLeaves() {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
    clients.getFirst().ask(c -> c.adds("before", 3)).join();
    awaitSum(clients.get(1), 3);

    nodes.leave(0); // unannounced, so it is a loss, also of what is under way

    var last = writeUntilOrdered(clients.get(1));
    assertThat(last).isGreaterThanOrEqualTo(4);
    awaitSum(clients.get(2), last);
  }

  @Test
  void goesOnWhenTheSequencerIsLost() {
    survives(0);
  }

  @Test
  void goesOnWhenAnotherNodeIsLost() {
    survives(1);
  }

  private void survives(int lost) {
    var ledgers = Replicas.on(nodes.nodes()).create(Ledger.class);
    var clients = clients(ledgers);
    clients.getFirst().ask(c -> c.adds("before", 3)).join();
    var survivor = clients.get(1 - lost);
    awaitSum(survivor, 3);

    nodes.kill(lost);

    var last = writeUntilOrdered(survivor);
    assertThat(last).isGreaterThanOrEqualTo(4);
    awaitSum(clients.get(2), last);
    assertThat(writeUntilOrdered(clients.get(2))).isEqualTo(last + 1);
    awaitSum(survivor, last + 1);
    var newcomer = awaitClient(nodes.join(), ledgers);
    assertThat(writeUntilOrdered(newcomer)).isEqualTo(last + 2);
    awaitSum(survivor, last + 2);
    var entries = survivor.ask(Client::entries).join();
    awaitSum(clients.get(2), last + 2);
    assertThat(clients.get(2).ask(Client::entries).join()).isEqualTo(entries);
    assertThat(newcomer.ask(Client::entries).join()).isEqualTo(entries);
  }

  /** Writes once more if the write was lost together with the sequencer. */
  private static long writeUntilOrdered(Ref<Client> client) {
    while (true) {
      try {
        return join(client.ask(c -> c.adds("x", 1))).getFirst();
      } catch (WriteLostException e) {
        // it has taken no effect
      }
    }
  }

  // Wrong use.

  @Test
  void needsANode() {
    try (var none = LocalNodes.start(0)) {
      var creation = Replicas.on(none.nodes());
      assertThatThrownBy(() -> creation.create(Ledger.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is no node for the replicas of")
          .hasMessageContaining("nodes.await");
    }
  }

  @Test
  void needsAClassWithStubsAndAConstructorThatFits() {
    var creation = Replicas.on(nodes.nodes());
    assertThatThrownBy(() -> creation.create(String.class, "x"))
        .isInstanceOf(NotReifiableException.class);
    assertThatThrownBy(() -> creation.create(Ledger.class, 1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Ledger");
  }

  @Test
  void refusesAStateThatCannotTravel() {
    var creation = Replicas.on(nodes.nodes());
    assertThatThrownBy(() -> creation.create(Holder.class)).hasMessageContaining("Thread");
  }

  @Test
  void refusesAnArgumentThatCannotTravelAtItsCaller() {
    var ledgers = Replicas.on(nodes.nodes()).create(Ledger.class);
    var clients = clients(ledgers);
    for (var each : clients) {
      assertThatThrownBy(() -> join(each.tell(Client::passesAThread)))
          .hasMessageContaining("Thread");
    }
    assertThat(clients.getLast().ask(c -> c.adds("x", 1)).join()).containsExactly(1L);
  }

  @Test
  void refusesAWriteWithinARead() {
    var client = clients(Replicas.on(nodes.nodes()).create(Ledger.class)).getFirst();
    assertThatThrownBy(() -> client.ask(Client::writesWithinARead).join())
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasStackTraceContaining("is a write and was called within a read of a replica");
    assertThat(client.ask(c -> c.adds("x", 1)).join()).containsExactly(1L);
  }

  @Test
  void goesOnWithoutANewcomerIfTheStateCannotTravelAnyMore(LogRecords records) throws Exception {
    var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
    clients.getFirst().tell(Client::holds).join();

    nodes.join();

    records.expect(
        System.Logger.Level.WARNING,
        "node 'node-4' got no replica of",
        "Ledger on node 'node-1' cannot travel: ");
    assertThat(clients.getLast().ask(c -> c.adds("x", 1)).join()).containsExactly(1L);
    awaitSum(clients.getFirst(), 1);
  }

  @Test
  void findsTheFirstWriteAfterWhichReplicasDiffer(LogRecords records) throws Exception {
    System.setProperty("troupe.replicas.check", "true");
    try {
      var clients = clients(Replicas.on(nodes.nodes()).create(Ledger.class));
      clients.getFirst().ask(c -> c.adds("x", 130)).join();
      clients.get(1).tell(Client::rolls).join();
      clients.getFirst().ask(c -> c.adds("y", 70)).join();

      records.expect(
          System.Logger.Level.ERROR,
          "Ledger on the nodes 'node-1' and 'node-",
          "differ since the write roll(), change 131 of the object",
          "./troupe explain --replica");
    } finally {
      System.clearProperty("troupe.replicas.check");
    }
  }

  private static <V> V join(CompletableFuture<V> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static Ref<Client> awaitClient(Node node, Replicated<Ledger> ledgers) {
    return CreatedClients.of(() -> ActiveObjects.on(node).create(Client.class, ledgers));
  }

  private static void awaitSum(Ref<Client> client, long sum) {
    Polling.until("the sum is " + sum, () -> client.ask(Client::sum).join() >= sum);
  }
}
