package org.troupe.classics.pingpong;

import java.util.Arrays;
import org.troupe.classics.ExchangeMember;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The first sends the ball, the second sends it back; the others look on. */
class PingPongPlayer extends ExchangeMember {

  private Spmd<? extends ExchangeMember> spmd;
  private double[] ball;

  @Override
  protected void prepare(Spmd<? extends ExchangeMember> spmd, int doubles) {
    this.spmd = spmd;
    ball = new double[spmd.rank() <= 1 ? doubles : 0];
    if (spmd.rank() == 0) {
      Arrays.setAll(ball, i -> number(0, 1, i));
    }
  }

  @Override
  protected void exchange(int count) {
    switch (spmd.rank()) {
      case 0 -> {
        hit(0, 1, count);
        spmd.send(1, Slice.of(ball));
        if (count == 0) {
          Arrays.fill(ball, Double.NaN); // what is right afterwards has come back
        }
        spmd.receive(1, Slice.of(ball));
      }
      case 1 -> {
        spmd.receive(0, Slice.of(ball));
        hit(1, 0, count);
        spmd.send(0, Slice.of(ball));
      }
      default -> {}
    }
  }

  /** Who has the ball leaves a sign at both of its ends. */
  private void hit(int from, int to, int count) {
    var last = ball.length - 1;
    ball[0] = number(from, to, 0, count);
    ball[last] = number(from, to, last, count);
  }

  @Override
  protected double[] received() {
    return ball;
  }

  /**
   * The second one's ends are its own; what comes back has them, and all between is the first's.
   */
  @Override
  protected double expected(int count, int index) {
    var isEnd = index == 0 || index == ball.length - 1;
    return isEnd ? number(1, 0, index, count) : number(0, 1, index);
  }
}
