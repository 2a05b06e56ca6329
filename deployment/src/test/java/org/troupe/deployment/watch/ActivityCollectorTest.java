package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.hosting.NodeVitals;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.testing.Polling;

/** Clients get what has changed, and nodes are asked only while there is one. */
@Timeout(60)
class ActivityCollectorTest {

  private static final Duration SHORT = Duration.ofMillis(1);

  private final Map<String, Long> served = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<NodeReport>> unanswered = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final EventLog events = new EventLog();
  private final FlightRing past = new FlightRing();
  private final Map<String, List<NodeEvent>> nodeEvents = new ConcurrentHashMap<>();
  private final Map<String, List<NodeActivity.WaitLine>> waits = new ConcurrentHashMap<>();
  private final List<String> names = new ArrayList<>(List.of("n1", "n2"));
  private volatile boolean isEnding;
  private volatile Runnable onLook = () -> {};
  private final ActivityCollector collector = new ActivityCollector(new Simulated(), past, SHORT);

  private final class Simulated implements WatchedGrid {

    @Override
    public List<AskedNode> nodes() {
      return names.stream()
          .map(
              name ->
                  new AskedNode(
                      new WatchRecord.Node(
                          name, "", "h", "", List.of(), "joined", "", 0, false, null),
                      asking(name)))
          .toList();
    }

    @Override
    public void happened(String node, NodeEvent event) {
      events.add(event.millis(), event.kind().toString(), node, event.text());
    }

    @Override
    public List<WatchRecord.Event> events(long from) {
      return events.from(from);
    }

    @Override
    public List<WatchRecord.Panel> panels() {
      return List.of(
          new WatchRecord.Panel(
              "heat", List.of(), List.of(), List.of(), List.of("a line"), List.of(), "", false));
    }

    @Override
    public boolean isEnding() {
      onLook.run();
      return isEnding;
    }
  }

  /** A report that has arrived when the test says so. */
  private record FutureReport(CompletableFuture<NodeReport> future) implements AwaitedReport {

    @Override
    public NodeReport get(long nanos)
        throws InterruptedException, ExecutionException, TimeoutException {
      return future.get(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public long arrivedNanos() {
      return System.nanoTime();
    }
  }

  private WatchedGrid.Asking asking(String name) {
    return new WatchedGrid.Asking() {

      @Override
      public AwaitedReport ask() {
        asked.incrementAndGet();
        var late = unanswered.get(name);
        return new FutureReport(
            late != null ? late : CompletableFuture.completedFuture(report(name)));
      }

      @Override
      public CompletableFuture<List<NodeEvent>> events(long behind) {
        var all = nodeEvents.getOrDefault(name, List.of());
        return CompletableFuture.completedFuture(all.subList((int) behind, all.size()));
      }
    };
  }

  private NodeReport report(String name) {
    var count = served.getOrDefault(name, 1L);
    var activity =
        new NodeActivity(
            ObservationTier.COUNTS,
            0,
            count,
            0,
            List.of(
                new NodeActivity.MethodLine(
                    "acme.Worker",
                    "step()",
                    count,
                    count,
                    0,
                    NodeActivity.Times.NONE,
                    NodeActivity.Times.NONE)),
            List.of(),
            waits.getOrDefault(name, List.of()),
            List.of(),
            List.of(),
            List.of(new FailureGroup(FailureGroup.Kind.ONE_WAY, "step()", "E", "", 1, 2, 3, "")),
            List.of(),
            0,
            0,
            nodeEvents.getOrDefault(name, List.of()).size());
    return new NodeReport(1, 2, 0, 3, 4, 0, 0, 0, 1, 0, 0, 0, "", activity);
  }

  private ActivityCollector.Client watch(String cursor) {
    return collector.watch(SHORT, WatchScope.named(""), cursor);
  }

  private static List<String> methods(List<WatchRecord> records) {
    return records.stream()
        .filter(WatchRecord.Method.class::isInstance)
        .map(each -> ((WatchRecord.Method) each).node())
        .toList();
  }

  private static String cursor(List<WatchRecord> records) {
    return ((WatchRecord.Round) records.getLast()).cursor();
  }

  /** Returns the first round that has a row of a method. */
  private static List<WatchRecord> nextChange(ActivityCollector.Client client)
      throws InterruptedException {
    while (true) {
      var records = client.next();
      if (!methods(records).isEmpty()) {
        return records;
      }
    }
  }

  @Test
  void theFirstRoundHasAllRowsAndLaterOnesTheChanges() throws InterruptedException {
    try (var client = watch("")) {
      var first = client.next();
      assertThat(client.isWhole()).isTrue();
      assertThat(methods(first)).containsExactly("n1", "n2");
      assertThat(first).filteredOn(WatchRecord.Node.class::isInstance).hasSize(2);
      assertThat(first).filteredOn(WatchRecord.Failure.class::isInstance).hasSize(2);

      served.put("n2", 5L);
      var changed = nextChange(client);
      assertThat(methods(changed)).containsExactly("n2");
      assertThat(changed).filteredOn(WatchRecord.Failure.class::isInstance).isEmpty();
    }
  }

  @Test
  void aRoundHasTheNodesInTheOrderOfTheirNames() throws InterruptedException {
    names.add("n10");
    try (var first = watch("")) {
      first.next();
      served.put("n1", 5L); // its row is the last one that has changed
      while (!methods(first.next()).equals(List.of("n1"))) {
        // another round
      }
      try (var later = watch("")) {
        assertThat(later.next())
            .filteredOn(WatchRecord.Node.class::isInstance)
            .extracting(each -> ((WatchRecord.Node) each).node())
            .containsExactly("n1", "n2", "n10");
      }
    }
  }

  @Test
  void aClientThatComesBackWithItsCursorGetsWhatItHasMissed() throws InterruptedException {
    try (var other = watch("")) {
      String cursor;
      try (var client = watch("")) {
        cursor = cursor(client.next());
      }
      served.put("n1", 7L);
      nextChange(other);
      while (!methods(other.next()).isEmpty()) {
        // until the change is in a round that is over
      }
      try (var again = watch(cursor)) {
        assertThat(again.isWhole()).isFalse();
        assertThat(methods(nextChange(again))).containsExactly("n1");
      }
    }
  }

  @Test
  void aCursorOfAnotherCollectorGetsAllRows() throws InterruptedException {
    for (var cursor : List.of("beef-3", "beef", "-", "beef-x", "3")) {
      try (var client = watch(cursor)) {
        assertThat(client.isWhole()).isTrue();
        assertThat(methods(client.next())).contains("n1", "n2");
      }
    }
  }

  @Test
  void aClientThatComesLateGetsThePastOnce() throws InterruptedException {
    for (var second = 0L; second < 3; second++) {
      past.add(
          "n1",
          1_000 * second,
          TimeUnit.SECONDS.toNanos(second),
          new NodeVitals(1, 2, 0, 0, 0, 0, 10 * second, 0, 0));
    }
    String cursor;
    try (var client = collector.watch(SHORT, WatchScope.named("vitals"), "")) {
      var first = client.next();
      assertThat(first).hasSize(2);
      assertThat(((WatchRecord.Vitals) first.getFirst()).timeMillis())
          .containsExactly(1_000L, 2_000L);
      cursor = cursor(first);
      assertThat(client.next()).hasSize(1);
    }
    try (var again = collector.watch(SHORT, WatchScope.named("vitals"), cursor)) {
      assertThat(again.next()).hasSize(1);
    }
    try (var other = watch("")) {
      assertThat(other.next()).noneMatch(WatchRecord.Vitals.class::isInstance);
    }
  }

  @Test
  void aClientGetsTheRowsThatItAskedFor() throws InterruptedException {
    try (var client = collector.watch(SHORT, WatchScope.named("failures"), "")) {
      assertThat(client.next())
          .hasSize(3)
          .allMatch(
              each -> each instanceof WatchRecord.Failure || each instanceof WatchRecord.Round);
    }
  }

  @Test
  void panelsAreForClientsThatNameThem() throws InterruptedException {
    try (var client = collector.watch(SHORT, WatchScope.named("panels"), "");
        var other = watch("")) {
      assertThat(client.next())
          .extracting(each -> each.key().replaceFirst("\t", " "))
          .containsExactly("panel heat", "round");
      assertThat(client.next()).as("an equal panel").hasSize(1);
      assertThat(other.next()).noneMatch(WatchRecord.Panel.class::isInstance);
    }
  }

  @Test
  void aClientWaitsForALateRoundWithoutLookingAllTheTime() throws InterruptedException {
    var client = watch("");
    var reader = Thread.currentThread();
    List<Long> looks = new ArrayList<>();
    onLook =
        () -> {
          if (Thread.currentThread() == reader) {
            looks.add(System.nanoTime());
            if (looks.size() == 3) {
              unanswered.remove("n2").complete(report("n2"));
            }
          }
        };
    try (client) {
      do { // a round may have begun before
        unanswered.putIfAbsent("n2", new CompletableFuture<>());
        looks.clear();
        client.next();
      } while (looks.size() < 3);
    }

    assertThat(Duration.ofNanos(looks.get(2) - looks.get(1))).isGreaterThan(Duration.ofMillis(100));
  }

  @Test
  void nodesAreAskedOnlyWhileThereIsAClient() throws Exception {
    assertThat(collector.isCollecting()).isFalse();
    try (var client = watch("")) {
      client.next();
      client.next();
      assertThat(collector.isCollecting()).isTrue();
    }
    Polling.until("it has asked for the last time", () -> !collector.isCollecting());
    var before = asked.get();

    try (var next = watch("")) {
      assertThat(methods(next.next())).containsExactly("n1", "n2");
    }
    assertThat(asked.get()).isGreaterThan(before);
  }

  @Test
  void aSilentNodeDelaysNobodyForLongAndKeepsItsLastAnswer() throws InterruptedException {
    try (var client = watch("")) {
      client.next();
      unanswered.put("n1", new CompletableFuture<>());
      served.put("n2", 9L);
      var records = nextChange(client);
      while (((WatchRecord.Round) records.getLast()).silent() == 0) {
        records = client.next();
      }
      assertThat(records)
          .filteredOn(each -> each instanceof WatchRecord.Node node && node.node().equals("n1"))
          .singleElement()
          .satisfies(
              each -> {
                assertThat(((WatchRecord.Node) each).isSilent()).isTrue();
                assertThat(((WatchRecord.Node) each).load()).isNotNull();
              });
    }
  }

  @Test
  void eventsArePassedOnInTheirOrder() throws InterruptedException {
    events.add("joined", "n1", "");
    events.add("left", "n1", "signal 9");
    try (var client = watch("")) {
      assertThat(client.next())
          .filteredOn(WatchRecord.Event.class::isInstance)
          .extracting(each -> ((WatchRecord.Event) each).event())
          .containsExactly("joined", "left");
    }
  }

  @Test
  void eventsOfSeveralNodesAreInTheOrderOfTheirTimes() throws InterruptedException {
    nodeEvents.put("n1", List.of(new NodeEvent(1, 9, NodeEvent.Kind.MOVED, "later")));
    nodeEvents.put("n2", List.of(new NodeEvent(1, 5, NodeEvent.Kind.RESTARTED, "earlier")));
    try (var client = watch("")) {
      assertThat(client.next())
          .filteredOn(WatchRecord.Event.class::isInstance)
          .extracting(each -> ((WatchRecord.Event) each).text())
          .containsExactly("earlier", "later");
    }
  }

  @Test
  void cyclesAreRowsAndOtherEventsOfNodesAreEventsOfTheGrid() throws InterruptedException {
    nodeEvents.put(
        "n2",
        List.of(
            new NodeEvent(1, 5, NodeEvent.Kind.CYCLE, "these waits could never end"),
            new NodeEvent(2, 6, NodeEvent.Kind.MOVED, "Worker has come")));
    try (var client = watch("")) {
      var first = client.next();

      assertThat(first).contains(new WatchRecord.Cycle("n2", 1, 5, "these waits could never end"));
      assertThat(first).contains(new WatchRecord.Event(1, 6, "moved", "n2", "Worker has come"));
      assertThat(client.next()) // once
          .noneMatch(
              each -> each instanceof WatchRecord.Cycle || each instanceof WatchRecord.Event);
    }
  }

  @Test
  void membersThatWaitAndThoseThatAreMissingMakeARowOfTheirGroup() throws InterruptedException {
    waits.put("n1", List.of(wait(0, List.of(1, 3)), wait(2, List.of(1, 3))));
    waits.put("n2", List.of(wait(1, List.of(3))));
    try (var client = watch("")) {
      assertThat(client.next())
          .contains(
              new WatchRecord.Collective(
                  "a-1", "acme.Worker", 4, "barrier()", List.of(0, 1, 2), List.of(3), 0.5));
      waits.clear();
      var over = client.next();
      while (over.stream().noneMatch(WatchRecord.Collective.class::isInstance)) {
        over = client.next();
      }
      assertThat(over)
          .contains(
              new WatchRecord.Collective("a-1", "acme.Worker", 4, "", List.of(), List.of(), 0));
    }
  }

  @Test
  void theRowsOfANodeThatChangedFirstMakeRoomForNewOnes() throws InterruptedException {
    IntStream.rangeClosed(1, 20).forEach(this::addCycle); // as many as a node may have
    try (var client = watch("")) {
      assertThat(cycles(client.next())).isEqualTo(numbers(1, 20));
      String cursor;
      addCycle(21);
      try (var other = watch("")) {
        var records = other.next();
        while (!cycles(records).contains(21L)) {
          records = other.next();
        }
        cursor = cursor(records);
      }
      assertThat(((WatchRecord.Round) client.next().getLast()).dropped()).isEqualTo(1);
      try (var late = watch("")) {
        assertThat(cycles(late.next())).isEqualTo(numbers(2, 21));
      }
      addCycle(22);
      try (var other = watch(cursor)) {
        var records = other.next();
        while (cycles(records).isEmpty()) {
          records = other.next();
        }
        assertThat(cycles(records)).containsExactly(22L);
        assertThat(((WatchRecord.Round) records.getLast()).dropped()).isEqualTo(2);
      }
    }
  }

  private void addCycle(int number) {
    nodeEvents.merge(
        "n1",
        List.of(new NodeEvent(number, number, NodeEvent.Kind.CYCLE, "cycle " + number)),
        (before, added) -> Stream.concat(before.stream(), added.stream()).toList());
  }

  private static List<Long> cycles(List<WatchRecord> records) {
    return records.stream()
        .filter(WatchRecord.Cycle.class::isInstance)
        .map(each -> ((WatchRecord.Cycle) each).number())
        .toList();
  }

  private static List<Long> numbers(int first, int last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private static NodeActivity.WaitLine wait(int rank, List<Integer> missing) {
    return new NodeActivity.WaitLine(
        "n/" + rank,
        "acme.Worker",
        "step()",
        NodeActivity.WaitKind.BARRIER,
        "barrier()",
        "",
        "",
        "",
        500_000,
        0,
        "",
        new NodeActivity.GroupPlace("a-1", rank, 4, missing));
  }

  @Test
  void theEndOfTheGridEndsTheStream() throws Exception {
    var client = watch("");
    client.next();
    isEnding = true;
    while (!client.next().isEmpty()) {
      // a round may have been under way
    }
    client.close();
  }

  @Test
  void aClientSleepsUntilARoundOrTheEndWakesIt() throws Exception {
    var isOver = new CompletableFuture<Void>();
    var waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (var client = watch("")) {
                    while (!client.next().isEmpty()) {
                      // the pauses between rounds become longer, since nothing happens
                    }
                    isOver.complete(null);
                  } catch (InterruptedException e) {
                    isOver.completeExceptionally(e);
                  }
                });
    Polling.until("it waits without a limit", () -> waiting.getState() == Thread.State.WAITING);

    isEnding = true;
    collector.gridEnds();

    isOver.get(30, TimeUnit.SECONDS);
  }

  @Test
  void aClientThatDoesNotReadHoldsUpNoOther() throws InterruptedException {
    try (var stalled = watch("");
        var other = watch("")) {
      stalled.next();
      for (var i = 2; i < 50; i++) {
        served.put("n1", (long) i);
        other.next();
      }
      served.put("n1", 1_000L);
      var latest = new CountDownLatch(1);
      while (latest.getCount() > 0) {
        other.next().stream()
            .filter(each -> each instanceof WatchRecord.Method its && its.served() == 1_000)
            .forEach(_ -> latest.countDown());
      }
      assertThat(methods(stalled.next())).containsExactly("n1"); // once, with the last state
    }
  }

  @Test
  void aThousandNodesAreCollectedInBoundedRows() throws InterruptedException {
    names.clear();
    IntStream.range(0, 1_000).forEach(i -> names.add("n" + i));
    try (var client = watch("")) {
      var first = client.next();
      assertThat(client.intervalSeconds()).isBetween(3.9, 4.0);
      assertThat(methods(first)).hasSize(1_000);
      assertThat(((WatchRecord.Round) first.getLast()).nodes()).isEqualTo(1_000);
    }
  }
}
