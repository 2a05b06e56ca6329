package ibis.satin.programs;

import ibis.satin.SatinObject;

/** A program whose jobs wait for each other, so that they are on as many nodes at a time. */
abstract class Meeting extends SatinObject {
  private static final long serialVersionUID = 1;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  static String place() {
    return Long.toString(ProcessHandle.current().pid());
  }

  /** Polls until a note has come so often. */
  void await(Board board, String what, int number) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (board.count(what) < number) {
      poll(end, what);
    }
  }

  /** Executes no job, but applies writes and ends if the job was aborted. */
  void poll(long end, String awaited) {
    if (System.nanoTime() > end) {
      throw new IllegalStateException("'" + awaited + "' has not come");
    }
    Thread.yield();
    sync();
  }

  static long patience() {
    return System.nanoTime() + PATIENCE_NANOS;
  }
}
