package org.troupe.benchmarks.harness;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** What the {@code main} of a JVM that measures does: a turn whenever it is told. */
public final class TurnProtocol {

  static final String GO = "go ";
  static final String WARM_UP = "warm up ";
  public static final String READY = "ready";
  static final String FIGURE = "= ";

  private static final int MOST_AT_ONCE = 1 << 16;
  private static final int TURNS_OF_A_BATCH = 20;

  private TurnProtocol() {}

  /** Says that this JVM is ready and takes turns, cold, until the one who tells is gone. */
  public static void take(Callable<Double> turn) throws Exception {
    takeAt(_ -> turn.call(), _ -> 0);
  }

  /**
   * Takes turns at what it is told, one of several things.
   *
   * @param roundMillis how long a turn lasts
   */
  public static void take(Loads loads, int roundMillis) throws Exception {
    Map<String, Measure> known = new HashMap<>();
    takeAt(
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

  private static void takeAt(Turn turn, Turn warmUp) throws Exception {
    System.out.println(READY);
    var told = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = told.readLine()) != null; ) {
      var figure =
          line.startsWith(WARM_UP)
              ? warmUp.at(line.substring(WARM_UP.length()))
              : turn.at(line.substring(GO.length()));
      System.out.println(FIGURE + figure);
    }
    System.exit(0); // whatever threads the measured things left
  }

  /** A turn at what is named. */
  private interface Turn {
    double at(String name) throws Exception;
  }

  /** What can be measured in this JVM, by name. */
  public interface Loads {
    Measure measure(String name) throws Exception;
  }

  /** Gives a figure after some time. */
  public interface Measure {
    double during(int millis) throws Exception;
  }

  /** Something done many times. */
  public interface Work {

    /** Does it so many times. */
    void run(int times) throws Exception;
  }

  /** Does it for a time at least and returns the microseconds that each took. */
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
      if (batch < MOST_AT_ONCE && nanos / done * batch * TURNS_OF_A_BATCH < millis * 1_000_000L) {
        batch *= 2; // so that asking the time costs nothing
      }
    }
  }
}
