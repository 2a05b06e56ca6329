package org.troupe.classics.fft;

import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/** A member's share of a signal, and later of its transform. */
class Transformer {

  private final int side;
  private Part part;
  private Signal own;
  private Signal spare;

  public Transformer(int side) {
    this.side = side;
  }

  /** Makes its share of the signal. */
  void prepare() {
    var spmd = Spmd.here(Transformer.class);
    var count = side / spmd.size();
    var first = spmd.rank() * count;
    if (part == null) {
      part = new Part(side, first, count);
      spare = Signal.zero(count * side);
    }
    own = Signal.wave(side * side, first * side, count * side);
  }

  /** Transforms: three times everybody has something for everybody else. */
  void transform() {
    var spmd = Spmd.here(Transformer.class);
    part.pack(own, spare);
    exchange(spmd);
    part.transformColumns(own, spare);
    exchange(spmd);
    part.transformRows(own, spare);
    exchange(spmd);
    part.unpack(own, spare);
    spmd.barrier().join();
  }

  /** Gives each member its block of what is to go. */
  private void exchange(Spmd<Transformer> spmd) {
    spmd.allToAll(Slice.of(spare.re()), Slice.of(own.re()));
    spmd.allToAll(Slice.of(spare.im()), Slice.of(own.im()));
  }

  /** Returns its share of the transform. */
  Signal transformed() {
    return spare;
  }
}
