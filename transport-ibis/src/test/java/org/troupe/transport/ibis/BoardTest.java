package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.Placement;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.MemberLostException;
import org.troupe.groups.spmd.Spmd;
import org.troupe.links.Driver;
import org.troupe.testing.Polling;

/** Collectives of members that share memory. */
@Timeout(180)
class BoardTest {

  private static final String MEMORY = "memfd:troupe-memory";

  /**
   * Lengths for a slot, for combining by shares, for one round of it, also if it is filled, and for
   * several rounds.
   */
  private static final int[] LENGTHS = {0, 1, 7, 2048, 2049, 5000, 65_535, 70_000, 300_000};

  /** A member of the group. */
  public static class Player {

    public Player() {}

    /** Runs collectives before the board is in use. */
    public int meet() {
      var spmd = Spmd.here(Player.class);
      var sum = 0;
      for (var i = 0; i < 10; i++) {
        sum = spmd.allReduce(spmd.rank(), Operation.SUM);
      }
      return sum;
    }

    /** Runs the collective in which a board is offered, and no further one. */
    public void meetTwice() {
      allReduce();
      allReduce();
    }

    /** Returns hashes of the results of many collectives. */
    public List<Integer> results() {
      var spmd = Spmd.here(Player.class);
      List<Integer> results = new ArrayList<>();
      for (var round = 0; round < 3; round++) {
        for (var length : LENGTHS) {
          var random = new SplittableRandom(100 * round + length + spmd.rank());
          var root = (round + length) % spmd.size();
          var doubles = random.doubles(length + 3).toArray();
          spmd.allReduce(Slice.of(doubles).from(1, length), Operation.SUM);
          spmd.broadcast(root, Slice.of(doubles).from(1, length));
          spmd.reduce(root, Slice.of(doubles).from(2, length), Operation.PRODUCT);
          results.add(Arrays.hashCode(doubles));
          var floats = new float[length];
          for (var i = 0; i < length; i++) {
            floats[i] = random.nextFloat();
          }
          spmd.allReduce(Slice.of(floats), Operation.SUM);
          spmd.reduce(root, Slice.of(floats), Operation.SUM);
          results.add(Arrays.hashCode(floats));
          var bytes = new byte[length];
          random.nextBytes(bytes);
          spmd.allReduce(Slice.of(bytes), Operation.XOR);
          results.add(Arrays.hashCode(bytes));
          var longs = random.longs(length).toArray();
          spmd.allReduce(Slice.of(longs), Operation.MAX);
          results.add(Arrays.hashCode(longs));
          results.add(Double.hashCode(spmd.allReduce(random.nextDouble(), Operation.SUM)));
          results.add(Double.hashCode(spmd.reduce(root, random.nextDouble(), Operation.SUM)));
          results.add(Long.hashCode(spmd.allReduce(random.nextLong(), Operation.XOR)));
          results.add(spmd.reduce(root, random.nextInt(), Operation.MIN));
        }
      }
      return results;
    }

    /** Broadcasts more often than a board has slots, before the others take part. */
    public int broadcastAhead(int times, int length) {
      var spmd = Spmd.here(Player.class);
      var array = new int[length];
      var wrong = 0;
      for (var i = 1; i <= times; i++) {
        if (spmd.rank() == 0) {
          Arrays.fill(array, i);
        }
        spmd.broadcast(0, Slice.of(array));
        var expected = i;
        wrong += Arrays.stream(array).anyMatch(each -> each != expected) ? 1 : 0;
      }
      return wrong;
    }

    /** Returns the share of a processor that broadcasts take while the other members are late. */
    public double loadOfBroadcastsAhead(int times, int length) {
      var before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      var began = System.nanoTime();
      broadcastAhead(times, length);
      var elapsed = System.nanoTime() - began;
      return (double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before)
          / elapsed;
    }

    /** Reduces more often than a board has slots, before the root takes part. */
    public int reduceAhead(int times, int length) {
      var spmd = Spmd.here(Player.class);
      var wrong = 0;
      for (var i = 1; i <= times; i++) {
        var array = new int[length];
        Arrays.fill(array, i);
        spmd.reduce(0, Slice.of(array), Operation.SUM);
        var expected = i * spmd.size();
        var sum = spmd.reduce(0, i, Operation.SUM);
        wrong +=
            spmd.rank() == 0
                    && (sum != expected || Arrays.stream(array).anyMatch(each -> each != expected))
                ? 1
                : 0;
      }
      return wrong;
    }

    public double allReduceWithin(Duration limit) {
      return Spmd.here(Player.class).within(limit).allReduce(1.0, Operation.SUM);
    }

    public double allReduce() {
      return Spmd.here(Player.class).allReduce(1.0, Operation.SUM);
    }

    public void allReduceArray(int length) {
      Spmd.here(Player.class).allReduce(Slice.of(new double[length]), Operation.SUM);
    }

    public void broadcast(int length) {
      Spmd.here(Player.class).broadcast(0, Slice.of(new double[length]));
    }

    public List<Double> gather() {
      return Spmd.here(Player.class).gather(0, 2.0);
    }

    public Object reduceOfOwnType() {
      var spmd = Spmd.here(Player.class);
      return spmd.rank() == 0
          ? (Object) spmd.allReduce(1.0, Operation.SUM)
          : (Object) spmd.allReduce(1L, Operation.SUM);
    }

    /** Is interrupted in a collective. */
    public boolean interruptedAllReduce() {
      Thread.currentThread().interrupt();
      var sum = allReduce();
      return Thread.interrupted() && sum == Spmd.here(Player.class).size();
    }

    public void allReduceForEver() {
      var spmd = Spmd.here(Player.class);
      var array = Slice.of(new double[200_000]);
      for (; ; ) {
        spmd.allReduce(1.0, Operation.SUM);
        spmd.allReduce(array, Operation.MAX);
        spmd.broadcast(0, array);
      }
    }

    public int survivors() {
      var spmd = Spmd.here(Player.class).survivors();
      var sum = 0;
      for (var i = 0; i < 10; i++) {
        sum = spmd.allReduce(1, Operation.SUM);
      }
      return sum;
    }

    /** Runs collectives of two groups in turns. */
    public int inTwoGroups() {
      var spmd = Spmd.here(Player.class);
      var half = spmd.split(spmd.rank() % 2);
      var wrong = 0;
      for (var i = 0; i < 100; i++) {
        wrong += spmd.allReduce(1, Operation.SUM) == spmd.size() ? 0 : 1;
        wrong += half.allReduce(1, Operation.SUM) == half.size() ? 0 : 1;
        var array = new long[4000];
        Arrays.fill(array, half.rank() == 1 ? i : -1);
        half.broadcast(1, Slice.of(array));
        var expected = i;
        wrong += Arrays.stream(array).allMatch(each -> each == expected) ? 0 : 1;
      }
      return wrong;
    }

    /** Reaches barriers, the marks of which are tasks in the queues of the members. */
    public int reachBarriers(int times) {
      var spmd = Spmd.here(Player.class);
      for (var i = 0; i < times; i++) {
        spmd.barrier().join();
      }
      return times;
    }

    public boolean isOnVirtualThread() {
      return Thread.currentThread().isVirtual();
    }

    public boolean hasBoard() throws IOException {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
        return lines.anyMatch(each -> each.contains(MEMORY));
      }
    }
  }

  @BeforeEach
  void shareMemory() {
    Drivers.only(Driver.SHM);
  }

  @AfterEach
  void chooseNoMore() {
    Drivers.any();
  }

  private static Group<Player> players(LocalNodes nodes, int count) {
    var players =
        Group.of(Groups.on(nodes.nodes()).placed(Placement.roundRobin(count)).spmd(Player.class));
    meet(players);
    return players;
  }

  /** Runs collectives until boards are in use. */
  static void meet(Group<Player> players) {
    var sum = players.size() * (players.size() - 1) / 2;
    assertThat(players.ask(Player::meet).toList()).containsOnly(sum);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "3, 3", "4, 4", "5, 5", "2, 5", "3, 7"})
  void haveTheSameBitsAsThoseByMessages(int count, int members) throws IOException {
    List<List<Integer>> byMemory;
    try (var nodes = LocalNodes.start(count, new IbisTransport())) {
      var players = players(nodes, members);
      byMemory = players.ask(Player::results).toList();
      assertThat(players.get(0).hasBoard()).isTrue();
    }

    Drivers.only(Driver.TCP);
    try (var nodes = LocalNodes.start(count, new IbisTransport())) {
      assertThat(byMemory).isEqualTo(players(nodes, members).ask(Player::results).toList());
    }
  }

  @Test
  void goOnAmongMoreMembersThanProcessors() {
    // Not more: all views are in this JVM, which maps a quarter of its memory at most.
    try (var nodes = LocalNodes.start(6, new IbisTransport())) {
      var players = players(nodes, 12);

      for (var i = 0; i < 3; i++) {
        assertThat(players.ask(Player::meet).toList()).containsOnly(12 * 11 / 2);
      }
      assertThat(players.ask(Player::inTwoGroups).toList()).containsOnly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void doNotHoldUpARootThatBroadcastsOrMembersThatReduce(int length) throws Exception {
    try (var nodes = LocalNodes.start(3, new IbisTransport())) {
      var players = players(nodes, 3);
      var others = players.select(1, 2);

      var ahead = players.select(0).ask(each -> each.broadcastAhead(9, length));
      ahead.awaitAll(Duration.ofSeconds(30)); // before the others are called
      assertThat(others.ask(each -> each.broadcastAhead(9, length)).toList()).containsOnly(0);
      assertThat(ahead.toList()).containsOnly(0);

      var contributors = others.ask(each -> each.reduceAhead(9, length));
      contributors.awaitAll(Duration.ofSeconds(30));
      assertThat(players.get(0).reduceAhead(9, length)).isZero();
      assertThat(players.ask(Player::meet).toList()).containsOnly(3);
    }
  }

  @Test
  void endWithTheirTimeLimitAndTheNextOneSucceeds() {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);

      assertThatThrownBy(() -> players.get(0).allReduceWithin(Duration.ofMillis(200)))
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("waited 0.2 s in allReduce")
          .hasMessageContaining("member 1");
      assertThatThrownBy(() -> players.get(1).allReduce())
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("after its time limit");

      for (var i = 0; i < 10; i++) {
        assertThat(players.ask(Player::allReduce).toList()).containsOnly(2.0);
      }
    }
  }

  @Test
  void keepAnInterruptUntilTheirEnd() {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      assertThat(players(nodes, 2).ask(Player::interruptedAllReduce).toList()).containsOnly(true);
    }
  }

  @Test
  void failAtAllMembersIfTheyCallDifferentOnes() {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);

      var one = ActiveObjects.ref(players.get(1)).ask(Player::gather);
      assertThatThrownBy(() -> players.get(0).allReduce())
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("gather")
          .hasMessageContaining("allReduce");
      assertThat(one).succeedsWithin(Duration.ofSeconds(10)); // only contributes

      var waiting = ActiveObjects.ref(players.get(0)).ask(Player::gather);
      assertThatThrownBy(() -> players.get(1).allReduce())
          .isInstanceOf(CollectiveException.class)
          .hasMessageContaining("all members must do the same");
      assertThat(waiting)
          .failsWithin(4, TimeUnit.SECONDS)
          .withThrowableOfType(ExecutionException.class);

      assertThat(players.ask(Player::meet).toList()).containsOnly(1);
    }
  }

  @Test
  void failAtAllMembersIfTheirNumbersDoNotFit() {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);
      for (var length : new int[] {1, 100, 50_000}) {
        var one = ActiveObjects.ref(players.get(1)).tell(each -> each.allReduceArray(length + 1));
        var other = ActiveObjects.ref(players.get(0)).tell(each -> each.allReduceArray(length));
        for (var each : List.of(one, other)) {
          assertThat(each)
              .failsWithin(4, TimeUnit.SECONDS)
              .withThrowableThat()
              .withMessageContaining("all members must give slices of the same length");
        }
      }
      var reader = ActiveObjects.ref(players.get(1)).tell(each -> each.broadcast(50_000));
      players.get(0).broadcast(10);
      assertThat(reader)
          .failsWithin(4, TimeUnit.SECONDS)
          .withThrowableOfType(ExecutionException.class);
      assertThatThrownBy(() -> players.ask(Player::reduceOfOwnType).toList())
          .hasStackTraceContaining("all must give the same type");

      assertThat(players.ask(Player::meet).toList()).containsOnly(1);
    }
  }

  @Test
  void endWhenAMemberIsKilledAndTheSurvivorsGoOn() throws Exception {
    try (var jvms = TwoJvms.start(Driver.SHM)) {
      var players = playersWithBoard(jvms);

      var endless = ActiveObjects.ref(players.get(0)).tell(Player::allReduceForEver);
      var other = ActiveObjects.ref(players.get(1)).tell(Player::allReduceForEver);
      jvms.killTheOther();

      assertThat(endless)
          .failsWithin(30, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(MemberLostException.class);
      assertThat(other)
          .failsWithin(30, TimeUnit.SECONDS)
          .withThrowableOfType(ExecutionException.class);
      assertThat(players.get(0).survivors()).isEqualTo(1);
    }
  }

  /** Creates groups until one has a board: there is no room for one before others are collected. */
  private static Group<Player> playersWithBoard(TwoJvms jvms) throws IOException {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < end) {
      var players =
          Group.of(
              Groups.spmd(
                  Player.class,
                  List.of(
                      ActiveObjects.on(jvms.here()).create(Player.class),
                      ActiveObjects.on(jvms.there()).create(Player.class))));
      for (var i = 0; i < 100; i++) { // the other member opens the board meanwhile
        assertThat(players.ask(Player::meet).toList()).containsOnly(1);
        if (players.get(1).hasBoard()) {
          return players;
        }
      }
    }
    throw new AssertionError("no group has got a board");
  }

  @Test
  void keepThePlatformThreadsOfMembersWithShortRequests() throws Exception {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);
      for (var i = 0; i < 200; i++) {
        players.tell(Player::allReduce).get(30, TimeUnit.SECONDS);
      }
      assertThat(players.ask(Player::isOnVirtualThread).toList()).containsOnly(false);

      assertThat(players.ask(member -> member.reachBarriers(500)).toList()).containsOnly(500);
      assertThat(players.ask(Player::isOnVirtualThread).toList()).containsOnly(false);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UDS", "TCP"})
  void useNoMemoryWhereLinksMayNot(Driver driver) throws Exception {
    var before = new Player().hasBoard();
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);
      if (!before) { // boards of other tests live until they are collected
        assertThat(players.get(0).hasBoard()).isFalse();
      }
    }
  }

  @Test
  void letARootSleepWhileItWaitsForOthers() {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);

      var load = players.get(0).loadOfBroadcastsAhead(20, 20_000);
      assertThat(players.get(1).broadcastAhead(20, 20_000)).isZero();
      assertThat(load).isLessThan(0.25);
    }
  }

  @Test
  void leaveNoDescriptorOpen() throws Exception {
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var players = players(nodes, 2);
      assertThat(players.get(0).hasBoard()).isTrue();

      awaitNoDescriptor();
    }
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertThat(files.filter(each -> each.toString().contains("troupe"))).isEmpty();
    }
  }

  @Test
  void leaveNoDescriptorOpenIfNoFurtherCollectiveRuns() throws Exception {
    try (var nodes = LocalNodes.start(3, new IbisTransport())) {
      var players =
          Group.of(Groups.on(nodes.nodes()).placed(Placement.roundRobin(3)).spmd(Player.class));
      players.tell(Player::meetTwice).get(30, TimeUnit.SECONDS);
      assertThat(players.get(0).hasBoard()).isTrue();

      awaitNoDescriptor();
      assertThat(players.ask(Player::meet).toList()).containsOnly(3);
    }
  }

  /** The offer of memory ends when the last member's confirmation has arrived. */
  private static void awaitNoDescriptor() throws Exception {
    Polling.until("no descriptor of memory is open", () -> !hasDescriptor());
  }

  private static boolean hasDescriptor() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.anyMatch(BoardTest::isMemory);
    }
  }

  private static boolean isMemory(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains(MEMORY);
    } catch (IOException _) {
      return false; // closed meanwhile
    }
  }
}
