package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.futures.Futures;
import org.troupe.groups.Solvers.Field;
import org.troupe.groups.Solvers.FineSolver;
import org.troupe.groups.Solvers.Gate;
import org.troupe.groups.Solvers.Mesh;
import org.troupe.groups.Solvers.Solver;
import org.troupe.groups.Solvers.Stepping;

@Timeout(60)
class TypedGroupTest {

  private static LocalNodes nodes;

  private final Solver all =
      Groups.on(nodes.nodes())
          .create(Solver.class, Scatter.of(List.of(new Mesh(1), new Mesh(2), new Mesh(3))));
  private final Group<Solver> group = Group.of(all);

  @BeforeAll
  static void start() {
    nodes = LocalNodes.start(3);
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  @BeforeEach
  void close() {
    Gate.closeAll();
  }

  @Test
  void runsTheProgramOfTheDesignPage() {
    all.step(0.5);
    Field fields = all.field();
    Group.of(fields).results().awaitAny();
    CompletableFuture<Double> total = Group.of(all).ask(Solver::energy).reduce(Double::sum);

    assertThat(total.join()).isEqualTo(7.5);
    assertThat(Group.of(fields).stream().map(Field::value)).containsExactly(0.5, 1.0, 1.5);
  }

  @Test
  void placesOneMemberOnEachNodeInTheirOrder() {
    assertThat(group.stream().map(member -> ActiveObjects.ref(member).node()))
        .containsExactlyElementsOf(nodes.list().stream().map(node -> node.id()).toList());
  }

  @Test
  void fillsAResultGroupAsAnswersArrive() throws Exception {
    Field fields = Groups.of(Solver.class, List.of(group.get(0), group.get(1))).fieldOnce(Gate.A);
    Results<Field> results = Group.of(fields).results();

    assertThat(results.isAwaited()).isTrue();
    assertThatThrownBy(() -> results.awaitAll(Duration.ofMillis(1)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("2 ranks of 2: 0 (");
    Gate.A.open();
    assertThat(results.awaitN(2)).hasSize(2);
    assertThat(results.arrived().map(MemberOutcome::value).map(Field::value))
        .containsExactly(0.0, 0.0);
    assertThat(results.isAwaited()).isFalse();
  }

  @Test
  void callsTheElementsOfAResultGroupOneCallAfterTheOther() {
    all.step(1);
    Field fields = all.fieldOnce(Gate.A);
    fields.mark("first");
    fields.mark("second");
    Field scaled = fields.scaled(2);
    assertThat(Group.of(scaled).results().isAwaited()).isTrue();

    Gate.A.open();
    assertThat(Group.of(scaled).stream().map(Field::value)).containsExactly(2.0, 4.0, 6.0);
    assertThat(Group.of(fields).get(1).marks()).containsExactly("first", "second");
  }

  @Test
  void aFailedElementStaysFailedWithItsFirstCause() {
    all.step(1);
    Field fields = all.field();
    fields.mark("refuse 2.0");
    fields.mark("later");
    Field scaled = fields.scaled(2);

    assertThat(Group.of(fields).results().outcomes())
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(MemberOutcome.Success.class),
            second ->
                assertThat(((MemberOutcome.Failure<?>) second).exception())
                    .hasMessage("no refuse 2.0"),
            third -> assertThat(third).isInstanceOf(MemberOutcome.Success.class));
    assertThatThrownBy(() -> Group.of(scaled).get(1).value()).hasMessage("no refuse 2.0");
    assertThat(Group.of(fields).get(2).marks()).containsExactly("refuse 2.0", "later");
  }

  @Test
  void anOrdinaryObjectGoesOnAfterACallThatFailed() throws InterruptedException {
    var heard = new LinkedBlockingQueue<CallFailure>();
    ActiveObjects.onFailure(heard::add);
    try {
      Field fields = Groups.of(Field.class, List.of(new Field(2)));
      fields.mark("refuse 2.0");
      fields.mark("later");
      assertThat(Group.of(fields).ask(Field::marks).get(0)).containsExactly("later");
      assertThat(heard.poll(20, TimeUnit.SECONDS).cause()).hasMessage("no refuse 2.0");
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  @Test
  void methodsWithCheckedExceptionsWaitForAllAndRaiseOneFailure() throws IOException {
    all.write(7);
    assertThat(Group.of(all.read(7)).results().isAwaited()).isFalse();

    assertThatThrownBy(() -> all.write(2))
        .isInstanceOf(GroupCallException.class)
        .hasMessageContaining("Solver.write(int) failed on 1 of 3 members:")
        .hasMessageContaining("rank 1 (node 'node-2'): java.io.IOException: disk 2")
        .hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> all.read(3)).isInstanceOf(GroupCallException.class);
  }

  @Test
  void refusesResultsThatNoGroupCanStandFor() {
    assertThatThrownBy(all::energy)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Solver.energy() gives 3 results, and no stub can stand for double; get them as Results"
                + " from Group.of(x).ask(m -> m.energy(..))");
    assertThatThrownBy(all::name).hasMessageContaining("java.lang.String");
    assertThatThrownBy(all::later)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a completable future stands for one result only");
  }

  @Test
  void takesMembersOfSubclassesAndInterfaces() {
    Solver fine = ActiveObjects.on(nodes.get(1)).create(FineSolver.class, new Mesh(9));
    Solver mixed = Groups.of(Solver.class, List.of(group.get(0), fine));
    Stepping stepping = Groups.of(Stepping.class, List.of(group.get(0), fine));
    stepping.step(2);

    assertThat(Group.of(mixed).ask(Solver::name).toList()).containsExactly("s1", "fine s9");
    assertThat(Group.of(mixed).ask(Solver::energy).toList()).containsExactly(3.0, 11.0);
  }

  @Test
  void takesFuturesAsMembers() {
    Solver future = group.get(0).friends(group.get(1)); // a future whose value is a stub
    Solver mixed = Groups.of(Solver.class, List.of(future, group.get(2)));
    mixed.step(1);

    assertThat(Group.of(mixed).ask(Solver::energy).toList()).containsExactly(3.0, 4.0);
    assertThat(Group.of(mixed).tell(s -> s.step(1))).succeedsWithin(Duration.ofSeconds(30));
    assertThat(group.ask(Solver::energy).toList()).containsExactly(1.0, 4.0, 5.0);
  }

  @Test
  void aGroupInAGroupTakesPartAsOneMember() {
    Solver pair = Groups.of(Solver.class, List.of(group.get(1), group.get(2)));
    Group<Solver> outer = Group.of(Groups.of(Solver.class, List.of(group.get(0), pair)));
    assertThat(outer.tell(s -> s.step(1))).succeedsWithin(Duration.ofSeconds(30));
    Field fields = outer.all().field();

    assertThat(outer.size()).isEqualTo(2);
    assertThat(Group.of(fields).get(0).value()).isEqualTo(1.0);
    var inner = Group.of(Futures.value(Group.of(fields).get(1)));
    assertThat(inner.stream().map(Field::value)).containsExactly(2.0, 3.0);
    assertThat(outer.each(Solver::energy).combine(Reduction.flat(Double::sum)).join())
        .isEqualTo(9.0);
    assertThat(outer.ask(Solver::energy).outcome(1))
        .isInstanceOfSatisfying(
            MemberOutcome.Failure.class,
            failed ->
                assertThat(failed.exception())
                    .hasMessageContaining(
                        "; combine them with group.each(m -> m.energy(..)).combine(..)"));
  }

  @Test
  void keepsTheOrderOfCallsThroughAGroupAndCallsOnItsMembers() {
    Solver pair = Groups.of(Solver.class, List.of(group.get(1), group.get(2)));
    Solver future = group.get(1).friendOnce(Gate.A, group.get(0));
    Solver outer = Groups.of(Solver.class, List.of(future, pair));
    Gate.A.open();
    Group.of(outer).results().awaitAll();
    for (var i = 1; i <= 300; i++) {
      outer.step(1);
      assertThat(group.get(0).energy()).isEqualTo(1.0 + i);
      assertThat(group.get(1).energy()).isEqualTo(2.0 + i);
    }
  }

  @Test
  void asksAGroupInAGroupWithoutWaiting() {
    Solver pair = Groups.of(Solver.class, List.of(group.get(1), group.get(2)));
    var outer = Group.of(Groups.of(Solver.class, List.of(pair)));
    var fields = outer.ask(s -> s.readOnce(Gate.A));
    assertThat(fields.isAwaited()).isTrue();
    Gate.A.open();
    assertThat(Group.of(fields.get(0)).size()).isEqualTo(2);
  }

  @Test
  void travelsAsAnArgumentAndAsAResult() {
    var keeper = ActiveObjects.on(nodes.get(0)).create(Keeper.class);
    assertThat(ActiveObjects.ref(keeper).ask(k -> k.energyOf(all)).join()).isEqualTo(6.0);

    Solver back = group.get(2).friends(all);
    assertThat(Group.isGroup(back)).isTrue();
    assertThat(Group.of(back)).isEqualTo(group);
    assertThat(Group.of(back).rank(group.get(1))).isEqualTo(1);
  }

  @Test
  void aResultGroupTravelsWithItsFutures() {
    Field fields = all.fieldOnce(Gate.A);
    var keeper = ActiveObjects.on(nodes.get(0)).create(Keeper.class);
    var sum = ActiveObjects.ref(keeper).ask(k -> k.sum(fields));
    Gate.A.open();

    assertThat(sum.join()).isEqualTo(0.0);
  }

  public static class Keeper {
    public double energyOf(Solver all) {
      return Group.of(all).ask(Solver::energy).reduce(Double::sum).join();
    }

    public double sum(Field fields) {
      return Group.of(fields).stream().mapToDouble(Field::value).sum();
    }
  }

  @Test
  void selectsSplitsAndJoins() {
    var odd = group.select(rank -> rank != 1);
    assertThat(odd.ask(Solver::name).toList()).containsExactly("s1", "s3");
    assertThat(group.select(2, 0).ask(Solver::name).toList()).containsExactly("s3", "s1");
    assertThat(odd.plus(group.get(1)).ask(Solver::name).toList()).containsExactly("s1", "s3", "s2");
    assertThat(group.minus(group.get(0)).ask(Solver::name).toList()).containsExactly("s2", "s3");
    assertThat(odd.union(group).ask(Solver::name).toList()).containsExactly("s1", "s3", "s2");
    var colours = group.split(rank -> rank % 2);
    assertThat(colours.get(0).ask(Solver::name).toList()).containsExactly("s1", "s3");
    assertThat(colours.get(1).ask(Solver::name).toList()).containsExactly("s2");
    assertThat(group.rank(group.get(2))).isEqualTo(2);
    assertThat(odd.rank(group.get(1))).isEqualTo(-1);
  }

  @Test
  void equalsAGroupOfTheSameMembers() {
    Solver same = Groups.of(Solver.class, group.members());
    assertThat(same).isEqualTo(all).hasSameHashCodeAs(all).hasToString("a group of 3 Solver");
    assertThat(Group.isGroup(group.get(0))).isFalse();
  }

  @Test
  void endsItsMembers() {
    assertThat(group.terminate()).succeedsWithin(Duration.ofSeconds(30));
    assertThat(group.ask(Solver::energy).outcomes())
        .allMatch(MemberOutcome.Failure.class::isInstance);
  }

  @Test
  void refusesBadMembers() {
    assertThatThrownBy(() -> Groups.of(Solver.class, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a group needs at least one member");
    @SuppressWarnings({"unchecked", "rawtypes"}) // as a user can do who ignores warnings
    List<Solver> wrong = (List) List.of(group.get(0), "text");
    assertThatThrownBy(() -> Groups.of(Solver.class, wrong))
        .hasMessageContaining("member 1 is a java.lang.String, no " + Solver.class.getName());
    assertThatThrownBy(() -> group.select(rank -> false)).hasMessageContaining("no group is empty");
    assertThatThrownBy(() -> group.get(3)).hasMessageContaining("ranks are 0 to 2");
    assertThatThrownBy(() -> Group.of("text")).hasMessageContaining("is no typed group");
    assertThatThrownBy(() -> Group.of(group.get(0)))
        .hasMessageContaining("a Solver on node 'node-1' is no typed group");
    assertThatThrownBy(() -> odd().minus(group.get(1)))
        .hasMessageContaining(
            "a Solver on node 'node-2', which minus(..) was to remove, is no member of");
    assertThatThrownBy(() -> group.minus(group.all()))
        .hasMessageContaining("a group of 3 Solver, which minus(..) was to remove, is no member of")
        .hasMessageContaining("to remove a group, pass its members()");
    assertThatThrownBy(() -> odd().minus(group.get(0), group.get(2)))
        .hasMessage("all members of a group of 2 Solver were to be removed, and no group is empty");
  }

  @Test
  void leavesOutAMemberWhereverItIs() {
    assertThat(group.select(0, 0, 1).minus(group.get(0))).isEqualTo(group.select(1));
  }

  private Group<Solver> odd() {
    return group.select(rank -> rank != 1);
  }
}
