package org.troupe.activeobjects.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** Floods of calls to objects that are slower than their senders. */
@Timeout(60)
class QueueMemoryTest {

  private static final long SHARE = 1 << 20;
  private static final int PIECE = 16 << 10;
  private static final int PIECES = 1000;

  /** More than may be on its way to another node before that node's word comes. */
  private static final int FLOOD = 8000;

  private static CountDownLatch open;
  private static CyclicBarrier together;

  /** Takes nothing before it may. */
  public static class Slow {
    private Slow other;
    private int taken;

    public void hold() {
      Waits.await(open, "the release");
    }

    public void take(byte[] piece) {
      taken++;
    }

    public int taken() {
      return taken;
    }

    public int other(Slow given) {
      other = given;
      return 0;
    }

    public int flood() throws Exception {
      together.await(20, TimeUnit.SECONDS);
      for (var i = 0; i < PIECES; i++) {
        other.take(new byte[PIECE]);
      }
      return PIECES;
    }
  }

  /** The same with another body. */
  public static class SlowBeside extends Slow {
    @Concurrent("reading")
    public int beside() {
      return 0;
    }
  }

  /** The same with another body. */
  public static class SlowInALoop extends Slow implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }
  }

  /** Serves nothing before it has been told to begin. */
  public static class Selective extends Slow implements Service {
    public int begin() {
      return 1;
    }

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      requests.serveOldest("begin");
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }
  }

  /** Is called with texts, whose length counts inside a JVM. */
  public static class SlowReader {
    private int texts;

    public void read(String text) {
      texts++;
    }

    public int texts() {
      return texts;
    }
  }

  enum Case {
    HERE(0, Slow.class),
    HERE_BESIDE_OTHERS(0, SlowBeside.class),
    HERE_IN_A_LOOP(0, SlowInALoop.class),
    ON_ANOTHER_NODE(1, Slow.class);

    private final int node;
    private final Class<? extends Slow> type;

    Case(int node, Class<? extends Slow> type) {
      this.node = node;
      this.type = type;
    }
  }

  private final InProcessGrid grid = InProcessGrid.start(2);

  QueueMemoryTest() {
    open = new CountDownLatch(1);
    for (var node :
        List.of(
            NodeRuntime.main().memberships().node(),
            grid.member(0).node(),
            grid.member(1).node())) {
      node.objects().memory().limit(SHARE);
    }
    ActiveObjects.onFailure(failure -> {}); // what is lost at the end is of no interest
  }

  @AfterEach
  void end() {
    open.countDown();
    ActiveObjects.onFailure(null);
    grid.close();
    NodeRuntime.main().objects().memory().limit(Runtime.getRuntime().maxMemory() / 4);
  }

  private Slow slow(Case place) {
    return place.node == 0
        ? ActiveObjects.here().create(place.type)
        : ActiveObjects.on(grid.get(place.node - 1)).create(place.type);
  }

  private QueueMemory memory(Case place) {
    return (place.node == 0
            ? NodeRuntime.main().memberships().node()
            : grid.member(place.node - 1).node())
        .objects()
        .memory();
  }

  @ParameterizedTest
  @EnumSource
  void holdsBackFloodsThatTheReceiverCannotTake(Case place) {
    var slow = slow(place);
    slow.hold();
    var sent = new AtomicInteger();
    var flood =
        onPlatformThread(
            () -> {
              for (var i = 0; i < FLOOD; i++) {
                slow.take(new byte[PIECE]);
                sent.incrementAndGet();
              }
              return slow.taken();
            });
    until(memory(place)::isFull, "the share being full");
    until(() -> NodeRuntime.main().objects().queueCapacity().isCrowded(), "the sender waiting");

    assertThat(sent.get()).as("how many were sent").isLessThan(FLOOD);
    assertThat(memory(place).bytes()).isLessThan((long) FLOOD * PIECE);
    var other = slow(place);
    assertThat(valueOf(onPlatformThread(other::taken), "a call to an object that is not behind"))
        .isZero();
    var asked = ActiveObjects.ref(slow).ask(Slow::taken);
    assertThat(asked).isNotDone();
    open.countDown();

    assertThat(valueOf(flood, "the flood")).isEqualTo(FLOOD);
    valueOf(asked, "an ask meanwhile");
    until(() -> memory(place).bytes() == 0, "nothing being counted any more");
    assertThat(memory(place).isFull()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Case.class,
      names = {"HERE", "ON_ANOTHER_NODE"})
  void objectsThatFloodEachOtherAreNotHeldBack(Case place) {
    var one = slow(place);
    var two = place == Case.HERE ? slow(place) : ActiveObjects.on(grid.get(1)).create(Slow.class);
    valueOf(onPlatformThread(() -> one.other(two)), "a link");
    valueOf(onPlatformThread(() -> two.other(one)), "a link");
    together = new CyclicBarrier(2);

    var floods =
        List.of(ActiveObjects.ref(one).ask(Slow::flood), ActiveObjects.ref(two).ask(Slow::flood));
    until(
        () -> {
          grid.member(0).beat();
          grid.member(1).beat();
          return floods.stream().allMatch(CompletableFuture::isDone);
        },
        "the end of the floods");

    assertThat(floods).allSatisfy(each -> assertThat(valueOf(each, "a flood")).isEqualTo(PIECES));
    until(
        () -> valueOf(ActiveObjects.ref(one).ask(Slow::taken), "the count") == PIECES,
        "all having arrived");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServiceLoopGetsTheRequestThatItWaitsForThoughMemoryIsShort(boolean here) {
    var node = here ? NodeRuntime.main().memberships().node() : grid.member(0).node();
    var selective =
        here
            ? ActiveObjects.here().create(Selective.class)
            : ActiveObjects.on(grid.get(0)).create(Selective.class);
    var flood =
        onPlatformThread(
            () -> {
              for (var i = 0; i < PIECES; i++) {
                selective.take(new byte[PIECE]);
              }
              return selective.taken();
            });
    until(node.objects().memory()::isFull, "the share being full");

    assertThat(valueOf(onPlatformThread(selective::begin), "the call that the loop waits for"))
        .isOne();
    assertThat(valueOf(flood, "the flood")).isEqualTo(PIECES);
  }

  @Test
  void theEndSendsWhatItStandsBehindIfThatFindsMemoryJustThen() {
    var slow = slow(Case.HERE);
    slow.hold();
    while (!NodeRuntime.main().objects().memory().isFull()) {
      slow.take(new byte[PIECE]);
    }
    var asked = ActiveObjects.ref(slow).ask(Slow::taken);
    until(() -> NodeRuntime.main().objects().queueCapacity().isCrowded(), "the call waiting");
    var here = (Reference.Target.Here) Reference.behind(slow).target();
    here.body().addBacklog(-here.body().backlog()); // it caught up, which is about to be told

    var end = ActiveObjects.ref(slow).terminate();
    open.countDown();

    assertThat(valueOf(asked, "the call")).isPositive();
    valueOf(end, "the end");
  }

  @Test
  void accountsForRequestsAlthoughTheStacksOfTheirSendersOverflow() throws Exception {
    memory(Case.HERE).limit(Long.MAX_VALUE); // no sender waits
    var slow = ActiveObjects.here().create(SlowReader.class);
    var text = "x".repeat(1 << QueueMemory.CHUNK_BITS); // each request is accounted for by itself
    for (var i = 0; i < 50; i++) {
      overflow(() -> slow.read(text));
    }

    valueOf(ActiveObjects.ref(slow).ask(SlowReader::texts), "the answer after the overflows");
    assertThat(memory(Case.HERE).bytes()).isZero();
  }

  /** Repeats a call in ever deeper frames of a small stack until it overflows. */
  private static void overflow(Runnable call) throws InterruptedException {
    Runnable descent =
        () -> {
          try {
            descend(1, call);
          } catch (StackOverflowError expected) {
            // the purpose of the descent
          }
        };
    var thread = Thread.ofPlatform().daemon().stackSize(256 << 10).start(descent);
    thread.join(10_000);
    assertThat(thread.isAlive()).as("the caller still waits").isFalse();
  }

  private static void descend(int depth, Runnable call) {
    call.run();
    if (depth < Integer.MAX_VALUE) {
      descend(depth + 1, call);
    }
  }
}
