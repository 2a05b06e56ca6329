package org.troupe.groups.board;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The members of a group that share a board, by their ranks in the group. Immutable. */
public final class BoardMembers {

  private final int[] ranks; // in ascending order
  private final int ownIndex;

  /**
   * Creates the members.
   *
   * @param ranks in ascending order
   * @param own the rank of the current member
   * @throws IllegalArgumentException if the current member is none of these
   */
  public BoardMembers(int[] ranks, int own) {
    this.ranks = ranks.clone();
    this.ownIndex = index(own);
  }

  /** Returns all members of a group. */
  public static BoardMembers ofAll(int size, int own) {
    return new BoardMembers(IntStream.range(0, size).toArray(), own);
  }

  public int size() {
    return ranks.length;
  }

  /** Returns the rank of a member; that of index 0 is the lowest. */
  public int rank(int index) {
    return ranks[index];
  }

  /** Returns whether a member of the group is one of these. */
  public boolean contains(int rank) {
    return find(rank) >= 0;
  }

  /**
   * Returns the index of a member.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public int index(int rank) {
    var index = find(rank);
    if (index < 0) {
      throw new IllegalArgumentException(
          "member " + rank + " does not share the board of members " + Arrays.toString(ranks));
    }
    return index;
  }

  /** Returns the index of a member; negative if it is none of these. */
  private int find(int rank) {
    var guess = rank - ranks[0]; // most hosts have members with consecutive ranks
    return guess >= 0 && guess < ranks.length && ranks[guess] == rank
        ? guess
        : Arrays.binarySearch(ranks, rank);
  }

  /** Returns the rank of the current member. */
  int own() {
    return ranks[ownIndex];
  }

  int ownIndex() {
    return ownIndex;
  }
}
