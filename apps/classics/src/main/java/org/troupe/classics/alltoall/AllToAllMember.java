package org.troupe.classics.alltoall;

import java.util.Arrays;
import org.troupe.classics.ExchangeMember;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** One that has a part for each, and gets a part of each; both by rank. */
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

  /** Begins and ends all parts with what tells this exchange from others. */
  void label(int count) {
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

  /** Returns the view of the group. */
  Spmd<? extends ExchangeMember> spmd() {
    return spmd;
  }

  int doubles() {
    return doubles;
  }

  /** Returns the rank that is so many ranks further, all around. */
  int after(int distance) {
    return Math.floorMod(spmd.rank() + distance, spmd.size());
  }

  /** Returns what goes to a member. */
  Slice<double[]> part(int to) {
    return Slice.of(parts).from(to * doubles, doubles);
  }

  /** Returns the place of what a member sends. */
  Slice<double[]> place(int from) {
    return Slice.of(received).from(from * doubles, doubles);
  }

  /** Copies what stays. */
  static void copy(Slice<double[]> from, Slice<double[]> to) {
    System.arraycopy(from.array(), from.offset(), to.array(), to.offset(), from.length());
  }
}
