package org.troupe.classics.water;

import java.util.stream.IntStream;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * The molecules of one member. Its arrays have elements for all molecules; of the others it knows
 * the positions of those whose pairs it computes.
 */
@SuppressWarnings("NullAway.Init") // prepare() and simulate() set the fields
class WaterMember {

  private final int molecules;
  private final int steps;
  private WaterBox liquid;
  private int[] suppliers; // ranks whose positions this member needs to compute its pairs
  private int[] consumers; // ranks that need this member's positions
  private Slice<double[]> returned; // forces that another member has computed
  private WaterState state;

  public WaterMember(int molecules, int steps) {
    this.molecules = molecules;
    this.steps = steps;
  }

  /** Creates this member's molecules and finds the members to communicate with. */
  void prepare() {
    var spmd = Spmd.here(WaterMember.class);
    var own = spmd.rank();
    liquid = new WaterBox(molecules);
    var others = IntStream.range(0, spmd.size()).filter(each -> each != own).toArray();
    suppliers = IntStream.of(others).filter(each -> computesPairs(spmd, own, each)).toArray();
    consumers = IntStream.of(others).filter(each -> computesPairs(spmd, each, own)).toArray();
    returned = Slice.of(new double[block(spmd, own, liquid.forces()).length()]);
  }

  private boolean computesPairs(Spmd<WaterMember> spmd, int rank, int other) {
    var its = of(spmd, rank);
    var others = of(spmd, other);
    return liquid.computesPairs(its.first(), its.end(), others.first(), others.end());
  }

  private IndexRange of(Spmd<WaterMember> spmd, int rank) {
    return IndexRange.of(molecules, rank, spmd.size());
  }

  private Slice<double[]> block(Spmd<WaterMember> spmd, int rank, double[] values) {
    var its = of(spmd, rank);
    return Slice.of(values).from(its.first() * WaterBox.STRIDE, its.count() * WaterBox.STRIDE);
  }

  /** Simulates all steps. */
  void simulate() {
    var spmd = Spmd.here(WaterMember.class);
    var own = of(spmd, spmd.rank());
    state = liquid.simulate(own.first(), own.end(), steps, () -> findForces(spmd, own));
    spmd.allReduce(Slice.of(state.energies()), Operation.SUM);
  }

  /**
   * Computes the forces. All positions that another member needs are sent to it in one message, and
   * all forces that it computes return in one. While the positions travel, each member computes the
   * forces among its own molecules.
   */
  private void findForces(Spmd<WaterMember> spmd, IndexRange own) {
    for (var each : consumers) {
      spmd.send(each, block(spmd, spmd.rank(), liquid.positions()));
    }
    liquid.resetForces();
    liquid.bend(own.first(), own.end());
    liquid.attract(own.first(), own.end(), own.first(), own.end());
    for (var each : suppliers) {
      spmd.receive(each, block(spmd, each, liquid.positions()));
      var others = of(spmd, each);
      liquid.attract(own.first(), own.end(), others.first(), others.end());
      spmd.send(each, block(spmd, each, liquid.forces()));
    }
    var forces = block(spmd, spmd.rank(), liquid.forces());
    for (var each : consumers) {
      spmd.receive(each, returned);
      for (var i = 0; i < returned.length(); i++) {
        forces.array()[forces.offset() + i] += returned.array()[i];
      }
    }
  }

  /**
   * Returns the positions of this member's molecules and the energies of all members' molecules.
   */
  WaterState state() {
    return state;
  }
}
