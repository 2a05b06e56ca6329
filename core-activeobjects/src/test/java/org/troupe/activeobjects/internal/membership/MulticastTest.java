package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Tests multicasts between nodes. */
@Timeout(60)
class MulticastTest {

  private final FaultyTransport transport = new FaultyTransport();
  private final InProcessGrid grid = InProcessGrid.start(3, transport);

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
    transport.behave();
    transport.letThrough();
    grid.close();
  }

  /** Records its calls. */
  public static class Member {
    private final List<String> notes = new ArrayList<>();
    private int[] numbers;

    public void note(String text) {
      notes.add(text);
    }

    public void tell(Member other, String text) {
      note("got " + text);
      other.note(text);
    }

    public int keep(int[] values) {
      numbers = values;
      numbers[0]++;
      return numbers[0];
    }

    public List<String> notes() {
      return List.copyOf(notes);
    }

    public void fail() {
      throw new IllegalStateException("on purpose");
    }

    public void letTell(List<Ref<Member>> others, Member receiver, String text) {
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.tell(receiver, text);
                return null;
              },
              false)
          .post(others);
    }

    public void passOn(List<Ref<Member>> others, String text) {
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.note(text);
                return null;
              },
              false)
          .post(others);
    }
  }

  private Member on(int node) {
    return on(node, Member.class);
  }

  private <T> T on(int node, Class<T> type) {
    return node == 0
        ? ActiveObjects.here().create(type)
        : ActiveObjects.on(grid.get(node - 1)).create(type);
  }

  private List<Member> members(int... nodes) {
    return IntStream.of(nodes).mapToObj(this::on).toList();
  }

  private static List<Ref<Member>> refs(List<Member> members) {
    return members.stream().map(ActiveObjects::ref).toList();
  }

  private static GroupCall noting(String text) {
    return Collectives.current()
        .record(
            Member.class,
            m -> {
              m.note(text);
              return null;
            },
            false);
  }

  private static List<Object> values(List<FutureResult<Object>> results) {
    return results.stream().map(each -> valueOf(each.asCompletableFuture(), "a call")).toList();
  }

  @Test
  void reachesObjectsOfAllNodesAndKeepsTheirResultsApart() {
    var members = members(0, 1, 1, 2, 3, 1, 0);
    var array = new int[] {41, 2, 3};
    var large = new int[100_000];

    var results =
        Collectives.current()
            .record(Member.class, m -> m.keep(array), true)
            .ask(refs(members), true);
    var more =
        Collectives.current()
            .record(Member.class, m -> m.keep(large), true)
            .ask(refs(members), true);

    assertThat(values(results)).containsOnly(42).hasSize(7);
    assertThat(values(more)).as("each has an array of its own").containsOnly(1).hasSize(7);
    assertThat(array[0]).isEqualTo(41);
  }

  @Test
  void keepsTheOrderOfOneCallersCalls() {
    var members = members(0, 1, 2, 2);
    transport.misbehave(7);
    for (var i = 0; i < 100; i++) {
      noting("all " + i).post(refs(members));
      for (var member : members) {
        member.note("one " + i);
      }
    }
    transport.behave();

    for (var member : members) {
      var notes = member.notes();
      assertThat(notes).hasSize(200);
      for (var i = 0; i < 100; i++) {
        assertThat(notes.subList(2 * i, 2 * i + 2)).containsExactly("all " + i, "one " + i);
      }
    }
  }

  @Test
  void makesDifferentCallsAsOne() {
    var members = members(1, 2, 0);
    List<GroupCall> calls = List.of(noting("a"), noting("b"), noting("c"));

    Collectives.current().postEach(calls, refs(members));

    assertThat(members.stream().map(Member::notes))
        .containsExactly(List.of("a"), List.of("b"), List.of("c"));
  }

  @Test
  void reportsEachFailureToTheHandler() {
    var told = new ConcurrentLinkedQueue<FailureHandler.CallFailure>();
    ActiveObjects.onFailure(told::add);

    Collectives.current()
        .record(
            Member.class,
            m -> {
              m.fail();
              return null;
            },
            false)
        .post(refs(members(0, 1, 1, 2)));

    until(() -> told.size() == 4, "all four failures being told");
  }

  @Test
  void ofLostMembersFailsForThemAlone() {
    var members = members(1, 2, 2, 0);
    grid.kill(1);
    until(() -> !grid.get(1).isAlive(), "node 2 being known as dead");

    var results =
        Collectives.current()
            .record(Member.class, m -> m.keep(new int[1]), true)
            .ask(refs(members), true);

    assertThat(values(List.of(results.get(0), results.get(3)))).containsExactly(1, 1);
    for (var lost : results.subList(1, 3)) {
      assertThat(lost.await())
          .isInstanceOfSatisfying(
              Outcome.Failure.class,
              failure -> assertThat(failure.cause()).isInstanceOf(NodeLostException.class));
    }
  }

  // Order among the objects

  @Test
  void arrivesBeforeLaterCallsBetweenItsMembers() {
    var members = members(1, 2);
    members.forEach(Member::notes); // the nodes know each other
    members.get(0).tell(members.get(1), "hello");
    until(() -> members.get(1).notes().size() == 1, "the way between them being there");
    transport.keep(0, 2);
    var second = grid.member(1).node();

    Collectives.current()
        .record(
            Member.class,
            m -> {
              m.tell(members.get(1), "from the first");
              return null;
            },
            false)
        .post(List.of(ActiveObjects.ref(members.get(0)), ActiveObjects.ref(members.get(1))));
    until(
        () -> second.objects().order().isWaiting(), "the second node holding the first one's call");
    transport.letThrough();

    until(() -> members.get(1).notes().size() == 4, "all calls being there");
    assertThat(members.get(1).notes())
        .containsExactly("hello", "got from the first", "from the first", "from the first");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isInCausalOrderWhateverHappensOnTheWay(long seed) {
    var members = members(0, 1, 1, 2, 3);
    var refs = refs(members);
    transport.misbehave(seed);
    for (var i = 0; i < 40; i++) {
      var text = "call " + i;
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.tell(members.get(Math.floorMod(text.hashCode(), members.size())), text);
                return null;
              },
              false)
          .post(refs);
      var again = "again " + i;
      Collectives.current()
          .record(
              Member.class,
              m -> {
                m.passOn(refs, again);
                return null;
              },
              false)
          .post(List.of(refs.get(i % refs.size())));
    }
    transport.behave();
    var expected = 40 * members.size() * 2 + 40 * members.size();
    until(
        () -> members.stream().mapToInt(each -> each.notes().size()).sum() == expected,
        "all calls being there");

    for (var member : members) {
      var notes = member.notes();
      for (var i = 0; i < 40; i++) {
        var first = notes.indexOf("call " + i);
        assertThat(first == -1 || first > notes.indexOf("got call " + i))
            .as("%d in %s", i, notes)
            .isTrue();
      }
    }
  }

  @Test
  void arrivesAlsoBeforeTheGreetingOfItsSender() {
    var members = members(1, 2);
    transport.greetLate(1, 2);

    members.get(0).tell(members.get(1), "hello");

    until(() -> members.get(1).notes().size() == 1, "the call that came first");
  }

  @Test
  void ofALostOriginHoldsBackNoCall() {
    var members = members(1, 2);
    members.get(0).tell(members.get(1), "hello");
    until(() -> members.get(1).notes().size() == 1, "the way between them being there");
    var third = ActiveObjects.on(grid.get(2)).create(Member.class);
    third.tell(members.get(1), "I am here");
    until(() -> members.get(1).notes().size() == 2, "the second knowing the third");
    transport.keep(3, 2);
    var second = grid.member(1).node();

    ActiveObjects.ref(third).tell(t -> t.letTell(refs(members), members.get(1), "late")).join();
    until(
        () -> second.objects().order().isWaiting(), "the second node holding the first one's call");
    grid.kill(2);

    until(() -> members.get(1).notes().contains("late"), "the call being taken after all");
  }

  @Test
  void ofOneObjectMoreOftenThanItsQueueHasRoomIsRefused() {
    var narrow = ActiveObjects.here().with(Options.STANDARD.withQueueBound(1)).create(Member.class);
    var ref = ActiveObjects.ref(narrow);

    assertThatThrownBy(() -> noting("twice").post(List.of(ref, ref)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more often at once than its queue has room, which is 1");
    assertThat(narrow.notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void thatNeedRoomInTheSameQueuesDoNotWaitForEachOther(int node) {
    var narrow = Options.STANDARD.withQueueBound(1);
    var creation = node == 0 ? ActiveObjects.here() : ActiveObjects.on(grid.get(node - 1));
    var one = ActiveObjects.ref(creation.with(narrow).create(Member.class));
    var other = ActiveObjects.ref(creation.with(narrow).create(Member.class));
    var posting = new ArrayList<CompletableFuture<Object>>();
    for (var order : List.of(List.of(one, other), List.of(other, one))) {
      for (var i = 0; i < 2; i++) {
        posting.add(
            onVirtualThread(
                () -> {
                  for (var n = 0; n < 500; n++) {
                    noting("crossed").post(order);
                  }
                  return null;
                }));
      }
    }

    posting.forEach(each -> valueOf(each, "calls on both"));

    assertThat(one.stub().notes()).hasSize(2000);
    assertThat(other.stub().notes()).hasSize(2000);
  }
}
