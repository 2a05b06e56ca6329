package org.troupe.groups.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.transport.SharedSegment;

/** The decision from which operation on members use their board. */
class BoardStartTest {

  private MemorySegment all = MemorySegment.NULL;

  private final SharedSegment memory =
      new SharedSegment() {
        @Override
        public MemorySegment all() {
          return all;
        }

        @Override
        public byte[] details() {
          return new byte[0];
        }

        @Override
        public void await(MemorySegment word, int value) {}

        @Override
        public void wake(MemorySegment word) {}

        @Override
        public void close() {}
      };

  private Board open(int rank) {
    var opened =
        Board.open(
            bytes -> {
              if (rank == 0) {
                all = Arena.ofAuto().allocate(bytes, 64);
              }
              return memory;
            },
            BoardMembers.ofAll(2, rank));
    return Objects.requireNonNull(opened, "there is memory");
  }

  private static boolean begin(Board board, long number) {
    return board.begin(number, 1, () -> {});
  }

  @Test
  void comesAfterTheOperationsThatAMemberHasBegunBeforeItOpenedTheBoard() {
    var slow = open(0);
    assertThat(begin(slow, 2)).isFalse();
    slow.end(2);

    var ahead = open(1); // after its operations 1 to 9, in which it only contributed
    assertThat(begin(slow, 3)).isFalse();
    slow.end(3);
    assertThat(begin(ahead, 10)).isFalse();
    ahead.end(10);

    var number = 4L;
    for (; !begin(slow, number); number++) {
      slow.end(number);
    }
    assertThat(number).as("the first operation over the board").isGreaterThan(10);
    slow.end(number);
    for (var each = 11L; each <= number; each++) {
      assertThat(begin(ahead, each)).isEqualTo(each == number);
      ahead.end(each);
    }
  }
}
