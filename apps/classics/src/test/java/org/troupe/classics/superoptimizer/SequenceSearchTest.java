package org.troupe.classics.superoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The instructions of the machine, and the search over them. */
class SequenceSearchTest {

  private static final int X = 1 << 16;

  private static int state(int d0, int d1, int x) {
    return d0 | d1 << 8 | x << 16;
  }

  private static MachineInstruction instruction(String words) {
    return IntStream.range(0, MachineInstruction.count())
        .mapToObj(MachineInstruction::number)
        .filter(each -> each.toString().equals(words))
        .findAny()
        .orElseThrow();
  }

  @Test
  void onlyResultsOutOfRangeSetX() {
    assertThat(instruction("add d1,d0").after(state(200, 100, 0))).isEqualTo(state(44, 100, 1));
    assertThat(instruction("addx d1,d0").after(state(1, 2, 1))).isEqualTo(state(4, 2, 0));
    assertThat(instruction("sub d0,d1").after(state(3, 2, 0))).isEqualTo(state(3, 255, 1));
    assertThat(instruction("subx d1,d1").after(state(7, 9, 1))).isEqualTo(state(7, 255, 1));
    assertThat(instruction("negx d0").after(state(0, 5, 1))).isEqualTo(state(255, 5, 1));
    assertThat(instruction("neg d0").after(state(0, 5, 1))).isEqualTo(state(0, 5, 0));
    assertThat(instruction("not d1").after(state(5, 0, 1))).isEqualTo(state(5, 255, 1));
    assertThat(instruction("move d1,d0").after(state(5, 6, 0) | X)).isEqualTo(state(6, 6, 1));
  }

  @Test
  void findsAllShortestSequencesAndNoOthers() {
    var search = new SequenceSearch(TargetFunction.less);

    search.searchFrom(new MachineInstruction[0], 2);
    assertThat(search.takeFound()).isEmpty();

    search.searchFrom(new MachineInstruction[0], 3);
    assertThat(search.takeFound())
        .containsExactlyInAnyOrder(
            "sub d1,d0; eor d0,d0; addx d0,d0 -> d0",
            "sub d1,d0; eor d1,d1; addx d1,d1 -> d1",
            "sub d1,d0; subx d0,d0; neg d0 -> d0",
            "sub d1,d0; subx d1,d1; neg d1 -> d1");
  }

  @Test
  void triesOnlySequencesWithTheGivenPrefix() {
    var search = new SequenceSearch(TargetFunction.less);

    search.searchFrom(
        new MachineInstruction[] {instruction("sub d1,d0"), instruction("subx d1,d1")}, 3);

    assertThat(search.takeFound()).containsExactly("sub d1,d0; subx d1,d1; neg d1 -> d1");
  }
}
