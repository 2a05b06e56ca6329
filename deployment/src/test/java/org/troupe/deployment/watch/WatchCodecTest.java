package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.deployment.model.PanelItem;

class WatchCodecTest {

  static List<WatchRecord> records() {
    return List.of(
        new WatchRecord.Begin(1, "17", "0a1b", "Program \"x\"\n", 1, true),
        new WatchRecord.Round("e-3", 5, 4, 1, 0.01, 7, 0),
        new WatchRecord.Node(
            "n1",
            "grid.xml:3",
            "h1",
            "",
            List.of("a", "b"),
            "joined",
            "",
            7,
            false,
            new WatchRecord.Load(
                "counts", 1, 2, 1, 3, 4, 5.5, 0.1, 60, 7, 8, 9, 12, 10, 11, 0, 0, -0.002, 0.001)),
        new WatchRecord.Node("n2", "", "h2", "", List.of(), "ended", "it ended", 0, false, null),
        new WatchRecord.Method(
            "n1", "acme.Worker", "step(double)", 3, 2, 1, new WatchRecord.Times(2, 1, 2, 3), null),
        new WatchRecord.Queues(
            "n1", List.of(new WatchRecord.Queue("n1/2", "acme.Worker", 3, "step", "n2/4", 0.5, 0))),
        new WatchRecord.Waits(
            "n1",
            List.of(
                new WatchRecord.Wait(
                    "n1/2",
                    "acme.Worker",
                    "step",
                    "barrier",
                    "barrier()",
                    "n2/4",
                    "n2",
                    "",
                    -1,
                    0,
                    "Worker.run(Worker.java:7)",
                    "a-1",
                    1,
                    4,
                    List.of(2, 3)))),
        new WatchRecord.Collective(
            "a-1", "acme.Worker", 4, "barrier()", List.of(0, 1), List.of(2, 3), 0.5),
        new WatchRecord.Operation("n1", "a-1", "acme.Worker", 4, "allReduce", "ring", 12, 4_096),
        new WatchRecord.Cycle("n1", 3, 4, "these waits\n  - could never end"),
        new WatchRecord.Class("n1", "acme.Worker", 10, 3, 1, 2, "n1/2", true),
        new WatchRecord.Job(
            "grid.xml:3:5",
            1,
            "batch",
            "Slurm",
            "#!/bin/sh",
            List.of("-Xmx1g"),
            "17",
            "queued",
            "PENDING (Priority)",
            5,
            0,
            0,
            3_600,
            4,
            -1,
            8,
            0,
            1_000,
            2,
            3,
            0.5,
            List.of("module: not found")),
        new WatchRecord.Vitals(
            "n1",
            List.of(5L),
            List.of(1f),
            List.of(0.5f),
            List.of(0f),
            List.of(7L),
            List.of(8L),
            List.of(1),
            List.of(2),
            List.of(3f),
            List.of(0f),
            List.of(4f)),
        new WatchRecord.Panel(
            "heat",
            List.of(new PanelItem.Fact("step", "3 of 4")),
            List.of(
                new PanelItem.Curve(
                    "error",
                    new PanelItem.Axis("step", ""),
                    new PanelItem.Axis("error", "K"),
                    List.of(1.0, 2.0),
                    List.of(0.5, Double.NaN))),
            List.of(
                PanelItem.Picture.of("plate", "", "K", 2, 1, new float[] {-3, Float.NaN}),
                PanelItem.Picture.ofParts("nodes", "now", 1, 2, new int[] {0, -1}, List.of("n1"))),
            List.of("node 'n1' joins"),
            List.of("stop"),
            "",
            true),
        new WatchRecord.Pair("n1", "n2", "shm", 1, 2, 0, 7e-6),
        new WatchRecord.Failure(
            "n1", "one-way", "Worker.step()", "E", "Worker.java:3", 2, 3, 4, "<script>"),
        new WatchRecord.Event(1, 2, "left", "n2", "signal 9"));
  }

  @ParameterizedTest
  @MethodSource("records")
  void aRecordIsALineThatReadsAsTheRecord(WatchRecord written) {
    var line = WatchCodec.line(written);

    assertThat(line).startsWith("{\"record\":\"").doesNotContain("\n");
    assertThat(WatchCodec.record(line)).contains(written);
  }

  @Test
  void unknownFieldsAndKindsAreIgnored() {
    assertThat(WatchCodec.record("{\"record\":\"spectrum\",\"x\":1}")).isEmpty();
    assertThat(
            WatchCodec.record(
                "{\"record\":\"pair\",\"node\":\"n1\",\"peer\":\"n2\",\"driver\":\"shm\",\"new\":{}}"))
        .contains(new WatchRecord.Pair("n1", "n2", "shm", 0, 0, 0, 0));
  }

  @Test
  void whatIsNoRecordIsRefused() {
    for (var line : List.of("", "ok", "{}", "[1]", "{\"record\":1}", "{\"record\":\"pair\"")) {
      assertThatThrownBy(() -> WatchCodec.record(line))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("a line of the stream");
    }
  }
}
