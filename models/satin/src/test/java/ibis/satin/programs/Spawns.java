package ibis.satin.programs;

import ibis.satin.Spawnable;

interface SpawnsInterface extends Spawnable {
  int change(Board board, int[] values);

  int first(Board board);

  int second(Board board);

  int number(Board board, int number, int value);

  void nothing(Board board, int number);
}

/** Section 5.2 of the specification, with children on as many other nodes as the argument says. */
public class Spawns extends Meeting implements SpawnsInterface {
  private static final long serialVersionUID = 1;
  private static int ofClass;
  private int ofObject = 1;

  @Override
  public int change(Board board, int[] values) {
    board.note("changes");
    ofObject = 5;
    values[0] = 5;
    return ofObject + values[0];
  }

  @Override
  public int first(Board board) {
    board.note("first");
    await(board, "second", 1);
    return 1;
  }

  @Override
  public int second(Board board) {
    board.note("second");
    return 2;
  }

  @Override
  public int number(Board board, int number, int value) {
    board.note("number");
    await(board, "number", number);
    return value;
  }

  @Override
  public void nothing(Board board, int number) {
    board.note("nothing");
    await(board, "nothing", number);
  }

  /** The receiver and the arguments are copied with a job that is stolen. */
  private String copies(Board board) {
    int[] values = {1};
    int x = change(board, values);
    await(board, "changes", 1);
    sync();
    return x + " " + ofObject + " " + values[0];
  }

  /** The results of two jobs come in the order of their spawns, not of their ends. */
  private int inOrder(Board board) {
    int x = 0;
    x = first(board);
    await(board, "first", 1);
    x = second(board);
    sync();
    return x;
  }

  /** Results go to variables, elements and fields, which have their old values until the sync. */
  private int places(Board board, int nodes) {
    int[] elements = new int[nodes];
    int index = 0;
    while (index < nodes) {
      elements[index] = number(board, nodes, index + 1);
      index++;
    }
    await(board, "number", nodes);
    int before = ofObject + ofClass;
    for (int each : elements) {
      before += each;
    }
    sync();
    ofObject = number(board, 1, 20);
    sync();
    ofClass = number(board, 1, 30);
    sync();
    for (int i = 0; i < nodes; i++) {
      nothing(board, nodes);
    }
    await(board, "nothing", nodes);
    sync();
    int after = ofObject + ofClass;
    for (int each : elements) {
      after += each;
    }
    return after - before;
  }

  public static void main(String[] args) {
    int nodes = Integer.parseInt(args[0]);
    Spawns spawns = new Spawns();
    Board board = new Board();
    String copies = spawns.copies(board);
    Check.that("copies: " + copies, copies.equals("10 1 1"));
    Check.that("order of results", spawns.inOrder(board) == 2);
    int sum = spawns.places(board, nodes);
    Check.that("results: " + sum, sum == 49 + nodes * (nodes + 1) / 2);
  }
}
