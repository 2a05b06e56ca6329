package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CopiesTest {

  static final class Box {
    int number;
    Object held;

    Box(int number) {
      this.number = number;
    }
  }

  record Pair(Keeper keeper, Box box) {}

  static class Keeper {
    private Box box = new Box(1);
    private Object seen;

    void pass(Gate gate) {
      gate.pass();
    }

    void put(Box given) {
      box = given;
    }

    Box box() {
      return box;
    }

    int number() {
      return box.number;
    }

    void add(int howMuch) {
      box.number += howMuch;
    }

    Keeper itself() {
      return this;
    }

    Object itselfDeepInside() {
      var map = new HashMap<String, Object>();
      map.put("pair", new Pair(this, box));
      map.put("list", new ArrayList<>(List.of(this)));
      return map;
    }

    Object itselfInside(int arrays) {
      Object nested = this;
      for (var i = 0; i < arrays; i++) {
        nested = new Object[] {nested};
      }
      return nested;
    }

    CompletableFuture<Keeper> itselfLater() {
      return CompletableFuture.completedFuture(this);
    }

    CompletableFuture<Keeper> itselfFromElsewhere() {
      return CompletableFuture.supplyAsync(() -> this);
    }

    void giveItselfTo(Keeper other) {
      other.see(new Pair(this, box));
    }

    void see(Object what) {
      seen = what;
    }

    Object seen() {
      return seen;
    }

    Keeper makeOneThatKnows() {
      return ActiveObjects.here().create(Knowing.class, this).known();
    }

    Keeper copyOfItself() {
      return ActiveObjects.here().turnActive(this);
    }

    CompletableFuture<Box> boxNow() {
      var now = CompletableFuture.completedFuture(box);
      return now;
    }

    boolean isSame(Object one, Object other) {
      return one == other;
    }
  }

  static class Knowing {
    private final Keeper known;

    Knowing(Keeper known) {
      this.known = known;
    }

    Keeper known() {
      return known;
    }
  }

  private final Keeper keeper = ActiveObjects.here().create(Keeper.class);
  private final Keeper other = ActiveObjects.here().create(Keeper.class);

  @BeforeEach
  void close() {
    Gate.closeAll();
  }

  @Test
  void argumentsAreCopiedBeforeTheCallReturns() {
    var box = new Box(5);
    keeper.pass(Gate.ONE);
    keeper.put(box);
    box.number = 6;
    Gate.ONE.open();
    assertThat(keeper.number()).isEqualTo(5);
  }

  @Test
  void resultsAreCopiedInsideTheService() {
    var box = keeper.box();
    keeper.add(10);
    assertThat(keeper.number()).isEqualTo(11);
    assertThat(box.number).isEqualTo(1);
    box.number = 100;
    assertThat(keeper.number()).isEqualTo(11);

    var boxNow = keeper.boxNow();
    keeper.add(1);
    assertThat(keeper.number()).isEqualTo(12);
    assertThat(boxNow.join().number).isEqualTo(11);
  }

  @Test
  void sharingInsideOneCallIsKept() {
    var box = new Box(1);
    assertThat(keeper.isSame(box, box)).isTrue();
    assertThat(keeper.isSame(box, new Box(1))).isFalse();
  }

  @Test
  void immutableValuesAreShared() {
    var text = new String("the same");
    keeper.see(text);
    assertThat(keeper.seen()).isSameAs(text);
  }

  @Test
  void constructorArgumentsAreCopied() {
    var box = new Box(3);
    var holder = ActiveObjects.here().create(BoxHolder.class, box);
    box.number = 4;
    assertThat(holder.number()).isEqualTo(3);
  }

  static class BoxHolder {
    private final Box box;

    BoxHolder(Box box) {
      this.box = box;
    }

    int number() {
      return box.number;
    }
  }

  @Test
  void stubsTravelAsReferences() {
    keeper.see(new Pair(other, new Box(1)));
    var seen = (Pair) keeper.seen();
    assertThat(seen.keeper()).isEqualTo(other);
    seen.keeper().add(5);
    assertThat(other.number()).isEqualTo(6);
  }

  @Test
  void anObjectsOwnThisBecomesAReferenceWhereverItAppears() {
    assertThat(keeper.itself()).matches(ActiveObjects::isStub);
    keeper.itself().add(1);
    assertThat(keeper.number()).isEqualTo(2);

    var map = (Map<?, ?>) keeper.itselfDeepInside();
    assertThat(((Pair) map.get("pair")).keeper()).isEqualTo(keeper);
    assertThat(((List<?>) map.get("list")).getFirst()).isEqualTo(keeper);

    keeper.giveItselfTo(other);
    ActiveObjects.ref(keeper).tell(Keeper::number).join();
    assertThat(((Pair) other.seen()).keeper()).isEqualTo(keeper);

    assertThat(keeper.itselfLater().join()).isEqualTo(keeper);
    assertThat(keeper.itselfFromElsewhere().join()).isEqualTo(keeper);
  }

  @Test
  void anObjectsOwnThisIsAReferenceAtAnyDepth() {
    var depth = 6_000;
    var inner = keeper.itselfInside(depth);
    for (var i = 0; i < depth; i++) {
      inner = ((Object[]) inner)[0];
    }

    assertThat(inner).isEqualTo(keeper);
  }

  @Test
  void anObjectsOwnThisIsAReferenceForTheConstructorOfAnother() {
    var known = keeper.makeOneThatKnows();
    known.add(7);
    assertThat(keeper.number()).isEqualTo(8);
  }

  @Test
  void turnActiveCopies() {
    var original = new Keeper();
    var active = ActiveObjects.here().turnActive(original);
    active.add(5);
    assertThat(active.number()).isEqualTo(6);
    assertThat(original.number()).isEqualTo(1);
    assertThat(ActiveObjects.isStub(active)).isTrue();
  }

  @Test
  void turnActiveCopiesEvenTheObjectThatAsksForIt() {
    var copy = keeper.copyOfItself();
    copy.add(5);
    assertThat(copy.number()).isEqualTo(6);
    assertThat(keeper.number()).isEqualTo(1);
    assertThat(copy.equals(keeper)).isFalse();
  }

  @Test
  void turnActiveRefusesAStub() {
    assertThatThrownBy(() -> ActiveObjects.here().turnActive(keeper))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("which is active already");
  }

  @Test
  void anArgumentThatCannotTravelFailsAtTheCall() {
    assertThatThrownBy(() -> keeper.see(new Thread()))
        .hasMessageContaining("java.lang.Thread")
        .hasMessageContaining("a thread runs in its own JVM");
    var bounded =
        ActiveObjects.here().with(Options.STANDARD.withQueueBound(1)).create(Keeper.class);
    for (var i = 0; i < 3; i++) {
      assertThatThrownBy(() -> bounded.see(new Thread())).hasMessageContaining("Thread");
    }
    assertThat(bounded.number()).as("no place in the queue was lost").isEqualTo(1);
  }

  @Test
  void aResultThatCannotTravelFailsTheCall() {
    var thread = ActiveObjects.here().create(ThreadGiver.class);
    assertThatThrownBy(() -> thread.thread()).hasMessageContaining("java.lang.Thread");
    assertThatThrownBy(() -> thread.later().join()).hasMessageContaining("java.lang.Thread");
  }

  static class ThreadGiver {
    Object thread() {
      return new Thread();
    }

    CompletableFuture<Object> later() {
      return CompletableFuture.supplyAsync(Thread::new);
    }
  }
}
