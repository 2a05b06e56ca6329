package org.troupe.classics.water;

import java.util.stream.IntStream;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * The molecules of one member. It has room for all, and of the others the positions of those that
 * its own take care of.
 */
class WaterMember {

  private final int molecules;
  private final int steps;
  private WaterBox liquid;
  private int[] needed; // members whose molecules those here take care of
  private int[] needing; // members whose molecules take care of those here
  private Slice<double[]> returned; // forces on those here, as another has found them
  private WaterState state;

  public WaterMember(int molecules, int steps) {
    this.molecules = molecules;
    this.steps = steps;
  }

  /** Takes its molecules, as they are in the beginning. */
  void prepare() {
    var spmd = Spmd.here(WaterMember.class);
    var own = spmd.rank();
    liquid = new WaterBox(molecules);
    var others = IntStream.range(0, spmd.size()).filter(each -> each != own).toArray();
    needed = IntStream.of(others).filter(each -> care(spmd, own, each)).toArray();
    needing = IntStream.of(others).filter(each -> care(spmd, each, own)).toArray();
    returned = Slice.of(new double[block(spmd, own, liquid.forces()).length()]);
  }

  private boolean care(Spmd<WaterMember> spmd, int rank, int other) {
    var its = of(spmd, rank);
    var others = of(spmd, other);
    return liquid.care(its.first(), its.end(), others.first(), others.end());
  }

  private IndexRange of(Spmd<WaterMember> spmd, int rank) {
    return IndexRange.of(molecules, rank, spmd.size());
  }

  private Slice<double[]> block(Spmd<WaterMember> spmd, int rank, double[] values) {
    var its = of(spmd, rank);
    return Slice.of(values).from(its.first() * WaterBox.STRIDE, its.count() * WaterBox.STRIDE);
  }

  /** Lets time pass. */
  void simulate() {
    var spmd = Spmd.here(WaterMember.class);
    var own = of(spmd, spmd.rank());
    state = liquid.simulate(own.first(), own.end(), steps, () -> findForces(spmd, own));
    spmd.allReduce(Slice.of(state.energies()), Operation.SUM);
  }

  /**
   * All positions that another member needs go to it in one message, and all forces that it finds
   * come back in one. While the positions travel, molecules of one member attract each other.
   */
  private void findForces(Spmd<WaterMember> spmd, IndexRange own) {
    for (var each : needing) {
      spmd.send(each, block(spmd, spmd.rank(), liquid.positions()));
    }
    liquid.rest();
    liquid.bend(own.first(), own.end());
    liquid.attract(own.first(), own.end(), own.first(), own.end());
    for (var each : needed) {
      spmd.receive(each, block(spmd, each, liquid.positions()));
      var others = of(spmd, each);
      liquid.attract(own.first(), own.end(), others.first(), others.end());
      spmd.send(each, block(spmd, each, liquid.forces()));
    }
    var forces = block(spmd, spmd.rank(), liquid.forces());
    for (var each : needing) {
      spmd.receive(each, returned);
      for (var i = 0; i < returned.length(); i++) {
        forces.array()[forces.offset() + i] += returned.array()[i];
      }
    }
  }

  /** Returns where its molecules were, and the energies of all members' molecules. */
  WaterState state() {
    return state;
  }
}
