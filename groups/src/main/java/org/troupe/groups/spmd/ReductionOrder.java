package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.NodeId;
import org.troupe.groups.Slice;
import org.troupe.groups.board.BoardMembers;

/** The order in which a reduction combines the numbers of the members of one host. */
final class ReductionOrder {

  /*
   * Equal bits
   *
   * The sum of floating-point numbers depends on the order of the additions. Over a board any member could add in any
   * order; it follows the order of the messages that the same collective would send otherwise, so that the result does
   * not depend on the path. Each method here therefore mirrors one in ArrayCollectives, and in ObjectCollectives for
   * single numbers.
   */

  private final Sum[] blocks; // for each block of a slice, which is divided into as many blocks

  private ReductionOrder(Sum[] blocks) {
    this.blocks = blocks;
  }

  /** A sum of the numbers of some members. */
  sealed interface Sum {}

  /** The numbers of one member. */
  record Term(int rank) implements Sum {}

  /** A sum of two sums. */
  record Pair(Sum one, Sum other) implements Sum {}

  /**
   * Returns the order of the numbers that the leader of a host combines.
   *
   * @param nodes of all members of the group, by rank
   */
  static ReductionOrder ofReduce(BoardMembers members, NodeId[] nodes, int leader) {
    return of(binomial(ofNodes(members, nodes, leader)));
  }

  /** Returns the order of the numbers that {@code allReduce} combines if all are on one host. */
  static ReductionOrder ofAllReduce(BoardMembers members, NodeId[] nodes, long bytes) {
    var terms = ofNodes(members, nodes, members.rank(0));
    if (bytes <= CollectiveAlgorithm.LARGE_BYTES) {
      return of(doubling(terms));
    }
    return Integer.bitCount(terms.size()) == 1 ? of(halving(terms)) : ring(terms);
  }

  private static ReductionOrder of(Sum all) {
    return new ReductionOrder(new Sum[] {all});
  }

  /**
   * Returns the sum of each node, in the order of the ranks of their leaders.
   *
   * @param root the leader of its node, and the first of the leaders
   */
  private static List<Sum> ofNodes(BoardMembers members, NodeId[] nodes, int root) {
    Map<NodeId, List<Integer>> byNode = new LinkedHashMap<>();
    for (var i = 0; i < members.size(); i++) {
      var rank = members.rank(i);
      byNode.computeIfAbsent(nodes[rank], any -> new ArrayList<>()).add(rank);
    }
    List<List<Integer>> groups = new ArrayList<>();
    for (var ranks : byNode.values()) {
      if (ranks.remove((Integer) root)) {
        ranks.addFirst(root);
      }
      groups.add(ranks);
    }
    groups.sort(
        (one, other) ->
            one.getFirst() == root
                ? -1
                : other.getFirst() == root ? 1 : one.getFirst() - other.getFirst());
    return groups.stream()
        .map(ranks -> binomial(ranks.stream().<Sum>map(Term::new).toList()))
        .toList();
  }

  private static Sum binomial(List<Sum> terms) {
    var sums = terms.toArray(Sum[]::new);
    for (var distance = 1; distance < sums.length; distance <<= 1) {
      for (var i = 0; i + distance < sums.length; i += 2 * distance) {
        sums[i] = new Pair(sums[i], sums[i + distance]);
      }
    }
    return sums[0];
  }

  private static Sum doubling(List<Sum> terms) {
    var size = Integer.highestOneBit(terms.size());
    var paired = 2 * (terms.size() - size);
    List<Sum> few = new ArrayList<>();
    for (var i = 0; i < paired; i += 2) {
      few.add(new Pair(terms.get(i), terms.get(i + 1)));
    }
    few.addAll(terms.subList(paired, terms.size()));
    return binomial(few);
  }

  private static Sum halving(List<Sum> terms) {
    var sums = terms.toArray(Sum[]::new);
    for (var half = sums.length / 2; half > 0; half >>= 1) {
      for (var i = 0; i < half; i++) {
        sums[i] = new Pair(sums[i], sums[i + half]);
      }
    }
    return sums[0];
  }

  private static ReductionOrder ring(List<Sum> terms) {
    var size = terms.size();
    var blocks = new Sum[size];
    for (var block = 0; block < size; block++) {
      var sum = terms.get(block);
      for (var i = 1; i < size; i++) {
        sum = new Pair(sum, terms.get((block + i) % size));
      }
      blocks[block] = sum;
    }
    return new ReductionOrder(blocks);
  }

  /** Returns the end of the block in which an element is, in a slice of a length. */
  int endOfBlock(int index, int length) {
    return Slice.start(blockOf(index, length) + 1, blocks.length, length);
  }

  /** Returns the order for the block in which an element is. */
  Sum sumAt(int index, int length) {
    return blocks[blockOf(index, length)];
  }

  private int blockOf(int index, int length) {
    var block = 0;
    while (block + 1 < blocks.length && Slice.start(block + 1, blocks.length, length) <= index) {
      block++;
    }
    return block;
  }
}
