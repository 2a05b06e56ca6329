package ibis.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import ibis.satin.Spawnable;
import ibis.satin.WriteMethodsInterface;
import java.util.Arrays;
import java.util.TreeSet;

interface CounterInterface extends WriteMethodsInterface {
  int add(int[] amount);
}

/** A shared number. */
final class Counter extends SharedObject implements CounterInterface {
  private static final long serialVersionUID = 1;
  private int sum;

  @Override
  public int add(int[] amount) {
    sum += amount[0];
    amount[0] = 0; // other replicas got what it was before
    return sum;
  }

  int sum() {
    return sum;
  }
}

interface PlacesInterface extends Spawnable {
  String[] visit(Counter counter, int round);

  int never(Counter counter);

  int alone(int value);
}

/** Jobs that tell where they run, and count there. */
public class Places extends SatinObject implements PlacesInterface {
  private static final long serialVersionUID = 1;
  private static final int JOBS = 12;

  /** Whether a job was taken by another node, which tells by its failure that a guard was asked. */
  private static boolean taken;

  public boolean guard_never(Counter counter) {
    return false;
  }

  public boolean guard_alone(int value) {
    return false;
  }

  private static void compute() {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Override
  public String[] visit(Counter counter, int round) {
    compute();
    counter.add(new int[] {1});
    return new String[] {
      Long.toString(ProcessHandle.current().pid()),
      Boolean.toString(SatinObject.localJob()),
      System.getProperty("places.given")
    };
  }

  @Override
  public int never(Counter counter) {
    compute();
    return 1;
  }

  @Override
  public int alone(int value) {
    compute();
    return 1;
  }

  private void guards(boolean withCounter, Counter counter) {
    for (int i = 0; i < JOBS; i++) {
      int x = 0;
      try {
        if (withCounter) {
          x = never(counter);
        } else {
          x = alone(i);
        }
      } catch (IllegalStateException e) {
        taken |= e.getMessage().contains("guard of 'ibis.satin.programs.Places.");
        return;
      }
    }
    sync();
  }

  public static void main(String[] args) {
    Places places = new Places();
    Counter counter = new Counter();
    TreeSet<String> seen = new TreeSet<>();
    String here = Long.toString(ProcessHandle.current().pid());
    boolean right = true;
    int spawned = 0;
    long end = System.nanoTime() + 60_000_000_000L;
    while (seen.size() < 3 && System.nanoTime() < end) {
      String[][] results = new String[JOBS][];
      for (int i = 0; i < JOBS; i++) {
        results[i] = places.visit(counter, i);
        spawned++;
      }
      places.sync();
      for (String[] each : results) {
        seen.add(each[0]);
        right &= each[0].equals(here) == each[1].equals("true") && "yes".equals(each[2]);
      }
    }
    Check.that("places " + seen.size(), right && seen.size() == 3);
    while (counter.sum() < spawned && System.nanoTime() < end) {
      places.sync(); // a poll, at which writes of other nodes are applied
    }
    Check.that(
        "writes of all nodes",
        counter.sum() == spawned && counter.add(new int[] {2}) == spawned + 2);
    for (boolean withCounter : new boolean[] {false, true}) {
      taken = false;
      while (!taken && System.nanoTime() < end) {
        places.guards(withCounter, counter);
      }
      Check.that("guard that never holds " + Arrays.toString(args), taken);
    }
  }
}
