package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.WaitCycleException;

/** Groups whose members have bounded queues. */
@Timeout(60)
class BoundedGroupTest {

  private static final int MEMBERS = 3;

  private static CyclicBarrier together;
  private static CountDownLatch open;
  private static CountDownLatch busy = new CountDownLatch(0);

  public static class Member {
    private int heard;

    public void hear(int number) {
      heard++;
    }

    public int heard() {
      return heard;
    }

    public int shout(Member all, int calls) throws Exception {
      together.await(20, TimeUnit.SECONDS);
      for (var i = 0; i < calls; i++) {
        all.hear(i);
      }
      return calls;
    }

    public void hold() {
      busy.countDown();
      try {
        open.await(20, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    public int heardOf(Member asked) {
      busy.countDown();
      return asked.heard();
    }

    /** Fills a queue, and stands behind a call to many that waits for it for some time. */
    public int standBehind(Member full, Member free, Member both) throws Exception {
      busy.await(20, TimeUnit.SECONDS);
      full.hear(1);
      full.hear(2);
      Group.of(both).within(Duration.ofMillis(300)).tell(member -> member.hear(3));
      free.hear(4);
      return 0;
    }

    public CompletableFuture<Integer> hearAndAsk(Member full, Member all, Member self) {
      full.hear(-1); // each node has places of its own
      full.hear(-1);
      Group.of(all).tell(member -> member.hear(1));
      return ActiveObjects.ref(self).ask(Member::heard);
    }

    @Immediate
    public void release() {
      open.countDown();
    }
  }

  private static Member bounded(LocalNodes nodes) {
    return Groups.on(nodes.nodes())
        .placed(Placement.roundRobin(MEMBERS))
        .with(Options.STANDARD.withQueueBound(2))
        .create(Member.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MEMBERS})
  void membersThatFillEachOthersQueuesByBroadcastsAreToldOfTheCycle(int count) throws Exception {
    together = new CyclicBarrier(MEMBERS);
    try (var nodes = LocalNodes.start(count)) {
      var all = bounded(nodes);
      var shouts =
          Group.of(all).stream()
              .map(each -> ActiveObjects.ref(each).ask(member -> member.shout(all, 100)))
              .toList();

      var failures = shouts.stream().map(BoundedGroupTest::failure).toList();

      assertThat(failures)
          .hasAtLeastOneElementOfType(WaitCycleException.class)
          .allMatch(each -> each == null || each instanceof WaitCycleException);
      assertThat(failures.stream().filter(each -> each != null).findFirst().orElseThrow())
          .hasMessageContainingAll(
              "these waits could never end", "a Member on node", "waits for room");
    }
  }

  private static Throwable failure(CompletableFuture<Integer> call) {
    try {
      call.get(30, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (Exception e) {
      return e;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MEMBERS})
  void asksReturnAtOnceAndKeepTheirPlaceAmongCalls(int count) throws Exception {
    open = new CountDownLatch(1);
    try (var nodes = LocalNodes.start(count)) {
      var all = bounded(nodes);
      all.hold();
      var group = Group.of(all);
      List<CompletableFuture<Void>> told =
          IntStream.range(0, 10).mapToObj(i -> group.tell(member -> member.hear(i))).toList();
      var first = ActiveObjects.ref(group.get(0));
      var afterwards = first.ask(Member::heard);
      all.release();

      for (var each : told) {
        each.get(30, TimeUnit.SECONDS);
      }
      assertThat(afterwards.get(30, TimeUnit.SECONDS)).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aCallToOneObjectStaysBehindOneToManyThatWaitsForOthers(int count) throws Exception {
    open = new CountDownLatch(1);
    try (var nodes = LocalNodes.start(count)) {
      var full = full(ActiveObjects.on(nodes.get(0)));
      var free = ActiveObjects.on(nodes.get(count - 1)).create(Member.class);

      var told = Group.of(Groups.of(Member.class, List.of(full, free))).tell(m -> m.hear(1));
      var afterwards = ActiveObjects.ref(free).ask(Member::heard);
      full.release();

      assertThat(afterwards.get(30, TimeUnit.SECONDS)).isEqualTo(1);
      told.get(30, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aMembersCallToItselfStaysBehindItsCallToAll(int count) throws Exception {
    open = new CountDownLatch(1);
    try (var nodes = LocalNodes.start(count)) {
      var full = full(ActiveObjects.on(nodes.get(0)));
      var self = bounded(ActiveObjects.on(nodes.get(count - 1)));
      var all = Groups.of(Member.class, List.of(full, self));

      var heard = ActiveObjects.ref(self).ask(member -> member.hearAndAsk(full, all, self)).join();
      full.release();

      assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aCallBehindOneThatIsGivenUpInTimeIsNoPartOfACycle(int count) throws Exception {
    busy = new CountDownLatch(1);
    ActiveObjects.onFailure(failure -> {}); // that one is given up
    try (var nodes = LocalNodes.start(count)) {
      var self = ActiveObjects.on(nodes.get(0)).create(Member.class);
      var full = bounded(ActiveObjects.on(nodes.get(count - 1)));
      var free = bounded(ActiveObjects.on(nodes.get(count - 1)));
      var both = Groups.of(Member.class, List.of(full, free));

      var stands = ActiveObjects.ref(self).ask(m -> m.standBehind(full, free, both));
      var waits = ActiveObjects.ref(full).ask(member -> member.heardOf(self));

      assertThat(stands.get(30, TimeUnit.SECONDS)).isZero();
      assertThat(waits.get(30, TimeUnit.SECONDS)).isZero();
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  @Test
  void callsToAllDoNotWaitForRoomInTheQueueOfALostMember() throws Exception {
    ActiveObjects.onFailure(failure -> {}); // they are told that one is lost
    try (var nodes = LocalNodes.start(2)) {
      var all =
          Groups.of(
              Member.class,
              nodes.list().stream().map(each -> bounded(ActiveObjects.on(each))).toList());
      nodes.kill(1);
      assertThat(failure(Group.of(all).tell(m -> m.hear(0)).thenApply(none -> 0)))
          .as("a call that waits until the loss is known")
          .isInstanceOf(GroupCallException.class);
      var told = IntStream.range(0, 5).mapToObj(i -> Group.of(all).tell(m -> m.hear(i))).toList();
      for (var each : told) {
        assertThat(failure(each.thenApply(none -> 0))).isInstanceOf(GroupCallException.class);
      }
      var shouted = CompletableFuture.runAsync(() -> IntStream.range(0, 5).forEach(all::hear));

      shouted.get(30, TimeUnit.SECONDS);
      assertThat(Group.of(all).get(0).heard()).isEqualTo(11);
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aMemberThatRefusesACallHasThatOutcomeAndTheOthersServeIt(int count) throws Exception {
    open = new CountDownLatch(1);
    busy = new CountDownLatch(1);
    var failures = new LinkedBlockingQueue<FailureHandler.CallFailure>();
    ActiveObjects.onFailure(failures::add);
    try (var nodes = LocalNodes.start(count)) {
      var full = refusing(ActiveObjects.on(nodes.get(0)), 2);
      var free = refusing(ActiveObjects.on(nodes.get(count - 1)), 20);
      full.hold();
      busy.await();
      for (var queued = 0; queued < 2; ) { // the place of the first request may come back late
        var told = ActiveObjects.ref(full).tell(member -> member.hear(-1));
        queued += told.isCompletedExceptionally() ? 0 : 1;
      }
      var all = Groups.of(Member.class, List.of(free, full, free));

      var heard = Group.of(all).ask(Member::heard);
      assertThat(heard.outcome(1))
          .isInstanceOfSatisfying(
              MemberOutcome.Failure.class,
              failed -> assertThat(failed.exception()).isInstanceOf(OverloadedException.class));
      assertThat(heard.get(0)).isZero();
      assertThat(heard.get(2)).isZero();

      failures.clear();
      all.hear(1);
      assertThat(failures.poll(30, TimeUnit.SECONDS).cause())
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("a Member on node '" + nodes.get(0).name() + "' is full (2 of 2");
      assertThat(free.heard()).isEqualTo(2);
      assertThat(failures).isEmpty();
      full.release();
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  private static Member refusing(ActiveObjects.Creation place, int bound) {
    return place.with(Options.STANDARD.withQueueBound(bound).refusing()).create(Member.class);
  }

  private static Member bounded(ActiveObjects.Creation place) {
    return place.with(Options.STANDARD.withQueueBound(2)).create(Member.class);
  }

  private static Member full(ActiveObjects.Creation place) throws InterruptedException {
    var full = bounded(place);
    busy = new CountDownLatch(1);
    full.hold();
    busy.await();
    full.hear(-1);
    full.hear(-1);
    return full;
  }
}
