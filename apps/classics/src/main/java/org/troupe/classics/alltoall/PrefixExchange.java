package org.troupe.classics.alltoall;

import java.util.stream.IntStream;
import org.troupe.classics.ExchangeMember;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * Bruck's algorithm: in each step a member sends half of all parts, in one message, to the member
 * 1, 2, 4 ... ranks further.
 *
 * <p>A part travels its distance as a sum of powers of two, one per step; all parts that travel in
 * a step share one message. A member sends log2(n) messages instead of n-1, but each part travels
 * more than once: J. Bruck et al., Efficient algorithms for all-to-all communications in multiport
 * message-passing systems, IEEE TPDS 8(11), 1997.
 */
@SuppressWarnings("NullAway.Init") // prepare() sets the fields before any exchange
class PrefixExchange extends AllToAllMember {

  private double[] inTransit; // parts in transit, by their total distance
  private double[] outgoing; // the message of a step
  private double[] incoming; // the message received in a step

  @Override
  protected void prepare(Spmd<? extends ExchangeMember> spmd, int doubles) {
    super.prepare(spmd, doubles);
    inTransit = new double[doubles * spmd.size()];
    outgoing = new double[doubles * spmd.size()];
    incoming = new double[doubles * spmd.size()];
  }

  @Override
  protected void exchange(int count) {
    mark(count);
    var own = spmd().rank();
    copy(part(own), receivedPart(own));
    for (var step = 1; step < spmd().size(); step *= 2) {
      var distances = distances(step);
      if (distances.length == 1) {
        exchange(step, source(distances[0], step), target(distances[0], step));
      } else {
        exchange(step, distances);
      }
    }
  }

  /** Returns the total distances of the parts that travel in a step. */
  private int[] distances(int step) {
    return IntStream.range(step, spmd().size()).filter(each -> (each & step) != 0).toArray();
  }

  private void exchange(int step, int[] distances) {
    for (var i = 0; i < distances.length; i++) {
      copy(source(distances[i], step), block(outgoing, i));
    }
    var length = distances.length * doubles();
    exchange(step, Slice.of(outgoing).from(0, length), Slice.of(incoming).from(0, length));
    for (var i = 0; i < distances.length; i++) {
      copy(block(incoming, i), target(distances[i], step));
    }
  }

  private void exchange(int step, Slice<double[]> message, Slice<double[]> into) {
    spmd().exchange(rankAt(step), message, rankAt(-step), into);
  }

  /** Returns where a part is before a step: in the send buffer if it is its first step. */
  private Slice<double[]> source(int distance, int step) {
    return step == Integer.lowestOneBit(distance)
        ? part(rankAt(distance))
        : block(inTransit, distance);
  }

  /** Returns where a part is after a step: in the receive buffer if it is its last step. */
  private Slice<double[]> target(int distance, int step) {
    return step == Integer.highestOneBit(distance)
        ? receivedPart(rankAt(-distance))
        : block(inTransit, distance);
  }

  private Slice<double[]> block(double[] of, int index) {
    return Slice.of(of).from(index * doubles(), doubles());
  }
}
