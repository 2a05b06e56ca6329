package org.troupe.groups.spmd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.hosting.NodeActivity.OperationLine;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;

/** Nodes report the algorithms and the bytes of collective operations. */
@Timeout(60)
class OperationCountsTest {

  private static final int LENGTH = 1_000;
  private static final long BYTES = LENGTH * Double.BYTES;

  private final LocalNodes nodes = LocalNodes.start(2);

  @AfterEach
  void end() {
    nodes.close();
  }

  private List<OperationLine> operations(int node) {
    return Part.report(nodes, node, Duration.ofMillis(1)).activity().operations();
  }

  @Test
  void anOperationIsCountedWithItsAlgorithmAndTheNumbersThatAMemberGives() {
    Part.all(
        Part.group(nodes, 2),
        spmd -> {
          var slice = Slice.of(new double[LENGTH]);
          for (var i = 0; i < 3; i++) {
            spmd.allReduce(slice, Operation.SUM);
          }
          spmd.by(CollectiveAlgorithm.RING).allReduce(slice, Operation.SUM);
          spmd.broadcast(0, slice);
          return spmd.allReduce("word", String::concat);
        });

    var first = operations(0);
    assertThat(first)
        .extracting(each -> "%s by %s".formatted(each.operation(), each.algorithm()))
        .containsExactlyInAnyOrder(
            "allReduce by doubling", "allReduce by ring", "broadcast by binomial");
    assertThat(first)
        .allSatisfy(
            each -> {
              assertThat(each.type()).isEqualTo(Part.class.getName());
              assertThat(each.size()).isEqualTo(2);
              assertThat(each.group()).isEqualTo(first.getFirst().group()).isNotEmpty();
            });
    assertThat(of(first, "doubling").parts()).isEqualTo(4);
    assertThat(of(first, "doubling").bytes()).as("without the word").isEqualTo(3 * BYTES);
    assertThat(of(first, "ring").bytes()).isEqualTo(BYTES);
    assertThat(of(first, "binomial").bytes()).isEqualTo(BYTES);
    assertThat(of(operations(1), "binomial").bytes()).as("of the receiver").isZero();
  }

  private static OperationLine of(List<OperationLine> lines, String algorithm) {
    return lines.stream()
        .filter(each -> each.algorithm().equals(algorithm))
        .findAny()
        .orElseThrow();
  }
}
