package org.troupe.groups.spmd;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.Reduction;
import org.troupe.groups.Slice;
import org.troupe.groups.Solvers;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

@Timeout(60)
class SpmdTest {

  private final LocalNodes nodes = LocalNodes.start(3);

  @AfterEach
  void end() {
    nodes.close();
  }

  private List<Part> group(int size) {
    return Part.group(nodes, size);
  }

  @Test
  void isThereFromTheFirstRequestOn() {
    var all = Groups.on(nodes.nodes()).each(2).spmd(Part.class);
    assertThat(Group.of(all).ask(Part::size).toList()).containsOnly(6).hasSize(6);
  }

  @Test
  void takesObjectsThatAreThereAlready() {
    List<Part> there =
        nodes.list().stream().map(each -> ActiveObjects.on(each).create(Part.class)).toList();
    var all = Groups.spmd(Part.class, there);
    assertThat(Group.of(all).members()).isEqualTo(there);
    assertThat(Part.all(there, spmd -> spmd.allReduce(spmd.rank() + 1, Operation.SUM)))
        .containsOnly(6);

    assertThatThrownBy(() -> Groups.spmd(Part.class, List.of(there.get(0), there.get(0))))
        .hasMessageContaining("member 1 is a Part on node 'node-1', as member 0 is");
    assertThatThrownBy(() -> Groups.spmd(Part.class, List.of(new Part())))
        .hasMessageContaining(
            "member 0 is an org.troupe.groups.spmd.Part, which cannot be a member of an SPMD group");
    try (var others = LocalNodes.start(1)) {
      var other = ActiveObjects.on(others.get(0)).create(Part.class);
      assertThatThrownBy(() -> Groups.spmd(Part.class, List.of(there.get(0), other)))
          .hasMessageContaining("are in different grids");
    }
  }

  @Test
  void leavesNobodyInAGroupThatDoesNotComeAbout() {
    try (var nodes = LocalNodes.start(2)) {
      var one = ActiveObjects.on(nodes.get(0)).create(Part.class);
      var other = ActiveObjects.on(nodes.get(1)).create(Part.class);
      var ended = ActiveObjects.on(nodes.get(1)).create(Part.class);
      Groups.spmd(Part.class, List.of(one));
      ActiveObjects.ref(ended).terminate().join();
      assertThatThrownBy(() -> Groups.spmd(Part.class, List.of(one, other, ended)))
          .hasMessageContaining("has been terminated");
      assertThat(one.size()).isEqualTo(1);
      assertThatThrownBy(other::size).hasMessageContaining("this object is in no group");
      Groups.spmd(Part.class, List.of(one, other));
      assertThat(other.size()).isEqualTo(2);
    }
  }

  @Test
  void isNotThereForOthers() {
    var alone = ActiveObjects.on(nodes.get(0)).create(Part.class);
    assertThatThrownBy(alone::size)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Groups.on(nodes).spmd(Part.class");
    assertThatThrownBy(() -> Spmd.here(Part.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("serves no active object");
  }

  @Test
  void knowsNeighbours() {
    Part.all(
        group(8),
        spmd -> {
          var rank = spmd.rank();
          assertThat(spmd.topology().ring().ranks())
              .containsExactlyInAnyOrder((rank + 7) % 8, (rank + 1) % 8);
          assertThat(spmd.topology().ring().right()).contains(spmd.member((rank + 1) % 8));
          assertThat(spmd.topology().line().left().isEmpty()).isEqualTo(rank == 0);
          var plate = spmd.topology().plate(4, 2);
          assertThat(plate.down().isPresent()).isEqualTo(rank < 4);
          assertThat(plate.coordinate(1)).isEqualTo(rank / 4);
          assertThat(spmd.topology().torus(4, 2).left())
              .contains(spmd.member(rank % 4 == 0 ? rank + 3 : rank - 1));
          assertThat(spmd.topology().cube(2, 2, 2).ranks())
              .isEqualTo(spmd.topology().hypercube().ranks())
              .hasSize(3);
          assertThat(spmd.topology().tree().parent().isEmpty()).isEqualTo(rank == 0);
          assertThat(
                  spmd.topology()
                      .graph(
                          "star",
                          each -> each == 0 ? IntStream.range(1, 8).toArray() : new int[] {0})
                      .ranks())
              .hasSize(rank == 0 ? 7 : 1);
          assertThatThrownBy(() -> spmd.topology().plate(3, 3))
              .hasMessage(
                  "a plate of 3 x 3 has 9 places, the group has 8 members; give positive lengths"
                      + " whose product is that number");
          assertThatThrownBy(
                  () -> spmd.topology().graph("one way", each -> new int[] {(each + 1) % 8}))
              .hasMessageContaining("but not vice versa");
          return null;
        });
  }

  @Test
  void tellsMembersThatTheyDoDifferentThings(LogRecords records) {
    records.allow(WARNING, "has waited", "for member"); // of whoever comes more than a second early
    System.setProperty("troupe.groups.patience", "1");
    var results =
        Part.begun(
            group(3),
            spmd -> spmd.rank() == 1 ? spmd.broadcast(0, "x") : spmd.allReduce(1.0, Operation.SUM));
    for (var each : results) {
      assertThat(Part.failureOf(each))
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("broadcast")
          .hasMessageContaining("allReduce with SUM")
          .hasMessageContaining("all members must do the same");
    }
    System.clearProperty("troupe.groups.patience");
  }

  @Test
  void tellsMembersThatTheirSlicesHaveDifferentLengths() {
    var results =
        Part.begun(
            group(2),
            spmd -> {
              spmd.allReduce(Slice.of(new double[5 + spmd.rank()]), Operation.SUM);
              return null;
            });
    for (var each : results) {
      assertThat(Part.failureOf(each))
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("slices of the same length");
    }
  }

  @Test
  void failsEverywhereWhereOneFailsAndGoesOn() {
    var members = group(4);
    var results =
        Part.begun(
            members,
            spmd ->
                spmd.allReduce(
                    spmd.rank(),
                    (Integer one, Integer other) -> {
                      if (one + other > 0) {
                        throw new ArithmeticException("no");
                      }
                      return 0;
                    }));
    for (var each : results) {
      Part.failureOf(each);
    }
    assertThat(Part.<Integer>all(members, spmd -> spmd.allReduce(1, Operation.SUM)))
        .containsOnly(4);
  }

  @Test
  void endsAWaitInTimeAndSaysForWhom() {
    var members = group(3);
    var late =
        Part.begun(
            members.subList(0, 1),
            spmd -> spmd.within(Duration.ofMillis(1)).allReduce(1, Operation.SUM));
    assertThat(Part.failureOf(late.getFirst()))
        .isInstanceOf(CollectiveException.class)
        .hasMessageContaining("allReduce with SUM")
        .hasMessageContaining("member 1");
  }

  @Test
  void refusesWhatCannotBe() {
    Part.all(
        group(2),
        spmd -> {
          assertThatThrownBy(() -> spmd.broadcast(2, "x")).hasMessageContaining("no member 2");
          assertThatThrownBy(() -> spmd.allToAll(List.of(1)))
              .hasMessageContaining("allToAll was given 1 parts for 2 members");
          assertThatThrownBy(() -> spmd.allReduce(Slice.of(1.0), Operation.XOR))
              .hasMessageContaining("double is no whole number");
          assertThatThrownBy(() -> spmd.allReduce(1.0, Operation.XOR))
              .hasMessageContaining("double is no whole number");
          return null;
        });
  }

  @Test
  void whatOneMemberGivesWronglyFailsAtAll() {
    var members = group(3);
    for (var each : Part.begun(members, spmd -> spmd.scatter(0, List.of(1, 2)))) {
      assertThat(Part.failureOf(each)).hasMessageContaining("scatter was given 2 parts for 3");
    }
    for (var each :
        Part.begun(
            members, spmd -> spmd.allToAll(List.of(1, 2, 3).subList(0, 2 + spmd.rank() % 2)))) {
      assertThat(Part.failureOf(each)).hasMessageContaining("allToAll was given 2 parts for 3");
    }
    for (var each :
        Part.begun(
            members,
            spmd ->
                spmd.reconfigure(spmd.rank() == 0 ? List.of(spmd.member(1)) : List.of()).size())) {
      assertThat(Part.failureOf(each))
          .hasMessageContaining("member 1 already belongs to this group");
    }
    for (var each :
        Part.begun(
            meeting(ActiveObjects.on(nodes.get(1)).create(Adder.class), 3),
            spmd ->
                spmd.combined(
                        1,
                        Reduction.tree(Integer::sum),
                        (Adder) Part.MET.get(),
                        (adder, sum) -> sum)
                    .combine(Reduction.flat(Integer::sum))
                    .get())) {
      assertThat(Part.failureOf(each)).hasStackTraceContaining("call");
    }
    assertThat(Part.<Integer>all(members, spmd -> spmd.allReduce(1, Operation.SUM)))
        .containsOnly(3);
  }

  @Test
  void aBarrierThatALostMemberHasReachedEndsForThoseWhoWaitForTheOthers() {
    var members = group(3);
    Part.all(List.of(members.get(2)), spmd -> spmd.barrier() == null);
    var barrier = new Barrier[1];
    Part.all(List.of(members.get(0)), spmd -> (barrier[0] = spmd.barrier()) == null);
    Part.until(() -> barrier[0].missing().equals(List.of(1)));
    nodes.kill(2);
    var late =
        Part.begun(
            List.of(members.get(1)),
            spmd -> {
              lossOf(spmd);
              return spmd.barrier() == null;
            });
    assertThat(Part.failureOf(late.getFirst())).isInstanceOf(MemberLostException.class);

    assertThat(barrier[0].whenPassed()).succeedsWithin(java.time.Duration.ofSeconds(20));
    assertThat(members.get(0).size()).isEqualTo(3); // no longer held
  }

  @Test
  void splitsByColour() {
    assertThat(
            Part.<String>all(
                group(5),
                spmd -> {
                  var part = spmd.split(spmd.rank() % 2);
                  part.barrier();
                  return part.rank()
                      + " of "
                      + part.size()
                      + ": "
                      + part.allReduce("" + spmd.rank(), String::concat)
                      + spmd.allReduce(1, Operation.SUM)
                      + Spmd.here(Part.class).size();
                }))
        .containsExactly(
            "0 of 3: 02455", "0 of 2: 1355", "1 of 3: 02455", "1 of 2: 1355", "2 of 3: 02455");
  }

  @Test
  void takesJoinersInAtOneMoment() {
    var members = group(3);
    var joiner = ActiveObjects.on(nodes.get(0)).create(Part.class);
    members.getFirst().meet(joiner);
    var later =
        Part.begun(
            members,
            spmd ->
                spmd.reconfigure(spmd.rank() == 0 ? List.of((Part) Part.MET.get()) : List.of())
                    .allGather(spmd.rank()));
    var all = new ArrayList<>(members);
    all.add(joiner);
    // The joiner's first collective is the others' allGather.
    Polling.until(
        "the joiner is in a group",
        () -> {
          try {
            assertThat(
                    Part.<List<Integer>>all(List.of(joiner), spmd -> spmd.allGather(spmd.rank())))
                .containsExactly(List.of(0, 1, 2, 3));
            return true;
          } catch (IllegalStateException notYet) {
            assertThat(notYet.getCause()).hasMessageContaining("in no group");
            return false;
          }
        });
    for (var each : later) {
      assertThat(Part.valueOf(each)).isEqualTo(List.of(0, 1, 2, 3));
    }
    assertThat(Part.<Integer>all(all, spmd -> spmd.allReduce(1, Operation.SUM))).containsOnly(4);
  }

  @Test
  void failsWithTheNameOfAMemberThatIsLostAndSurvives() {
    var members = group(6);
    var waiting = Part.begun(members.subList(0, 4), spmd -> spmd.allReduce(1, Operation.SUM));
    var barriers = new ArrayList<>(waiting);
    nodes.kill(2);
    for (var each : barriers) {
      assertThat(Part.failureOf(each))
          .isInstanceOf(MemberLostException.class)
          .hasMessageContaining("member 4 on node 'node-3' of 6 is lost")
          .hasMessageContaining("survivors()");
    }
    var left = members.subList(0, 4);
    for (var each : Part.begun(left, spmd -> spmd.barrier() == null)) {
      assertThat(Part.failureOf(each)).isInstanceOf(MemberLostException.class);
    }
    assertThat(Part.<Integer>all(left, spmd -> spmd.survivors().allReduce(1, Operation.SUM)))
        .containsOnly(4);
    assertThat(Part.<Integer>all(left, spmd -> spmd.allReduce(spmd.rank(), Operation.SUM)))
        .containsOnly(6);
  }

  @Test
  void aMemberOnAnotherNodeThatHasBeenTerminatedIsLost(LogRecords records) {
    records.allow(WARNING, "has waited", "in allReduce with SUM"); // until the loss is known
    System.setProperty("troupe.groups.patience", "1");
    try {
      var members = group(3);
      ActiveObjects.ref(members.get(1)).terminateNow().join();
      var left = List.of(members.get(0), members.get(2));
      for (var each : Part.begun(left, spmd -> spmd.allReduce(1, Operation.SUM))) {
        assertThat(Part.failureOf(each))
            .isInstanceOf(MemberLostException.class)
            .hasMessageContaining("member 1 on node 'node-2' of 3 is lost (it has been terminated");
      }
      assertThat(Part.<Integer>all(left, spmd -> spmd.survivors().size())).containsOnly(2);
    } finally {
      System.clearProperty("troupe.groups.patience");
    }
  }

  @Test
  void survivorsAgreeWhenTheLeaderIsLostToo() {
    var members = group(6);
    nodes.kill(0);
    var left = members.subList(2, 6);
    assertThat(Part.<Integer>all(left, spmd -> lossOf(spmd).survivors().size())).containsOnly(4);
    assertThat(Part.<Integer>all(left, spmd -> spmd.allReduce(1, Operation.SUM))).containsOnly(4);
  }

  @Test
  void knowsInANewGroupWhoWasLostBefore() {
    var members = group(3);
    nodes.kill(2);
    Part.all(
        members.subList(0, 2),
        spmd -> {
          lossOf(spmd);
          var late =
              new CommunicatorExtension(
                  Collectives.current().newKey(),
                  spmd.members().toArray(),
                  ClustersTest.onOneHost(3),
                  true);
          Collectives.current().attachToCurrent(late);
          assertThat(late.communicator().allLost()).containsExactly(2);
          assertThatThrownBy(() -> late.communicator().checkLost(() -> "a test"))
              .hasMessageContaining(
                  "member 2 on node 'node-3' of 3 is lost (node 'node-3' is gone:");
          return null;
        });
  }

  @Test
  void aMemberThatMissedACollectiveIsToldWhereItIs() {
    var members = group(2);
    var limit = Duration.ofMillis(10);
    for (var told = false; !told; limit = limit.multipliedBy(2)) { // until it was asked in time
      var time = limit;
      var late =
          Part.begun(members.subList(0, 1), spmd -> spmd.within(time).allReduce(1, Operation.SUM));
      var failure = Part.failureOf(late.getFirst());
      assertThat(failure)
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("for member 1 on node 'node-2'");
      told =
          failure
              .getMessage()
              .contains("(which is in no collective, and has been in 0 of the group)");
    }
    assertThat(
            Part.failureOf(
                Part.begun(members.subList(1, 2), spmd -> spmd.allReduce(1, Operation.SUM))
                    .getFirst()))
        .isInstanceOf(CollectiveException.class)
        .hasMessageContaining("member 1 on node 'node-2' reaches allReduce with SUM (number 1 of")
        .hasMessageContaining("after its time limit: ")
        .hasMessageContaining("after survivors() all members count from zero again");
    assertThat(Part.<Integer>all(members, spmd -> spmd.survivors().allReduce(1, Operation.SUM)))
        .containsOnly(2);
  }

  @Test
  void describesEvenTagsThatNoMemberMakes() {
    assertThat(CollectiveOperation.describe(-1L))
        .contains("something unknown of something unknown[]");
    assertThat(CollectiveOperation.describe(0)).isEqualTo("broadcast");
  }

  @Test
  void warnsInGrowingIntervals() {
    var patience = WaitPatience.nanos();
    assertThat(WaitPatience.nextWarning(patience / 2)).isEqualTo(patience);
    assertThat(WaitPatience.nextWarning(patience)).isEqualTo(3 * patience);
    assertThat(WaitPatience.nextWarning(3 * patience)).isEqualTo(7 * patience);
  }

  @Test
  void aPartGoesWhenNobodyKeepsIt() {
    Part.all(
        group(1),
        spmd -> {
          var kept = spmd.split(0);
          kept.split(0).barrier();
          while (enrolments() > 3) { // this one, that which is kept, and the last
            System.gc();
            spmd.split(0);
          }
          assertThat(kept.allReduce(1, Operation.SUM)).isEqualTo(1);
          return null;
        });
  }

  private static int enrolments() {
    return Collectives.current().extensionsOfCurrent(CommunicatorExtension.class).size();
  }

  @Test
  void survivorsOfAPartTakeNobodysPlace() {
    assertThat(
            Part.<Integer>all(
                group(4),
                spmd -> {
                  spmd.split(spmd.rank() % 2).survivors();
                  return Spmd.here(Part.class).size();
                }))
        .containsOnly(4);
  }

  private static Spmd<Part> lossOf(Spmd<Part> spmd) {
    try {
      spmd.allReduce(1, Operation.SUM);
      throw new AssertionError("nobody was lost");
    } catch (MemberLostException e) {
      return spmd;
    }
  }

  @Test
  void makesOneCallTogether() {
    var adder = ActiveObjects.on(nodes.get(1)).create(Adder.class);
    assertThat(
            Part.<Integer>all(
                meeting(adder, 4),
                spmd ->
                    spmd.combined(
                            spmd.rank() + 1,
                            Reduction.tree(Integer::sum),
                            (Adder) Part.MET.get(),
                            Adder::add)
                        .returned(2)
                        .join()))
        .containsExactly(null, null, 10, null);
    assertThat(
            Part.<List<Integer>>all(
                meeting(adder, 3),
                spmd ->
                    spmd.combined(
                            1, Reduction.flat(Integer::sum), (Adder) Part.MET.get(), Adder::add)
                        .gather()
                        .toList()))
        .containsOnly(List.of(13));
    assertThat(
            Part.<Integer>all(
                meeting(adder, 3),
                spmd ->
                    spmd.combined(
                            1, Reduction.flat(Integer::sum), (Adder) Part.MET.get(), Adder::add)
                        .personalised(Reduction.flat(Integer::sum), (all, rank, size) -> all + rank)
                        .join()))
        .containsExactly(16, 17, 18);
    Part.all(
        meeting(adder, 3),
        spmd -> {
          var target = (Adder) Part.MET.get();
          spmd.combined(1, Reduction.flat(Integer::sum), target, Adder::add).discard();
          spmd.combined(1, Reduction.flat(Integer::sum), target, Adder::add)
              .forward(target, (receiver, answer) -> receiver.add(answer))
              .join();
          return null;
        });
    assertThat(adder.add(0)).isEqualTo(44); // 16, 19, 22, and 22 more
  }

  /** Answers with what a stub can stand for. */
  public static class Ledger {
    public Solvers.Field booked(int sum) {
      return new Solvers.Field(sum);
    }
  }

  @Test
  void gathersTheAnswerOfACombinedCallAsAGroup() throws Exception {
    var ledger = ActiveObjects.on(nodes.get(1)).create(Ledger.class);
    var stages = new LinkedBlockingQueue<String>();
    Part.all(
        meeting(ledger, 2),
        spmd -> {
          var target = (Ledger) Part.MET.get();
          var sum = Reduction.flat(Integer::sum);
          var fields = spmd.combined(1, sum, target, Ledger::booked).gather().all();
          assertThat(Group.of(fields).get(0).value()).isEqualTo(2);
          spmd.combined(1, sum, target, Ledger::booked)
              .personalised(Reduction.flat((one, other) -> one), (all, rank, size) -> rank)
              .thenRun(() -> stages.add(ActiveObjects.self(Part.class).toString()));
          return null;
        });
    for (var i = 0; i < 2; i++) {
      assertThat(stages.poll(60, TimeUnit.SECONDS)).contains("a Part on node");
    }
  }

  @Test
  void refusesToReturnOrForwardTheAnswerToNobody() {
    var adder = ActiveObjects.on(nodes.get(1)).create(Adder.class);
    Part.all(
        meeting(adder, 2),
        spmd -> {
          var target = (Adder) Part.MET.get();
          var sum = Reduction.flat(Integer::sum);
          assertThatThrownBy(() -> spmd.combined(1, sum, target, Adder::add).returned(2))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(
                  () ->
                      spmd.combined(1, sum, target, Adder::add)
                          .forward(new ArrayList<Integer>(), (list, answer) -> list.add(answer)))
              .hasMessageContaining("a plain java.util.ArrayList; make it active");
          return null;
        });
  }

  @Test
  void aCombinationThatFailsAtOneMemberFailsAtAll() {
    var members = meeting(ActiveObjects.on(nodes.get(1)).create(Adder.class), 4);
    Reduction.Op<Integer> failing =
        (one, other) -> {
          throw new IllegalStateException("no sum");
        };
    for (var reduction : List.of(Reduction.flat(failing), Reduction.tree(failing))) {
      for (var each :
          Part.begun(
              members,
              spmd ->
                  spmd.combined(1, reduction, (Adder) Part.MET.get(), Adder::add)
                      .gather()
                      .toList())) {
        assertThat(Part.failureOf(each)).hasMessageContaining("no sum");
      }
    }
    assertThat(Part.<Integer>all(members, spmd -> spmd.allReduce(1, Operation.SUM)))
        .containsOnly(4);
  }

  @Test
  void tellsMembersThatTheyWantDifferentThingsOfACombinedCall() {
    var members = meeting(ActiveObjects.on(nodes.get(1)).create(Adder.class), 3);
    for (var each :
        Part.begun(
            members,
            spmd -> {
              var call =
                  spmd.combined(
                      1, Reduction.flat(Integer::sum), (Adder) Part.MET.get(), Adder::add);
              if (spmd.rank() == 0) {
                call.discard();
                return null;
              }
              return call.gather().toList();
            })) {
      assertThat(Part.failureOf(each))
          .hasMessageContaining("is in combinedGather")
          .hasMessageContaining("is in combinedDiscard");
    }
  }

  @Test
  void refusesNumbersOfDifferentTypes() {
    for (var each :
        Part.begun(
            group(2),
            spmd ->
                spmd.rank() == 0
                    ? (Number) spmd.allReduce(1.5, Operation.SUM)
                    : (Number) spmd.allReduce(1L, Operation.SUM))) {
      assertThat(Part.failureOf(each))
          .hasMessageContaining("all must give the same type")
          .hasMessageContaining("long")
          .hasMessageContaining("double");
    }
  }

  @Test
  void refusesSlicesOfDifferentLengthsWhereTheirPartsAreAsLong() {
    var members = group(2);
    for (var each :
        Part.begun(
            members,
            spmd -> { // combined in halves by one, as a whole by the other
              spmd.allReduce(Slice.of(new double[spmd.rank() == 0 ? 4096 : 2048]), Operation.SUM);
              return null;
            })) {
      assertThat(Part.failureOf(each)).hasMessageContaining("slices of the same length");
    }
    var received =
        Part.begun(
                members,
                spmd -> { // sent in two chunks, expected in one
                  spmd.broadcast(0, Slice.of(new double[spmd.rank() == 0 ? 64 << 10 : 32 << 10]));
                  return null;
                })
            .get(1);
    assertThat(Part.failureOf(received)).hasMessageContaining("slices of the same length");
  }

  private List<Part> meeting(Object other, int size) {
    var members = group(size);
    members.forEach(each -> each.meet(other));
    return members;
  }

  /** What is called together. */
  public static class Adder {
    private int sum;

    public Integer add(Integer more) {
      sum += more;
      return sum;
    }
  }
}
