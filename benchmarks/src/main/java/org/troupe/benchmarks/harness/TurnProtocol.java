package org.troupe.benchmarks.harness;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The main loop of a measuring JVM: reads commands from its standard input and prints a figure for
 * each turn.
 */
public final class TurnProtocol {

  static final String GO = "go ";
  static final String WARM_UP = "warm up ";
  public static final String READY = "ready";
  static final String FIGURE = "= ";

  private static final int MOST_PER_BATCH = 1 << 16;
  private static final int BATCHES_PER_TURN = 20;

  private TurnProtocol() {}

  /**
   * Prints that this JVM is ready, then measures a single load without warm-up until its input
   * ends.
   */
  public static void serve(Callable<Double> turn) throws Exception {
    serveTurns(_ -> turn.call(), _ -> 0);
  }

  /**
   * Prints that this JVM is ready, then measures the requested loads until its input ends.
   *
   * @param roundMillis the duration of a turn
   */
  public static void serve(Loads loads, int roundMillis) throws Exception {
    Map<String, Measure> known = new HashMap<>();
    serveTurns(
        name -> known(loads, name, known).during(roundMillis),
        name -> {
          var warmUp = known.isEmpty() ? WarmUp.COLD : WarmUp.LUKEWARM;
          return warmUp.run(known(loads, name, known));
        });
  }

  private static Measure known(Loads loads, String name, Map<String, Measure> known)
      throws Exception {
    if (!known.containsKey(name)) {
      known.put(name, loads.measure(name));
    }
    return known.get(name);
  }

  private static void serveTurns(Turn turn, Turn warmUp) throws Exception {
    System.out.println(READY);
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      var figure =
          line.startsWith(WARM_UP)
              ? warmUp.at(line.substring(WARM_UP.length()))
              : turn.at(line.substring(GO.length()));
      System.out.println(FIGURE + figure);
    }
    System.exit(0); // although the measured code may have left threads
  }

  /** A turn with a load. */
  private interface Turn {
    double at(String name) throws Exception;
  }

  /** The loads of this JVM, by name. */
  public interface Loads {
    Measure measure(String name) throws Exception;
  }

  /** Measures a figure for some time. */
  public interface Measure {
    double during(int millis) throws Exception;
  }

  /** An operation that is repeated many times. */
  public interface Work {

    /** Repeats the operation. */
    void run(int times) throws Exception;
  }

  /** Repeats an operation at least for a time and returns the microseconds of each repetition. */
  public static double microsEach(Work work, int millis) throws Exception {
    var batch = 1;
    var done = 0L;
    var began = System.nanoTime();
    for (; ; ) {
      work.run(batch);
      done += batch;
      var nanos = System.nanoTime() - began;
      if (nanos >= millis * 1_000_000L) {
        return nanos / 1e3 / done;
      }
      if (batch < MOST_PER_BATCH && nanos / done * batch * BATCHES_PER_TURN < millis * 1_000_000L) {
        batch *= 2; // so that reading the clock costs nothing
      }
    }
  }
}
