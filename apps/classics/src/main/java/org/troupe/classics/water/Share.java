package org.troupe.classics.water;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/**
 * The molecules of one member. It has room for all, and of the others the positions of those that
 * its own take care of.
 */
class Share {

  private final int molecules;
  private final int steps;
  private Liquid liquid;
  private int[] needed; // members whose molecules those here take care of
  private int[] needing; // members whose molecules take care of those here
  private Slice<double[]> returned; // forces on those here, as another has found them
  private double[] energies;

  public Share(int molecules, int steps) {
    this.molecules = molecules;
    this.steps = steps;
  }

  /** Takes its molecules, as they are in the beginning. */
  void prepare() {
    var spmd = Spmd.here(Share.class);
    var own = spmd.rank();
    liquid = new Liquid(molecules);
    var others = IntStream.range(0, spmd.size()).filter(each -> each != own).toArray();
    needed = IntStream.of(others).filter(each -> care(spmd, own, each)).toArray();
    needing = IntStream.of(others).filter(each -> care(spmd, each, own)).toArray();
    returned = Slice.of(new double[block(spmd, own, liquid.forces()).length()]);
    energies = new double[steps + 1];
  }

  private boolean care(Spmd<Share> spmd, int rank, int other) {
    return liquid.care(
        first(spmd, rank), first(spmd, rank + 1), first(spmd, other), first(spmd, other + 1));
  }

  /** Returns the first molecule of a member. */
  private int first(Spmd<Share> spmd, int rank) {
    return (int) ((long) molecules * rank / spmd.size());
  }

  private Slice<double[]> block(Spmd<Share> spmd, int rank, double[] values) {
    var begin = first(spmd, rank) * Liquid.STRIDE;
    return Slice.of(values).from(begin, first(spmd, rank + 1) * Liquid.STRIDE - begin);
  }

  /** Lets time pass. */
  void simulate() {
    var spmd = Spmd.here(Share.class);
    var from = first(spmd, spmd.rank());
    var to = first(spmd, spmd.rank() + 1);
    findForces(spmd, from, to);
    energies[0] = liquid.potential() + liquid.kinetic(from, to);
    for (var step = 1; step <= steps; step++) {
      liquid.accelerate(from, to);
      liquid.move(from, to);
      findForces(spmd, from, to);
      liquid.accelerate(from, to);
      energies[step] = liquid.potential() + liquid.kinetic(from, to);
    }
    spmd.allReduce(Slice.of(energies), Operation.SUM);
  }

  /**
   * All positions that another member needs go to it in one message, and all forces that it finds
   * come back in one. While the positions travel, molecules of one member attract each other.
   */
  private void findForces(Spmd<Share> spmd, int from, int to) {
    for (var each : needing) {
      spmd.send(each, block(spmd, spmd.rank(), liquid.positions()));
    }
    liquid.rest();
    liquid.bend(from, to);
    liquid.attract(from, to, from, to);
    for (var each : needed) {
      spmd.receive(each, block(spmd, each, liquid.positions()));
      liquid.attract(from, to, first(spmd, each), first(spmd, each + 1));
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

  /** Returns where its molecules are, and the energies of all members' molecules. */
  State state() {
    var spmd = Spmd.here(Share.class);
    var own = block(spmd, spmd.rank(), liquid.positions());
    return new State(
        Arrays.copyOfRange(own.array(), own.offset(), own.offset() + own.length()), energies);
  }
}
