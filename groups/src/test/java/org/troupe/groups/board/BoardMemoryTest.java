package org.troupe.groups.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.testing.Polling;

/** The bound of the memory that a JVM maps for boards. */
@Timeout(60)
class BoardMemoryTest {

  private long asked;

  /** A segment that is never accessed. */
  private record Untouched(MemorySegment all) implements SharedSegment {

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
  }

  private @Nullable Board open() {
    return Board.open(
        bytes -> {
          asked += bytes;
          return new Untouched(MemorySegment.NULL);
        },
        BoardMembers.ofAll(Board.MOST_MEMBERS, 1));
  }

  private List<Board> openUntilRefused() {
    asked = 0;
    List<Board> boards = new ArrayList<>();
    for (var each = open(); each != null; each = open()) {
      boards.add(each);
    }
    return boards;
  }

  @Test
  void holdsForTheBytesOfAllBoardsAndFallsWithThoseThatAreCollected() throws Exception {
    var boards = openUntilRefused();
    assertThat(boards).isNotEmpty();
    assertThat(asked).isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 4);
    assertThat(Board.open(bytes -> null, BoardMembers.ofAll(2, 1))).isNull();
    Reference.reachabilityFence(boards);

    boards = List.of();
    Polling.until(
        "boards are collected",
        () -> {
          System.gc();
          return !openUntilRefused().isEmpty();
        });
  }
}
