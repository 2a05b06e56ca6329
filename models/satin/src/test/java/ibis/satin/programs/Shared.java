package ibis.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import ibis.satin.Spawnable;
import ibis.satin.WriteMethodsInterface;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

interface LedgerInterface extends WriteMethodsInterface {
  int post(int writer, int number);

  void postAndFail(int writer, int number);
}

/** Numbers that writers post in their order. */
final class Ledger extends SharedObject implements LedgerInterface {
  private static final long serialVersionUID = 1;
  private final Map<Integer, Integer> last = new TreeMap<>();
  private boolean inOrder = true;

  @Override
  public int post(int writer, int number) {
    inOrder &= number == of(writer) + 1;
    last.put(writer, number);
    return sum();
  }

  @Override
  public void postAndFail(int writer, int number) {
    post(writer, number);
    throw new UnsupportedOperationException("of the write");
  }

  int of(int writer) {
    return last.getOrDefault(writer, 0);
  }

  int sum() {
    int sum = 0;
    for (int each : last.values()) {
      sum += each;
    }
    return inOrder ? sum : -1;
  }
}

/** An ordinary object with a shared one in a field. */
final class Shelf implements Serializable {
  private static final long serialVersionUID = 1;
  final Ledger ledger;

  Shelf(Ledger ledger) {
    this.ledger = ledger;
  }
}

interface SharedInterface extends Spawnable {
  boolean write(Board board, Ledger ledger, int writer, int writers, int number);

  int read(Board board, Ledger ledger, int readers, int sum);

  String fail(Board board, Ledger ledger, int number);

  int guarded(Board board, Ledger ledger, int sum);

  int broken(Board board);

  int share(Board board);

  int use(Board board, Ledger ledger);

  int within(Board board, Shelf shelf, int writer);

  String look(Ledger ledger, int sum);

  int die(String mark);
}

/** Section 5.4 of the specification, on as many other nodes as the argument says. */
public class Shared extends Meeting implements SharedInterface {
  private static final long serialVersionUID = 1;
  private static final int WRITES = 200;

  /** Whether a guard of this JVM was asked. */
  private static boolean asked;

  @Override
  public boolean write(Board board, Ledger ledger, int writer, int writers, int number) {
    board.note("writer");
    await(board, "writer", writers);
    boolean right = true;
    for (int i = 1; i <= number; i++) {
      int returned = ledger.post(writer, i);
      right &= ledger.of(writer) == i && returned >= i;
    }
    return right;
  }

  public boolean guard_read(Board board, Ledger ledger, int readers, int sum) {
    return ledger.sum() == sum;
  }

  @Override
  public int read(Board board, Ledger ledger, int readers, int sum) {
    board.note("reader");
    await(board, "reader", readers);
    return ledger.sum();
  }

  @Override
  public String fail(Board board, Ledger ledger, int number) {
    String thrown = "";
    try {
      ledger.postAndFail(0, number);
    } catch (UnsupportedOperationException e) {
      thrown = e.getMessage();
    }
    board.note("failed");
    return thrown;
  }

  public boolean guard_guarded(Board board, Ledger ledger, int sum) {
    if (!asked) {
      asked = true;
      board.note("asked");
    }
    return ledger.sum() == sum;
  }

  @Override
  public int guarded(Board board, Ledger ledger, int sum) {
    board.note("guarded");
    return ledger.sum();
  }

  public boolean guard_broken(Board board) {
    board.note("broken");
    throw new IllegalArgumentException("of the guard");
  }

  @Override
  public int broken(Board board) {
    return 1;
  }

  @Override
  public int share(Board board) {
    Ledger own = new Ledger();
    own.post(1, 1);
    int x = use(board, own);
    await(board, "used", 1); // on another node
    sync();
    board.note("shared");
    return x;
  }

  @Override
  public int use(Board board, Ledger ledger) {
    board.note("used");
    return ledger.sum();
  }

  @Override
  public int within(Board board, Shelf shelf, int writer) {
    shelf.ledger.post(writer, 1);
    board.note("within");
    return shelf.ledger.of(writer);
  }

  public boolean guard_look(Ledger ledger, int sum) {
    return ledger.sum() == sum;
  }

  @Override
  public String look(Ledger ledger, int sum) {
    return ledger.sum() == sum ? place() : "wrong";
  }

  @Override
  public int die(String mark) {
    if (!SatinObject.localJob() && new File(mark).mkdir()) {
      Runtime.getRuntime().halt(3);
    }
    return 1;
  }

  /** All nodes write at a time; each reads its own writes, and the writes of each come in order. */
  private boolean ofSeveralWriters(Board board, Ledger ledger, int nodes) {
    boolean[] right = new boolean[nodes];
    for (int i = 0; i < nodes; i++) {
      right[i] = write(board, ledger, i + 1, nodes, WRITES);
    }
    await(board, "writer", nodes);
    sync();
    for (boolean each : right) {
      if (!each) {
        return false;
      }
    }
    return true;
  }

  /** Each node gets all writes, for which a guard waits. */
  private int atAllNodes(Board board, Ledger ledger, int nodes, int sum) {
    int[] read = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      read[i] = read(board, ledger, nodes, sum);
    }
    await(board, "reader", nodes);
    sync();
    int agreeing = 0;
    for (int each : read) {
      agreeing += each == sum ? 1 : 0;
    }
    return agreeing;
  }

  /** The writer gets the exception of a write, the others only what it has changed. */
  private String ofAFailure(Board board, Ledger ledger, int number) {
    String thrown = fail(board, ledger, number);
    await(board, "failed", 1);
    sync();
    return thrown + " " + ledger.of(0);
  }

  /** A guard that does not hold when the job arrives waits for the write. */
  private int byAGuard(Board board, Ledger ledger, int writer, int sum) {
    int x = guarded(board, ledger, sum + 1);
    await(board, "asked", 1);
    ledger.post(writer, 1);
    await(board, "guarded", 1);
    sync();
    return x;
  }

  private String byAGuardThatThrows(Board board) {
    String got = "nothing";
    int x = 0;
    try {
      x = broken(board);
    } catch (IllegalArgumentException e) {
      got = e.getMessage();
      return "";
    }
    await(board, "broken", 1);
    sync();
    return got + x;
  }

  /** An object that another node than the program's has made. */
  private int madeElsewhere(Board board) {
    int x = share(board);
    await(board, "shared", 1);
    sync();
    return x;
  }

  /** An object in a field of a parameter is that of the node, as it was exported before. */
  private int inAField(Board board, Ledger ledger, int writer) {
    int x = within(board, new Shelf(ledger), writer);
    await(board, "within", 1); // on another node
    sync();
    long end = patience();
    while (ledger.of(writer) == 0) {
      poll(end, "a write of an object in a field");
    }
    return x;
  }

  /** A node that has joined now has the object as all others have it. */
  private String onANewNode(Ledger ledger, int nodes, int sum) {
    TreeSet<String> places = new TreeSet<>();
    long end = patience();
    while (places.size() <= nodes + 1) { // with the program's own
      poll(end, "a new node");
      String[] place = new String[8];
      for (int i = 0; i < place.length; i++) {
        place[i] = look(ledger, sum);
      }
      long until = System.nanoTime() + 20_000_000;
      while (System.nanoTime() < until) {
        poll(end, "a new node");
      }
      sync();
      for (String each : place) {
        places.add(each);
      }
    }
    return places.contains("wrong") ? "wrong" : "right";
  }

  /** A lost node stops neither the job that it had nor the writes of the others. */
  private int afterALoss(String mark) {
    int x = die(mark);
    long end = patience();
    while (!new File(mark).exists()) {
      poll(end, "a node that takes the job");
    }
    sync();
    return x;
  }

  public static void main(String[] args) throws IOException {
    int nodes = Integer.parseInt(args[0]);
    Shared shared = new Shared();
    Board board = new Board();
    Ledger ledger = new Ledger();
    Check.that("local object", ledger.post(50, 1) == 1 && ledger.isUnshared());
    ledger.exportObject();
    Check.that("own writes of all nodes", shared.ofSeveralWriters(board, ledger, nodes));
    int sum = 1 + nodes * WRITES;
    int read = shared.atAllNodes(board, ledger, nodes, sum);
    Check.that("replicas that agree: " + read, read == nodes && ledger.sum() == sum);
    String failed = shared.ofAFailure(board, ledger, 1);
    Check.that("write that fails: " + failed, failed.equals("of the write 1"));
    sum++;
    int guarded = shared.byAGuard(board, ledger, 51, sum);
    Check.that("guard that waits: " + guarded, guarded == ++sum);
    String broken = shared.byAGuardThatThrows(board);
    Check.that("guard that throws: " + broken, broken.equals("of the guard0"));
    if (nodes > 1) {
      Check.that("object of another node", shared.madeElsewhere(board) == 1);
    }
    int within = shared.inAField(board, ledger, 53);
    Check.that("object in a field: " + within, within == 1 && ledger.sum() == ++sum);
    ibis.satin.impl.OnNodes.request();
    String joined = shared.onANewNode(ledger, nodes, sum);
    Check.that("node that joins: " + joined, joined.equals("right"));
    File folder = Files.createTempDirectory("shared").toFile();
    File mark = new File(folder, "taken");
    int repeated = shared.afterALoss(mark.getPath());
    Check.that("job of a lost node: " + repeated, repeated == 1 && mark.delete());
    folder.delete();
    ledger.post(52, 1);
    Board after = new Board();
    int agreeing = shared.atAllNodes(after, ledger, nodes, ++sum);
    Check.that("replicas that agree after a loss: " + agreeing, agreeing == nodes);
  }
}
