package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.futures.Futures;
import org.troupe.groups.spmd.Part;

/** What becomes of the answers of members: their order, their failures, their time. */
@Timeout(120)
class AnswersTest {

  /** One for each member; it keeps its answers back until it is open. */
  private static volatile List<CountDownLatch> open;

  public static class Page {
    private final int number;

    Page(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    public void print(int fault) {
      if (number == fault) {
        throw new IllegalStateException("no paper for " + number);
      }
    }
  }

  public static class Writer {
    private final int rank;

    public Writer(int rank) {
      this.rank = rank;
    }

    public int rank() {
      return rank;
    }

    public int rankWhenOpen() throws InterruptedException {
      open.get(rank).await();
      return rank;
    }

    public Page pageWhenOpen() {
      try {
        open.get(rank).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return new Page(rank);
    }

    public Page page() {
      return new Page(rank);
    }

    public void fail(int fault) {
      if (rank == fault) {
        throw new IllegalStateException("no ink for " + rank);
      }
    }

    public Writer writerWhenOpen(Writer other) throws InterruptedException {
      open.get(rank).await();
      return other;
    }

    public Report reportOf(Results<Integer> ranks, Results<Page> pages) {
      var sum = new Page(ranks.stream().mapToInt(each -> each).sum());
      return new Report(ranks.toString(), sum, pages.all());
    }

    public CompletableFuture<String> endsOf(Writer others) {
      var stage = Group.of(others).terminate();
      return stage.thenApply(none -> ActiveObjects.self(Writer.class).toString());
    }
  }

  public record Report(String ranks, Page sum, Page pages) {}

  /** Calls what is still on its way, and hears of what fails. */
  public static class Sender implements FailureHandler {
    static final BlockingQueue<CallFailure> HEARD = new LinkedBlockingQueue<>();

    public void sendTo(CompletableFuture<Writer> later) {
      Writer coming = Futures.resultOf(later).asTransparent(Writer.class);
      Groups.of(Writer.class, List.of(coming)).fail(1);
    }

    @Override
    public void failed(CallFailure failure) {
      HEARD.add(failure);
    }
  }

  private final BlockingQueue<CallFailure> heard = new LinkedBlockingQueue<>();
  private final LocalNodes nodes = LocalNodes.start(3);
  private final Group<Writer> group =
      Group.of(Groups.on(nodes.list()).create(Writer.class, Scatter.byRank(rank -> rank)));

  @BeforeEach
  void begin() {
    open = IntStream.range(0, 3).mapToObj(rank -> new CountDownLatch(1)).toList();
    ActiveObjects.onFailure(heard::add);
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
    open.forEach(CountDownLatch::countDown);
    nodes.close();
  }

  /** Lets the answer of a member come; when this returns it has arrived. */
  private void open(int rank) throws Exception {
    open.get(rank).countDown();
    // This one comes behind it, on the same way.
    ActiveObjects.ref(group.get(rank)).ask(Writer::rank).get(60, TimeUnit.SECONDS);
  }

  @Test
  void knowInWhichOrderTheyCameAlsoLater() throws Exception {
    var ranks = group.ask(Writer::rankWhenOpen);
    Page pages = group.all().pageWhenOpen();
    var printed = group.all().pageWhenOpen();
    printed.print(-1);
    for (var rank : List.of(2, 0, 1)) {
      open(rank);
      assertThat(ranks.get(rank)).isEqualTo(rank);
      Futures.await(Group.of(printed).get(rank)); // on a thread of its own
    }
    assertThat(ranks.arrived().map(MemberOutcome::rank)).containsExactly(2, 0, 1);
    assertThat(Group.of(pages).results().arrived().map(MemberOutcome::value).map(Page::number))
        .containsExactly(2, 0, 1);
    assertThat(Group.of(pages).results().awaitAny().value().number()).isEqualTo(2);
  }

  @Test
  void thatFailReachTheHandlerIfNobodyReadsThem() throws Exception {
    group.tell(writer -> writer.fail(1)); // nobody keeps what it returns
    var failure = heardOf();
    assertThat(failure.call()).isEqualTo("Writer.fail(int) on all of 3 members");
    assertThat(failure.cause())
        .isInstanceOf(GroupCallException.class)
        .hasMessageContaining("rank 1 (node 'node-2')")
        .hasMessageContaining("no ink for 1");
    assertThat(heard).isEmpty();
  }

  @Test
  void thatFailReachNobodyElseIfTheyAreRead() throws Exception {
    assertThat(group.tell(writer -> writer.fail(0)).handle((none, failure) -> failure).get())
        .isInstanceOf(GroupCallException.class);
    group.tell(writer -> writer.fail(1));
    assertThat(heardOf().cause()).hasMessageContaining("no ink for 1");
    assertThat(heard).as("of the one that was read").isEmpty();
  }

  @Test
  void ofCallsOnResultsThatFailReachTheHandlerOnceIfNobodyReadsThem() throws Exception {
    printTwice();
    var failure = heardOf();
    assertThat(failure.call()).startsWith("Page.print(int) on Writer.page() on node 'node-2'");
    assertThat(failure.cause()).hasMessage("no paper for 1");
    assertThat(heard).isEmpty();
  }

  @Test
  void ofCallsOnResultsThatHadFailedBeforeReachTheHandlerOnceIfNobodyReadsThem() throws Exception {
    printAgainLater();
    assertThat(heardOf().cause()).hasMessage("no paper for 1");
    assertThat(heard).isEmpty();
  }

  private void printAgainLater() {
    Page pages = group.all().page();
    pages.print(1);
    Part.until(() -> !Group.of(pages).results().isAwaited());
    pages.print(0); // the answer of rank 1 has failed by now; that of rank 0 fails
    Part.until(() -> !Group.of(pages).results().isAwaited());
    assertThat(Group.of(pages).select(0).results().outcomes())
        .allMatch(MemberOutcome.Failure.class::isInstance);
  }

  private void printTwice() {
    Page pages = group.all().page();
    pages.print(1);
    pages.print(2); // on the failed one, that is the same failure
    Part.until(
        () -> !Group.of(pages).results().isAwaited()); // to wait for them would be to ask for them
    assertThat(Group.of(pages).select(2).results().outcomes()) // who reads it needs no handler
        .allMatch(MemberOutcome.Failure.class::isInstance);
  }

  @Test
  void ofCallsOnResultsThatFailAreSeenByWhoReadsThem() throws Exception {
    Page pages = group.all().page();
    pages.print(1);
    assertThat(Group.of(pages).results().outcomes())
        .satisfiesExactly(
            one -> assertThat(one).isInstanceOf(MemberOutcome.Success.class),
            two ->
                assertThat(((MemberOutcome.Failure<?>) two).exception())
                    .hasMessage("no paper for 1"),
            three -> assertThat(three).isInstanceOf(MemberOutcome.Success.class));
    Reference.reachabilityFence(pages);
  }

  private CallFailure heardOf() throws InterruptedException {
    for (var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); System.nanoTime() < end; ) {
      System.gc();
      var failure = heard.poll(10, TimeUnit.MILLISECONDS);
      if (failure != null) {
        return failure;
      }
    }
    throw new AssertionError("nothing was heard");
  }

  @Test
  void ofCallsOnWhatIsOnItsWayThatFailReachWhoCalled() throws Exception {
    var sender = ActiveObjects.on(nodes.get(0)).create(Sender.class);
    var later = ActiveObjects.ref(group.get(0)).ask(w -> w.writerWhenOpen(group.get(1)));
    ActiveObjects.ref(sender).tell(each -> each.sendTo(later)).get(60, TimeUnit.SECONDS);
    open(0);
    assertThat(Sender.HEARD.poll(60, TimeUnit.SECONDS).cause()).hasMessage("no ink for 1");
    assertThat(heard).isEmpty();
  }

  @Test
  void travelAsTheyCome() throws Exception {
    var ranks = group.ask(Writer::rankWhenOpen);
    var pages = group.ask(Writer::page);
    var reporting = Groups.here().create(Writer.class, 7);
    var report = ActiveObjects.ref(Group.of(reporting).get(0)).ask(w -> w.reportOf(ranks, pages));
    open.forEach(CountDownLatch::countDown); // not before: they were on their way then
    var its = report.get(60, TimeUnit.SECONDS);
    assertThat(its.ranks()).isEqualTo("3 of 3 answers to Writer.rankWhenOpen()");
    assertThat(its.sum().number()).isEqualTo(3);
    assertThat(Group.of(its.pages()).stream().map(Page::number)).containsExactly(0, 1, 2);
  }

  @Test
  void takeNoLongerThanTheGroupAllows() {
    var limited = group.within(Duration.ofMillis(20)); // nobody opens
    for (var outcome : limited.ask(Writer::rankWhenOpen).outcomes()) {
      assertThat(((MemberOutcome.Failure<?>) outcome).exception())
          .isInstanceOf(CallTimeoutException.class)
          .hasMessageContaining("Writer.rankWhenOpen() on node");
    }
    var some = limited.select(0, 2).plus(group.get(1));
    assertThat(some.each(Writer::rankWhenOpen).combine(Reduction.flat(Math::max)))
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .havingRootCause()
        .isInstanceOf(CallTimeoutException.class);
    var nested =
        Group.of(Groups.of(Writer.class, List.of(group.all()))).within(Duration.ofMillis(20));
    assertThat(nested.each(Writer::rankWhenOpen).combine(Reduction.flat(Math::max)))
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .havingRootCause()
        .isInstanceOf(CallTimeoutException.class);
  }

  @Test
  void runStagesAsRequestsOfTheObjectThatHangsThem() throws Exception {
    var others = group.select(1, 2);
    var self = ActiveObjects.ref(group.get(0)).ask(writer -> writer.endsOf(others.all())).get();
    assertThat(self.get(60, TimeUnit.SECONDS)).contains("a Writer on node 'node-1'");
  }
}
