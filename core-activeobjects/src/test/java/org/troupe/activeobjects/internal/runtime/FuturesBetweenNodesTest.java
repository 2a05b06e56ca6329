package org.troupe.activeobjects.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Cell.Note;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.futures.Futures;

@Timeout(60)
class FuturesBetweenNodesTest {

  private final InProcessGrid grid = InProcessGrid.start(3, new FaultyTransport());
  private final Cell a = ActiveObjects.on(grid.get(0)).create(Cell.class);
  private final Cell b = ActiveObjects.on(grid.get(1)).create(Cell.class);
  private final Cell c = ActiveObjects.on(grid.get(2)).create(Cell.class);

  @AfterEach
  void end() {
    Cell.GATES.values().forEach(gate -> gate.countDown());
    Cell.GATES.clear();
    grid.close();
  }

  /** Kills a node, and has it noticed at once rather than at the next heartbeat. */
  private void kill(int index) {
    grid.kill(index);
    NodeRuntime.main().peers().known(grid.get(index).id()).ping();
  }

  @Test
  void travelUnresolvedAndGetTheirValueLater() {
    b.setOther(c);

    var note = a.noteOnce("later");
    var text = ActiveObjects.ref(b).ask(cell -> cell.textAtOther(note));
    Waits.await(Cell.gate("at later"), "the computation");
    assertThat(text).isNotDone();
    Cell.gate("later").countDown();

    assertThat(valueOf(text, "the text that c found")).isEqualTo("later");
  }

  /** Gives a future of a future. */
  static class Nesting {
    CompletableFuture<CompletableFuture<String>> nested(String value) {
      return CompletableFuture.completedFuture(
          CompletableFuture.supplyAsync(() -> value, Thread::startVirtualThread));
    }

    CompletableFuture<CompletableFuture<String>> forwarded(Nesting other, String value) {
      return other.nested(value);
    }
  }

  @Test
  void keepTheFutureThatIsTheValueOfAnother() {
    var here = ActiveObjects.here().create(Nesting.class);
    var there = ActiveObjects.on(grid.get(0)).create(Nesting.class);

    assertThat(nested(here.nested("here"))).isEqualTo("here");
    assertThat(nested(there.nested("there"))).isEqualTo("there");
    assertThat(nested(there.forwarded(here, "back"))).isEqualTo("back");
    assertThat(nested(valueOf(ActiveObjects.ref(there).ask(each -> each.nested("asked")), "it")))
        .isEqualTo("asked");
  }

  private static String nested(CompletableFuture<CompletableFuture<String>> result) {
    return valueOf(valueOf(result, "the outer one"), "the inner one");
  }

  @Test
  void bringTheExceptionToWhomeverTheyWereGiven() {
    b.setOther(c);

    var text = ActiveObjects.ref(b).ask(cell -> cell.textAtOther(a.failing("never")));

    assertThat(failureOf(text, "the text"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("never");
  }

  @Test
  void bringNull() {
    a.keep(new CompletableFuture<>());
    var promise = a.promise();
    var joined = ActiveObjects.ref(b).ask(cell -> cell.join(promise));

    a.resolve(null);

    assertThat(valueOf(joined, "what b joined")).isNull();
  }

  @Test
  void mayBeTheResultOfACallWhileUnresolved() {
    b.setOther(a);
    a.set(new Note("from a"));
    assertThat(a.sum()).as("a call behind the one above, which b's might overtake").isZero();

    assertThat(b.othersNote().text()).isEqualTo("from a");
    a.waitAt("delegate");
    Waits.await(Cell.gate("at delegate"), "a being busy");
    var delegated = b.othersNote();
    assertThat(b.sum()).as("a call that b serves meanwhile").isZero();
    assertThat(Futures.isAwaited(delegated)).isTrue();
    Cell.gate("delegate").countDown();
    assertThat(delegated.text()).isEqualTo("from a");
  }

  @Test
  void mayStandInFields() {
    var held = b.hold(a.noteOnce("in a field"), c);

    assertThat(held.cell()).isEqualTo(c);
    assertThat(Futures.isAwaited(held.note())).isTrue();
    Cell.gate("in a field").countDown();
    assertThat(held.note().text()).isEqualTo("in a field");
    assertThat(b.textOfHeld()).isEqualTo("in a field");
  }

  @Test
  void mayBeCompletableFuturesOfTheUser() {
    var mine = new CompletableFuture<String>();
    a.keep(mine);
    var joined = ActiveObjects.ref(b).ask(cell -> cell.join(a.promise()));

    mine.complete("by hand");

    assertThat(valueOf(joined, "what b joined")).isEqualTo("by hand");
  }

  @Test
  void failWhenTheNodeThatPassedThemOnDies() {
    a.setOther(b);
    b.setOther(c);
    c.waitAt("middle");
    Waits.await(Cell.gate("at middle"), "c being busy"); // b's call could overtake ours
    var own = b.othersNote();
    var text = ActiveObjects.ref(a).ask(cell -> cell.textOf(own));
    b.sum(); // so it has delegated the answer

    kill(1);

    assertThat(failureOf(text, "what a waits for"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("node-2")
        .hasMessageContaining("Cell.othersNote() x1");
    assertThatThrownBy(() -> own.text()).isInstanceOf(NodeLostException.class);
  }

  @Test
  void failWhenTheNodeThatOwesThemDies() {
    b.setOther(c);
    c.waitAt("owed");
    b.keep(new CompletableFuture<>());
    var held = c.hold(a.noteOnce("never"), a); // a's result, owed to c by this node
    var kept = b.hold(new Note("n"), c).cell();
    assertThat(kept).isEqualTo(c);
    Cell.gate("owed").countDown();
    assertThat(Futures.isAwaited(held.note())).isTrue(); // owed by c, which has it from here

    kill(2);

    assertThatThrownBy(() -> held.note().text())
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("node-3")
        .hasMessageContaining("awaited from it: Cell.noteOnce(String)");
  }

  /** Answers with the future that it was given, as soon as it has both a question and that. */
  public static class Mirror implements Service {
    private CompletableFuture<String> other;

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      requests.serveOldest("set");
      requests.serveOldest("get");
    }

    public void set(CompletableFuture<String> given) {
      other = given;
    }

    public CompletableFuture<String> get() {
      return other;
    }
  }

  @Test
  void thatWaitForThemselvesFailWithTheirCycle() {
    for (var round = 0; round < 20; round++) { // both close the cycle at the same time
      var one = ActiveObjects.on(grid.get(0)).create(Mirror.class);
      var two = ActiveObjects.on(grid.get(1)).create(Mirror.class);
      var x = one.get();
      var y = two.get();

      one.set(y);
      two.set(x);

      assertThat(failureOf(x, "the first future"))
          .isInstanceOf(WaitCycleException.class)
          .hasMessageContaining("waits for itself")
          .hasMessageContaining("Mirror.get")
          .hasMessageContaining("node-1")
          .hasMessageContaining("node-2");
      assertThat(failureOf(y, "the second future")).isInstanceOf(WaitCycleException.class);
    }
  }
}
