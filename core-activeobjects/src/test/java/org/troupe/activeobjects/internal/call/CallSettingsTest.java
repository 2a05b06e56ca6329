package org.troupe.activeobjects.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.membership.InProcessTransport;
import org.troupe.activeobjects.internal.membership.MemberNode;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.transport.Transport;

@Timeout(60)
class CallSettingsTest {

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
    assertThat(CallSettings.of(name -> null)).isEqualTo(new CallSettings(false, true, null));
    assertThat(
            CallSettings.of(
                Map.of(
                        "troupe.strict", "true",
                        "troupe.callSites", "false",
                        "troupe.callTimeout", "PT30S")
                    ::get))
        .isEqualTo(new CallSettings(true, false, Duration.ofSeconds(30)));
    for (var wrong : new String[] {"soon", "PT0S", "PT-1S"}) {
      assertThatThrownBy(() -> CallSettings.of(Map.of("troupe.callTimeout", wrong)::get))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "troupe.callTimeout is '" + wrong + "'; write a positive duration such as PT30S");
    }
  }

  @Test
  void strictRefusesCallsThatWouldWait() throws Throwable {
    var node = new NodeRuntime("strict", new CallSettings(true, true, null));
    var worker = node.objects().factory().create(Worker.class, Options.STANDARD).stub();
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
    var node = new NodeRuntime("hasty", new CallSettings(false, true, Duration.ofMillis(10)));
    var worker = node.objects().factory().create(Worker.class, Options.STANDARD);
    assertThatThrownBy(() -> worker.stub().never()).isInstanceOf(CallTimeoutException.class);
    assertThat(worker.within(Duration.ofSeconds(20)).stub().steps()).isZero();
  }

  /** Is made, and serves, when a test lets it. */
  static class Held {
    private static volatile CountDownLatch door;

    Held() throws InterruptedException {
      pass();
    }

    static void pass() throws InterruptedException {
      assertThat(door.await(20, TimeUnit.SECONDS)).isTrue();
    }

    void hold() throws InterruptedException {
      pass();
    }
  }

  /** Waits until the time limit of a call that begins now is over. */
  private static void outlastTheLimit(NodeRuntime node) throws Throwable {
    var late = node.objects().factory().create(Worker.class, Options.STANDARD).ask(Worker::never);
    assertThat(Waits.failureOf(late, "a call with a limit"))
        .isInstanceOf(CallTimeoutException.class);
  }

  @Test
  void reachNoCallOfTheMiddleware() throws Throwable {
    var hasty = new CallSettings(true, true, Duration.ofMillis(1));
    var transport = new InProcessTransport();
    var launcher = new NodeRuntime("hasty-launcher", hasty);
    var worker = new NodeRuntime("hasty-worker", hasty);
    try (var coordinator = open(launcher, List.of(), transport);
        var member = open(worker, List.of("local"), transport)) {
      coordinator.coordinate();
      member.join(coordinator.contact(), Duration.ofSeconds(20));
      var node = (MemberNode) coordinator.member("hasty-worker").orElseThrow();

      Held.door = new CountDownLatch(1);
      var created = node.create(Held.class, Options.STANDARD);
      outlastTheLimit(launcher);
      Held.door.countDown();
      var held = Waits.valueOf(created, "an object whose constructor takes long");

      Held.door = new CountDownLatch(1);
      var call = ActiveObjects.ref(held).within(Duration.ofSeconds(20)).tell(Held::hold);
      var end = ActiveObjects.ref(held).terminate();
      outlastTheLimit(launcher);
      Held.door.countDown();
      Waits.valueOf(call, "a call with a limit of its own");
      Waits.valueOf(end, "the end of a busy object");
    } finally {
      launcher.close();
      worker.close();
    }
  }

  private static GridMembership open(
      NodeRuntime node, List<String> virtualNodes, Transport transport) throws IOException {
    var name = node.objects().id().name();
    return GridMembership.open(
        node.memberships(), InProcessGrid.settings(name, virtualNodes, transport), transport);
  }

  @Test
  void aLimitForEverOverridesTheTimeout() throws Throwable {
    var node = new NodeRuntime("patient", new CallSettings(false, true, Duration.ofMillis(1)));
    var reference = node.objects().factory().create(Patient.class, Options.STANDARD);
    var patient = reference.within(Duration.ofSeconds(Long.MAX_VALUE)).ask(Patient::answer);
    outlastTheLimit(node);
    Patient.door.countDown();
    assertThat(Waits.valueOf(patient, "a call without limit")).isEqualTo(1);
  }

  /** Answers when a test lets it. */
  static class Patient {
    private static final CountDownLatch door = new CountDownLatch(1);

    int answer() throws InterruptedException {
      assertThat(door.await(20, TimeUnit.SECONDS)).isTrue();
      return 1;
    }
  }

  @Test
  void namesAreFoundUntilTheirObjectEnds() throws Throwable {
    var node = new NodeRuntime("names", CallSettings.of(name -> null));
    var worker = node.objects().factory().create(Worker.class, Options.STANDARD);
    node.objects().names().register("worker", worker);
    node.objects().names().lookup("worker", Worker.class).stub().step();
    assertThat(worker.stub().steps()).isEqualTo(1);
    assertThatThrownBy(() -> node.objects().names().register("worker", worker))
        .hasMessage("the name 'worker' is taken on node 'names'; choose another");
    worker.terminate().join();
    assertThatThrownBy(() -> node.objects().names().lookup("worker", Worker.class))
        .hasMessage(
            "nothing is registered as 'worker' on node 'names'; no name is; register the object there first");
  }
}
