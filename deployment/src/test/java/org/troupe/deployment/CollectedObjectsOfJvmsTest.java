package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.program.Quick;
import org.troupe.program.Witness;

/** Objects to which references leave their process, one of whose holders is killed. */
@Timeout(120)
class CollectedObjectsOfJvmsTest {

  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(40);

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void liveAsLongAsAProcessCanCallThem(String transport) throws Exception {
    var options = Quick.GRID.withTransport(transport).withSilence(Duration.ofSeconds(5));
    try (var grid = Grid.local(3, options)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60)).list();
      var host = witness(nodes.get(0), "host");
      var giver = witness(nodes.get(1), "giver");
      var receiver = witness(nodes.get(2), "receiver");

      var dropped = give(nodes.get(0), "dropped", giver);
      giver.drop();
      assertCollected(dropped, host, giver);

      var handedOver = give(nodes.get(0), "handed over", giver);
      giver.handOver(receiver);
      var onBoth = give(nodes.get(0), "on both", giver);
      giver.hand(receiver);
      var withTheDead = give(nodes.get(0), "with the dead", giver);
      collect(host, giver, receiver);
      assertThat(receiver.names()).containsExactly("handed over", "on both");

      var loss = ActiveObjects.ref(giver).end();
      Processes.kill(nodes.get(1));
      assertThat(loss.get(BOUND_NANOS, TimeUnit.NANOSECONDS).how()).isEqualTo(End.How.LOST);
      assertCollected(withTheDead, host, receiver);
      assertThat(receiver.names()).containsExactly("handed over", "on both");

      receiver.drop();
      assertCollected(handedOver, host, receiver);
      assertCollected(onBoth, host, receiver);
    }
  }

  private static Witness witness(Node node, String name) {
    return ActiveObjects.on(node).create(Witness.class, name);
  }

  /** Lets an object be known to one node only; returns its end, which does not keep it. */
  private static CompletableFuture<End> give(Node host, String name, Witness keeper) {
    var object = witness(host, name);
    keeper.keep(object);
    return ActiveObjects.ref(object).end();
  }

  private static void collect(Witness... all) {
    System.gc();
    for (var each : all) {
      each.collect();
    }
  }

  /** Lets the processes collect garbage until an object is collected. */
  private static void assertCollected(CompletableFuture<End> end, Witness host, Witness other)
      throws Exception {
    var began = System.nanoTime();
    while (!end.isDone() && System.nanoTime() - began < BOUND_NANOS) {
      collect(host, other);
      CompletableFuture.anyOf(
              end, new CompletableFuture<>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS))
          .join();
    }
    assertThat(end.getNow(null)).extracting(End::how).isEqualTo(End.How.COLLECTED);
  }
}
