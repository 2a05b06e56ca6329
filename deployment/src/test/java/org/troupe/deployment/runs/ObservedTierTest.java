package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.hosting.ObservationTier.COUNTS;
import static org.troupe.activeobjects.hosting.ObservationTier.OFF;
import static org.troupe.activeobjects.hosting.ObservationTier.STANDARD;
import static org.troupe.activeobjects.hosting.ObservationTier.TIMES;
import static org.troupe.activeobjects.hosting.ObservationTier.TRACE;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.ObservationTier;

/** The tier of a simulated grid whose timers end when the test says so. */
class ObservedTierTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<Runnable> timers = new ArrayList<>();
  private final Map<String, ObservationTier> tiers = new HashMap<>(); // by node
  private final List<Node> members = new ArrayList<>(List.of(node("n1")));
  private final ObservedTier tier = new ObservedTier(host(), _ -> timers::add);

  private static Node node(String name) {
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(), new Class<?>[] {Node.class}, (_, _, _) -> name);
  }

  private GridMember host() {
    var self = node("program");
    var nodes =
        Proxy.newProxyInstance(
            Nodes.class.getClassLoader(),
            new Class<?>[] {Nodes.class},
            (_, _, _) -> List.copyOf(members));
    return (GridMember)
        Proxy.newProxyInstance(
            GridMember.class.getClassLoader(),
            new Class<?>[] {GridMember.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "self" -> self;
                  case "nodes" -> nodes;
                  case "observe" -> {
                    tiers.put(((Node) arguments[0]).name(), (ObservationTier) arguments[1]);
                    yield CompletableFuture.completedFuture(true);
                  }
                  default -> throw new AssertionError(method.toString());
                });
  }

  private void assertTier(ObservationTier expected) {
    assertThat(tiers).containsEntry("program", expected).containsEntry("n1", expected);
  }

  @Test
  void aLimitThatEndsDuringATraceLeavesTheLastingTierBehindIt() {
    tier.set(TIMES, LIMIT);
    tier.beginTrace();
    assertTier(TRACE);

    timers.getFirst().run();
    assertTier(TRACE);
    tier.endTrace();

    assertTier(STANDARD);
  }

  @Test
  void aLimitEndsWithItsGridAndItsTimerChangesNothingAfterwards() {
    tier.set(TIMES, LIMIT);

    tier.close();
    assertThat(tiers).containsEntry("program", STANDARD);
    tiers.clear();
    timers.getFirst().run();

    assertThat(tiers).isEmpty();
  }

  @Test
  void theEndOfALimitedTraceTierLeavesItToATraceThatIsBeingRecorded() {
    tier.set(TRACE, LIMIT);
    tier.beginTrace();

    timers.getFirst().run();

    assertTier(TRACE);
    tier.endTrace();
    assertTier(STANDARD);
  }

  @Test
  void theEndOfATraceLeavesALimitedTraceTier() {
    tier.beginTrace();
    tier.set(TRACE, LIMIT);

    tier.endTrace();

    assertTier(TRACE);
    timers.getFirst().run();
    assertTier(STANDARD);
  }

  @Test
  void aSecondLimitedRequestEndsWithItsOwnTime() {
    tier.set(TIMES, LIMIT);
    tier.set(TIMES, LIMIT);

    timers.getFirst().run();
    assertTier(TIMES);

    timers.getLast().run();
    assertTier(STANDARD);
  }

  @Test
  void aLimitEndsWithTheLastingTier() {
    tier.set(OFF, Duration.ZERO);
    tier.set(TIMES, LIMIT);
    timers.getFirst().run();

    assertTier(OFF);
  }

  @Test
  void aLastingTierEndsALimitedOne() {
    tier.set(TIMES, LIMIT);
    tier.set(COUNTS, Duration.ZERO);
    assertTier(COUNTS);

    timers.getFirst().run();

    assertTier(COUNTS);
  }

  @Test
  void aTierThatIsAskedForDuringATraceFollowsIt() {
    tier.beginTrace();
    tier.beginTrace();

    var change = tier.set(TIMES, Duration.ZERO);

    assertThat(change.isInForce()).isFalse();
    assertThat(change.silent()).isEmpty();
    tier.endTrace();
    assertTier(TRACE);
    tier.endTrace();
    assertTier(TIMES);
  }

  @Test
  void aNodeThatJoinsGetsThePresentTier() {
    var late = node("late");
    tier.joined(late);
    assertThat(tiers).isEmpty(); // it begins with its property

    tier.set(OFF, Duration.ZERO);
    tier.beginTrace();
    tier.joined(late);
    assertThat(tiers).containsEntry("late", TRACE);

    members.add(late);
    tier.endTrace();
    assertThat(tiers).containsEntry("late", OFF);
  }
}
