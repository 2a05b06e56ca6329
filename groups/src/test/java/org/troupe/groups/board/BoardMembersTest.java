package org.troupe.groups.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The members that share a board, by their ranks in the group. */
class BoardMembersTest {

  private static final int[] RANKS = {2, 3, 7};

  @Test
  void haveIndexesInTheOrderOfRanks() {
    var members = new BoardMembers(RANKS, 7);

    assertThat(members.ownIndex()).isEqualTo(2);
    for (var i = 0; i < RANKS.length; i++) {
      assertThat(members.rank(i)).isEqualTo(RANKS[i]);
      assertThat(members.index(RANKS[i])).isEqualTo(i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 4, 6, 8})
  void refuseARankThatDoesNotShareTheBoard(int rank) {
    var members = new BoardMembers(RANKS, 2);

    assertThat(members.contains(rank)).isFalse();
    assertThatThrownBy(() -> members.index(rank))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("member " + rank + " does not share the board of members [2, 3, 7]");
    assertThatThrownBy(() -> new BoardMembers(RANKS, rank))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
