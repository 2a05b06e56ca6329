package ibis.satin.programs;

import ibis.satin.Spawnable;

interface MasterOnlyInterface extends Spawnable {
  int flat(Board board, int number);

  int outer(Board board);

  int inner();
}

/** With satin.alg=MW jobs of the master run on all nodes, and spawn nothing there. */
public class MasterOnly extends Meeting implements MasterOnlyInterface {
  private static final long serialVersionUID = 1;

  @Override
  public int flat(Board board, int number) {
    board.note("flat");
    await(board, "flat", number);
    return 1;
  }

  @Override
  public int outer(Board board) {
    board.note("outer");
    int x = inner();
    sync();
    return x;
  }

  @Override
  public int inner() {
    return 1;
  }

  private int flats(Board board, int nodes) {
    int[] results = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      results[i] = flat(board, nodes);
    }
    await(board, "flat", nodes);
    sync();
    int sum = 0;
    for (int each : results) {
      sum += each;
    }
    return sum;
  }

  private String spawnsElsewhere(Board board) {
    String got = "nothing";
    int x = 0;
    try {
      x = outer(board);
    } catch (IllegalStateException e) {
      got = e.getMessage();
      return "";
    }
    await(board, "outer", 1);
    sync();
    return got + x;
  }

  public static void main(String[] args) {
    int nodes = Integer.parseInt(args[0]);
    MasterOnly program = new MasterOnly();
    Board board = new Board();
    Check.that("jobs of the master", program.flats(board, nodes) == nodes);
    String got = program.spawnsElsewhere(board);
    Check.that("spawn on another node: " + got, got.contains("-Dsatin.alg=MW"));
  }
}
