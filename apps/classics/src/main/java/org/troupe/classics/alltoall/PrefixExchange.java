package org.troupe.classics.alltoall;

import java.util.stream.IntStream;
import org.troupe.classics.ExchangeMember;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * Sends half of all parts at each step, in one message, to the member 1, 2, 4 ... ranks further.
 *
 * <p>A part that has to go some distance goes the powers of two that this is made of, one at each
 * step; those on the way at the same time go together. So there are log2 of the members messages
 * instead of as many as members, though each part goes more than once: J. Bruck et al., Efficient
 * algorithms for all-to-all communications in multiport message-passing systems, IEEE TPDS 8(11),
 * 1997.
 */
class PrefixExchange extends AllToAllMember {

  private double[] travelling; // the part that has so far to go, by that distance
  private double[] packed; // for a step
  private double[] come; // at one

  @Override
  protected void prepare(Spmd<? extends ExchangeMember> spmd, int doubles) {
    super.prepare(spmd, doubles);
    travelling = new double[doubles * spmd.size()];
    packed = new double[doubles * spmd.size()];
    come = new double[doubles * spmd.size()];
  }

  @Override
  protected void exchange(int count) {
    label(count);
    var own = spmd().rank();
    copy(part(own), place(own));
    for (var step = 1; step < spmd().size(); step *= 2) {
      var distances = distances(step);
      if (distances.length == 1) {
        exchange(step, source(distances[0], step), target(distances[0], step));
      } else {
        exchange(step, distances);
      }
    }
  }

  /** Returns how far those have to go that travel at a step. */
  private int[] distances(int step) {
    return IntStream.range(step, spmd().size()).filter(each -> (each & step) != 0).toArray();
  }

  private void exchange(int step, int[] distances) {
    for (var i = 0; i < distances.length; i++) {
      copy(source(distances[i], step), parcel(packed, i));
    }
    var length = distances.length * doubles();
    exchange(step, Slice.of(packed).from(0, length), Slice.of(come).from(0, length));
    for (var i = 0; i < distances.length; i++) {
      copy(parcel(come, i), target(distances[i], step));
    }
  }

  private void exchange(int step, Slice<double[]> message, Slice<double[]> into) {
    spmd().exchange(after(step), message, after(-step), into);
  }

  /** Where what travels at a step is before: at its first one, where it has always been. */
  private Slice<double[]> source(int distance, int step) {
    return step == Integer.lowestOneBit(distance)
        ? part(after(distance))
        : parcel(travelling, distance);
  }

  /** Where it comes to: at its last one, where it belongs. */
  private Slice<double[]> target(int distance, int step) {
    return step == Integer.highestOneBit(distance)
        ? place(after(-distance))
        : parcel(travelling, distance);
  }

  private Slice<double[]> parcel(double[] of, int index) {
    return Slice.of(of).from(index * doubles(), doubles());
  }
}
