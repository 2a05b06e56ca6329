package org.troupe.activeobjects.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeActivity.ClassLine;
import org.troupe.activeobjects.hosting.NodeActivity.GroupPlace;
import org.troupe.activeobjects.hosting.NodeActivity.MethodLine;
import org.troupe.activeobjects.hosting.NodeActivity.OperationLine;
import org.troupe.activeobjects.hosting.NodeActivity.PeerLine;
import org.troupe.activeobjects.hosting.NodeActivity.QueueLine;
import org.troupe.activeobjects.hosting.NodeActivity.Times;
import org.troupe.activeobjects.hosting.NodeActivity.WaitKind;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.serialization.SerializationException;

/** Reports of nodes are small, and damaged ones are refused. */
class ActivityCodecTest {

  private static final Times TIMES = new Times(64_000, 1_000, 20_000, 3_000_000_000L);

  private static NodeActivity activity(int rows, String type) {
    return new NodeActivity(
        ObservationTier.TIMES,
        -5,
        Long.MAX_VALUE,
        3,
        IntStream.range(0, rows)
            .mapToObj(
                i ->
                    new MethodLine(type, "step" + i + "(double)", 10 + i, 10, 1, TIMES, Times.NONE))
            .toList(),
        IntStream.range(0, rows)
            .mapToObj(
                i -> new QueueLine("n1/" + i, type, i, "step(double)", "Other n2/7", i - 1, i))
            .toList(),
        IntStream.range(0, rows)
            .mapToObj(
                i ->
                    new WaitLine(
                        "n1/" + i,
                        type,
                        "",
                        WaitKind.REPLY,
                        "the answer of " + i,
                        "n2/4",
                        "n2",
                        "step(double)",
                        -1,
                        i,
                        "Worker.run(Worker.java:7)",
                        i == 1 ? new GroupPlace("a-1", 1, 4, List.of(2, 3)) : GroupPlace.NONE))
            .toList(),
        IntStream.range(0, rows)
            .mapToObj(i -> new ClassLine(type + i, 10, 3, 1, i, "n1/" + i, i == 1))
            .toList(),
        IntStream.range(0, rows)
            .mapToObj(i -> new PeerLine("n" + i, "shm", 1_000, 1_000_000, 0, 7_000))
            .toList(),
        IntStream.range(0, rows)
            .mapToObj(
                i ->
                    new FailureGroup(FailureGroup.Kind.RESET, "n" + i, "", "", 1, 2, 3, "it broke"))
            .toList(),
        IntStream.range(0, rows)
            .mapToObj(i -> new OperationLine("a-" + i, type, 4, "allReduce", "ring", i, 8L * i))
            .toList(),
        4,
        5,
        6);
  }

  @Test
  void aReportArrivesAsItWas() {
    var sent = activity(3, "acme.Worker");
    assertThat(ActivityCodec.decode(ActivityCodec.encode(sent))).isEqualTo(sent);
  }

  @Test
  void twentyRowsOfEachKindTakeLessThanTheBound() {
    var sent = activity(20, "acme.simulation.Worker");
    var bytes = ActivityCodec.encode(sent);
    var arrived = ActivityCodec.decode(bytes);

    assertThat(bytes.length).isLessThanOrEqualTo(ActivityCodec.MOST_BYTES);
    assertThat(arrived.methods()).hasSize(20);
    assertThat(arrived.queues()).hasSize(20);
    assertThat(arrived.leftOut())
        .isEqualTo(
            4
                + 100
                - arrived.waits().size()
                - arrived.classes().size()
                - arrived.peers().size()
                - arrived.failures().size()
                - arrived.operations().size());
  }

  @Test
  void rowsThatDoNotFitAreCounted() {
    var names = new Random(7);
    var sent =
        new NodeActivity(
            ObservationTier.COUNTS,
            1,
            2,
            3,
            IntStream.range(0, 20)
                .mapToObj(
                    i ->
                        new MethodLine(
                            "acme." + "x".repeat(90) + names.nextInt(),
                            "y".repeat(90) + names.nextInt(),
                            1,
                            1,
                            0,
                            Times.NONE,
                            Times.NONE))
                .toList(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            0,
            0,
            0);
    var bytes = ActivityCodec.encode(sent);
    var arrived = ActivityCodec.decode(bytes);

    assertThat(bytes.length).isLessThanOrEqualTo(ActivityCodec.MOST_BYTES);
    assertThat(arrived.methods()).isEqualTo(sent.methods().subList(0, arrived.methods().size()));
    assertThat(arrived.methods()).isNotEmpty();
    assertThat(arrived.leftOut()).isEqualTo(20 - arrived.methods().size());
  }

  @Test
  void aFullReportHasSpaceForAnOperationOfAClassWithALongName() {
    var full = activity(20, "acme.simulation.Worker");
    var operation =
        new OperationLine(
            "worker-12",
            "x".repeat(200),
            1_000_000,
            "allReduce",
            "scatter-all-gather",
            Long.MAX_VALUE,
            Long.MAX_VALUE);
    var sent =
        new NodeActivity(
            full.tier(),
            full.clockNanos(),
            full.served(),
            full.failed(),
            full.methods(),
            full.queues(),
            full.waits(),
            full.classes(),
            full.peers(),
            full.failures(),
            List.of(operation),
            0,
            0,
            0);
    var bytes = ActivityCodec.encode(sent);

    assertThat(bytes.length).isLessThanOrEqualTo(ActivityCodec.MOST_BYTES);
    assertThat(ActivityCodec.decode(bytes).operations()).hasSize(1);
  }

  @Test
  void longTextsAreShortened() {
    var text = "a".repeat(500) + "z";
    var sent = activity(1, text);
    var arrived = ActivityCodec.decode(ActivityCodec.encode(sent));

    assertThat(arrived.methods().getFirst().type())
        .hasSizeLessThan(121)
        .startsWith("aaa")
        .endsWith("z");
  }

  @Test
  void aReportThatEndsEarlyIsRefused() {
    var bytes = ActivityCodec.encode(activity(3, "acme.Worker"));
    for (var length = 0; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> ActivityCodec.decode(cut))
          .isInstanceOf(SerializationException.class);
    }
  }

  @Test
  void aDamagedReportIsRefusedOrIsAReport() {
    var bytes = ActivityCodec.encode(activity(3, "acme.Worker"));
    var random = new Random(5);
    var refused = 0;
    for (var i = 0; i < 20_000; i++) {
      var damaged = bytes.clone();
      damaged[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        ActivityCodec.decode(damaged);
      } catch (SerializationException e) {
        assertThat(e).hasMessageStartingWith("the report of a node");
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }
}
