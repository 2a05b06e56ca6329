package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Calls that a program makes when it has heard of the death of a node, which its own node has not
 * applied yet, are not lost with that node.
 */
@Timeout(60)
class CallsAfterDeathsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch mayApply = new CountDownLatch(1);
  private InProcessGrid grid;

  /** Adds numbers. */
  public static class Sum {
    private int sum;

    public int add(int number) {
      return sum += number;
    }

    public void note(int number) {
      sum += number;
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    grid = InProcessGrid.start(2);
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.DEATH_TOLD && node.name().equals("main")) {
            Waits.await(mayApply, "the calls of the program");
          }
        });
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    mayApply.countDown();
    grid.close();
  }

  /** Ends the first node; the coordinator tells its users, and does not apply that yet. */
  private void kill() {
    grid.kill(0);
    Waits.until(() -> grid.nodes().size() == 1, "the news of the death");
  }

  private Ref<Sum> sum(Options options) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Sum.class));
  }

  /** Moves an object to the second node, of which the coordinator's callers get no news. */
  private void move(Ref<Sum> sum) {
    var number = Reference.require(sum.stub()).target().number();
    var there = Reference.to(grid.member(0).node().objects().body(number));
    valueOf(grid.member(0).mobility().move(there, grid.get(1).id(), PATIENCE), "the move");
  }

  private void assertIsCalledAfterwards(Ref<Sum> sum) {
    kill();
    sum.stub().note(1);
    var answer = sum.ask(each -> each.add(2));
    var place = sum.ask(Sum::place);

    mayApply.countDown();

    assertThat((int) valueOf(answer, "a sum")).isEqualTo(3);
    assertThat(valueOf(place, "the place")).isEqualTo("node-2");
  }

  @Test
  void callsFollowAnObjectThatHadLeftTheNode() {
    var sum = sum(Options.STANDARD);
    move(sum);

    assertIsCalledAfterwards(sum);
  }

  @Test
  void callsWaitForAnObjectThatIsRestarted() {
    assertIsCalledAfterwards(sum(Options.STANDARD.withRestart(Restart.elsewhere())));
  }

  @Test
  void aListenerCallsAnObjectThatIsRestarted() {
    var sum = sum(Options.STANDARD.withRestart(Restart.elsewhere()));
    var answer = new CompletableFuture<CompletableFuture<Integer>>();
    grid.nodes().onLeave((node, reason) -> answer.complete(sum.ask(each -> each.add(2))));

    kill();
    var sent = valueOf(answer, "the call of the listener");
    mayApply.countDown();

    assertThat((int) valueOf(sent, "a sum")).isEqualTo(2);
  }
}
