package ibis.satin.programs;

import ibis.satin.Inlet;
import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.util.Arrays;
import java.util.TreeSet;

/** Thrown with the place where its job ran. */
class Met extends Inlet {
  private static final long serialVersionUID = 1;
  final int value;
  final String place;

  Met(int value, String place) {
    this.value = value;
    this.place = place;
  }
}

interface InletsInterface extends Spawnable {
  void meet(Board board, String what, int number, int value) throws Met;

  int fail(Board board, int number);

  int failing(Board board, int number);

  int endless(Board board, String what);

  int outer(Board board);

  void late(Board board, int value) throws Met;

  int plain(int value);
}

/** Section 5.3 of the specification, with children on as many other nodes as the argument says. */
public class Inlets extends Meeting implements InletsInterface {
  private static final long serialVersionUID = 1;

  @Override
  public void meet(Board board, String what, int number, int value) throws Met {
    board.note(what);
    await(board, what, number);
    throw new Met(value, place());
  }

  @Override
  public int fail(Board board, int number) {
    await(board, "endless", number);
    throw new IllegalArgumentException("child");
  }

  @Override
  public int endless(Board board, String what) {
    board.note(what);
    long end = patience();
    try {
      while (!SatinObject.localJob()) { // else its parent waits on this thread
        poll(end, "the abort of '" + what + "'");
      }
    } finally {
      board.note(what + " ended");
    }
    return 1;
  }

  @Override
  public int plain(int value) {
    return value;
  }

  /** Numbers 1 and 2: inlets run on the thread of the parent, one at a time, with its variables. */
  private String ofChildrenElsewhere(Board board, int nodes) {
    Thread parent = Thread.currentThread();
    TreeSet<String> places = new TreeSet<>();
    int count = 0;
    int sum = 0;
    boolean inside = false;
    boolean right = true;
    for (int i = 1; i <= nodes; i++) {
      try {
        meet(board, "met", nodes, i);
      } catch (Met met) {
        right &= !inside && Thread.currentThread() == parent;
        inside = true;
        sum += met.value;
        places.add(met.place);
        count++;
        inside = false;
        return "";
      }
    }
    await(board, "met", nodes);
    right &= count == 0;
    sync();
    places.remove(place());
    return count + " " + sum + " " + places.size() + " " + right;
  }

  /** Number 3: the code behind the try is run by each inlet, with a spawn and a sync of its own. */
  private int ofChildrenThatRunOut(Board board, int nodes) {
    int last = 0;
    int ends = 0;
    for (int i = 1; i <= nodes; i++) {
      try {
        meet(board, "run out", nodes, i);
      } catch (Met met) {
        last = met.value;
        i = nodes; // so that the second activation leaves the loop
      }
    }
    if (last == 0) {
      await(board, "run out", nodes);
    }
    int x = plain(1);
    sync();
    ends += x;
    return ends;
  }

  @Override
  public int failing(Board board, int number) {
    int[] results = new int[number];
    for (int i = 0; i < number; i++) {
      results[i] = endless(board, "endless");
    }
    int x = fail(board, number);
    sync();
    board.note("behind the sync of the parent");
    return x + results[0];
  }

  /** Number 4: the siblings of a job that throws are aborted, and the next inlet gets it. */
  private String withoutInlet(Board board, int nodes) {
    String got = "nothing";
    int x = 0;
    try {
      x = failing(board, nodes);
    } catch (IllegalArgumentException e) {
      got = e.getMessage();
      return "";
    }
    sync();
    await(board, "endless ended", nodes);
    return got + " " + x + " " + board.count("behind the sync of the parent");
  }

  @Override
  public int outer(Board board) {
    int x = endless(board, "inner");
    await(board, "inner", 1); // on another node
    board.note("outer");
    sync();
    board.note("behind the sync of an aborted job");
    return x;
  }

  /** Number 5: jobs that run elsewhere end, and so do those that they have spawned. */
  private String aborted(Board board, int nodes) {
    int[] results = new int[nodes];
    Arrays.fill(results, -1);
    int inner = 0;
    if (nodes > 1) {
      results[0] = outer(board);
      await(board, "outer", 1);
      inner = 1;
      for (int i = 2; i < nodes; i++) {
        results[i] = endless(board, "aborted");
      }
      await(board, "aborted", nodes - 2);
    } else {
      results[0] = endless(board, "aborted");
      await(board, "aborted", 1);
    }
    abort();
    int later = plain(7);
    sync();
    await(board, "inner ended", inner);
    await(board, "aborted ended", nodes > 1 ? nodes - 2 : 1);
    int unchanged = 0;
    for (int each : results) {
      unchanged += each == -1 ? 1 : 0;
    }
    return unchanged + " " + later + " " + board.count("behind the sync of an aborted job");
  }

  @Override
  public void late(Board board, int value) throws Met {
    board.note("late");
    board.note("late throws"); // no poll lies between
    throw new Met(value, place());
  }

  /** Number 5: the inlet of an aborted job does not run, though the job has thrown before. */
  private int abortedWithInlet(Board board) {
    int inlets = 0;
    try {
      late(board, 1);
    } catch (Met met) {
      inlets++;
      return 0;
    }
    await(board, "late throws", 1);
    abort();
    sync();
    return inlets;
  }

  public static void main(String[] args) {
    int nodes = Integer.parseInt(args[0]);
    Inlets inlets = new Inlets();
    Board board = new Board();
    Check.that(
        "inlets of " + nodes + " other nodes",
        inlets
            .ofChildrenElsewhere(board, nodes)
            .equals(nodes + " " + nodes * (nodes + 1) / 2 + " " + nodes + " true"));
    Check.that("second activations", inlets.ofChildrenThatRunOut(board, nodes) == nodes + 1);
    String failed = inlets.withoutInlet(board, nodes);
    Check.that("failure without inlet: " + failed, failed.equals("child 0 0"));
    String aborted = inlets.aborted(board, nodes);
    Check.that("abort: " + aborted, aborted.equals(nodes + " 7 0"));
    Check.that("no inlet of an aborted job", inlets.abortedWithInlet(board) == 0);
  }
}
