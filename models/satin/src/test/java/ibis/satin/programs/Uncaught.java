package ibis.satin.programs;

import ibis.satin.Spawnable;

interface UncaughtInterface extends Spawnable {
  int fail(Board board);
}

/** A job of another node throws, and no inlet takes it: it leaves main. */
public class Uncaught extends Meeting implements UncaughtInterface {
  private static final long serialVersionUID = 1;

  @Override
  public int fail(Board board) {
    board.note("begun");
    throw new IllegalArgumentException("lost");
  }

  private int run(Board board) {
    int x = fail(board);
    await(board, "begun", 1);
    sync();
    return x;
  }

  public static void main(String[] args) {
    Check.that("never here", new Uncaught().run(new Board()) < 0);
  }
}
