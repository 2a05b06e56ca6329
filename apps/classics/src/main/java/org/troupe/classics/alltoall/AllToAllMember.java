package org.troupe.classics.alltoall;

import java.util.Arrays;
import org.troupe.classics.ExchangeMember;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * A member with one part to send to each member and one part to receive from each; both are ordered
 * by rank.
 */
@SuppressWarnings("NullAway.Init") // prepare() sets the fields before any exchange
abstract class AllToAllMember extends ExchangeMember {

  private Spmd<? extends ExchangeMember> spmd;
  private int doubles;
  private double[] parts;
  private double[] received;

  @Override
  protected void prepare(Spmd<? extends ExchangeMember> spmd, int doubles) {
    this.spmd = spmd;
    this.doubles = doubles;
    var whole = doubles * spmd.size();
    parts = new double[whole];
    received = new double[whole];
    Arrays.setAll(parts, i -> number(spmd.rank(), i / doubles, i % doubles));
    Arrays.fill(received, Double.NaN);
  }

  /** Marks the first and the last number of each part with the index of the exchange. */
  void mark(int count) {
    for (var to = 0; to < spmd.size(); to++) {
      parts[to * doubles] = number(spmd.rank(), to, 0, count);
      parts[to * doubles + doubles - 1] = number(spmd.rank(), to, doubles - 1, count);
    }
  }

  @Override
  protected double[] received() {
    return received;
  }

  @Override
  protected double expected(int count, int index) {
    return number(index / doubles, spmd.rank(), index % doubles, count);
  }

  /** Returns this member's view of the group. */
  Spmd<? extends ExchangeMember> spmd() {
    return spmd;
  }

  int doubles() {
    return doubles;
  }

  /** Returns the rank at a distance from this one, modulo the size of the group. */
  int rankAt(int distance) {
    return Math.floorMod(spmd.rank() + distance, spmd.size());
  }

  /** Returns the part that is sent to a member. */
  Slice<double[]> part(int to) {
    return Slice.of(parts).from(to * doubles, doubles);
  }

  /** Returns the buffer for the part of a member. */
  Slice<double[]> receivedPart(int from) {
    return Slice.of(received).from(from * doubles, doubles);
  }

  /** Copies a slice to another of equal length. */
  static void copy(Slice<double[]> from, Slice<double[]> to) {
    System.arraycopy(from.array(), from.offset(), to.array(), to.offset(), from.length());
  }
}
