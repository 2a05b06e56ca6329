package org.troupe.classics.alltoall;

import java.util.Arrays;
import org.troupe.classics.Exchanger;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/** One that has a part for each, and gets a part of each; both by rank. */
abstract class Member extends Exchanger {

  private Spmd<? extends Exchanger> spmd;
  private int doubles;
  private double[] parts;
  private double[] received;

  @Override
  protected void prepare(Spmd<? extends Exchanger> spmd, int doubles) {
    this.spmd = spmd;
    this.doubles = doubles;
    var whole = Math.multiplyExact(doubles, spmd.size());
    parts = new double[whole];
    received = new double[whole];
    Arrays.setAll(parts, i -> number(spmd.rank(), i / doubles, i % doubles));
  }

  @Override
  protected double[] received() {
    Arrays.fill(received, Double.NaN);
    exchange();
    return received;
  }

  @Override
  protected double expected(int index) {
    return number(index / doubles, spmd.rank(), index % doubles);
  }

  /** Returns the view of the group. */
  Spmd<? extends Exchanger> spmd() {
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
