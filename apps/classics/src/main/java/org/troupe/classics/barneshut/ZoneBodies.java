package org.troupe.classics.barneshut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * The bodies of one member: those in one zone of the space-filling curve.
 *
 * <p>Zones change in each step, so that all have the same cost (J. Singh et al., Load balancing and
 * data locality in adaptive hierarchical N-body methods, J. Parallel and Distributed Computing 27,
 * 118-141, 1995). Then each member sends every other member the part of its tree that the receiver
 * will need (J. Salmon, Parallel hierarchical N-body methods, PhD thesis, Caltech, 1991), and no
 * member requests data while it computes forces.
 */
class ZoneBodies {

  /*
   * Why the result is bitwise independent of the number of members. Cells are defined by the one curve
   * through all bodies, whichever member owns them. A cell whose children belong to several members is
   * rebuilt from the children in order. A cell that arrives without its children is far enough from
   * every body of the receiver to act as a whole.
   *
   * Why the loops over bodies have a method of their own. Inlined into the loop over steps, which then
   * was compiled by itself, the walk through the tree became 40 % slower code: 1.35 times the
   * sequential version on one node, and 0.99 with the loops apart (./troupe run barnes-hut, 9acbd6e,
   * 2026-11-22).
   */

  /** Samples per member. The costs of zones differ by a few parts in this number. */
  private static final int SAMPLES = 256;

  private final int count;
  private final int steps;
  private final double opening;

  @SuppressWarnings("NullAway.Init") // prepare() sets it before simulate() is called
  private CelestialBody[] bodies;

  public ZoneBodies(int count, int steps, double opening) {
    this.count = count;
    this.steps = steps;
    this.opening = opening;
  }

  /** Takes this member's share of the initial bodies. */
  void prepare() {
    var spmd = Spmd.here(ZoneBodies.class);
    var all = CelestialBody.cluster(count);
    var own = IndexRange.of(count, spmd);
    bodies = Arrays.copyOfRange(all, own.first(), own.end());
  }

  /** Simulates all steps. */
  void simulate() {
    var spmd = Spmd.here(ZoneBodies.class);
    for (var step = 0; step < steps; step++) {
      CelestialBody.move(bodies);
      var bounds = BoundingCube.bounds(bodies);
      spmd.allReduce(Slice.of(bounds), Operation.MIN);
      var cube = BoundingCube.around(bounds);
      rebalance(spmd, cube);
      new Octree(visible(spmd, cube), cube, opening).attract(bodies);
      CelestialBody.move(bodies);
    }
    spmd.barrier().join();
  }

  // Zones

  /**
   * Keys of some of a member's bodies, at equal intervals of cost.
   *
   * @param cost the cost between two keys
   */
  record Sample(long[] keys, double cost) {}

  /**
   * Redistributes the bodies: each member gets those of one zone, and all zones have equal cost.
   */
  private void rebalance(Spmd<ZoneBodies> spmd, BoundingCube cube) {
    cube.sort(bodies);
    var borders = borders(spmd.allGather(sample()), spmd.size());
    List<CelestialBody[]> parts = new ArrayList<>();
    var from = 0;
    for (var rank = 0; rank < spmd.size(); rank++) {
      var to = from;
      while (to < bodies.length && (rank == borders.length || bodies[to].key < borders[rank])) {
        to++;
      }
      parts.add(Arrays.copyOfRange(bodies, from, to));
      from = to;
    }
    bodies = spmd.allToAll(parts).stream().flatMap(Arrays::stream).toArray(CelestialBody[]::new);
    cube.sort(bodies);
  }

  private Sample sample() {
    var total = Arrays.stream(bodies).mapToLong(each -> each.cost).sum();
    var keys = new long[bodies.length == 0 ? 0 : SAMPLES];
    var taken = 0;
    var cost = 0L;
    for (var each : bodies) {
      cost += each.cost;
      while (taken < keys.length && cost * SAMPLES >= (taken + 1) * total) {
        keys[taken++] = each.key;
      }
    }
    return new Sample(keys, (double) total / SAMPLES);
  }

  /** Returns, for each zone but the first, a lower bound of its keys. */
  private static long[] borders(List<Sample> samples, int zones) {
    record Key(long key, double cost) {}
    var keys =
        samples.stream()
            .flatMap(each -> Arrays.stream(each.keys()).mapToObj(key -> new Key(key, each.cost())))
            .sorted((one, other) -> Long.compare(one.key, other.key))
            .toList();
    var total = samples.stream().mapToDouble(each -> each.keys().length * each.cost()).sum();
    var borders = new long[zones - 1];
    var found = 0;
    var cost = 0.0;
    for (var each : keys) {
      cost += each.cost;
      while (found < borders.length && cost >= total * (found + 1) / zones) {
        borders[found++] = each.key + 1;
      }
    }
    Arrays.fill(borders, found, borders.length, Long.MAX_VALUE); // reached only by rounding
    return borders;
  }

  // Essential parts of other zones' trees

  /** Returns the bodies of this member and the masses of other members that they need. */
  private PointMasses visible(Spmd<ZoneBodies> spmd, BoundingCube cube) {
    var own = PointMasses.of(bodies);
    if (spmd.size() == 1) {
      return own;
    }
    var zones = spmd.allGather(CurveZone.of(bodies));
    List<PointMasses> seen =
        new ArrayList<>(spmd.allToAll(essential(spmd.rank(), zones, own, cube)));
    seen.set(spmd.rank(), own);
    return PointMasses.of(seen);
  }

  private List<PointMasses> essential(
      int rank, List<CurveZone> zones, PointMasses own, BoundingCube cube) {
    var nothing = new PointMasses(new long[0], new double[0]);
    if (zones.get(rank).isEmpty()) {
      return zones.stream().map(_ -> nothing).toList();
    }
    var before =
        zones.subList(0, rank).stream().mapToLong(CurveZone::last).max().orElse(CurveZone.NOWHERE);
    var after =
        zones.subList(rank + 1, zones.size()).stream()
            .filter(each -> !each.isEmpty())
            .mapToLong(CurveZone::first)
            .min()
            .orElse(CurveZone.NOWHERE);
    var tree = new Octree(own, cube, opening);
    return IntStream.range(0, zones.size())
        .mapToObj(
            each ->
                each == rank || zones.get(each).isEmpty()
                    ? nothing
                    : tree.essential(zones.get(each), before, after))
        .toList();
  }

  /** Returns the bodies of this member. */
  CelestialBody[] bodies() {
    return bodies;
  }
}
