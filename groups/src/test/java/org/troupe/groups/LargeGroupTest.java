package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Ref;
import org.troupe.testing.LogRecords;

/** Calls on groups of many members. */
@Timeout(60)
class LargeGroupTest {

  private static final int SIZE = 600;

  private static final ThreadLocal<Integer> INHERITABLE = new InheritableThreadLocal<>();

  private static volatile CountDownLatch meeting = new CountDownLatch(0);

  /** The location of the members. */
  enum Location {
    HERE,
    ON_TWO_NODES
  }

  /** A member that may wait for the others within a request. */
  public static class Member {

    private static final ClassLoader FOREIGN = new URLClassLoader(new URL[0]);
    private static final Thread.UncaughtExceptionHandler HANDLER = (_, _) -> {};
    private static final ThreadLocal<Integer> LOCAL = new ThreadLocal<>();

    private int meetings;
    private int length;
    private int rank;
    private @Nullable Ref<Member> next;

    public void meet() throws InterruptedException {
      meeting.countDown();
      if (meeting.await(30, TimeUnit.SECONDS)) {
        meetings++;
      }
    }

    public void note(List<Integer> numbers, int number) {
      numbers.add(number);
      meetings += numbers.size();
    }

    public int meetings() {
      return meetings;
    }

    public int length() {
      return 1 + length; // of the neighbour, whose own request is older
    }

    public void place(int ownRank, @Nullable Ref<Member> itsNext) {
      rank = ownRank;
      next = itsNext;
    }

    /** Returns the length of the chain that begins here; waits for the neighbour. */
    public int chain() {
      length = next == null ? 0 : next.ask(Member::length).join();
      return length();
    }

    /** Fails in one of several ways, or not at all. */
    public int fail() {
      return switch (rank % 4) {
        case 0 -> rank;
        case 1 -> throw new InternalError("meant");
        case 2 -> overflow(rank);
        default -> {
          var _ = ActiveObjects.self(Member.class).terminateNow();
          yield rank;
        }
      };
    }

    private static int overflow(int depth) {
      return depth < 0 ? 0 : 1 + overflow(depth + 1);
    }

    /** Leaves traces on its thread; returns those that it has found there. */
    public List<String> traces() {
      var thread = Thread.currentThread();
      var found = new ArrayList<String>();
      if (thread.getContextClassLoader() == FOREIGN) {
        found.add("loader");
      }
      if (LOCAL.get() != null) {
        found.add("thread-local");
      }
      if (INHERITABLE.get() != null) {
        found.add("inheritable thread-local");
      }
      if (thread.getName().equals("traces")) {
        found.add("name");
      }
      if (thread.getUncaughtExceptionHandler() == HANDLER) {
        found.add("handler");
      }
      if (thread.isInterrupted()) {
        found.add("interrupt");
      }
      thread.setContextClassLoader(FOREIGN);
      LOCAL.set(1);
      INHERITABLE.set(1);
      thread.setName("traces");
      thread.setUncaughtExceptionHandler(HANDLER);
      thread.interrupt();
      return found;
    }

    /** Changes the value that its thread has inherited; returns the former one. */
    public int inherited() {
      var before = INHERITABLE.get();
      INHERITABLE.set(-1);
      return before == null ? 0 : before;
    }
  }

  private static void withGroup(Location location, Consumer<Group<Member>> use) {
    if (location == Location.HERE) {
      use.accept(Group.of(Groups.here().each(SIZE).create(Member.class)));
      return;
    }
    try (var nodes = LocalNodes.start(2)) {
      use.accept(
          Group.of(
              Groups.on(nodes.nodes()).placed(Placement.roundRobin(SIZE)).create(Member.class)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void serveAllMembersWhileEachWaitsForAllOthers(Location location) {
    withGroup(
        location,
        group -> {
          meeting = new CountDownLatch(SIZE);

          group.tell(Member::meet);

          assertThat(group.ask(Member::meetings).toList()).containsOnly(1).hasSize(SIZE);
        });
  }

  @ParameterizedTest
  @EnumSource
  void giveEachMemberItsOwnCopyOfMutableArguments(Location location) {
    withGroup(
        location,
        group -> {
          var numbers = new ArrayList<>(List.of(1, 2));

          group.all().note(numbers, 3);
          numbers.clear();

          assertThat(group.ask(Member::meetings).toList()).containsOnly(3).hasSize(SIZE);
        });
  }

  @ParameterizedTest
  @EnumSource
  void serveMembersEachOfWhichWaitsForItsNeighbour(Location location) {
    withGroup(
        location,
        group -> {
          place(group);

          var lengths = group.ask(Member::chain).toList();

          assertThat(lengths)
              .isEqualTo(IntStream.range(0, SIZE).map(i -> SIZE - i).boxed().toList());
        });
  }

  @ParameterizedTest
  @EnumSource
  void serveTheOthersWhenMembersFail(Location location, LogRecords records) {
    records.allow(Level.WARNING, "has failed and ends: Member.fail() threw");
    withGroup(
        location,
        group -> {
          place(group);

          var outcomes = group.ask(Member::fail).outcomes();

          for (var rank = 0; rank < SIZE; rank++) {
            var text = outcomes.get(rank).toString();
            switch (rank % 4) {
              case 0, 3 -> assertThat(text).contains(String.valueOf(rank)).doesNotContain("Error");
              case 1 -> assertThat(text).contains("InternalError");
              default -> assertThat(text).contains("StackOverflowError");
            }
          }
          var left = IntStream.range(0, SIZE).filter(rank -> rank % 4 < 2).mapToObj(group::get);
          assertThat(left.map(Member::meetings)).containsOnly(0);
          for (var rank = 2; rank < SIZE; rank += 4) { // a stack overflow ends its object
            assertThatThrownBy(group.get(rank)::meetings)
                .isInstanceOf(ObjectTerminatedException.class)
                .hasMessageContaining("StackOverflowError");
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void keepTheTracesOfAMemberOnItsThreadFromTheOthers(Location location) {
    withGroup(
        location,
        group ->
            assertThat(group.ask(Member::traces).toList()).containsOnly(List.of()).hasSize(SIZE));
  }

  @Test
  void letEachMemberInheritTheValuesOfItsCaller() {
    withGroup(
        Location.HERE,
        group -> {
          INHERITABLE.set(7);
          try {
            assertThat(group.ask(Member::inherited).toList()).containsOnly(7).hasSize(SIZE);
          } finally {
            INHERITABLE.remove();
          }
        });
  }

  private static void place(Group<Member> group) {
    var refs = IntStream.range(0, SIZE).mapToObj(i -> ActiveObjects.ref(group.get(i))).toList();
    group
        .tellByRank(
            (member, rank) -> member.place(rank, rank + 1 == SIZE ? null : refs.get(rank + 1)))
        .gather()
        .awaitAll();
  }
}
