package org.troupe.classics;

import java.util.stream.IntStream;
import org.troupe.groups.Operation;
import org.troupe.groups.Spmd;

/** A member of a group that sends and receives over and over, in step with the others. */
public abstract class Exchanger {

  /** Of numbers that nobody else sends. */
  private static final long APART = 1_000_003;

  /**
   * What came of it.
   *
   * @param micros for one exchange, of the slowest member
   * @param wrong how many doubles were not what they should have been
   * @param sum of those that arrived
   */
  public record Turn(double micros, long wrong, double sum) {

    Turn with(Turn other) {
      return new Turn(micros, wrong + other.wrong, sum + other.sum);
    }
  }

  /** Makes room for messages of a size, and fills in what is sent. */
  protected abstract void prepare(Spmd<? extends Exchanger> spmd, int doubles);

  /** Sends and receives, once. */
  protected abstract void exchange();

  /** Does so once with nothing in the place of what is received; returns that. */
  protected abstract double[] received();

  /** Returns what should have been received, number by number. */
  protected abstract double expected(int index);

  /** Looks whether messages of a size arrive as they should, and then takes the time. */
  public Turn exchange(int doubles, int times) {
    var spmd = Spmd.here(Exchanger.class);
    prepare(spmd, doubles);
    var received = received();
    var wrong = IntStream.range(0, received.length).filter(i -> received[i] != expected(i)).count();
    var sum = IntStream.range(0, received.length).mapToDouble(i -> received[i]).sum();
    spmd.allReduce(0, Operation.SUM); // so that all begin together
    var began = System.nanoTime();
    for (var i = 0; i < times; i++) {
      exchange();
    }
    var micros = (System.nanoTime() - began) / 1e3 / times;
    return new Turn(spmd.allReduce(micros, Operation.MAX), wrong, sum);
  }

  /** Returns a number that tells from whom to whom it goes, and where it belongs. */
  protected static double number(int from, int to, int index) {
    return (from * APART + to) * APART + index;
  }
}
