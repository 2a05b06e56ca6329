package org.troupe.activeobjects.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Options;

@Timeout(60)
class CallRulesTest {

  static class Worker {
    private int steps;

    void step() {
      steps++;
    }

    int steps() {
      return steps;
    }

    int never() throws InterruptedException {
      Thread.currentThread().join(Duration.ofSeconds(1));
      return 1;
    }
  }

  @Test
  void areReadFromTheProperties() {
    assertThat(CallRules.of(name -> null)).isEqualTo(new CallRules(false, true, null));
    assertThat(
            CallRules.of(
                Map.of(
                        "troupe.strict", "true",
                        "troupe.callSites", "false",
                        "troupe.callTimeout", "PT30S")
                    ::get))
        .isEqualTo(new CallRules(true, false, Duration.ofSeconds(30)));
    for (var wrong : new String[] {"soon", "PT0S", "PT-1S"}) {
      assertThatThrownBy(() -> CallRules.of(Map.of("troupe.callTimeout", wrong)::get))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "troupe.callTimeout is '" + wrong + "'; write a positive duration such as PT30S");
    }
  }

  @Test
  void strictRefusesCallsThatWouldWait() throws Throwable {
    var node = new NodeRuntime("strict", new CallRules(true, true, null));
    var worker = node.create(Worker.class, Options.STANDARD).stub();
    worker.step();
    assertThatThrownBy(worker::steps)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Worker.steps() would wait for its answer, because int is primitive; with"
                + " troupe.strict=true say ref.ask(x -> x.steps(..)) instead");
    assertThat(ActiveObjects.ref(worker).ask(Worker::steps).join()).isEqualTo(1);
  }

  @Test
  void theTimeoutHoldsForCallsThatHaveNoneOfTheirOwn() throws Throwable {
    var node = new NodeRuntime("hasty", new CallRules(false, true, Duration.ofMillis(10)));
    var worker = node.create(Worker.class, Options.STANDARD);
    assertThatThrownBy(() -> worker.stub().never()).isInstanceOf(CallTimeoutException.class);
    assertThat(worker.within(Duration.ofSeconds(20)).stub().steps()).isZero();
  }

  @Test
  void namesAreFoundUntilTheirObjectEnds() throws Throwable {
    var node = new NodeRuntime("names", CallRules.of(name -> null));
    var worker = node.create(Worker.class, Options.STANDARD);
    node.register("worker", worker);
    node.lookup("worker", Worker.class).stub().step();
    assertThat(worker.stub().steps()).isEqualTo(1);
    assertThatThrownBy(() -> node.register("worker", worker))
        .hasMessage("the name 'worker' is taken on node 'names'; choose another");
    worker.terminate().join();
    assertThatThrownBy(() -> node.lookup("worker", Worker.class))
        .hasMessage("nothing is registered as 'worker' on node 'names'; registered are []");
  }
}
