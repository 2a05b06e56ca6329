package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls by threads whose stacks overflow while they make them. */
@Timeout(60)
class ExhaustedStackTest {

  private static final int STACK_BYTES = 256 << 10;
  private static final int OVERFLOWS = 20;

  /** The called object. */
  static class Counter {

    private int count;

    int count() {
      return ++count;
    }

    void add() {
      count++;
    }
  }

  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

  private int deepest;

  @Test
  void anObjectAnswersOthersAlthoughTheStacksOfItsCallersOverflow() throws Exception {
    var counter = ActiveObjects.here().create(Counter.class);
    var ref = ActiveObjects.ref(counter);
    List<Runnable> calls = List.of(counter::count, counter::add, () -> ref.ask(Counter::count));
    for (var call : calls) {
      for (var i = 0; i < OVERFLOWS; i++) {
        assertThat(overflow(call)).as("overflows, and keeps its thread-locals").isTrue();
        Waits.valueOf(ref.ask(Counter::count), "the answer after overflow " + i);
      }
    }
  }

  private boolean overflow(Runnable call) throws InterruptedException {
    var overflows = new boolean[1];
    Runnable descent =
        () -> {
          LOCAL.set("of the caller");
          try {
            deepest = 0;
            descend(1, Integer.MAX_VALUE, call);
          } catch (StackOverflowError expected) {
            try {
              descend(1, deepest / 2, call);
            } catch (StackOverflowError e) {
              overflows[0] = "of the caller".equals(LOCAL.get());
            }
          }
        };
    var thread = Thread.ofPlatform().daemon().stackSize(STACK_BYTES).unstarted(descent);
    thread.start();
    thread.join(10_000);
    assertThat(thread.isAlive()).as("the caller still waits").isFalse();
    return overflows[0];
  }

  /** Makes the call in each frame deeper than a limit, until the stack overflows. */
  private void descend(int depth, int shallowest, Runnable call) {
    deepest = Math.max(deepest, depth);
    if (depth > shallowest) {
      call.run();
    }
    if (depth < Integer.MAX_VALUE) {
      descend(depth + 1, shallowest, call);
    }
  }
}
