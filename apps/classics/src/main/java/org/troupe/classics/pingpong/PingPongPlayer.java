package org.troupe.classics.pingpong;

import java.util.Arrays;
import org.troupe.classics.ExchangeMember;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * A member of the ping-pong: rank 0 sends the array, rank 1 sends it back; other ranks are idle.
 */
@SuppressWarnings("NullAway.Init") // prepare() sets the fields before any exchange
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
        mark(0, 1, count);
        spmd.send(1, Slice.of(ball));
        if (count == 0) {
          Arrays.fill(ball, Double.NaN); // so that correct numbers prove the return trip
        }
        spmd.receive(1, Slice.of(ball));
      }
      case 1 -> {
        spmd.receive(0, Slice.of(ball));
        mark(1, 0, count);
        spmd.send(0, Slice.of(ball));
      }
      default -> {}
    }
  }

  /** Marks the first and the last number of the array before it is sent. */
  private void mark(int from, int to, int count) {
    var last = ball.length - 1;
    ball[0] = number(from, to, 0, count);
    ball[last] = number(from, to, last, count);
  }

  @Override
  protected double[] received() {
    return ball;
  }

  /**
   * Returns the number of the returned array: rank 1 has marked both ends; all others are those of
   * rank 0.
   */
  @Override
  protected double expected(int count, int index) {
    var isEnd = index == 0 || index == ball.length - 1;
    return isEnd ? number(1, 0, index, count) : number(0, 1, index);
  }
}
