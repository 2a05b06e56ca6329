package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServiceTest {

  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofSeconds(20);

  /**
   * Waits at a gate, then does with its queue what its script says, then waits at another, then
   * serves in order.
   */
  static class Scripted implements Service {

    /** What to do with the queue; an enum, so that it can travel. */
    enum Script {
      LOOK,
      OLDEST_BY_NAME,
      YOUNGEST,
      YOUNGEST_BY_NAME,
      TRY,
      TIMED,
      AWAIT,
      DROP,
      THROWING_FILTER,
      NOTHING
    }

    private final Script script;
    private final List<String> served = new ArrayList<>();

    Scripted(Script script) {
      this.script = script;
    }

    void a(int number) {
      served.add("a" + number);
    }

    int b(int number) {
      served.add("b" + number);
      return number;
    }

    List<String> served() {
      return served;
    }

    @Immediate
    boolean isThere() {
      return true;
    }

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      Gate.ONE.pass();
      switch (script) {
        case LOOK -> {
          served.add("open " + requests.isOpen() + ", size " + requests.size());
          served.add(
              requests.pending().stream()
                  .map(request -> request.method().name() + (request.isOneWay() ? "!" : "?"))
                  .toList()
                  .toString());
        }
        case OLDEST_BY_NAME -> {
          requests.serveOldest("b");
          requests.serveOldest(RequestQueue.method("b"));
        }
        case YOUNGEST -> requests.serveYoungest();
        case YOUNGEST_BY_NAME -> requests.serveYoungest(RequestQueue.method("a"));
        case TRY -> {
          served.add("none: " + requests.tryServeOldest(RequestQueue.method("none")));
          served.add("youngest: " + requests.tryServeYoungest(RequestQueue.ANY));
          served.add("oldest: " + requests.tryServeOldest(RequestQueue.ANY));
        }
        case TIMED -> {
          served.add("none: " + requests.serveOldest(RequestQueue.method("none"), SHORT));
          served.add("b: " + requests.serveOldest(RequestQueue.method("b"), LONG));
        }
        case AWAIT -> {
          served.add("none: " + requests.await(RequestQueue.method("none"), SHORT));
          served.add("b: " + requests.await(RequestQueue.method("b"), LONG));
          served.add("size " + requests.size());
        }
        case DROP ->
            served.add(
                "dropped "
                    + requests.drop(request -> request.isFor("b"))
                    + " "
                    + requests.drop(request -> request.isFor("none")));
        case THROWING_FILTER -> {
          try {
            requests.serveOldest(
                request -> {
                  throw new IllegalStateException("filter");
                });
          } catch (IllegalStateException e) {
            served.add(e.getMessage() + ", size " + requests.size());
          }
        }
        case NOTHING -> {
          return;
        }
      }
      Gate.TWO.pass();
      while (requests.isOpen()) {
        requests.serveOldest();
      }
      served.add("closed");
      while (requests.tryServeOldest(RequestQueue.ANY)) {
        served.add("after the end");
      }
    }
  }

  @BeforeEach
  void close() {
    Gate.closeAll();
  }

  private static List<String> run(Scripted.Script script) {
    Gate.closeAll();
    var object = ActiveObjects.here().create(Scripted.class, script);
    object.a(1);
    var first = ActiveObjects.ref(object).ask(scripted -> scripted.b(1));
    object.a(2);
    var second = ActiveObjects.ref(object).ask(scripted -> scripted.b(2));
    Gate.ONE.open();
    Gate.TWO.awaitArrival();
    Gate.TWO.open();
    var served = new ArrayList<>(object.served());
    ActiveObjects.ref(object).terminate().join();
    if (script != Scripted.Script.DROP) {
      assertThat(first.join() + second.join()).isEqualTo(3);
    } else {
      for (var dropped : List.of(first, second)) {
        assertThatThrownBy(dropped::join)
            .isInstanceOf(CompletionException.class)
            .cause()
            .isInstanceOf(RequestDroppedException.class)
            .hasMessageContaining("Scripted.b(int) was not served")
            .hasMessageContaining("dropped it from its queue");
      }
    }
    return served;
  }

  @Test
  void looksAtWhatWaits() {
    assertThat(run(Scripted.Script.LOOK))
        .containsExactly("open true, size 4", "[a!, b?, a!, b?]", "a1", "b1", "a2", "b2");
  }

  @Test
  void servesTheOldestOfAName() {
    assertThat(run(Scripted.Script.OLDEST_BY_NAME)).containsExactly("b1", "b2", "a1", "a2");
  }

  @Test
  void servesTheYoungest() {
    assertThat(run(Scripted.Script.YOUNGEST)).containsExactly("b2", "a1", "b1", "a2");
    assertThat(run(Scripted.Script.YOUNGEST_BY_NAME)).containsExactly("a2", "a1", "b1", "b2");
  }

  @Test
  void triesWithoutWaiting() {
    assertThat(run(Scripted.Script.TRY))
        .containsExactly("none: false", "b2", "youngest: true", "a1", "oldest: true", "b1", "a2");
  }

  @Test
  void waitsForATime() {
    assertThat(run(Scripted.Script.TIMED))
        .containsExactly("none: false", "b1", "b: true", "a1", "a2", "b2");
  }

  @Test
  void awaitsWithoutServing() {
    assertThat(run(Scripted.Script.AWAIT))
        .containsExactly("none: false", "b: true", "size 4", "a1", "b1", "a2", "b2");
  }

  @Test
  void dropsWhatMatches() {
    assertThat(run(Scripted.Script.DROP)).containsExactly("dropped 2 0", "a1", "a2");
  }

  @Test
  void aFilterThatThrowsLeavesTheQueueAsItWas() {
    assertThat(run(Scripted.Script.THROWING_FILTER))
        .containsExactly("filter, size 4", "a1", "b1", "a2", "b2");
  }

  @Test
  void endsWhenTheLoopReturnsAndRefusesWhatWaits() {
    var object = ActiveObjects.here().create(Scripted.class, Scripted.Script.NOTHING);
    var ref = ActiveObjects.ref(object);
    var waiting = ref.ask(scripted -> scripted.b(1));
    Gate.ONE.open();
    ref.end().join();
    assertThatThrownBy(waiting::join).hasCauseInstanceOf(ObjectTerminatedException.class);
    assertThatThrownBy(() -> object.b(2)).isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void terminateNowRefusesWhatWaits() {
    var object = ActiveObjects.here().create(Scripted.class, Scripted.Script.TRY);
    var ref = ActiveObjects.ref(object);
    var waiting = ref.ask(scripted -> scripted.b(1));
    var end = ref.terminateNow();
    assertThatThrownBy(waiting::join).hasCauseInstanceOf(ObjectTerminatedException.class);
    assertThat(object.isThere()).as("the loop still runs").isTrue();
    Gate.ONE.open();
    Gate.TWO.open();
    end.join();
  }

  /** Serves requests of one name, in a loop that asks whether the queue is open. */
  static class Choosy implements Service {
    private final String name; // empty: any

    Choosy(String name) {
      this.name = name;
    }

    int a(int number) {
      Gate.ONE.pass();
      return number;
    }

    int b(int number) {
      return number;
    }

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        if (name.isEmpty()) {
          requests.serveOldest();
        } else {
          requests.serveOldest(name);
        }
      }
    }
  }

  @Test
  void aLoopWhileOpenServesWhatWasSentBeforeTheEnd() {
    var ref = ActiveObjects.ref(ActiveObjects.here().create(Choosy.class, ""));
    var first = ref.ask(each -> each.a(1));
    var second = ref.ask(each -> each.b(2));
    var third = ref.ask(each -> each.b(3));
    Gate.ONE.awaitArrival();
    var end = ref.terminate();
    Gate.ONE.open();
    assertThat(List.of(first.join(), second.join(), third.join())).containsExactly(1, 2, 3);
    Waits.valueOf(end, "the end");
  }

  @Test
  void aLoopWhileOpenEndsThoughItsFilterLeavesRequestsWaiting() {
    var ref = ActiveObjects.ref(ActiveObjects.here().create(Choosy.class, "a"));
    var first = ref.ask(each -> each.a(1));
    var unwanted = ref.ask(each -> each.b(2));
    var last = ref.ask(each -> each.a(3));
    Gate.ONE.awaitArrival();
    var end = ref.terminate();
    Gate.ONE.open();
    assertThat(first.join() + last.join()).isEqualTo(4);
    Waits.valueOf(end, "the end");
    assertThatThrownBy(unwanted::join).hasCauseInstanceOf(ObjectTerminatedException.class);
  }

  /** Serves the next request inside the one that it serves. */
  static class Nested implements Service {
    private RequestQueue queue;

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      queue = requests;
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }

    boolean outer() throws InterruptedException {
      var before = ActiveObjects.caller();
      queue.serveOldest("inner");
      return before == ActiveObjects.caller();
    }

    void inner() {}
  }

  @Test
  void mayServeARequestInsideAnother() throws Exception {
    var nested = ActiveObjects.here().create(Nested.class);
    var outer = ActiveObjects.ref(nested).ask(Nested::outer);
    nested.inner();
    assertThat(outer.join()).isTrue();
    ActiveObjects.ref(nested).terminate().join();
  }

  /** Leaves its thread marked as interrupted. */
  static class Interrupted implements Service {
    private int served;

    void interrupt() {
      served++;
      Thread.currentThread().interrupt();
    }

    int served() {
      return served;
    }

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }
  }

  @Test
  void anInterruptThatARequestLeavesDoesNotEndTheLoop() {
    var object = ActiveObjects.here().create(Interrupted.class);

    object.interrupt();
    object.interrupt();

    assertThat(object.served()).isEqualTo(2);
  }
}
