package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.Solvers.Mesh;
import org.troupe.groups.Solvers.Sink;
import org.troupe.groups.Solvers.Solver;

/** Every way to call members with every way to reply. */
@Timeout(60)
class InvocationTest {

  private static final Reduction<String> CONCATENATION = Reduction.flat(String::concat);

  private static LocalNodes nodes;
  private static Group<Solver> group; // two members on each of two nodes

  @BeforeAll
  static void start() {
    nodes = LocalNodes.start(2);
    group =
        Group.of(
            Groups.on(nodes.list())
                .each(2)
                .create(Solver.class, Scatter.byRank(rank -> new Mesh(rank))));
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  /** A way to call, and what the members answer to it. */
  interface Way {
    Invocation<String> call();
  }

  record Case(String name, Way way, List<String> answers) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> ways() {
    return Stream.of(
        new Case("single", () -> group.one(2, Solver::name), List.of("s2")),
        new Case("group", () -> group.each(Solver::name), List.of("s0", "s1", "s2", "s3")),
        new Case("subset", () -> group.select(1, 3).each(Solver::name), List.of("s1", "s3")),
        new Case(
            "by rank",
            () -> group.byRank((s, rank) -> s.with("/" + rank)),
            List.of("s0/0", "s1/1", "s2/2", "s3/3")),
        new Case(
            "scattered",
            () -> group.scatter(Scatter.of(List.of("a", "b", "c", "d")), Solver::with),
            List.of("s0a", "s1b", "s2c", "s3d")));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void discards(Case way) {
    var before = named();
    way.way.call().discard();
    assertThat(named() - before).as("members that served the call").isEqualTo(way.answers.size());
  }

  private static int named() {
    return group.each(Solver::named).gather().toList().stream().mapToInt(Integer::intValue).sum();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void returnsOneAnswer(Case way) {
    var last = way.answers.size() - 1;
    assertThat(way.way.call().returned(last).join()).isEqualTo(way.answers.get(last));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void gathers(Case way) {
    assertThat(way.way.call().gather().toList()).isEqualTo(way.answers);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void combinesInRankOrder(Case way) {
    var expected = String.join("", way.answers);
    assertThat(way.way.call().combine(CONCATENATION).join()).isEqualTo(expected);
    assertThat(way.way.call().combine(Reduction.tree(String::concat)).join()).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void forwards(Case way) {
    Sink sink = ActiveObjects.on(nodes.get(1)).create(Sink.class);
    way.way.call().forward(sink, Sink::take).join();
    assertThat(ActiveObjects.ref(sink).ask(Sink::taken).join())
        .containsExactlyInAnyOrderElementsOf(way.answers);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void forwardsToAGroup(Case way) {
    Sink sinks = Groups.on(nodes.list()).create(Sink.class);
    way.way.call().forward(sinks, Sink::take).join();
    for (var taken : Group.of(sinks).ask(Sink::taken).toList()) {
      assertThat(taken).containsExactlyInAnyOrderElementsOf(way.answers);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void personalises(Case way) {
    var part = way.way.call().personalised(CONCATENATION, (all, rank, size) -> all + rank + size);
    assertThat(part.join()).isEqualTo(String.join("", way.answers) + "01");
  }

  @Test
  void personalisesInAMethodThatWaitsForIt() {
    var cutter = ActiveObjects.on(nodes.get(0)).create(Cutter.class);
    for (var its : List.of(group, group.select(0, 2))) {
      assertThat(ActiveObjects.ref(cutter).ask(c -> c.cut(its.all())).join()).startsWith("s0s");
    }
  }

  public static class Cutter {
    public String cut(Solver all) {
      return Group.of(all).each(Solver::name).personalised(CONCATENATION, (v, r, n) -> v).join();
    }
  }

  @Test
  void tellsWithoutAnswers() {
    group.tellEach(s -> s.step(1)).gather().toList();
    group.tellOne(0, s -> s.step(1)).returned(0).join();
    group.tellByRank((s, rank) -> s.step(rank)).gather().toList();
    group.tellScatter(Scatter.of(List.of(1.0, 1.0, 1.0, 1.0)), Solver::step).gather().toList();
    assertThat(group.ask(Solver::energy).toList()).containsExactly(3.0, 4.0, 6.0, 8.0);
  }

  @Test
  void callsOnlyOnce() {
    var call = group.each(Solver::name);
    call.gather();
    assertThatThrownBy(call::discard)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has been called by this invocation");
  }

  @Test
  void combinesArraysWithoutTouchingThoseOfTheMembers() {
    var sum =
        group
            .each(Solver::values)
            .combine(
                Reduction.flat(
                    (a, b) -> {
                      for (var i = 0; i < a.length; i++) {
                        a[i] += b[i];
                      }
                      return a;
                    }));
    assertThat(sum.join()).containsExactly(6, 4);
  }

  @Test
  void combinesApartMembersInAnyOrder() {
    var apart = group.select(0, 2, 1, 3);
    assertThat(apart.each(Solver::name).combine(CONCATENATION).join()).isEqualTo("s0s2s1s3");
    Reduction<Double> sum = Reduction.<Double>tree(Double::sum).inAnyOrder();
    assertThat(apart.each(s -> s.fragile(-1)).combine(sum).join()).isEqualTo(6.0);
  }

  @Test
  void aFailureOfOneMemberIsTheFailureOfTheCombination() {
    Reduction<Double> sum = Reduction.flat(Double::sum);
    for (var bad = 0; bad < 4; bad++) {
      var failing = bad;
      assertThatThrownBy(() -> group.each(s -> s.fragile(failing)).combine(sum).join())
          .hasCauseInstanceOf(GroupCallException.class)
          .hasMessageContaining("rank " + bad + " (node 'node-" + (bad / 2 + 1) + "')")
          .hasMessageContaining("cell " + bad);
    }
  }

  @Test
  void aMemberThatHasEndedDoesNotKeepTheCombinationForEver() {
    Solver own = Groups.on(nodes.list()).each(2).create(Solver.class, Scatter.byRank(Mesh::new));
    for (var ended : List.of(1, 2)) {
      ActiveObjects.ref(Group.of(own).get(ended)).terminate().join();
      assertThatThrownBy(
              () -> Group.of(own).each(Solver::energy).combine(Reduction.flat(Double::sum)).join())
          .hasCauseInstanceOf(GroupCallException.class)
          .hasMessageContaining("has been terminated");
    }
  }

  @Test
  void oneFailureHidesNoAnswer() {
    var results = group.ask(s -> s.fragile(1));
    assertThat(results.get(0)).isEqualTo(0.0);
    assertThatThrownBy(() -> results.get(1)).isInstanceOf(IllegalStateException.class);
    assertThat(results.first(3)).containsExactlyInAnyOrder(0.0, 2.0, 3.0);
    assertThatThrownBy(() -> results.first(4)).isInstanceOf(GroupCallException.class);
    assertThatThrownBy(() -> results.first(5)).hasMessageContaining("give 1 to 4");
    assertThatThrownBy(results::toList)
        .isInstanceOfSatisfying(
            GroupCallException.class,
            failure -> assertThat(failure.failures()).containsOnlyKeys(1));
    assertThatThrownBy(() -> results.reduce(Double::sum).join())
        .hasCauseInstanceOf(GroupCallException.class);
    assertThat(results.arrived().map(MemberOutcome::rank)).containsExactlyInAnyOrder(0, 1, 2, 3);
    results.awaitAll();
    assertThat(results.isAwaited()).isFalse();
  }

  @Test
  void asksForEveryKindOfResult() {
    List<CompletableFuture<String>> later = group.ask(Solver::later).toList();
    assertThat(later.get(3).join()).isEqualTo("s3");
    assertThat(group.ask(Solver::values).toList().get(2)).containsExactly(2, 1);
    assertThatThrownBy(() -> group.ask(Solver::name).all())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "no typed group can stand for the answers to Solver.name(): it is final, so no stub can"
                + " extend it (String.java); read them with toList(), stream() or get(rank)")
        .hasNoCause();
    assertThat(Group.of(group.ask(Solver::field).all()).size()).isEqualTo(4);
  }

  @Test
  void keepsTheOrderOfGroupCallsAndSingleCalls() {
    Sink sinks = Groups.on(nodes.list()).each(2).create(Sink.class);
    var expected = new ArrayList<String>();
    for (var i = 0; i < 100; i++) {
      var text = "t" + i;
      expected.add(text);
      if (i % 3 == 0) {
        Group.of(sinks).stream().forEach(sink -> sink.take(text));
      } else {
        sinks.take(text);
      }
    }
    assertThat(Group.of(sinks).ask(Sink::taken).toList())
        .isEqualTo(IntStream.range(0, 4).mapToObj(i -> expected).toList());
  }

  @Test
  void saysOfAScatterThatDoesNotFitOnlyThat() {
    var tooFew = Scatter.of(List.of(new double[1]));
    assertThatThrownBy(() -> group.scatter(tooFew, Solver::sum))
        .hasMessageStartingWith("a scatter of 1 parts was given to 4 members");
    assertThatThrownBy(() -> group.tellScatter(tooFew, Solver::sum))
        .hasMessageStartingWith("a scatter of 1 parts was given to 4 members");
  }

  @Test
  void cutsBlocksAsSlicesDo() {
    var whole = IntStream.range(0, 10).toArray();
    for (var rank = 0; rank < 4; rank++) {
      var block = Slice.of(whole).block(rank, 4);
      assertThat(Scatter.blocks(whole).part(rank, 4))
          .containsExactly(
              Arrays.copyOfRange(whole, block.offset(), block.offset() + block.length()));
    }
  }

  @Test
  void refusesAReceiverThatIsNoStub() {
    assertThatThrownBy(
            () ->
                group.each(Solver::name).forward("text", (text, name) -> assertThat(text).isNull()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the receiver is a plain java.lang.String; make it active");
  }

  @Test
  void aFailureOfTheReceiverReachesTheCaller() {
    Sink sink = ActiveObjects.on(nodes.get(1)).create(Sink.class);
    assertThatThrownBy(
            () -> group.each(Solver::name).forward(sink, (s, name) -> s.take("bad")).join())
        .hasCauseInstanceOf(GroupCallException.class)
        .hasMessageContaining("bad text");
  }

  @Test
  void givesAMemberThatIsAGroupTheArgumentsOfItsRank() {
    var inner = group.select(1, 2).all();
    var outer = Group.of(Groups.of(Solver.class, List.of(group.get(0), inner)));
    var sink = ActiveObjects.on(nodes.get(0)).create(Sink.class);

    var combined = outer.byRank((s, rank) -> s.with("/" + rank)).combine(CONCATENATION).join();
    outer.byRank((s, rank) -> s.with("/" + rank)).forward(sink, Sink::take).join();

    assertThat(combined).isEqualTo("s0/0s1/1s2/1");
    assertThat(sink.taken()).containsExactlyInAnyOrder("s0/0", "s1/1", "s2/1");
  }

  @Test
  void endsTheMembersThatAreThere() throws Exception {
    try (var own = LocalNodes.start(2)) {
      var all = Group.of(Groups.on(own.list()).create(Solver.class, new Mesh(1)));
      own.kill(1);
      all.terminate().get(20, TimeUnit.SECONDS);
      assertThat(all.ask(Solver::energy).outcomes())
          .noneMatch(MemberOutcome.Success.class::isInstance);
      all.terminate().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void tellsEqualFailuresOnce() {
    var alike = Group.of(Groups.on(nodes.list()).each(2).create(Solver.class, new Mesh(1)));
    assertThatThrownBy(() -> alike.ask(s -> s.fragile(1)).toList())
        .isInstanceOf(GroupCallException.class)
        .hasMessageContaining("failed on 4 of 4 members:")
        .hasMessageContaining(
            "rank 0 (node 'node-1'), rank 1 (node 'node-1'), rank 2 (node 'node-2') and 1 more: ");
  }
}
