package org.troupe.classics;

import java.util.stream.IntStream;
import org.troupe.groups.Operation;
import org.troupe.groups.spmd.Spmd;

/**
 * A member of a group that sends and receives over and over, in step with the others.
 *
 * <p>The first and the last number of each message depend on how many exchanges there were before:
 * so what is there after the clock has stopped is that of the last one, or something was lost.
 */
public abstract class ExchangeMember {

  /** So many doubles a message may carry: no number of one is that of another then. */
  static final int MOST_DOUBLES = 100_000_000;

  /** So many members at most have numbers of their own; all are exact in a double. */
  private static final long RANKS = 1 << 12;

  /**
   * The result of an exchange.
   *
   * @param micros for one exchange, of the slowest member
   * @param wrong how many doubles were not what they should have been
   * @param sum of those that arrived
   */
  public record Turn(double micros, long wrong, double sum) {

    Turn with(Turn other) {
      return new Turn(Math.max(micros, other.micros), wrong + other.wrong, sum + other.sum);
    }
  }

  private int doubles;
  private int times;
  private double micros;
  private long wrong;

  /** Makes room for messages of a size, and fills in what is sent. */
  protected abstract void prepare(Spmd<? extends ExchangeMember> spmd, int doubles);

  /**
   * Sends and receives, once.
   *
   * @param count of the exchanges before; in the first one, nothing is where things are received
   */
  protected abstract void exchange(int count);

  /** Returns what was received last. */
  protected abstract double[] received();

  /** Returns what should have been received in an exchange, number by number. */
  protected abstract double expected(int count, int index);

  /** Gets ready for messages of a size, and looks whether they arrive as they should. */
  public void begin(int doubles) {
    this.doubles = doubles;
    var spmd = Spmd.here(ExchangeMember.class);
    prepare(spmd, doubles);
    exchange(0);
    wrong = wrong(0);
  }

  /** Takes the time. */
  public void exchangeOften(int times) {
    this.times = times;
    var spmd = Spmd.here(ExchangeMember.class);
    spmd.allReduce(0, Operation.SUM); // so that all begin together
    var began = System.nanoTime();
    for (var i = 1; i <= times; i++) {
      exchange(i);
    }
    micros = (System.nanoTime() - began) / 1e3 / times;
  }

  /** Looks at what has arrived in the end. */
  public Turn end() {
    return new Turn(
        micros,
        wrong + wrong(times),
        IntStream.range(0, received().length).mapToDouble(i -> received()[i]).sum());
  }

  private long wrong(int count) {
    var received = received();
    return IntStream.range(0, received.length)
        .filter(i -> received[i] != expected(count, i))
        .count();
  }

  /** Returns a number that tells from whom to whom it goes, and where it belongs. */
  public static double number(int from, int to, int index) {
    return (double) ((from * RANKS + to) * MOST_DOUBLES + index);
  }

  /** The same, if it is the first or the last of its message, in an exchange. */
  public double number(int from, int to, int index, int count) {
    var isCounting = index == 0 || index == doubles - 1;
    return number(from, to, index) + (isCounting ? count : 0);
  }
}
