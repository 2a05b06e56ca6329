package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Options;
import org.troupe.deployment.Grid;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.program.Quick;

@Timeout(60)
class RunningGridTest {

  private static final int LINES = 3;

  private static Grid grid;

  /** Prints its argument. */
  public static class Speaker {

    public boolean say(String what) {
      System.out.println(what);
      return true;
    }
  }

  /** Can move. */
  public static class Mover {}

  @BeforeAll
  static void deploy() {
    grid = Grid.local(2, Quick.GRID);
  }

  @AfterAll
  static void end() throws IOException {
    grid.close();
    assertThat(RunningGrid.ofThisProgram(grid.run())).isEmpty();
  }

  private static RunningGrid ours() throws IOException {
    return RunningGrid.ofThisProgram(grid.run()).orElseThrow();
  }

  @Test
  void tellsHowItsNodesAreDoing() throws IOException {
    ActiveObjects.on(grid.nodes().first()).create(Speaker.class).say("here");
    var status = ours().status();

    assertThat(status.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(status.nodes())
        .extracting(GridStatus.NodeLine::name)
        .containsExactly("local-1", "local-2");
    assertThat(status.nodes())
        .allSatisfy(
            node -> {
              assertThat(node.state()).isEqualTo("joined");
              assertThat(node.load().heapUsedBytes()).isPositive();
              assertThat(node.load().threads()).isPositive();
            });
    assertThat(status.nodes().stream().mapToInt(node -> node.load().activeObjects()).sum())
        .isPositive();
  }

  @Test
  void listsItsObjects() throws Exception {
    var nodes = grid.nodes().list();
    var mover = ActiveObjects.on(nodes.getFirst()).create(Mover.class);
    ActiveObjects.register(nodes.getFirst(), "the mover", mover);
    ActiveObjects.ref(mover).move(nodes.get(1).id()).get(30, TimeUnit.SECONDS);

    var objects = ours().objects("", "Mover", 5);

    assertThat(objects.total().objects()).isEqualTo(1);
    assertThat(objects.nodes())
        .hasSize(3)
        .allSatisfy(each -> assertThat(each.isAnswered()).isTrue());
    assertThat(objects.classes())
        .extracting(GridObjects.ClassTotal::type)
        .containsExactly(Mover.class.getName());
    var line = objects.objects().getFirst();
    assertThat(line.node()).isEqualTo(nodes.get(1).name());
    assertThat(line.object()).startsWith(nodes.getFirst().name() + "/");
    assertThat(line.names()).containsExactly("the mover");
    assertThat(line.moves()).isEqualTo(1);
    assertThat(ours().objects(nodes.getFirst().name(), "Mover", 5).total().objects()).isZero();
    assertThat(ours().objects(nodes.getFirst().name(), "", 0).nodes().getFirst().forwarders())
        .isEqualTo(1);
    assertThatThrownBy(() -> ours().objects("local-3", "", 5))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("there is no node 'local-3'; there are local-1, local-2");
  }

  /** Works, and fails on request. */
  public static class Clerk {

    public int work() {
      return 1;
    }

    public int count() { // called by one test
      return 1;
    }

    public void fail() {
      throw new IllegalStateException("a failure of the test");
    }
  }

  @Test
  void statusTellsWhatTheNodesDo() throws Exception {
    var clerk = ActiveObjects.on(grid.nodes().first()).create(Clerk.class);
    for (var i = 0; i < 25; i++) {
      clerk.count();
    }
    ActiveObjects.ref(clerk).ask(Clerk::count).get(30, TimeUnit.SECONDS);

    var activity = ours().status().activity();

    assertThat(activity.methods())
        .filteredOn(
            each -> each.type().equals(Clerk.class.getName()) && each.method().equals("count()"))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.served()).isEqualTo(26);
              assertThat(each.failed()).isZero();
              assertThat(each.node()).isEqualTo(grid.nodes().first().name());
            });
    assertThat(activity.pairs())
        .anySatisfy(each -> assertThat(each.messages()).isPositive())
        .anySatisfy(each -> assertThat(each.driver()).isNotEmpty());
  }

  @Test
  void watchingShowsChangesUntilTheClientHasEnough() throws Exception {
    var clerk = ActiveObjects.on(grid.nodes().first()).create(Clerk.class);
    List<WatchRecord> records = new ArrayList<>();
    ours()
        .watch(
            Duration.ofSeconds(1),
            "",
            "",
            line -> {
              var record = WatchCodec.record(line).orElseThrow();
              records.add(record);
              clerk.work();
              return records.stream().filter(WatchRecord.Round.class::isInstance).count() < 3;
            });

    assertThat(records.getFirst())
        .isInstanceOfSatisfying(
            WatchRecord.Begin.class,
            begin -> {
              assertThat(begin.version()).isEqualTo(WatchRecord.VERSION);
              assertThat(begin.run()).isEqualTo(grid.run());
            });
    assertThat(records)
        .filteredOn(WatchRecord.Node.class::isInstance)
        .extracting(each -> ((WatchRecord.Node) each).node())
        .contains("local-1", "local-2");
    assertThat(records)
        .filteredOn(each -> each instanceof WatchRecord.Node its && its.element().isEmpty())
        .isNotEmpty(); // the program itself
    assertThat(records)
        .filteredOn(WatchRecord.Event.class::isInstance)
        .extracting(each -> ((WatchRecord.Event) each).event())
        .contains("joined");
    assertThat(records)
        .filteredOn(
            each ->
                each instanceof WatchRecord.Method its && its.type().equals(Clerk.class.getName()))
        .isNotEmpty();
    assertThat(records)
        .filteredOn(each -> each instanceof WatchRecord.Node its && its.load() != null)
        .allSatisfy(
            each -> assertThat(((WatchRecord.Node) each).load().clockErrorSeconds()).isPositive());
  }

  /** Waits for another object. */
  public static class Asker {

    public int ask(Sleeper other) {
      return other.wake();
    }
  }

  /** Serves one request until another one, which overtakes, lets it go on. */
  public static class Sleeper {
    private final CountDownLatch isOver = new CountDownLatch(1);

    public void sleep() {
      try {
        isOver.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    public int wake() {
      return 1;
    }

    @Immediate
    public void end() {
      isOver.countDown();
    }
  }

  /** Returns the rows of the stream until one is found. */
  private static <R extends WatchRecord> R awaited(Class<R> kind, Predicate<? super R> isIt)
      throws IOException {
    List<R> found = new ArrayList<>();
    ours()
        .watch(
            Duration.ofSeconds(1),
            "",
            "",
            line -> {
              WatchCodec.record(line)
                  .filter(kind::isInstance)
                  .map(kind::cast)
                  .filter(isIt)
                  .ifPresent(found::add);
              return found.isEmpty();
            });
    return found.getFirst();
  }

  @Test
  void aWaitHasBothEndsAndTheLineOfTheProgramAndTheObjectBehindItTellsWhatItDoes()
      throws Exception {
    var sleeper = ActiveObjects.on(grid.nodes().list().get(1)).create(Sleeper.class);
    var asker = ActiveObjects.on(grid.nodes().first()).create(Asker.class);
    var slept = ActiveObjects.ref(sleeper).tell(Sleeper::sleep);
    var asked = ActiveObjects.ref(asker).ask(each -> each.ask(sleeper));
    try {
      var row =
          awaited(
              WatchRecord.Waits.class,
              each -> each.waits().stream().anyMatch(one -> one.type().contains("Asker")));
      var wait =
          row.waits().stream().filter(each -> each.type().contains("Asker")).findFirst().get();

      assertThat(wait.kind()).isEqualTo("reply");
      assertThat(wait.awaitedNode()).isEqualTo(grid.nodes().list().get(1).name());
      assertThat(wait.awaitedMethod()).isEqualTo("Sleeper.wake()");
      assertThat(wait.line()).contains("Asker.ask(RunningGridTest.java:");

      var slash = wait.awaitedObject().indexOf('/');
      var object =
          ours()
              .object(
                  wait.awaitedObject().substring(0, slash),
                  Long.parseLong(wait.awaitedObject().substring(slash + 1)));
      assertThat(object.type()).isEqualTo(Sleeper.class.getName());
      assertThat(object.node()).isEqualTo(wait.awaitedNode());
      assertThat(object.serving())
          .singleElement()
          .satisfies(each -> assertThat(each.method()).isEqualTo("Sleeper.sleep()"));
      assertThat(object.queue())
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.method()).isEqualTo("Sleeper.wake()");
                assertThat(each.caller()).endsWith("Asker " + wait.object());
              });
    } finally {
      sleeper.end();
    }
    assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    slept.get(30, TimeUnit.SECONDS);
  }

  /** Serves two requests at a time. */
  public static class Pair {
    private final CountDownLatch both = new CountDownLatch(2);
    private final CountDownLatch isOver = new CountDownLatch(1);

    @Concurrent("meetings")
    public void meet() throws InterruptedException {
      both.countDown();
      isOver.await();
    }

    @Immediate
    public boolean areBoth() throws InterruptedException {
      return both.await(30, TimeUnit.SECONDS);
    }

    @Immediate
    public void end() {
      isOver.countDown();
    }
  }

  @Test
  void anObjectTellsAllThatItServesAndOnWhichThreadsAndWhoRefersToIt() throws Exception {
    var node = grid.nodes().first();
    var pair = ActiveObjects.on(node).with(Options.STANDARD.withParallelism(2)).create(Pair.class);
    var ref = ActiveObjects.ref(pair);
    var calls = List.of(ref.tell(Pair::meet), ref.tell(Pair::meet));
    assertThat(pair.areBoth()).isTrue();
    var line = ours().objects(node.name(), "Pair", 1).objects().getFirst();

    var object =
        ours()
            .object(node.name(), Long.parseLong(line.object().substring(node.name().length() + 1)));

    assertThat(object.serving())
        .extracting(GridObject.Request::method)
        .containsExactly("Pair.meet()", "Pair.meet()");
    assertThat(object.parallelism()).isEqualTo(2);
    assertThat(object.threads()).isEqualTo("a virtual thread for each request");
    assertThat(object.holders()).containsExactly("main");
    pair.end();
    for (var each : calls) {
      each.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aPairTellsTheAddressesOfItsConnection() throws Exception {
    var first = grid.nodes().first();
    ActiveObjects.on(first).create(Clerk.class).work();

    var addresses = ours().pair("main", first.name()).addresses();

    assertThat(addresses.remote() + addresses.file()).isNotEmpty();
  }

  @Test
  void aPairOfANodeThatDoesNotExistIsRefusedWithTheNamesOfThoseThatDo() {
    var message = "there is no node 'none'; there are local-1, local-2";

    assertThatThrownBy(() -> ours().pair("local-1", "none"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> ours().pair("none", "local-1"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage(message);
  }

  @Test
  void aNodeTellsItsHeapAfterTheLastCollection() throws Exception {
    ours().act(new RunAction.CollectGarbage("local-1"));

    var load =
        awaited(
                WatchRecord.Node.class,
                each ->
                    each.node().equals("local-1")
                        && each.load() != null
                        && each.load().heapKeptBytes() > 0)
            .load();

    assertThat(load.heapKeptBytes()).isLessThan(load.heapMostBytes());
  }

  @Test
  void anObjectThatIsNowhereIsRefused() {
    assertThatThrownBy(() -> ours().object("local-1", 987_654))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageStartingWith("no node has an object local-1/987654 now");
  }

  @Test
  void anElementHasARowWithItsCommandAndItsNodes() throws Exception {
    var job = awaited(WatchRecord.Job.class, each -> each.joined() == 2);

    assertThat(job.system()).isEqualTo("local");
    assertThat(job.id()).isEqualTo("local");
    assertThat(job.state()).isEqualTo("running");
    assertThat(job.jvms()).isEqualTo(2);
    assertThat(job.command()).contains("java");
  }

  @Test
  void wrongRowsOfTheStreamAreRefused() {
    assertThatThrownBy(() -> ours().watch(Duration.ofSeconds(1), "rows", "", _ -> true))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage(
            "there are no rows of the kind 'rows'; choose from nodes, methods, queues, waits,"
                + " collectives, cycles, classes, pairs, failures, events, jobs, vitals,"
                + " panels");
  }

  @Test
  void theTierChangesOnAllNodesWhileTheyRun() throws Exception {
    var clerk = ActiveObjects.on(grid.nodes().first()).create(Clerk.class);
    try {
      assertThat(ours().act(new RunAction.Observe("times", 0)).silent()).isEmpty();
      clerk.work();

      var status = ours().status();
      assertThat(status.nodes()).allMatch(each -> each.load().observed().equals("times"));
      assertThat(status.activity().methods())
          .filteredOn(each -> each.type().equals(Clerk.class.getName()))
          .anySatisfy(each -> assertThat(each.services().samples()).isPositive());
    } finally {
      ours().act(new RunAction.Observe("counts", 0));
    }
    assertThatThrownBy(() -> ours().act(new RunAction.Observe("all", 0)))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("there is no tier of observation 'all'; choose from off, counts, times, trace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trace", "trace times"})
  void tiersForSomeTimeEndByThemselves(String tiers) throws Exception {
    var seconds = 1;
    for (var each : tiers.split(" ")) {
      ours().act(new RunAction.Observe(each, seconds++));
    }
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!ours().status().nodes().stream()
        .allMatch(each -> each.load().observed().equals("counts"))) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }

  @Test
  void showsWhatThreadsDo() throws IOException {
    assertThat(ours().stack("local-2")).contains("== node 'local-2'").contains("NodeMain.main");
    assertThat(ours().stack("")).contains("== this program").contains("== node 'local-1'");
    assertThatThrownBy(() -> ours().stack("local-3"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("there is no node 'local-3'; there are local-1, local-2");
  }

  @Test
  void givesOutWhatNodesPrint() throws Exception {
    var node = // nodes join in any order
        grid.nodes().list().stream().filter(each -> each.name().equals("local-2")).findFirst();
    var speaker = ActiveObjects.on(node.orElseThrow()).create(Speaker.class);
    speaker.say("before");
    var lines = new LinkedBlockingQueue<String>();
    var following =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    ours().logs("local-2", true, lines::add);
                  } catch (IOException e) {
                    lines.add(e.toString());
                  }
                });
    List<String> heard = new ArrayList<>();
    for (var said = 1; heard.size() <= LINES; said++) {
      speaker.say("line " + said);
      for (String line;
          heard.size() <= LINES && (line = lines.poll(10, TimeUnit.SECONDS)) != null; ) {
        heard.add(line);
        if (line.equals("[local-2] line " + said)) {
          break;
        }
      }
    }
    assertThat(heard)
        .contains("[local-2] before", "[local-2] line 1", "[local-2] line 2", "[local-2] line 3");
    assertThat(following.isAlive()).isTrue();

    List<String> known = new ArrayList<>();
    ours().logs("local-2", false, known::add);
    assertThat(known).containsAll(heard);
  }
}
