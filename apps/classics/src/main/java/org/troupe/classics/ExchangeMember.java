package org.troupe.classics;

import java.util.stream.IntStream;
import org.troupe.groups.Operation;
import org.troupe.groups.spmd.Spmd;

/**
 * A member of a group that repeats an exchange of messages, in step with the other members.
 *
 * <p>The first and the last number of each message depend on the index of the exchange. So the
 * check after the measurement proves that the last message has arrived.
 */
public abstract class ExchangeMember {

  /** The largest number of doubles in a message for which all numbers of all messages differ. */
  static final int MOST_DOUBLES = 100_000_000;

  /** The largest number of members for which all numbers are exact in a double. */
  private static final long RANKS = 1 << 12;

  /**
   * The result of an exchange.
   *
   * @param micros the microseconds of one exchange, for the slowest member
   * @param wrong the number of doubles that differed from their expected values
   * @param sum the sum of the received doubles
   */
  public record Measurement(double micros, long wrong, double sum) {

    Measurement with(Measurement other) {
      return new Measurement(Math.max(micros, other.micros), wrong + other.wrong, sum + other.sum);
    }
  }

  private int doubles;
  private int times;
  private double micros;
  private long wrong;

  /** Allocates the buffers for messages of a size and fills in the numbers to send. */
  protected abstract void prepare(Spmd<? extends ExchangeMember> spmd, int doubles);

  /**
   * Sends and receives once.
   *
   * @param count the number of earlier exchanges; before the first one, the receive buffer has no
   *     valid number
   */
  protected abstract void exchange(int count);

  /** Returns the buffer of received numbers. */
  protected abstract double[] received();

  /** Returns the number that an exchange should have received at an index. */
  protected abstract double expected(int count, int index);

  /** Prepares for messages of a size and verifies a first exchange. */
  public void begin(int doubles) {
    this.doubles = doubles;
    var spmd = Spmd.here(ExchangeMember.class);
    prepare(spmd, doubles);
    exchange(0);
    wrong = wrong(0);
  }

  /** Measures the mean time of an exchange. */
  public void exchangeOften(int times) {
    this.times = times;
    var spmd = Spmd.here(ExchangeMember.class);
    spmd.allReduce(0, Operation.SUM); // so that all members begin together
    var began = System.nanoTime();
    for (var i = 1; i <= times; i++) {
      exchange(i);
    }
    micros = (System.nanoTime() - began) / 1e3 / times;
  }

  /** Verifies the last exchange and returns the measurement. */
  public Measurement end() {
    return new Measurement(
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

  /** Returns a number that identifies its sender, its receiver and its index in the message. */
  protected static double number(int from, int to, int index) {
    return (double) ((from * RANKS + to) * MOST_DOUBLES + index);
  }

  /**
   * Returns the number at an index of a message of the given exchange: the first and the last
   * number of a message also identify the exchange.
   */
  protected double number(int from, int to, int index, int count) {
    var isCounting = index == 0 || index == doubles - 1;
    return number(from, to, index) + (isCounting ? count : 0);
  }
}
