package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.spmd.MemberLostException;
import org.troupe.links.Driver;
import org.troupe.transport.ibis.BoardTest.Player;

/** Collectives of members on several hosts, each of which has a board. */
@Timeout(180)
class HostBoardsTest {

  private static final String COORDINATOR = "main";

  @AfterEach
  void chooseNoMore() {
    Drivers.any();
  }

  /**
   * Starts nodes.
   *
   * @param hosts the host of each node, a letter each; in one cluster if they are upper-case
   * @param withoutMemory the index of a node that cannot share memory; -1 for none
   */
  private static InProcessGrid nodes(String hosts, int withoutMemory) {
    return InProcessGrid.start(
        hosts.length(),
        new IbisTransport(),
        (node, settings, transport) -> {
          if (settings.name().equals(COORDINATOR)) {
            return GridMembership.open(node, settings, transport);
          }
          var index = Integer.parseInt(settings.name().substring("node-".length())) - 1;
          var host = hosts.substring(index, index + 1);
          var onHost =
              new GridMember.Settings(
                  settings.name(),
                  settings.virtualNodes(),
                  host,
                  Character.isUpperCase(host.charAt(0)) ? Map.of("cluster", "one") : Map.of(),
                  settings.transport(),
                  settings.endpoint(),
                  settings.silence());
          if (index == withoutMemory) {
            Drivers.only(Driver.TCP);
          }
          var opened = GridMembership.open(node, onHost, transport);
          if (index == withoutMemory) {
            Drivers.any();
          }
          return opened;
        });
  }

  /** Creates members, in turns on all nodes, and runs collectives until their boards are in use. */
  private static Group<Player> players(InProcessGrid nodes, int count) {
    var list = nodes.list();
    var players =
        Group.of(
            Groups.spmd(
                Player.class,
                IntStream.range(0, count)
                    .mapToObj(
                        rank -> ActiveObjects.on(list.get(rank % list.size())).create(Player.class))
                    .toList()));
    BoardTest.meet(players);
    return players;
  }

  private static List<List<Integer>> results(String hosts, int members, int withoutMemory) {
    try (var nodes = nodes(hosts, withoutMemory)) {
      return players(nodes, members).ask(Player::results).toList();
    }
  }

  /**
   * Returns the nodes, by index, that are not the first of their host. The first member of a host
   * reports the algorithm by which it exchanges messages with other hosts.
   */
  private static List<Integer> led(String hosts) {
    return IntStream.range(0, hosts.length())
        .filter(each -> hosts.indexOf(hosts.charAt(each)) < each)
        .boxed()
        .toList();
  }

  /**
   * Creates groups until the members of one have used a board in a collective, on each of these
   * nodes, by index. There may be no memory for one before others are collected.
   */
  private static Group<Player> playersWithBoards(
      InProcessGrid nodes, int count, List<Integer> expected) {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    for (; ; ) {
      var before = withBoard(nodes).keySet();
      var players = players(nodes, count);
      for (var i = 0; i < 20; i++) { // the others open the board meanwhile
        var added = withBoard(nodes);
        added.keySet().removeAll(before);
        if (added.values().stream().anyMatch(each -> each.containsAll(expected))) {
          return players;
        }
        BoardTest.meet(players);
      }
      assertThat(System.nanoTime()).as("the time").isLessThan(end);
    }
  }

  /** Returns the nodes, by index, whose members have used a board in a collective, by group. */
  private static Map<String, Set<Integer>> withBoard(InProcessGrid nodes) {
    Map<String, Set<Integer>> byGroup = new HashMap<>();
    for (var i = 0; i < nodes.list().size(); i++) {
      var report = nodes.coordinator().report(nodes.get(i), Duration.ofMillis(1));
      for (var line : taken(report).activity().operations()) {
        if (line.algorithm().equals("board")) {
          byGroup.computeIfAbsent(line.group(), any -> new HashSet<>()).add(i);
        }
      }
    }
    return byGroup;
  }

  private static NodeReport taken(AwaitedReport report) {
    try {
      return report.get(TimeUnit.SECONDS.toNanos(30));
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no report", e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "AAAB, 4",
    "AABB, 4",
    "ABBC, 4",
    "ABAB, 4",
    "AAABB, 5",
    "AB, 5",
    "AABBCC, 6",
    "aabb, 4",
    "aaabcb, 8"
  })
  void haveTheSameBitsAsThoseByMessages(String hosts, int members) {
    Drivers.only(Driver.TCP);
    var byMessages = results(hosts, members, -1);

    Drivers.only(Driver.SHM);
    try (var nodes = nodes(hosts, -1)) {
      var led = led(hosts);
      var players =
          led.isEmpty() ? players(nodes, members) : playersWithBoards(nodes, members, led);
      assertThat(players.ask(Player::results).toList()).isEqualTo(byMessages);
    }
  }

  @Test
  void useTheBoardOfEachHost() {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AAABBC", -1)) {
      playersWithBoards(nodes, 6, led("AAABBC"));
      assertThat(withBoard(nodes).values())
          .as("a node that is alone")
          .allSatisfy(each -> assertThat(each).doesNotContain(5));
    }
  }

  @Test
  void giveTheSameIfAHostHasNoBoard() {
    Drivers.only(Driver.TCP);
    var byMessages = results("AABB", 4, -1);

    Drivers.any();
    assertThat(results("AABB", 4, 1)).isEqualTo(byMessages);
    try (var nodes = nodes("AABB", 1)) {
      playersWithBoards(nodes, 4, List.of(3));
      assertThat(withBoard(nodes).values())
          .allSatisfy(each -> assertThat(each).doesNotContain(0, 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000, 300_000})
  void doNotHoldUpARootThatBroadcastsOrMembersThatReduce(int length) throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AABB", -1)) {
      var players = playersWithBoards(nodes, 4, led("AABB"));
      var others = players.select(1, 2, 3);

      var ahead = players.select(0).ask(each -> each.broadcastAhead(9, length));
      ahead.awaitAll(Duration.ofSeconds(30)); // before the others are called
      assertThat(others.ask(each -> each.broadcastAhead(9, length)).toList()).containsOnly(0);
      assertThat(ahead.toList()).containsOnly(0);

      var contributors = others.ask(each -> each.reduceAhead(9, length));
      contributors.awaitAll(Duration.ofSeconds(30));
      assertThat(players.get(0).reduceAhead(9, length)).isZero();
      BoardTest.meet(players);
    }
  }

  @ParameterizedTest
  @CsvSource({"AABB, 0", "AABBCCDD, 4"})
  void doNotHoldUpAMemberThatReducesBesideItsLeader(String hosts, int leader) throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes(hosts, -1)) {
      var size = hosts.length();
      var players = playersWithBoards(nodes, size, led(hosts));
      var length = 300_000; // more chunks than an area holds

      // The leader waits for another host, and its contributor must not.
      var leading = players.select(leader).ask(each -> each.reduceAhead(1, length));
      var contributor = players.select(leader + 1).ask(each -> each.reduceAhead(1, length));
      contributor.awaitAll(Duration.ofSeconds(30));

      var others =
          IntStream.range(0, size).filter(each -> each != leader && each != leader + 1).toArray();
      assertThat(players.select(others).ask(each -> each.reduceAhead(1, length)).toList())
          .containsOnly(0);
      assertThat(leading.toList()).containsOnly(0);
      BoardTest.meet(players);
    }
  }

  @Test
  void goOnInDerivedGroupsInTurns() {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AAABBB", -1)) {
      var players = playersWithBoards(nodes, 6, led("AAABBB"));
      assertThat(players.ask(Player::inTwoGroups).toList()).containsOnly(0);
    }
  }

  @Test
  void passBarriersInStep() {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AABB", -1)) {
      var players = playersWithBoards(nodes, 4, led("AABB"));
      assertThat(players.ask(each -> each.reachBarriers(200)).toList()).containsOnly(200);
    }
  }

  @Test
  void failAtAllMembersIfTheirNumbersDoNotFit() {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AABB", -1)) {
      var players = playersWithBoards(nodes, 4, led("AABB"));
      for (var length : new int[] {1, 100, 32_768 * 4}) {
        // As many whole chunks less on the other host: only their number tells.
        var longer = length < 32_768 ? length + 1 : 32_768 * 5;
        var all =
            IntStream.range(0, 4)
                .mapToObj(
                    rank ->
                        ActiveObjects.ref(players.get(rank))
                            .tell(each -> each.allReduceArray(rank < 2 ? length : longer)))
                .toList();
        assertThat(all)
            .allSatisfy(
                each ->
                    assertThat(each)
                        .failsWithin(30, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withMessageContaining("all members must give slices of the same length"));
      }
      BoardTest.meet(players);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void endWithTheirTimeLimitAndTheNextOneSucceeds(int late) {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AABB", -1)) {
      var players = playersWithBoards(nodes, 4, led("AABB"));
      var begun =
          IntStream.range(0, 4)
              .filter(rank -> rank != late)
              .mapToObj(
                  rank ->
                      ActiveObjects.ref(players.get(rank))
                          .ask(each -> each.allReduceWithin(Duration.ofMillis(500))))
              .toList();
      assertThat(begun)
          .allSatisfy(
              each ->
                  assertThat(each)
                      .failsWithin(30, TimeUnit.SECONDS)
                      .withThrowableThat()
                      .withCauseInstanceOf(CollectiveException.class));
      assertThatThrownBy(() -> players.get(late).allReduce())
          .isInstanceOf(CollectiveException.class);

      BoardTest.meet(players);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void endWhenAMemberIsKilledAndTheSurvivorsGoOn(int killed) {
    Drivers.only(Driver.SHM);
    try (var nodes = nodes("AABB", -1)) {
      var players = playersWithBoards(nodes, 4, led("AABB"));
      var endless =
          IntStream.range(0, 4)
              .mapToObj(rank -> ActiveObjects.ref(players.get(rank)).tell(Player::allReduceForEver))
              .toList();

      nodes.kill(killed);

      for (var rank = 0; rank < 4; rank++) {
        if (rank == killed) {
          assertThat(endless.get(rank))
              .failsWithin(30, TimeUnit.SECONDS)
              .withThrowableOfType(ExecutionException.class);
        } else {
          assertThat(endless.get(rank))
              .failsWithin(30, TimeUnit.SECONDS)
              .withThrowableThat()
              .withCauseInstanceOf(MemberLostException.class);
        }
      }
      var others = IntStream.range(0, 4).filter(rank -> rank != killed).toArray();
      assertThat(players.select(others).ask(Player::survivors).toList()).containsOnly(3);
    }
  }
}
