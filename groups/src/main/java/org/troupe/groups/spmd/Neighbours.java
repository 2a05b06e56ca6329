package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The members of a group that are adjacent to one member in a topology.
 *
 * @param <T> the type of the members
 */
public class Neighbours<T> {

  private final Spmd<T> spmd;
  private final String name;
  private final int[] ranks;

  Neighbours(Spmd<T> spmd, String name, int... ranks) {
    this.spmd = spmd;
    this.name = name;
    this.ranks = Arrays.stream(ranks).filter(each -> each >= 0).sorted().distinct().toArray();
  }

  /**
   * Returns the neighbours in a graph; checks that it is symmetric, as a barrier would otherwise
   * wait for ever.
   */
  static <T> Neighbours<T> inGraph(Spmd<T> spmd, String name, IntFunction<int[]> edges) {
    for (var from = 0; from < spmd.size(); from++) {
      for (var to : edges.apply(from)) {
        if (to < 0 || to >= spmd.size() || to == from) {
          throw new IllegalArgumentException(
              "in the graph '%s' member %d has the neighbour %d, in a group of %d; give ranks from 0 on, of other members"
                  .formatted(name, from, to, spmd.size()));
        }
        var one = from;
        if (IntStream.of(edges.apply(to)).noneMatch(back -> back == one)) {
          throw new IllegalArgumentException(
              "in the graph '%s' member %d is a neighbour of %d, but not vice versa; a barrier needs both"
                  .formatted(name, to, from));
        }
      }
    }
    return new Neighbours<>(spmd, "graph " + name, edges.apply(spmd.rank()));
  }

  /**
   * Returns the ranks of the neighbours in the group, in order, without that of the member itself.
   */
  public final List<Integer> ranks() {
    return Arrays.stream(ranks).boxed().toList();
  }

  /** Returns the stubs of the neighbours, by rank. */
  public final List<T> members() {
    return Arrays.stream(ranks).mapToObj(spmd::member).toList();
  }

  /** Returns the stubs of the neighbours, by rank. */
  public final Stream<T> stream() {
    return members().stream();
  }

  final int[] array() {
    return ranks;
  }

  /** Returns the name of the arrangement, which is equal at all members. */
  final String name() {
    return name;
  }

  final Spmd<T> spmd() {
    return spmd;
  }

  final Optional<T> at(int rank) {
    return rank < 0 ? Optional.empty() : Optional.of(spmd.member(rank));
  }

  @Override
  public String toString() {
    return name + " around member " + spmd.rank() + ": " + Arrays.toString(ranks);
  }

  /**
   * Neighbours in a line, a rectangle or a cuboid, whose opposite edges may meet.
   *
   * <p>Rank 0 is at the origin; x runs fastest. At an edge, and along an axis that the lattice does
   * not have, the neighbour is empty; a member is not its own neighbour.
   *
   * @param <T> the type of the members
   */
  public static final class Lattice<T> extends Neighbours<T> {

    private final int[] sizes;
    private final boolean isClosed;

    static <T> Lattice<T> of(Spmd<T> spmd, String name, boolean isClosed, int... sizes) {
      var places = 1L;
      for (var each : sizes) {
        places *= each;
      }
      if (places != spmd.size() || IntStream.of(sizes).anyMatch(each -> each <= 0)) {
        throw new IllegalArgumentException(
            "a %s of %s has %d places, the group has %d members; give positive lengths whose product is that number"
                .formatted(
                    name,
                    String.join(" x ", IntStream.of(sizes).mapToObj(String::valueOf).toList()),
                    places,
                    spmd.size()));
      }
      return new Lattice<>(spmd, name + Arrays.toString(sizes), isClosed, sizes);
    }

    private Lattice(Spmd<T> spmd, String name, boolean isClosed, int... sizes) {
      super(spmd, name, ranks(spmd.rank(), isClosed, sizes));
      this.sizes = sizes;
      this.isClosed = isClosed;
    }

    private static int[] ranks(int rank, boolean isClosed, int[] sizes) {
      var ranks = new int[2 * sizes.length];
      for (var i = 0; i < ranks.length; i++) {
        ranks[i] = step(rank, i / 2, i % 2 * 2 - 1, isClosed, sizes);
      }
      return ranks;
    }

    private static int step(int rank, int axis, int by, boolean isClosed, int[] sizes) {
      if (axis >= sizes.length) {
        return -1;
      }
      var stride = 1;
      for (var i = 0; i < axis; i++) {
        stride *= sizes[i];
      }
      var place = rank / stride % sizes[axis];
      var next = place + by;
      if (isClosed) {
        next = Math.floorMod(next, sizes[axis]);
      }
      return next < 0 || next >= sizes[axis] || next == place ? -1 : rank + (next - place) * stride;
    }

    /** Returns the coordinate of the member along an axis: 0 for x, 1 for y, 2 for z. */
    public int coordinate(int axis) {
      var stride = 1;
      for (var i = 0; i < axis; i++) {
        stride *= sizes[i];
      }
      return spmd().rank() / stride % sizes[axis];
    }

    /** Returns the neighbour at the next smaller or larger coordinate along an axis. */
    public Optional<T> along(int axis, boolean towardsLarger) {
      return at(step(spmd().rank(), axis, towardsLarger ? 1 : -1, isClosed, sizes));
    }

    /** Returns the neighbour at x - 1. */
    public Optional<T> left() {
      return along(0, false);
    }

    /** Returns the neighbour at x + 1. */
    public Optional<T> right() {
      return along(0, true);
    }

    /** Returns the neighbour at y - 1. */
    public Optional<T> up() {
      return along(1, false);
    }

    /** Returns the neighbour at y + 1. */
    public Optional<T> down() {
      return along(1, true);
    }

    /** Returns the neighbour at z - 1. */
    public Optional<T> front() {
      return along(2, false);
    }

    /** Returns the neighbour at z + 1. */
    public Optional<T> back() {
      return along(2, true);
    }
  }

  /**
   * Neighbours in a hypercube: those whose rank differs in one bit.
   *
   * @param <T> the type of the members
   */
  public static final class Hypercube<T> extends Neighbours<T> {

    static <T> Hypercube<T> of(Spmd<T> spmd) {
      if (Integer.bitCount(spmd.size()) != 1) {
        throw new IllegalArgumentException(
            "a hypercube needs a power of two of members, the group has %d; make one of %d"
                .formatted(spmd.size(), Integer.highestOneBit(spmd.size())));
      }
      return new Hypercube<>(
          spmd,
          IntStream.range(0, Integer.numberOfTrailingZeros(spmd.size()))
              .map(each -> spmd.rank() ^ 1 << each)
              .toArray());
    }

    private Hypercube(Spmd<T> spmd, int... ranks) {
      super(spmd, "hypercube", ranks);
    }

    /** Returns the neighbour whose rank differs in this bit. */
    public T along(int dimension) {
      var rank = spmd().rank() ^ 1 << dimension;
      if (rank >= spmd().size() || dimension < 0) {
        throw new IllegalArgumentException(
            "a hypercube of %d members has no dimension %d; give one from 0 to %d"
                .formatted(
                    spmd().size(), dimension, Integer.numberOfTrailingZeros(spmd().size()) - 1));
      }
      return spmd().member(rank);
    }
  }

  /**
   * Neighbours in a binary tree with rank 0 as its root.
   *
   * @param <T> the type of the members
   */
  public static final class Tree<T> extends Neighbours<T> {

    static <T> Tree<T> of(Spmd<T> spmd) {
      var rank = spmd.rank();
      return new Tree<>(
          spmd,
          IntStream.of(rank == 0 ? -1 : (rank - 1) / 2, 2 * rank + 1, 2 * rank + 2)
              .filter(each -> each < spmd.size())
              .toArray());
    }

    private Tree(Spmd<T> spmd, int... ranks) {
      super(spmd, "tree", ranks);
    }

    /** Returns the parent; empty for the root. */
    public Optional<T> parent() {
      return spmd().rank() == 0 ? Optional.empty() : at((spmd().rank() - 1) / 2);
    }

    /** Returns the children: none, one or two. */
    public List<T> children() {
      return ranks().stream()
          .filter(each -> each > spmd().rank())
          .map(each -> spmd().member(each))
          .toList();
    }
  }
}
