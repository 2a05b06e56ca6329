package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.groups.spmd.Spmd;
import org.troupe.testing.LogRecords;

/** Checkpoints of groups in step, and groups made again from them. */
@Timeout(60)
class CheckpointTest {

  private static final int MEMBERS = 4;
  private static final long BOUND_SECONDS = 30;

  @TempDir private Path temporary;
  private static volatile CountDownLatch latch; // of the test that runs

  private LocalNodes nodes;
  private Store store;
  private Ring ring;

  /** Passes numbers around a ring. */
  public static class Ring implements LifeCycle {
    private final List<Integer> taken = new ArrayList<>();
    private int number;
    private Ring right;
    private Ring all;
    private transient int arrivals;
    private transient Spmd<Ring> view;
    private Object odd;

    public Ring(int number) {
      this.number = number;
    }

    @Override
    public void arrived() {
      view = Spmd.here(Ring.class);
      arrivals++;
    }

    /** Keeps references, as a program may. */
    public int begin() {
      var spmd = Spmd.here(Ring.class);
      view = spmd;
      right = spmd.member((spmd.rank() + 1) % spmd.size());
      all = spmd.group().all();
      number = spmd.rank();
      return number;
    }

    /** Gives its number to the right, and takes that of the left. */
    public int step() {
      var spmd = Spmd.here(Ring.class);
      spmd.send((spmd.rank() + 1) % spmd.size(), Slice.of(new int[] {number}));
      var from = new int[1];
      spmd.receive((spmd.rank() + spmd.size() - 1) % spmd.size(), Slice.of(from));
      number = from[0];
      taken.add(number);
      return number;
    }

    public void sendOnly() {
      var spmd = Spmd.here(Ring.class);
      if (spmd.rank() == 1) {
        spmd.send(3, "letter");
      }
    }

    public String receiveOnly() {
      return Spmd.here(Ring.class).rank() == 3 ? Spmd.here(Ring.class).receive(1) : "";
    }

    public void reduceTo0() {
      if (Spmd.here(Ring.class).rank() > 0) {
        Spmd.here(Ring.class).reduce(0, 1, Integer::sum);
      }
    }

    /** Calls a member after the checkpoint has come to that. */
    public void callLate(int rank) throws InterruptedException {
      latch.await();
      Spmd.here(Ring.class).member(rank).add(5);
    }

    public void askForCheckpoint(Store to) {
      Spmd.here(Ring.class).group().checkpoint(to);
    }

    public void add(int more) {
      number += more;
    }

    public int passRight(int more) {
      right.add(more);
      return right.number();
    }

    public int sumOfAll() {
      return Group.of(all)
          .select(rank -> rank != Spmd.here(Ring.class).rank())
          .ask(Ring::number)
          .reduce(Integer::sum)
          .join();
    }

    public int number() {
      return number;
    }

    public List<Integer> taken() {
      return List.copyOf(taken);
    }

    public int arrivals() {
      return arrivals;
    }

    public String place() {
      return view.rank() + " of " + view.size() + " on " + ActiveObjects.node().name();
    }

    public void keepThread() {
      odd = new Thread();
    }

    public void dropThread() {
      odd = null;
    }
  }

  @BeforeEach
  void start() {
    nodes = LocalNodes.start(3);
    store = Store.directory(temporary.resolve("store"));
    ring = create();
  }

  private Ring create() {
    var made =
        Groups.on(nodes.nodes()).placed(Placement.roundRobin(MEMBERS)).<Ring>spmd(Ring.class, 0);
    Group.of(made).ask(Ring::begin).toList();
    return made;
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private static List<Integer> numbers(Ring of) {
    return Group.of(of).ask(Ring::number).toList();
  }

  private static void step(Ring of) {
    Group.of(of).ask(Ring::step).toList();
  }

  private Checkpoint checkpoint() throws Exception {
    return Group.of(ring).checkpoint(store).get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  private void assertFails(CompletableFuture<Checkpoint> checkpoint, String... why) {
    var thrown =
        assertThatThrownBy(() -> checkpoint.get(BOUND_SECONDS, TimeUnit.SECONDS))
            .cause()
            .isInstanceOf(CollectiveException.class)
            .hasMessageStartingWith("the checkpoint does not count: ");
    Arrays.stream(why).forEach(thrown::hasMessageContaining);
  }

  private List<String> images() throws IOException {
    try (var all = Files.list(temporary.resolve("store").resolve("journals"))) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aGroupGoesOnFromItsCheckpointOnFewerNodes() throws Exception {
    step(ring);
    var checkpoint = checkpoint();
    assertThat(checkpoint).isEqualTo(new Checkpoint(store, Ring.class.getName(), MEMBERS, 1));
    step(ring);
    Group.of(ring).terminate().join();

    var again = Groups.on(nodes.get(2), nodes.get(0)).restore(Ring.class, store);

    assertThat(numbers(again)).containsExactly(3, 0, 1, 2);
    assertThat(Group.of(again).ask(Ring::place).toList())
        .containsExactly(
            "0 of 4 on node-3", "1 of 4 on node-3", "2 of 4 on node-1", "3 of 4 on node-1");
    assertThat(Group.of(again).ask(Ring::arrivals).toList()).containsExactly(1, 1, 1, 1);
    step(again);
    assertThat(numbers(again)).containsExactly(2, 3, 0, 1);
    assertThat(Group.of(again).ask(Ring::taken).toList().getFirst()).containsExactly(3, 2);
  }

  @Test
  void referencesToMembersLeadToTheRestoredOnes() throws Exception {
    checkpoint(); // the former members live on

    var again = Groups.on(nodes.nodes()).restore(Ring.class, store);
    assertThat(Group.of(again).get(1).passRight(100)).isEqualTo(102);

    assertThat(Group.of(again).get(3).sumOfAll()).isEqualTo(103);
    assertThat(numbers(again)).containsExactly(0, 1, 102, 3);
    assertThat(numbers(ring)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aNewerCheckpointReplacesTheFormer() throws Exception {
    checkpoint();
    step(ring);
    assertThat(checkpoint().generation()).isEqualTo(2);

    assertThat(images()).hasSize(MEMBERS).allMatch(each -> each.matches(".*-2-[0-3]-4"));
    var again = Groups.on(nodes.nodes()).restore(Ring.class, store);
    assertThat(numbers(again)).containsExactly(3, 0, 1, 2);
    step(again);
    assertThat(Group.of(again).checkpoint(store).get(BOUND_SECONDS, TimeUnit.SECONDS).generation())
        .isEqualTo(3);
    assertThat(images()).hasSize(MEMBERS).allMatch(each -> each.matches(".*-3-[0-3]-4"));
  }

  @Test
  void requestsBehindACheckpointAreNoPartOfIt() throws Exception {
    List<CompletableFuture<Checkpoint>> all = new ArrayList<>();
    for (var i = 0; i < 5; i++) {
      Group.of(ring).tell(Ring::step);
      all.add(Group.of(ring).checkpoint(store));
    }
    Group.of(ring).tell(Ring::step);
    for (var each : all) {
      each.get(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    var again = Groups.on(nodes.nodes()).restore(Ring.class, store);
    assertThat(Group.of(again).ask(Ring::taken).toList().getFirst()).hasSize(5);
    assertThat(Group.of(ring).ask(Ring::taken).toList().getFirst()).hasSize(6);
    assertThat(images()).hasSize(MEMBERS);
  }

  @Test
  void aMessageThatWasNotReceivedMakesItFail() throws Exception {
    checkpoint();
    ring.sendOnly();
    assertFails(
        Group.of(ring).checkpoint(store),
        "member 3 has taken 0 messages of member 1, which had sent 1;"
            + " checkpoint when members are between two steps");

    assertThat(images()).allMatch(each -> each.matches(".*-1-[0-3]-4"));
    Group.of(ring).ask(Ring::receiveOnly).toList();
    assertThat(checkpoint().generation()).isEqualTo(2);
  }

  @Test
  void collectivesThatNotAllHaveCalledMakeItFail() {
    ring.reduceTo0();
    assertFails(
        Group.of(ring).checkpoint(store),
        "collectives of the group, and member",
        "between two steps");
    assertThat(numbers(ring)).hasSize(MEMBERS); // they serve on
  }

  /** Lets member 2 call another one that has been asked for a checkpoint before. */
  private CompletableFuture<Checkpoint> callDuringCheckpoint(int rank) {
    latch = new CountDownLatch(1);
    Group.of(ring).select(2).tell(each -> each.callLate(rank));
    var checkpoint = Group.of(ring).checkpoint(store);
    for (var node : nodes.list()) {
      ActiveObjects.on(node).create(Busy.class); // is created when the visit is in the queue
    }
    latch.countDown();
    return checkpoint;
  }

  @Test
  void aCallThatWasNotTakenMakesItFail() {
    assertFails(
        callDuringCheckpoint(1),
        "member 1 has not taken ",
        "add(",
        ", which member 2 had called; checkpoint when members are between two steps");
    assertThat(numbers(ring)).containsExactly(0, 6, 2, 3);
  }

  @Test
  void aCallOfAMemberOnItselfMakesItFail() {
    assertFails(
        callDuringCheckpoint(2), "member 2 has not taken ", "add(", ", which it had called");
    assertThat(numbers(ring)).containsExactly(0, 1, 7, 3);
  }

  @Test
  void aMemberMayAskForIt() throws Exception {
    step(ring);
    Group.of(ring).get(2).askForCheckpoint(store);
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    Optional<Ring> restored;
    do {
      assertThat(System.nanoTime()).isLessThan(deadline);
      restored = Groups.on(nodes.nodes()).restoreIfPresent(Ring.class, store);
    } while (restored.isEmpty());
    var again = restored.get();
    assertThat(numbers(again)).containsExactly(3, 0, 1, 2);
  }

  @Test
  void whatCannotBeEncodedIsNamed() throws Exception {
    Group.of(ring).get(2).keepThread();
    assertFails(Group.of(ring).checkpoint(store), "Ring.odd", "java.lang.Thread");
    Group.of(ring).get(2).dropThread();
    assertThat(checkpoint().generation()).isEqualTo(1);
  }

  @Test
  void aTerminatedMemberMakesItFail() throws Exception {
    ActiveObjects.ref(Group.of(ring).get(1)).terminate().join();
    assertFails(Group.of(ring).checkpoint(store), "terminated");
    assertThat(Group.of(ring).select(0, 2, 3).ask(Ring::number).toList()).containsExactly(0, 2, 3);
  }

  @Test
  void aLostMemberMakesItFail(LogRecords records) {
    records.allow(Level.WARNING, "");
    nodes.kill(1);
    assertFails(Group.of(ring).checkpoint(store), "node-2");
    assertThat(Group.of(ring).select(0, 2, 3).ask(Ring::number).toList()).containsExactly(0, 2, 3);
  }

  @Test
  void aMemberThatWaitsInAStepMakesItFail(LogRecords records) {
    records.allow(Level.WARNING, "has waited");
    System.setProperty("troupe.groups.patience", "1");
    try {
      var waiting = Group.of(ring).select(3).ask(Ring::receiveOnly);
      var checkpoint = Group.of(ring).checkpoint(store);
      Group.of(ring).get(1).sendOnly(); // held until the checkpoint has failed
      assertFails(checkpoint, "member 3 waits in a step for member 1, which holds its requests");
      assertThat(waiting.toList()).containsExactly("letter");
    } finally {
      System.clearProperty("troupe.groups.patience");
    }
  }

  @Test
  void onlyWholeGroupsInStepHaveCheckpoints() {
    assertFails(Group.of(ring).select(0, 1).checkpoint(store), "is no member of a group in step");
    var plain = Groups.on(nodes.nodes()).<Ring>create(Ring.class, 1);
    assertFails(Group.of(plain).checkpoint(store), "is no member of a group in step");
  }

  /** Serves requests concurrently. */
  public static class Busy {
    @Concurrent("a")
    public int answer() {
      return 42;
    }
  }

  @Test
  void concurrentMethodsAreRefused() {
    var busy = Groups.on(nodes.nodes()).<Busy>spmd(Busy.class);
    assertFails(Group.of(busy).checkpoint(store), "@Concurrent");
    assertThat(Group.of(busy).ask(Busy::answer).toList()).containsOnly(42);
  }

  @Test
  void anotherGroupOfTheTypeDoesNotReplaceACheckpoint() throws Exception {
    checkpoint();
    ring = create();
    assertFails(
        Group.of(ring).checkpoint(store),
        "has a checkpoint of another group of " + Ring.class.getName(),
        "restore that one, or give another store");
  }

  @Test
  void aStoreWithoutCheckpointIsAnError() {
    assertThat(Groups.on(nodes.nodes()).restoreIfPresent(Ring.class, store)).isEmpty();
    assertThatThrownBy(() -> Groups.on(nodes.nodes()).restore(Ring.class, store))
        .isInstanceOf(CollectiveException.class)
        .hasMessageContaining("has no complete checkpoint of a group of " + Ring.class.getName());
  }

  @Test
  void aLookForACheckpointCreatesNoStore() {
    var mistyped = Store.directory(temporary.resolve("mistyped"));
    assertThat(Groups.on(nodes.nodes()).restoreIfPresent(Ring.class, mistyped)).isEmpty();
    assertThat(temporary.resolve("mistyped")).doesNotExist();
  }

  @Test
  void aCheckpointOfWhichAnImageIsMissingIsTold(LogRecords records) throws Exception {
    checkpoint();
    var lost = images().stream().filter(each -> each.endsWith("-2-4")).findFirst().orElseThrow();
    var journals = temporary.resolve("store").resolve("journals");
    Files.move(journals.resolve(lost), temporary.resolve("lost"));

    assertThat(Groups.on(nodes.nodes()).restoreIfPresent(Ring.class, store)).isEmpty();

    var told = records.expect(Level.WARNING, "has no complete checkpoint of a group of");
    assertThat(told)
        .contains(temporary.resolve("store").toString())
        .contains("generation 1 has images of 3 of its 4 members, and none of member 2")
        .contains("files are missing, which a copy of the store may have");
  }

  @Test
  void aDamagedImageIsAnErrorThatNamesTheFile() throws Exception {
    checkpoint();
    Path image;
    try (var all = Files.walk(temporary)) {
      image =
          all.filter(each -> each.endsWith("image") && each.toString().contains("-1-2-4"))
              .findFirst()
              .orElseThrow();
    }
    var bytes = Files.readAllBytes(image);
    bytes[bytes.length / 2] ^= 1;
    Files.write(image, bytes);

    assertThatThrownBy(() -> Groups.on(nodes.nodes()).restore(Ring.class, store))
        .isInstanceOf(CollectiveException.class)
        .hasMessageStartingWith("member 2 could not be restored")
        .hasMessageContaining(image.toString());
  }

  @Test
  void aGenerationWithoutAllImagesIsPassedOver() throws Exception {
    checkpoint();
    var former = temporary.resolve("former");
    copy(temporary.resolve("store").resolve("journals"), former);
    step(ring);
    checkpoint();
    copy(former, temporary.resolve("store").resolve("journals"));
    var lost = images().stream().filter(each -> each.endsWith("-2-3-4")).findFirst().orElseThrow();
    try (var all = Files.walk(temporary.resolve("store").resolve("journals").resolve(lost))) {
      for (var each : all.filter(file -> file.endsWith("image")).toList()) {
        Files.delete(each); // as if the process had been killed before it was renamed
      }
    }

    var again = Groups.on(nodes.nodes()).restore(Ring.class, store);
    assertThat(numbers(again)).containsExactly(0, 1, 2, 3);
    Group.of(again).checkpoint(store).get(BOUND_SECONDS, TimeUnit.SECONDS);
    assertThat(images()).hasSize(MEMBERS).allMatch(each -> each.matches(".*-3-[0-3]-4"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (var each : all.toList()) {
        var target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target);
        }
      }
    }
  }

  @Test
  void aPlacementMustFit() throws Exception {
    checkpoint();
    assertThatThrownBy(
            () ->
                Groups.on(nodes.nodes()).placed(Placement.roundRobin(3)).restore(Ring.class, store))
        .hasMessageContaining("the placement has 3 places, and the group in the checkpoint 4");
    var again = Groups.on(nodes.nodes()).placed(Placement.roundRobin(4)).restore(Ring.class, store);
    assertThat(Group.of(again).ask(Ring::place).toList())
        .containsExactly(
            "0 of 4 on node-1", "1 of 4 on node-2", "2 of 4 on node-3", "3 of 4 on node-1");
  }

  @Test
  void aRestartFromTheConstructorIsRefused() throws Exception {
    checkpoint();
    assertThatThrownBy(
            () ->
                Groups.on(nodes.nodes())
                    .with(Options.STANDARD.withRestart(Restart.here()))
                    .restore(Ring.class, store))
        .hasMessageContaining("has no constructor arguments");
  }
}
