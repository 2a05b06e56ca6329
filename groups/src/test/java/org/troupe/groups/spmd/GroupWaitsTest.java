package org.troupe.groups.spmd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.hosting.NodeActivity.WaitKind;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;

/** Nodes report which members wait in a group, and for which others. */
@Timeout(60)
class GroupWaitsTest {

  private static final Duration VISIT = Duration.ofMillis(200);

  private final LocalNodes nodes = LocalNodes.start(2);

  @AfterEach
  void end() {
    nodes.close();
  }

  private List<WaitLine> waits() {
    return IntStream.range(0, 2)
        .mapToObj(i -> Part.report(nodes, i, VISIT))
        .flatMap(each -> each.activity().waits().stream())
        .filter(each -> each.group().rank() >= 0)
        .toList();
  }

  private List<WaitLine> waits(int count) {
    Part.until(() -> waits().size() == count);
    return waits();
  }

  @Test
  void membersAtABarrierNameTheMissingRank() {
    var members = Part.group(nodes, 3);
    var ends =
        Part.begun(
            members.subList(0, 2),
            spmd -> {
              spmd.barrier().join();
              return null;
            });
    var waits = waits(2);

    assertThat(waits)
        .allSatisfy(
            each -> {
              assertThat(each.kind()).isEqualTo(WaitKind.BARRIER);
              assertThat(each.awaited()).isEqualTo("barrier()");
              assertThat(each.group().size()).isEqualTo(3);
              assertThat(each.group().missing()).containsExactly(2);
              assertThat(each.awaitedNode()).isEqualTo(nodes.get(1).name());
              assertThat(each.awaitedObject()).startsWith(nodes.get(1).name() + "/");
              assertThat(each.waitingMicros()).isNotNegative();
            });
    assertThat(waits).extracting(each -> each.group().rank()).containsExactlyInAnyOrder(0, 1);
    assertThat(waits)
        .extracting(each -> each.group().group())
        .containsOnly(waits.getFirst().group().group());
    Part.all(
        members.subList(2, 3),
        spmd -> {
          spmd.barrier().join();
          return null;
        });
    ends.forEach(Part::valueOf);
    assertThat(waits()).isEmpty();
  }

  @Test
  void aMemberInACollectiveOrAReceiveNamesWhomItWaitsFor() {
    var members = Part.group(nodes, 2);
    var reduced = Part.begun(members.subList(0, 1), spmd -> spmd.allReduce(1, Integer::sum));

    assertThat(waits(1))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.kind()).isEqualTo(WaitKind.COLLECTIVE);
              assertThat(each.awaited()).startsWith("allReduce");
              assertThat(each.group().missing()).containsExactly(1);
            });
    Part.all(members.subList(1, 2), spmd -> spmd.allReduce(1, Integer::sum));
    reduced.forEach(Part::valueOf);

    var received = Part.begun(members.subList(1, 2), spmd -> spmd.receive(0));
    assertThat(waits(1))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.kind()).isEqualTo(WaitKind.RECEIVE);
              assertThat(each.awaited()).isEqualTo("receive from member 0");
              assertThat(each.group().missing()).containsExactly(0);
            });
    Part.all(
        members.subList(0, 1),
        spmd -> {
          spmd.send(1, "word");
          return null;
        });
    received.forEach(Part::valueOf);
  }
}
