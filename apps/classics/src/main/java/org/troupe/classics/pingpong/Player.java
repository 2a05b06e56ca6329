package org.troupe.classics.pingpong;

import java.util.Arrays;
import org.troupe.classics.Exchanger;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/** The first sends the ball, the second sends it back; the others look on. */
class Player extends Exchanger {

  private Spmd<? extends Exchanger> spmd;
  private double[] ball;

  @Override
  protected void prepare(Spmd<? extends Exchanger> spmd, int doubles) {
    this.spmd = spmd;
    ball = new double[spmd.rank() <= 1 ? doubles : 0];
    if (spmd.rank() == 0) {
      Arrays.setAll(ball, this::expected);
    }
  }

  @Override
  protected void exchange() {
    switch (spmd.rank()) {
      case 0 -> {
        spmd.send(1, Slice.of(ball));
        spmd.receive(1, Slice.of(ball));
      }
      case 1 -> {
        spmd.receive(0, Slice.of(ball));
        spmd.send(0, Slice.of(ball));
      }
      default -> {}
    }
  }

  @Override
  protected double[] received() {
    if (spmd.rank() == 0) {
      spmd.send(1, Slice.of(ball));
      Arrays.fill(ball, Double.NaN); // what is right afterwards has come back
      spmd.receive(1, Slice.of(ball));
    } else {
      exchange();
    }
    return ball;
  }

  @Override
  protected double expected(int index) {
    return number(0, 1, index);
  }
}
