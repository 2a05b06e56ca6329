package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeActivity.ClassLine;
import org.troupe.activeobjects.hosting.NodeActivity.WaitKind;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** A node describes one object, its classes of objects, and what has happened. */
@Timeout(60)
class ObjectDetailTest {

  private static final Duration VISIT = Duration.ofMillis(200);

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Waits at a gate, and for other objects. */
  public static class Teller {
    public void step(int amount) {}

    public int count() {
      return 1;
    }

    public void waitAt(String gate) {
      Cell.gate("at " + gate).countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public int countOf(Teller other) {
      return other.count();
    }
  }

  private Teller teller(int node) {
    return ActiveObjects.on(grid.get(node)).create(Teller.class);
  }

  private NodeActivity activity(int node) {
    return Waits.reportOf(grid.member(0).report(grid.get(node), VISIT)).activity();
  }

  private Optional<ObjectDetail> detail(int node, String identity) {
    var slash = identity.indexOf('/');
    return valueOf(
        grid.member(0)
            .object(
                grid.get(node),
                identity.substring(0, slash),
                Long.parseLong(identity.substring(slash + 1))),
        "the object");
  }

  @Test
  void anObjectIsDescribedWithItsServiceAndTheFirstOfItsQueue() {
    var busy = teller(1);
    busy.waitAt("queue of detail");
    Waits.await(Cell.gate("at queue of detail"), "the request at the gate");
    for (var i = 0; i < 25; i++) {
      busy.step(i);
    }
    Waits.until(
        () -> activity(1).queues().stream().anyMatch(each -> each.queued() == 25), "the queue");
    var identity = activity(1).queues().getFirst().object();
    var detail = detail(1, identity).orElseThrow();

    assertThat(detail.line().identity()).isEqualTo(identity);
    assertThat(detail.line().queued()).isEqualTo(25);
    assertThat(detail.serving())
        .singleElement()
        .satisfies(each -> assertThat(each.method()).isEqualTo("Teller.waitAt(String)"));
    assertThat(detail.queue())
        .hasSize(ObjectDetail.MOST_QUEUED)
        .allSatisfy(each -> assertThat(each.method()).isEqualTo("Teller.step(int)"))
        .allSatisfy(each -> assertThat(each.caller()).startsWith("node '"));
    assertThat(detail.waiting()).isNull();
    assertThat(detail(0, identity)).isEmpty();
    assertThat(detail(1, grid.get(1).name() + "/987654321")).isEmpty();
    Cell.gate("queue of detail").countDown();
    busy.count();
  }

  @Test
  void aWaitNamesTheObjectAtItsOtherEnd() {
    var waiting = teller(0);
    var busy = teller(1);
    busy.waitAt("wait of detail");
    Waits.await(Cell.gate("at wait of detail"), "the request at the gate");
    var answer = ActiveObjects.ref(waiting).ask(each -> each.countOf(busy));
    Waits.until(() -> !activity(0).waits().isEmpty(), "the wait");
    var its = activity(0).waits().getFirst();

    assertThat(its.kind()).isEqualTo(WaitKind.REPLY);
    assertThat(its.awaitedObject()).isEqualTo(activity(1).queues().getFirst().object());
    assertThat(its.awaitedNode()).isEqualTo(grid.get(1).name());
    assertThat(its.awaitedMethod()).isEqualTo("Teller.count()");
    assertThat(Objects.requireNonNull(detail(0, its.object()).orElseThrow().waiting()).kind())
        .isEqualTo(WaitKind.REPLY);
    Cell.gate("wait of detail").countDown();
    assertThat(valueOf(answer, "the count")).isEqualTo(1);
  }

  @Test
  void classesAreCountedWithTheirLongestQueue() {
    teller(1).count();
    var busy = teller(1);
    busy.waitAt("class of detail");
    Waits.await(Cell.gate("at class of detail"), "the request at the gate");
    busy.step(1);
    Waits.until(
        () -> activity(1).classes().stream().anyMatch(each -> each.longestQueue() == 1),
        "the queue");

    assertThat(activity(1).classes())
        .filteredOn(each -> each.type().equals(Teller.class.getName()))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.longestObject()).isEqualTo(activity(1).queues().getFirst().object());
              assertThat(each.serving()).isEqualTo(1);
            })
        .extracting(ClassLine::isWhole)
        .isEqualTo(true);
    Cell.gate("class of detail").countDown();
    busy.count();
  }

  @Test
  void aProvedCycleOfWaitsIsAnEventWithTheTextOfItsError() {
    var teller = teller(1);

    assertThatThrownBy(() -> teller.countOf(teller))
        .isInstanceOfSatisfying(
            WaitCycleException.class,
            error -> {
              var events = valueOf(grid.member(0).events(grid.get(1), 0), "the events");
              assertThat(activity(1).lastEvent()).isEqualTo(1);
              assertThat(events)
                  .singleElement()
                  .satisfies(
                      each -> {
                        assertThat(each.kind()).isEqualTo(NodeEvent.Kind.CYCLE);
                        assertThat(each.text()).isEqualTo(error.getMessage());
                      });
              assertThat(valueOf(grid.member(0).events(grid.get(1), 1), "the events")).isEmpty();
            });
  }
}
