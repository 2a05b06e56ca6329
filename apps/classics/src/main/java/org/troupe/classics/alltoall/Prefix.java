package org.troupe.classics.alltoall;

import org.troupe.classics.Exchanger;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/**
 * Sends half of all parts at each step, in one message, to the member 1, 2, 4 ... ranks further.
 *
 * <p>A part that has to go some distance goes the powers of two that this is made of, one at each
 * step; those on the way at the same time go together. So there are log2 of the members messages
 * instead of as many as members, though each part goes more than once: J. Bruck et al., Efficient
 * algorithms for all-to-all communications in multiport message-passing systems, IEEE TPDS 8(11),
 * 1997.
 */
class Prefix extends Member {

  private double[] travelling; // the part that has so far to go, by that distance
  private double[] packed;

  @Override
  protected void prepare(Spmd<? extends Exchanger> spmd, int doubles) {
    super.prepare(spmd, doubles);
    travelling = new double[doubles * spmd.size()];
    packed = new double[doubles * spmd.size()];
  }

  @Override
  protected void exchange(int count) {
    label(count);
    var size = spmd().size();
    for (var distance = 0; distance < size; distance++) {
      copy(part(after(distance)), parcel(travelling, distance));
    }
    for (var step = 1; step < size; step *= 2) {
      var message = Slice.of(packed).from(0, pack(step) * doubles());
      spmd().send(after(step), message);
      spmd().receive(after(-step), message);
      unpack(step);
    }
    for (var distance = 0; distance < size; distance++) {
      copy(parcel(travelling, distance), place(after(-distance)));
    }
  }

  /** Puts together what goes at a step; returns how many parts that are. */
  private int pack(int step) {
    var count = 0;
    for (var distance = step; distance < spmd().size(); distance++) {
      if ((distance & step) != 0) {
        copy(parcel(travelling, distance), parcel(packed, count++));
      }
    }
    return count;
  }

  private void unpack(int step) {
    var count = 0;
    for (var distance = step; distance < spmd().size(); distance++) {
      if ((distance & step) != 0) {
        copy(parcel(packed, count++), parcel(travelling, distance));
      }
    }
  }

  private Slice<double[]> parcel(double[] of, int index) {
    return Slice.of(of).from(index * doubles(), doubles());
  }
}
