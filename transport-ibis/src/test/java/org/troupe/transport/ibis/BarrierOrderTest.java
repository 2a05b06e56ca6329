package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;
import org.troupe.groups.spmd.Barrier;
import org.troupe.groups.spmd.MemberLostException;
import org.troupe.groups.spmd.Spmd;
import org.troupe.links.Driver;

/** The order of requests around barriers that are announced in shared memory, or in packets. */
@Timeout(240)
class BarrierOrderTest {

  private static final int ROUNDS = Boolean.getBoolean("troupe.long") ? 100 : 1;

  private static final int LARGE = 20_000; // numbers that travel beside the bytes of a frame

  @AfterEach
  void chooseNoMore() {
    Drivers.any();
  }

  /** An object on the node of a member that takes no part in the barriers. */
  public static class Bystander {

    private final List<Integer> last = new ArrayList<>();

    public Bystander() {}

    public void tell(int from, int step) {
      while (last.size() <= from) {
        last.add(-1);
      }
      last.set(from, step);
    }

    public int toldBy(int from) {
      return from < last.size() ? last.get(from) : -1;
    }

    public int call() {
      return 1;
    }
  }

  /**
   * A member that sends notes of a step to all members, reaches a barrier, and goes on to the next
   * step. No note of a step may be served before all notes of the step before, or before this
   * member has reached the barrier between them.
   */
  public static class Stepper {

    private final List<String> wrong = new ArrayList<>();
    private int[] served = {}; // notes, by step
    private int reached; // steps that this member has completed
    private int steps;
    private int notes; // that each member sends to each other in a step
    private Random random = new Random();
    private List<Bystander> bystanders = List.of(); // by rank
    private CompletableFuture<List<String>> done = new CompletableFuture<>();

    public Stepper() {}

    public void begin(int total, int notesOfEach, long seed, List<Bystander> others) {
      var spmd = Spmd.here(Stepper.class);
      steps = total;
      notes = notesOfEach;
      served = new int[total + 1];
      reached = 0;
      random = new Random(seed * 31 + spmd.rank());
      bystanders = others;
      done = new CompletableFuture<>();
      spmd.barrier();
      go();
    }

    /** Goes one step, or a few within the same request, and then calls itself for the next. */
    public void go() {
      var spmd = Spmd.here(Stepper.class);
      var self = spmd.member(spmd.rank());
      var within = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1;
      for (var i = 0; i < within && reached < steps; i++) {
        sendNotes(spmd);
        var barrier = spmd.barrier();
        reached++;
        if (within > 1 || random.nextInt(4) == 0) {
          var known = toldByOthers(spmd, reached - 1, random.nextBoolean() ? barrier::join : null);
          if (known != null) {
            wrong.add(known);
          }
          barrier.join();
        }
      }
      if (reached < steps) {
        self.go();
      }
      completeIfDone();
    }

    private void sendNotes(Spmd<Stepper> spmd) {
      var step = reached;
      for (var each = 0; each < spmd.size(); each++) {
        bystanders.get(each).tell(spmd.rank(), step);
        if (random.nextInt(8) == 0) {
          bystanders.get(each).call(); // in an exchange
        }
      }
      for (var i = 0; i < notes; i++) {
        switch (random.nextInt(8)) {
          case 0 -> spmd.group().all().note(spmd.rank(), step);
          case 1 ->
              IntStream.range(0, spmd.size())
                  .forEach(
                      each -> spmd.member(each).noteNumbers(spmd.rank(), step, new double[LARGE]));
          case 2 ->
              IntStream.range(0, spmd.size())
                  .mapToObj(each -> ActiveObjects.ref(spmd.member(each)))
                  .forEach(each -> each.tell(it -> it.note(spmd.rank(), step)));
          default ->
              IntStream.range(0, spmd.size())
                  .forEach(each -> spmd.member(each).note(spmd.rank(), step));
        }
      }
    }

    /**
     * After a barrier, what others told a bystander before it is in front of this member's call.
     */
    private String toldByOthers(Spmd<Stepper> spmd, int step, Runnable passes) {
      if (passes == null) {
        return null;
      }
      passes.run();
      for (var each = 0; each < spmd.size(); each++) {
        var told = bystanders.get(spmd.rank()).toldBy(each);
        if (told < step) {
          return "after step " + step + ", member " + each + " has told of step " + told + " only";
        }
      }
      return null;
    }

    public void noteNumbers(int from, int step, double[] numbers) {
      note(from, numbers.length == LARGE ? step : -1);
    }

    public void note(int from, int step) {
      var spmd = Spmd.here(Stepper.class);
      if (from == spmd.rank()) {
        return; // a barrier holds a member's own requests, but does not order them
      }
      if (step > reached) {
        wrong.add("step " + step + " of member " + from + " while in step " + reached);
      }
      for (var before = Math.max(0, step - 2); before < step; before++) {
        if (served[before] != (spmd.size() - 1) * notes) {
          wrong.add(
              "step " + step + " of member " + from + " after " + served[before] + " of " + before);
        }
      }
      served[step]++;
      completeIfDone();
    }

    public List<String> wrong() {
      return wrong.stream().limit(20).toList();
    }

    /** Answers with the first fault, at once, or when all notes were served. */
    public CompletableFuture<List<String>> done() {
      return done;
    }

    private void completeIfDone() {
      var all = (Spmd.here(Stepper.class).size() - 1) * notes;
      if (!wrong.isEmpty() || reached == steps && served[steps - 1] == all) {
        done.complete(wrong());
      }
    }

    public void joinForEver() {
      var spmd = Spmd.here(Stepper.class);
      for (; ; ) {
        spmd.barrier().join();
      }
    }

    public int joinMany(int times) {
      var spmd = Spmd.here(Stepper.class);
      var passed = 0;
      for (var i = 0; i < times; i++) {
        var barrier = spmd.barrier();
        barrier.join();
        passed += barrier.isPassed() ? 1 : 0;
      }
      return passed;
    }

    /** Reaches some barriers before it joins them. */
    public int joinTogether(int times) {
      var spmd = Spmd.here(Stepper.class);
      var barriers = IntStream.range(0, times).mapToObj(_ -> spmd.barrier()).toList();
      barriers.forEach(Barrier::join);
      return (int) barriers.stream().filter(Barrier::isPassed).count();
    }

    /** Reaches a barrier without a wait. */
    public CompletableFuture<Boolean> reach() {
      return Spmd.here(Stepper.class).barrier().whenPassed().thenApply(_ -> true);
    }

    public boolean joinWithin(Duration limit) {
      var barrier = Spmd.here(Stepper.class).within(limit).barrier();
      barrier.join();
      return barrier.isPassed();
    }

    /** Is interrupted while it joins a barrier. */
    public boolean joinInterrupted() {
      var barrier = Spmd.here(Stepper.class).barrier();
      Thread.currentThread().interrupt();
      barrier.join();
      return Thread.interrupted() && barrier.isPassed();
    }

    public boolean hasBoard() throws IOException {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
        return lines.anyMatch(each -> each.contains("memfd:troupe-memory"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SHM, 1, 3, 150",
    "SHM, 2, 2, 600",
    "SHM, 3, 3, 300",
    "SHM, 4, 4, 200",
    "SHM, 2, 5, 150",
    "SHM, 4, 7, 80",
    "TCP, 2, 2, 150",
    "TCP, 4, 6, 60",
    "UDS, 3, 3, 100"
  })
  void isKeptAmongAllMembers(Driver driver, int count, int size, int steps) throws Exception {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(count, new IbisTransport())) {
      List<Node> places = IntStream.range(0, size).mapToObj(i -> nodes.get(i % count)).toList();
      for (var round = 0; round < ROUNDS; round++) {
        checkOrder(places, steps, round);
      }
    }
  }

  private static void checkOrder(List<Node> places, int steps, long seed) throws Exception {
    var members =
        places.stream().map(each -> ActiveObjects.on(each).create(Stepper.class)).toList();
    var bystanders =
        places.stream().map(each -> ActiveObjects.on(each).create(Bystander.class)).toList();
    var group = Group.of(Groups.spmd(Stepper.class, members));
    assertThat(group.ask(each -> each.joinMany(3)).toList()).containsOnly(3);
    group
        .tell(each -> each.begin(steps, 3, seed, new ArrayList<>(bystanders)))
        .get(60, TimeUnit.SECONDS);
    for (var each : members.stream().map(Stepper::done).toList()) {
      assertThat(each.get(100, TimeUnit.SECONDS)).isEmpty();
    }
    assertThat(group.ask(Stepper::wrong).toList()).allSatisfy(e -> assertThat(e).isEmpty());
    group.terminate().get(60, TimeUnit.SECONDS);
  }

  private static Group<Stepper> members(LocalNodes nodes, int size) {
    var group =
        Group.of(Groups.on(nodes.nodes()).placed(Placement.roundRobin(size)).spmd(Stepper.class));
    assertThat(group.ask(each -> each.joinMany(20)).toList()).containsOnly(20);
    return group;
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void opensTheGatesOfMembersThatDoNotWait(Driver driver) {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(3, new IbisTransport())) {
      var group = members(nodes, 4);
      for (var round = 0; round < 50; round++) {
        var first = round % 4;
        var passed =
            IntStream.range(0, 3)
                .mapToObj(i -> group.get((first + i) % 4).reach())
                .toList(); // nothing else is sent to them
        assertThat(group.get((first + 3) % 4).joinMany(1)).isEqualTo(1);
        for (var each : passed) {
          assertThat(each).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"SHM, 2", "SHM, 3", "SHM, 4", "TCP, 3"})
  void isPassedAfterOthersWereReached(Driver driver, int count) {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(count, new IbisTransport())) {
      var group = members(nodes, count);
      for (var times = 1; times <= 20; times++) {
        var reached = times;
        assertThat(group.ask(each -> each.joinTogether(reached)).toList()).containsOnly(reached);
        assertThat(group.ask(each -> each.joinMany(reached)).toList()).containsOnly(reached);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void endsWithItsTimeLimitAndTheNextOneIsPassed(Driver driver) {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var group = members(nodes, 2);
      for (var late = 0; late < 2; late++) {
        var waiting = group.get(1 - late);
        assertThatThrownBy(() -> waiting.joinWithin(Duration.ofMillis(200)))
            .isInstanceOf(CollectiveException.class)
            .hasMessageContaining("waited 0.2 s in barrier() for member " + late);
        assertThat(group.get(late).joinMany(1)).isEqualTo(1);
        assertThat(group.ask(each -> each.joinMany(10)).toList()).containsOnly(10);
      }
    }
  }

  @Test
  void keepsAnInterruptUntilItIsPassed() {
    Drivers.only(Driver.SHM);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      assertThat(members(nodes, 2).ask(Stepper::joinInterrupted).toList()).containsOnly(true);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP"})
  void failsWhenAMemberIsKilledWithinOne(Driver driver) throws Exception {
    try (var jvms = TwoJvms.start(driver)) {
      var group =
          Group.of(
              Groups.spmd(
                  Stepper.class,
                  Stream.of(jvms.here(), jvms.there(), jvms.here())
                      .map(each -> ActiveObjects.on(each).create(Stepper.class))
                      .toList()));
      assertThat(group.ask(each -> each.joinMany(500)).toList()).containsOnly(500);
      if (driver == Driver.SHM) {
        assertThat(group.get(1).hasBoard()).isTrue();
      }

      var endless =
          group.members().stream()
              .map(each -> ActiveObjects.ref(each).tell(Stepper::joinForEver))
              .toList();
      jvms.killTheOther();

      for (var here : List.of(endless.get(0), endless.get(2))) {
        assertThat(here)
            .failsWithin(30, TimeUnit.SECONDS)
            .withThrowableThat()
            .withCauseInstanceOf(MemberLostException.class);
      }
    }
  }
}
