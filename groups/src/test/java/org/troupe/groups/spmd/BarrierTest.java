package org.troupe.groups.spmd;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.futures.Futures;
import org.troupe.groups.CollectiveException;
import org.troupe.testing.LogRecords;

@Timeout(60)
class BarrierTest {

  private final LocalNodes nodes = LocalNodes.start(2);

  @AfterEach
  void end() {
    nodes.close();
  }

  /** Serves notes beside each other. */
  public static class ConcurrentPart extends Part {
    private final List<String> concurrently = Collections.synchronizedList(new ArrayList<>());

    @Override
    @Concurrent("notes")
    public void note(String what) {
      concurrently.add(what);
    }

    @Override
    @Concurrent(value = "acts", with = "notes")
    public CompletableFuture<Object> act(String key) {
      return super.act(key);
    }

    @Override
    public List<String> notes() {
      return new ArrayList<>(concurrently);
    }
  }

  /** Hears itself of failures that nobody else hears of. */
  public static class ReportingPart extends Part implements FailureHandler {
    static final BlockingQueue<CallFailure> FAILURES = new LinkedBlockingQueue<>();

    @Override
    public void failed(CallFailure failure) {
      FAILURES.add(failure);
    }
  }

  /** Serves the oldest itself. */
  public static class ServingPart extends Part implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.serveOldest(RequestQueue.ANY)) {
        // The next one.
      }
    }
  }

  private List<Part> group(int size) {
    return Part.group(nodes, size);
  }

  private static Part self(Spmd<Part> spmd) {
    return spmd.member(spmd.rank());
  }

  @ParameterizedTest
  @ValueSource(classes = {Part.class, ConcurrentPart.class, ServingPart.class})
  <P extends Part> void keepsWhatIsSentBehindItUntilAllHaveReachedIt(Class<P> type) {
    var members = Part.group(type, nodes, 3, false);
    Part.all(
        members.subList(0, 2),
        spmd -> {
          spmd.barrier();
          spmd.member(2).note("after, from " + spmd.rank());
          self(spmd).note("after, from itself");
          return null;
        });
    members.get(2).note("before");

    assertThat(members.get(2).notes()).containsExactly("before");
    Part.all(members.subList(2, 3), spmd -> spmd.barrier() == null);

    Part.until(() -> members.get(2).notes().size() == 3); // sent by others, on a way of their own
    assertThat(members.get(2).notes())
        .containsExactlyInAnyOrder("before", "after, from 0", "after, from 1")
        .startsWith("before");
    assertThat(members.get(0).notes()).containsExactly("after, from itself");
  }

  @Test
  void servesWhatWasSentBeforeItBeforeWhatWasSentBehindIt() {
    var members = group(4);
    for (var round = 0; round < 200; round++) {
      var step = round;
      Part.all(
          members,
          spmd -> {
            spmd.topology().ring().members().forEach(each -> each.note(step + " border"));
            spmd.barrier();
            self(spmd).note(step + " next");
            return null;
          });
    }
    for (var each : members) {
      var notes = each.notes();
      assertThat(notes).hasSize(600);
      for (var round = 0; round < 200; round++) {
        assertThat(notes.subList(3 * round, 3 * round + 3))
            .containsExactly(round + " border", round + " border", round + " next");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Part.class, ConcurrentPart.class, ServingPart.class})
  <P extends Part> void keepsWhatOneStillHoldsBeforeWhatIsBehindTheNext(Class<P> type) {
    var members = Part.group(type, nodes, 3, false);
    Part.all(members.subList(0, 1), spmd -> spmd.barrier() == null);
    Part.all(
        members.subList(1, 2),
        spmd -> {
          spmd.barrier();
          spmd.member(0).note("border"); // held there until member 2 has come
          spmd.barrier(); // must not hold it once more
          return null;
        });
    members.get(0).note("next");
    Part.all(members.subList(2, 3), spmd -> spmd.barrier() == null);

    assertThat(members.get(0).notes()).containsExactlyInAnyOrder("border", "next");
  }

  @Test
  void doesNotConcernOthersIfItIsForNeighboursOrBySubsetOnly() {
    var members = group(4);
    Part.all(
        members,
        spmd -> {
          if (spmd.rank() < 2) {
            spmd.barrier("pair", 0, 1);
          } else if (spmd.rank() == 2) {
            spmd.barrier(spmd.topology().line());
          }
          self(spmd).note("next");
          return null;
        });
    assertThat(members.get(0).notes()).containsExactly("next");
    assertThat(members.get(3).notes()).containsExactly("next");

    var held = members.get(2).notes();
    assertThat(Futures.isAwaited(held)).isTrue();
    Part.all(
        List.of(members.get(1), members.get(3)),
        spmd -> spmd.barrier(spmd.topology().line()) == null);
    Part.all(members.subList(0, 1), spmd -> spmd.barrier(spmd.topology().line()) == null);
    assertThat(held).containsExactly("next");
  }

  @Test
  void isKnownByItsWholeName() throws Exception {
    var reached = new Barrier[2];
    var members = group(2);
    Part.all(
        members.subList(0, 1),
        spmd -> {
          reached[0] = spmd.barrier("Aa", 0, 1);
          reached[1] = spmd.barrier("BB", 0, 1); // of the same hash code
          return null;
        });
    Part.all(members.subList(1, 2), spmd -> spmd.barrier("BB", 0, 1) == null);
    reached[1].whenPassed().get(20, TimeUnit.SECONDS);
    assertThat(reached[0].isPassed()).isFalse();

    Part.all(members.subList(1, 2), spmd -> spmd.barrier("Aa", 0, 1) == null);
    reached[0].whenPassed().get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(classes = {Part.class, ConcurrentPart.class, ServingPart.class})
  <P extends Part> void namesTheRequestThatDelaysIt(Class<P> type, LogRecords records)
      throws Exception {
    records.allow(WARNING, "member 0 on node 'node-1' has waited", "in awaitCalls(size)");
    System.setProperty("troupe.groups.patience", "1");
    try {
      var members = Part.group(type, nodes, 2, false);
      Part.all(
          members.subList(0, 1),
          spmd -> {
            spmd.barrier();
            return spmd.awaitCalls(List.of("size")) == null;
          });
      Part.all(
          members.subList(1, 2),
          spmd -> {
            spmd.member(0).note("border"); // held there until somebody calls size
            return spmd.barrier() == null;
          });

      records.expect(
          WARNING,
          "member 0 on node 'node-1' has waited",
          "s since all reached barrier()",
          "to serve a request that member 1 on node 'node-2' sent before it",
          ": " + type.getSimpleName() + ".note(String) is still in the queue");

      assertThat(Part.<Integer>all(members.subList(1, 2), spmd -> spmd.member(0).size()))
          .containsExactly(2);
      assertThat(members.get(0).notes()).containsExactly("border");
    } finally {
      System.clearProperty("troupe.groups.patience");
    }
  }

  @Test
  void isPassedByImmediateMethodsWhichMayNotCallOne() {
    var members = group(2);
    Part.ACTS.put("reach", Spmd::barrier);
    assertThat(Part.failureOf(members.get(0).actAtOnce("reach")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("@Immediate");
    Part.all(members.subList(0, 1), spmd -> spmd.barrier() == null);
    Part.ACTS.put("rank", Spmd::rank);
    assertThat(Part.valueOf(members.get(0).actAtOnce("rank"))).isEqualTo(0);
    Part.all(members.subList(1, 2), spmd -> spmd.barrier() == null);
  }

  @Test
  void canBeWaitedFor() {
    var members = group(3);
    for (var round = 0; round < 50; round++) {
      assertThat(
              Part.<Boolean>all(
                  members,
                  spmd -> {
                    var barrier = spmd.barrier();
                    barrier.join();
                    return barrier.isPassed();
                  }))
          .containsOnly(true);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Part.class, ConcurrentPart.class, ServingPart.class})
  <P extends Part> void canBeReachedAgainBeforeItIsPassed(Class<P> type) {
    var members = Part.group(type, nodes, 3, false);
    for (var round = 0; round < 20; round++) {
      assertThat(
              Part.<Boolean>all(
                  members,
                  spmd -> {
                    var barriers =
                        List.of(spmd.barrier(), spmd.barrier("x", 0, 1, 2), spmd.barrier());
                    barriers.reversed().forEach(Barrier::join);
                    return barriers.stream().allMatch(Barrier::isPassed);
                  }))
          .containsOnly(true);
    }
    members.get(0).note("behind them");
    assertThat(members.get(0).notes()).containsExactly("behind them");
  }

  @Test
  void saysWhoIsMissingWhenItTakesTooLong() {
    var members = group(3);
    var late =
        Part.begun(
            members.subList(0, 2),
            spmd -> {
              spmd.within(java.time.Duration.ofMillis(1)).barrier().join();
              return null;
            });
    assertThat(Part.failureOf(late.get(0)))
        .isInstanceOf(CollectiveException.class)
        .hasMessageContaining(
            "in barrier() for member") // the other one may not be there yet, either
        .hasMessageContaining("member 2 on node 'node-2'");
    var named =
        Part.begun(
            members.subList(0, 1),
            spmd -> {
              spmd.within(java.time.Duration.ofMillis(1)).barrier("halves", 0, 1).join();
              return null;
            });
    assertThat(Part.failureOf(named.get(0)))
        .hasMessageContaining("in barrier('halves' of [0, 1]) for member 1 on node");
  }

  @Test
  void ofCallsKeepsAllOthersUntilTheseHaveCome() {
    var members = group(3);
    Part.all(
        members.subList(0, 1),
        spmd -> {
          spmd.awaitCalls(List.of("note"), 1, 2);
          return null;
        });
    var size = CompletableFuture.supplyAsync(() -> members.get(0).size());
    members.get(0).note("from nobody");
    Part.all(
        members.subList(1, 3),
        spmd -> {
          spmd.member(0).note("from " + spmd.rank());
          return null;
        });
    assertThat(size.join()).isEqualTo(3);
    assertThat(members.get(0).notes()).hasSize(3).last().isEqualTo("from nobody");
  }

  @Test
  void ofCallsFailsWhenTheirCallerIsLost() throws Exception {
    var members = group(2);
    var awaited = new Barrier[1];
    Part.all(
        members.subList(0, 1), spmd -> (awaited[0] = spmd.awaitCalls(List.of("note"), 1)) == null);
    var size = CompletableFuture.supplyAsync(() -> members.get(0).size());
    nodes.kill(1);

    assertThat(awaited[0].whenPassed())
        .failsWithin(20, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(MemberLostException.class);
    assertThat(size.get(20, TimeUnit.SECONDS)).isEqualTo(2); // no longer held
    assertThat(
            Part.failureOf(
                Part.begun(
                        members.subList(0, 1), spmd -> spmd.awaitCalls(List.of("note"), 1) == null)
                    .getFirst()))
        .isInstanceOf(MemberLostException.class);
  }

  @Test
  void ofCallsEndsWithItsGroup() throws Exception {
    var members = group(2);
    Part.all(
        members,
        spmd -> {
          spmd.awaitCalls(List.of("note"));
          return spmd.survivors() == null;
        });
    assertThat(CompletableFuture.supplyAsync(members.get(0)::size).get(20, TimeUnit.SECONDS))
        .isEqualTo(2);
  }

  @Test
  void holdsNothingAnyMoreWhenItsTimeIsOver() throws Exception {
    ReportingPart.FAILURES.clear();
    var members = Part.group(ReportingPart.class, nodes, 2, false);
    Part.all(
        members.subList(0, 1),
        spmd -> spmd.within(java.time.Duration.ofMillis(1)).barrier() == null);
    assertThat(CompletableFuture.supplyAsync(members.get(0)::size).get(20, TimeUnit.SECONDS))
        .isEqualTo(2);
    Part.all(
        members.subList(0, 1),
        spmd -> spmd.within(java.time.Duration.ofMillis(1)).awaitCalls(List.of("note")) == null);
    assertThat(CompletableFuture.supplyAsync(members.get(0)::size).get(20, TimeUnit.SECONDS))
        .isEqualTo(2);
    assertThat(ReportingPart.FAILURES.take().cause())
        .isInstanceOf(CollectiveException.class)
        .hasMessageContaining("in barrier() for member 1 on node 'node-2'");
    assertThat(ReportingPart.FAILURES.take().cause())
        .hasMessageContaining("in awaitCalls(note) for any member");
  }

  @Test
  void isPassedBesideARequestThatRuns() {
    var members = Part.group(ConcurrentPart.class, nodes, 2, false);
    var released = new CountDownLatch(1);
    var running =
        Part.begun(
            members.subList(0, 1),
            spmd -> {
              released.await();
              return null;
            });
    Part.all(members.subList(1, 2), spmd -> spmd.barrier() == null);
    var passed = new Barrier[1];
    Part.all(members.subList(0, 1), spmd -> (passed[0] = spmd.barrier()) == null);
    passed[0].join();
    members.get(0).note("behind");
    Part.until(() -> members.get(0).notesNow().contains("behind"));
    released.countDown();
    Part.valueOf(running.getFirst());
  }

  @Test
  void doesNotKeepAMemberFromItsEnd() throws Exception {
    var members = group(2);
    Part.all(members.subList(0, 1), spmd -> spmd.barrier() == null);

    assertThat(ActiveObjects.ref(members.get(0)).terminate()).succeedsWithin(20, TimeUnit.SECONDS);
    assertThatThrownBy(members.get(0)::size).isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void isPassedBeforeTheGroupTakesJoinersIn() {
    var members = group(2);
    var entered = new CountDownLatch(1);
    var first =
        Part.begun(
            members.subList(0, 1),
            spmd -> {
              var barrier = spmd.barrier();
              entered.countDown();
              spmd.reconfigure(List.of());
              barrier.join();
              return barrier.isPassed();
            });
    var second =
        Part.begun(
            members.subList(1, 2),
            spmd -> {
              entered.await();
              var barrier = spmd.barrier();
              spmd.reconfigure(List.of());
              return barrier.isPassed();
            });
    assertThat(Part.valueOf(first.getFirst())).isEqualTo(true);
    assertThat(Part.valueOf(second.getFirst())).isEqualTo(true);
  }

  @Test
  void runsStagesAsRequestsOfTheObject() throws Exception {
    var members = group(2);
    var self = new CompletableFuture<String>();
    Part.all(
        members,
        spmd -> {
          var passed = spmd.barrier().whenPassed();
          if (spmd.rank() == 0) {
            passed.thenRun(() -> self.complete(ActiveObjects.self(Part.class).toString()));
          }
          return null;
        });
    assertThat(self.get(20, TimeUnit.SECONDS)).contains("Part on node 'node-1'");
  }

  @Test
  void isNotForNeighboursInAnotherGroup() {
    Part.all(
        group(2),
        spmd -> {
          var part = spmd.split(0);
          assertThatThrownBy(() -> spmd.barrier(part.topology().ring()))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("is of another group");
          return null;
        });
  }

  @Test
  void isRefusedWhereItCannotBe() {
    var members = group(2);
    Part.all(
        members,
        spmd -> {
          assertThatThrownBy(() -> spmd.barrier("x", 0, 2))
              .hasMessageContaining("no member 2")
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> spmd.barrier("x", 1 - spmd.rank()))
              .hasMessageContaining("which is for");
          assertThatThrownBy(() -> spmd.awaitCalls(List.of("noteX")))
              .hasMessageContaining("no method 'noteX'");
          return null;
        });
  }
}
