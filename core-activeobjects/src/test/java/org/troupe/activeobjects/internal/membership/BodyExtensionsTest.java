package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.futures.FutureResult;

/** Tests extensions of bodies, and their packets, between nodes. */
@Timeout(60)
class BodyExtensionsTest {

  private final InProcessGrid grid = InProcessGrid.start(3);

  @AfterEach
  void end() {
    Place.gate = new CountDownLatch(0);
    grid.close();
  }

  private <T> T on(int node, Class<T> type) {
    return node == 0
        ? ActiveObjects.here().create(type)
        : ActiveObjects.on(grid.get(node - 1)).create(type);
  }

  private static List<Object> values(List<FutureResult<Object>> results) {
    return results.stream().map(each -> valueOf(each.asCompletableFuture(), "a call")).toList();
  }

  /** An extension that records the packets it receives. */
  public static final class Place implements BodyExtension {
    static volatile CountDownLatch gate = new CountDownLatch(0);

    private static final ConcurrentLinkedQueue<String> ALL = new ConcurrentLinkedQueue<>();
    private static final ConcurrentLinkedQueue<Key> OVER = new ConcurrentLinkedQueue<>();

    private final Key key;

    Place(Key key) {
      this.key = key;
    }

    @Override
    public Key key() {
      return key;
    }

    @Override
    public void attached(Ref<?> self) {
      ALL.add(key.number() + " attached");
    }

    @Override
    public void received(int from, long tag, Packet packet) {
      Thread.startVirtualThread(
          () -> ALL.add(key.number() + " got " + text(packet.value()) + " " + from + " " + tag));
    }

    @Override
    public boolean isOver() {
      return OVER.contains(key);
    }

    private static String text(Object value) {
      return value instanceof double[] values ? "double[" + values.length + "]" : "" + value;
    }

    @Override
    public void lost(NodeId node, String reason) {
      ALL.add(key.number() + " lost " + node.name());
    }
  }

  /** An object that a test can occupy. */
  public static class Busy {
    public void pass() throws InterruptedException {
      Place.gate.await();
    }

    public void idle() {}

    public void meet(Busy other) {
      other.idle();
    }

    public int places() {
      return Collectives.current().extensionsOfCurrent(Place.class).size();
    }
  }

  @Test
  void deliversPacketsToExtensionsPastTheQueue() {
    var busy = List.of(on(0, Busy.class), on(1, Busy.class), on(2, Busy.class));
    var refs = busy.stream().map(ActiveObjects::ref).toList();
    var key = Collectives.current().newKey();
    var number = key.number();
    values(Collectives.current().attach(new Place(key), refs));
    assertThat(busy).allMatch(each -> each.places() == 1);
    Place.gate = new CountDownLatch(1);
    refs.forEach(each -> each.tell(b -> b.pass()));

    for (var ref : refs) {
      Collectives.current().send(ref, key, 3, 17, "text");
      Collectives.current().send(ref, key, 4, -1, new double[20_000]);
      Collectives.current().send(ref, key, 5, 0, new ArrayList<>(List.of(1.5)));
    }

    until(() -> count(number + " got text 3 17") == 3, "the texts");
    until(() -> count(number + " got double[20000] 4 -1") == 3, "the arrays");
    until(() -> count(number + " got [1.5] 5 0") == 3, "the lists");
    Place.gate.countDown();
    grid.kill(1);
    until(() -> count(number + " lost node-2") >= 2, "both others knowing of the loss");
  }

  @Test
  void keepsPacketsUntilTheExtensionIsAttached() {
    var ref = ActiveObjects.ref(on(1, Busy.class));
    var key = Collectives.current().newKey();
    Place.gate = new CountDownLatch(1);
    ref.tell(b -> b.pass());
    Collectives.current().send(ref, key, 1, 1, "early");
    var attached = Collectives.current().attach(new Place(key), List.of(ref));

    Place.gate.countDown();

    values(attached);
    until(() -> count(key.number() + " got early 1 1") == 1, "the early packet");
  }

  @Test
  void notifiesAnExtensionOfNodesThatAreLostAlready() {
    var key = Collectives.current().newKey();
    var doomed = on(2, Busy.class);
    var ref = ActiveObjects.ref(on(1, Busy.class));
    valueOf(ref.tell(b -> b.meet(doomed)), "node-1 knowing node-2");
    grid.kill(1);
    var peer = grid.member(0).node().peers().known(grid.get(1).id());
    until(peer::isLost, "the first node knowing of the loss");

    values(Collectives.current().attach(new Place(key), List.of(ref)));

    until(() -> count(key.number() + " lost node-2") >= 1, "the attachment knowing it too");
  }

  @Test
  void removesExtensionsThatAreOver() {
    var busy = on(0, Busy.class);
    var ref = List.of(ActiveObjects.ref(busy));
    var over = Collectives.current().newKey();
    values(Collectives.current().attach(new Place(over), ref));
    Place.OVER.add(over);
    values(Collectives.current().attach(new Place(Collectives.current().newKey()), ref));

    assertThat(busy.places()).isEqualTo(1);
  }

  @Test
  void removesTheSharedStateOfACallWithItsCaller() {
    var node = grid.member(0).node().objects();
    valueOf(ActiveObjects.ref(on(0, Busy.class)).tell(b -> b.meet(on(1, Busy.class))), "they met");
    var call = new BodyExtension.Key(grid.get(1).id().incarnation(), 1);
    var ours = new BodyExtension.Key(node.id().incarnation(), 1);
    assertThat(node.extensions().<String>shared(call, forgotten -> "first")).isEqualTo("first");
    assertThat(node.extensions().<String>shared(call, forgotten -> "second")).isEqualTo("first");
    node.extensions().<String>shared(ours, forgotten -> "ours");
    grid.kill(1);

    until(
        () -> node.extensions().<String>shared(call, forgotten -> "too late").equals("too late"),
        "what was in common being forgotten");
    assertThat(node.extensions().removeShared(call)).isNull();
    assertThat(node.extensions().removeShared(ours)).isEqualTo("ours");
  }

  private static long count(String text) {
    return Place.ALL.stream().filter(text::equals).count();
  }
}
