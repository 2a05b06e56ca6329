package org.troupe.tasks.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.EngineSettings;
import org.troupe.tasks.engine.JobName;
import org.troupe.tasks.engine.Spawn;

/** Jobs that come to a node with one worker, packet by packet. */
@Timeout(60)
class LabelledArrivalsTest {

  private static final String LABEL = "gpu";

  /** A packet that the node has sent. */
  private record Sent(int receiver, PacketKind kind, long subject) {}

  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final Engine engine = Engine.start("arrivals", new EngineSettings(1, 1 << 20), null);
  private final TaskNode node =
      new TaskNode(
          new BodyExtension.Key(1, 1),
          1,
          SimulatedNodes.settings(Strategy.CRS, true),
          engine,
          this::send);
  private final TaskMember near = member(0, "one");
  private final TaskMember far = member(2, "two");

  @AfterEach
  void close() {
    released.countDown();
    node.close();
  }

  private static TaskMember member(int number, String cluster) {
    return new TaskMember(number, new NodeId("node-" + number, number), cluster, new TaskHost());
  }

  private void send(TaskMember receiver, long tag, @Nullable Object value) {
    var kind = Objects.requireNonNull(PacketKind.of(tag));
    sent.add(new Sent(receiver.number(), kind, PacketKind.subject(tag)));
  }

  /** Returns the next packet of a kind that the node sends. */
  private Sent next(PacketKind kind) throws InterruptedException {
    while (true) {
      var next = sent.poll(30, TimeUnit.SECONDS);
      assertThat(next).as("the next %s", kind).isNotNull();
      if (next.kind == kind) {
        return next;
      }
    }
  }

  /** Runs until the test ends. */
  private final class Held extends Spawn {
    private final CountDownLatch begun = new CountDownLatch(1);

    @Override
    protected void execute() throws InterruptedException {
      begun.countDown();
      released.await();
    }

    @Override
    protected @Nullable Object outcome() {
      return null;
    }

    @Override
    protected void setOutcome(@Nullable Object result) {}

    void awaitBegin() throws InterruptedException {
      assertThat(begun.await(30, TimeUnit.SECONDS)).as("begin of the job").isTrue();
    }
  }

  private void bring(TaskMember owner, long batch, Spawn job) {
    var parcel =
        new TaskParcel(List.of(job), List.of(new JobName(1, 2)), List.of(false), List.of(LABEL));
    node.received(owner.number(), PacketKind.LABELLED.tag(batch), () -> parcel);
  }

  private void join(TaskMember... others) {
    node.labels(new Labels(1, Map.of(LABEL, List.of(1))));
    node.joined(member(1, "one"));
    for (var each : others) {
      node.joined(each);
    }
  }

  @Test
  void goBackIfTheWorkerHasFoundAnotherJob() throws Exception {
    join(near);
    next(PacketKind.STEAL);
    var other = new Held();
    engine.submit(other);
    other.awaitBegin();

    bring(near, 7, new Held());

    assertThat(next(PacketKind.UNTOUCHED)).isEqualTo(new Sent(0, PacketKind.UNTOUCHED, 7));
  }

  @Test
  void goBackWhenTheWorkerBeginsAnotherOne() throws Exception {
    join(near, far);
    assertThat(List.of(next(PacketKind.STEAL).receiver, next(PacketKind.STEAL).receiver))
        .containsExactlyInAnyOrder(0, 2);
    var stopped = new CountDownLatch(1);
    var goesOn = new CountDownLatch(1);
    engine.atSafePoint(
        () -> {
          stopped.countDown();
          await(goesOn);
        });
    assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
    var first = new Held();
    bring(near, 7, first);
    bring(far, 8, new Held());
    assertThat(sent).noneMatch(each -> each.kind == PacketKind.UNTOUCHED); // it still searches

    goesOn.countDown();

    first.awaitBegin();
    assertThat(next(PacketKind.UNTOUCHED)).isEqualTo(new Sent(2, PacketKind.UNTOUCHED, 8));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void letNoFurtherOnesBeRequestedWhileTheyWaitForAWorker() throws Exception {
    var peers = new TaskPeers(1, this::send);
    peers.add(member(1, "one"));
    peers.add(near);
    var hasArrived = new AtomicBoolean();
    var requests = new StealRequests(peers, Strategy.CRS, hasArrived::get);

    requests.request();
    assertThat(sent.remove()).isEqualTo(new Sent(0, PacketKind.STEAL, 0));
    var wasAsked =
        requests.answered(
            near,
            () -> {
              requestOnAnotherThread(requests); // between the answer and the arrival
              hasArrived.set(true);
            });
    requests.request();
    assertThat(wasAsked).isTrue();
    assertThat(sent).isEmpty();

    hasArrived.set(false);
    requests.request();
    assertThat(sent.remove()).isEqualTo(new Sent(0, PacketKind.STEAL, 0));
  }

  private static void requestOnAnotherThread(StealRequests requests) {
    try {
      Thread.ofPlatform().start(requests::request).join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
