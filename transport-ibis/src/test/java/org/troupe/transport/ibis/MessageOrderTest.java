package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Ref;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.MemberLostException;
import org.troupe.groups.spmd.Spmd;
import org.troupe.links.Driver;

/** The order of point-to-point messages that go through shared memory, or over links. */
@Timeout(240)
class MessageOrderTest {

  private static final int ROUNDS = Boolean.getBoolean("troupe.long") ? 50 : 1;

  /** Lengths for an entry of the board, the largest one, and messages that go over the link. */
  private static final int[] LENGTHS = {1, 1, 3, 124, 125, 3000, 20_000};

  private static final int LARGE = 2 << 20; // numbers that take some time

  private static final int MOST_AT_ONCE = 20; // messages of a burst; a queue has 8 entries

  @AfterEach
  void chooseNoMore() {
    Drivers.any();
  }

  /** A member that sends messages of all kinds to all others, and receives theirs. */
  public static class Correspondent {

    private final List<String> wrong = new ArrayList<>();
    private final CompletableFuture<Void> hasReceivedAll = new CompletableFuture<>();
    private int[] notes = {}; // served, by sender
    private int[] announced = {}; // notes that the messages received so far say were sent before

    public Correspondent() {}

    public int meet() {
      var spmd = Spmd.here(Correspondent.class);
      for (var i = 0; i < 20; i++) {
        spmd.barrier().join();
      }
      notes = new int[spmd.size()];
      announced = new int[spmd.size()];
      return spmd.size();
    }

    /** A one-way call that is sent in front of messages. */
    public void note(int from) {
      notes[from]++;
    }

    /**
     * Sends a burst of messages to each other member in each round, and receives some or all of
     * those that the others have sent by then, so that queues become full. Both ends of a pair draw
     * what it exchanges from equal sources.
     */
    public List<String> correspond(int rounds, long seed) {
      var spmd = Spmd.here(Correspondent.class).within(Duration.ofSeconds(20));
      var own = new Random(seed * 31 + spmd.rank());
      var sending = sources(spmd, seed, true);
      var receiving = sources(spmd, seed, false);
      var sendBursts = sources(spmd, seed + 1, true);
      var receiveBursts = sources(spmd, seed + 1, false);
      var sent = new int[spmd.size()];
      var received = new int[spmd.size()];
      var due = new int[spmd.size()];
      var sentNotes = new int[spmd.size()];
      for (var round = 1; round <= rounds; round++) {
        for (var other : othersInAnyOrder(spmd, own)) {
          for (var burst = sendBursts.get(other).nextInt(MOST_AT_ONCE); burst > 0; burst--) {
            if (own.nextInt(4) == 0) {
              spmd.member(other).note(spmd.rank());
              sentNotes[other]++;
            }
            send(spmd, other, sending.get(other), sent[other]++, sentNotes[other]);
          }
        }
        for (var other : othersInAnyOrder(spmd, own)) {
          due[other] += receiveBursts.get(other).nextInt(MOST_AT_ONCE);
          var now = round == rounds ? due[other] : own.nextInt(due[other] + 1);
          for (var each = 0; each < now; each++) {
            receive(spmd, other, receiving.get(other), received[other]++);
          }
          due[other] -= now;
        }
      }
      spmd.member(spmd.rank()).checkNotes(); // behind all notes that precede what was received
      return wrong.stream().limit(20).toList();
    }

    private static List<Integer> othersInAnyOrder(Spmd<?> spmd, Random own) {
      var others = new ArrayList<Integer>();
      for (var each = 0; each < spmd.size(); each++) {
        if (each != spmd.rank()) {
          others.add(each);
        }
      }
      Collections.shuffle(others, own);
      return others;
    }

    private static List<Random> sources(Spmd<?> spmd, long seed, boolean isSender) {
      return IntStream.range(0, spmd.size())
          .mapToObj(
              other ->
                  new Random(
                      seed * 1000
                          + (isSender ? spmd.rank() * 32 + other : other * 32 + spmd.rank())))
          .toList();
    }

    private static void send(Spmd<?> spmd, int to, Random source, int number, int notes) {
      switch (source.nextInt(10)) {
        case 0 -> spmd.send(to, number + " " + notes);
        case 1 -> {
          var longs = new long[LENGTHS[source.nextInt(LENGTHS.length)]];
          longs[0] = number;
          longs[longs.length - 1] += (long) notes << 32;
          spmd.send(to, Slice.of(longs));
        }
        default -> {
          var doubles = new double[LENGTHS[source.nextInt(LENGTHS.length)] + 4];
          doubles[1] = number;
          doubles[doubles.length - 2] = notes;
          spmd.send(to, Slice.of(doubles).from(1, doubles.length - 2));
        }
      }
    }

    private void receive(Spmd<?> spmd, int from, Random source, int number) {
      double read;
      double saidNotes;
      switch (source.nextInt(10)) {
        case 0 -> {
          var words = spmd.<String>receive(from).split(" ");
          read = Integer.parseInt(words[0]);
          saidNotes = Integer.parseInt(words[1]);
        }
        case 1 -> {
          var longs = new long[LENGTHS[source.nextInt(LENGTHS.length)]];
          spmd.receive(from, Slice.of(longs));
          read = (int) longs[0];
          saidNotes = longs[longs.length - 1] >> 32;
        }
        default -> {
          var doubles = new double[LENGTHS[source.nextInt(LENGTHS.length)] + 4];
          spmd.receive(from, Slice.of(doubles).from(1, doubles.length - 2));
          read = doubles[1];
          saidNotes = doubles[doubles.length - 2];
          if (doubles[0] != 0 || doubles[doubles.length - 1] != 0) {
            wrong.add("written beside the slice");
          }
        }
      }
      if (read != number) {
        wrong.add("message " + read + " of member " + from + " where " + number + " was due");
      }
      announced[from] = Math.max(announced[from], (int) saidNotes);
    }

    /** Is called by the member itself after it has received. */
    public void checkNotes() {
      for (var each = 0; each < notes.length; each++) {
        if (notes[each] < announced[each]) {
          wrong.add(
              announced[each] + " notes of member " + each + " preceded, " + notes[each] + " came");
        }
      }
    }

    /** Sends a note and then a number, many times, to a member that asks itself for the notes. */
    public void sendBehindNotes(int to, int times) {
      var spmd = Spmd.here(Correspondent.class);
      for (var i = 1; i <= times; i++) {
        spmd.member(to).note(spmd.rank());
        spmd.send(to, Slice.of(new int[] {i}));
      }
    }

    public void receiveBehindNotes(int from, int times) {
      var spmd = Spmd.here(Correspondent.class);
      var number = new int[1];
      spmd.receive(from, Slice.of(number));
      announced[from] = number[0];
      var self = spmd.member(spmd.rank());
      self.checkNotes();
      if (number[0] < times) {
        self.receiveBehindNotes(from, times);
      } else {
        hasReceivedAll.complete(null);
      }
    }

    /** Completes when the last number has been received. */
    @Immediate
    public CompletableFuture<Void> receivedAll() {
      return hasReceivedAll;
    }

    public List<String> wrong() {
      return wrong.stream().limit(20).toList();
    }

    /**
     * Exchanges a number with a neighbour, which both increment in turn; returns the round trips.
     */
    public long pingPong(int times) {
      var spmd = Spmd.here(Correspondent.class);
      var number = Slice.of(new long[1]);
      for (var i = 0; i < times; i++) {
        pingPong(spmd, spmd.rank() ^ 1, number);
      }
      return number.array()[0];
    }

    private static void pingPong(Spmd<?> spmd, int other, Slice<long[]> number) {
      if (spmd.rank() < other) {
        number.array()[0]++;
        spmd.send(other, number);
        spmd.receive(other, number);
      } else {
        spmd.receive(other, number);
        spmd.send(other, number);
      }
    }

    /** Exchanges numbers with a neighbour; returns how often a wrong one was received. */
    public int exchange(int times) {
      var spmd = Spmd.here(Correspondent.class);
      var other = spmd.rank() ^ 1;
      var numbers = new int[3];
      var wrong = 0;
      for (var i = 0; i < times; i++) {
        numbers[0] = i * 2 + spmd.rank();
        // Every third time from and into the same place
        spmd.exchange(
            other,
            Slice.of(numbers).from(0, 1),
            other,
            Slice.of(numbers).from(i % 3 == 0 ? 0 : 2, 1));
        wrong += numbers[i % 3 == 0 ? 0 : 2] == i * 2 + other ? 0 : 1;
      }
      return wrong;
    }

    /**
     * Sends a large slice on another thread and, while that is on its way, a word and a small slice
     * on this one.
     */
    public void sendOnTwoThreads(int to) throws Exception {
      var spmd = Spmd.here(Correspondent.class);
      var before = ActiveObjects.traffic().messages();
      var large =
          Thread.ofPlatform().daemon().start(() -> spmd.send(to, Slice.of(new double[LARGE])));
      while (ActiveObjects.traffic().messages() == before && large.isAlive()) {
        Thread.onSpinWait();
      }
      spmd.send(to, "a word");
      spmd.send(to, Slice.of(new int[] {1}));
      large.join();
    }

    /** Returns the words that a member sends, or why something else is none. */
    public List<String> receiveWords(int from, int count) {
      var spmd = Spmd.here(Correspondent.class);
      List<String> words = new ArrayList<>();
      for (var i = 0; i < count; i++) {
        try {
          words.add(spmd.receive(from));
        } catch (CollectiveException other) {
          words.add(other.getMessage());
        }
      }
      return words;
    }

    public void pingPongForEver(int other) {
      var spmd = Spmd.here(Correspondent.class);
      var number = Slice.of(new long[1]);
      for (; ; ) {
        pingPong(spmd, other, number);
      }
    }

    public void sendNumbers(int to, int length) {
      Spmd.here(Correspondent.class).send(to, Slice.of(new double[length]));
    }

    public void receiveNumbers(int from, int length) {
      Spmd.here(Correspondent.class).receive(from, Slice.of(new double[length]));
    }

    public void receiveNumbersWithin(int from, Duration limit) {
      Spmd.here(Correspondent.class).within(limit).receive(from, Slice.of(new double[1]));
    }

    public boolean receiveInterrupted(int from) {
      Thread.currentThread().interrupt();
      receiveNumbers(from, 1);
      return Thread.interrupted();
    }

    public boolean hasBoard() throws Exception {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
        return lines.anyMatch(each -> each.contains("memfd:troupe-memory"));
      }
    }
  }

  private static Group<Correspondent> members(List<Node> places) {
    var group =
        Group.of(
            Groups.spmd(
                Correspondent.class,
                places.stream()
                    .map(each -> ActiveObjects.on(each).create(Correspondent.class))
                    .toList()));
    assertThat(group.ask(Correspondent::meet).toList()).containsOnly(places.size());
    return group;
  }

  private static CompletableFuture<Void> receive(
      Group<Correspondent> group, int rank, Ref.Told<Correspondent> call) {
    return ActiveObjects.ref(group.get(rank)).tell(call);
  }

  private static Group<Correspondent> members(LocalNodes nodes, int size) {
    return members(
        IntStream.range(0, size).mapToObj(i -> nodes.get(i % nodes.list().size())).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "SHM, 2, 2, 600",
    "SHM, 3, 3, 200",
    "SHM, 2, 4, 100",
    "SHM, 4, 7, 30",
    "SHM, 1, 2, 100",
    "TCP, 2, 2, 100",
    "UDS, 3, 4, 40"
  })
  void isThatOfTheirSendsWhateverTheirPath(Driver driver, int count, int size, int rounds)
      throws Exception {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(count, new IbisTransport())) {
      for (var round = 0; round < ROUNDS; round++) {
        var seed = round;
        var group = members(nodes, size);
        assertThat(group.ask(each -> each.correspond(rounds, seed)).toList())
            .allSatisfy(each -> assertThat(each).isEmpty());
        assertThat(group.ask(Correspondent::wrong).toList())
            .allSatisfy(each -> assertThat(each).isEmpty());
        group.terminate().get(60, TimeUnit.SECONDS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void putsThemBehindTheCallsThatTheirSenderMadeBefore(Driver driver) throws Exception {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      group.ask(each -> each.pingPong(500)).toList();
      group.get(1).receiveBehindNotes(0, 20_000);
      group.get(0).sendBehindNotes(1, 20_000);
      group.get(1).receivedAll().get(60, TimeUnit.SECONDS);
      assertThat(group.get(1).wrong()).isEmpty();
    }
  }

  @Test
  void isKeptWhenTheyComeOverBothPathsAtOnce() throws Exception {
    try (var jvms = TwoJvms.start(Driver.SHM)) {
      var group = members(List.of(jvms.here(), jvms.there(), jvms.here(), jvms.there()));
      group.ask(each -> each.pingPong(2_000)).toList();
      assertThat(group.get(1).hasBoard()).isTrue();
      for (var round = 0; round < ROUNDS; round++) {
        var seed = round;
        assertThat(group.ask(each -> each.correspond(100, seed)).toList())
            .allSatisfy(each -> assertThat(each).isEmpty());
        assertThat(group.ask(Correspondent::wrong).toList())
            .allSatisfy(each -> assertThat(each).isEmpty());
      }
    }
  }

  @Test
  void needsNoMessagesOfTheNodesForSmallSlices() throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      group.ask(each -> each.pingPong(500)).toList();
      var before = ActiveObjects.traffic().messages();
      assertThat(group.ask(each -> each.pingPong(2_000)).toList()).containsOnly(2_000L);
      assertThat(group.ask(each -> each.exchange(2_000)).toList()).containsOnly(0);
      assertThat(ActiveObjects.traffic().messages() - before).isLessThan(200);
    }
  }

  @Test
  void needsNoCollectivesToFindTheBoard() throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = Group.of(Groups.on(nodes.nodes()).spmd(Correspondent.class));
      group.ask(each -> each.pingPong(500)).toList();
      var before = ActiveObjects.traffic().messages();
      assertThat(group.ask(each -> each.pingPong(2_000)).toList()).containsOnly(2_000L);
      assertThat(ActiveObjects.traffic().messages() - before).isLessThan(200);
    }
  }

  @Test
  void isThatOfEachThreadIfSeveralSend() throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      group.ask(each -> each.pingPong(500)).toList();
      for (var round = 0; round < 5; round++) {
        var received = ActiveObjects.ref(group.get(1)).ask(each -> each.receiveWords(0, 3));
        ActiveObjects.ref(group.get(0))
            .tell(each -> each.sendOnTwoThreads(1))
            .get(30, TimeUnit.SECONDS);
        var words = received.get(30, TimeUnit.SECONDS);
        assertThat(words).anyMatch(each -> each.contains("sent a slice of " + LARGE + " doubles"));
        words.removeIf(each -> each.contains("doubles"));
        assertThat(words).hasSize(2);
        assertThat(words.getFirst()).isEqualTo("a word");
        assertThat(words.getLast()).contains("sent a slice of 1 ints");
      }
      assertThat(group.ask(each -> each.pingPong(100)).toList()).containsOnly(100L);
    }
  }

  @Test
  void endsWithTheTimeLimitOfAReceiveAndTheNextOneSucceeds() {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      group.ask(each -> each.pingPong(500)).toList();
      assertThat(receive(group, 0, each -> each.receiveNumbersWithin(1, Duration.ofMillis(200))))
          .failsWithin(Duration.ofSeconds(30))
          .withThrowableThat()
          .withCauseInstanceOf(CollectiveException.class)
          .withMessageContaining("waited 0.2 s to receive a message from member 1");
      assertThat(group.ask(each -> each.pingPong(100)).toList()).containsOnly(100L);
    }
  }

  @Test
  void keepsAnInterruptUntilAMessageIsReceived() throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      group.ask(each -> each.pingPong(500)).toList();
      var interrupted = ActiveObjects.ref(group.get(0)).ask(each -> each.receiveInterrupted(1));
      group.get(1).sendNumbers(0, 1);
      assertThat(interrupted).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    }
  }

  @Test
  void namesASmallSliceWhereALargeOneIsReceived() throws Exception {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      group.ask(each -> each.pingPong(500)).toList();
      for (var length : new int[] {2, 200, 200_000}) {
        var waiting = receive(group, 1, each -> each.receiveNumbers(0, length));
        group.get(0).sendNumbers(1, 1);
        assertThat(waiting)
            .failsWithin(Duration.ofSeconds(30))
            .withThrowableThat()
            .withMessageContaining("sent a slice of 1 doubles")
            .withMessageContaining("receives a slice of " + length + " doubles");
        group.get(0).sendNumbers(1, 200_000); // into the array of no receive that has failed
        receive(group, 1, each -> each.receiveNumbers(0, 200_000)).get(30, TimeUnit.SECONDS);
      }
      assertThat(group.ask(each -> each.pingPong(100)).toList()).containsOnly(100L);
    }
  }

  @Test
  void isReceivedFromAMemberThatWasKilledAndThenNoMore() throws Exception {
    try (var jvms = TwoJvms.start(Driver.SHM)) {
      var group = members(List.of(jvms.here(), jvms.there()));
      group.ask(each -> each.pingPong(2_000)).toList();
      ActiveObjects.ref(group.get(1))
          .tell(each -> each.sendNumbers(0, 1))
          .get(30, TimeUnit.SECONDS);
      jvms.killTheOther();

      receive(group, 0, each -> each.receiveNumbers(1, 1)).get(30, TimeUnit.SECONDS);
      assertThat(receive(group, 0, each -> each.receiveNumbers(1, 1)))
          .failsWithin(Duration.ofSeconds(30))
          .withThrowableThat()
          .withCauseInstanceOf(MemberLostException.class)
          .withMessageContaining("member 1");
    }
  }

  @Test
  void endsAReceiveThatWaitsForAMemberThatIsKilled() throws Exception {
    try (var jvms = TwoJvms.start(Driver.SHM)) {
      var group = members(List.of(jvms.here(), jvms.there()));
      group.ask(each -> each.pingPong(2_000)).toList();
      var waiting = ActiveObjects.ref(group.get(0)).tell(each -> each.pingPongForEver(1));
      var other = ActiveObjects.ref(group.get(1)).tell(each -> each.pingPongForEver(0));
      jvms.killTheOther();

      assertThat(waiting)
          .failsWithin(30, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(MemberLostException.class);
      assertThat(other).failsWithin(30, TimeUnit.SECONDS);
    }
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertThat(files.filter(each -> each.toString().contains("troupe"))).isEmpty();
    }
  }
}
