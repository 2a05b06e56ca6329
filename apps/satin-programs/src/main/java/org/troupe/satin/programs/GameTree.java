package org.troupe.satin.programs;

import ibis.satin.Inlet;
import ibis.satin.SatinObject;
import ibis.satin.Spawnable;

/** The value of a position, which a job throws to its parent. */
class PositionValue extends Inlet {
  private static final long serialVersionUID = 1;
  final int value;

  PositionValue(int value) {
    this.value = value;
  }
}

interface GameTreeInterface extends Spawnable {
  void evaluate(long position, int depth, int alpha, int beta) throws PositionValue;
}

/** Negamax of an artificial game: a move whose value is beyond beta aborts its siblings. */
public class GameTree extends SatinObject implements GameTreeInterface {
  private static final long serialVersionUID = 1;
  private static final int MOVES = 5;

  static long move(long position, int move) {
    long next = (position ^ move * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return next ^ next >>> 29;
  }

  static int worth(long position) {
    return (int) Math.floorMod(position, 201L) - 100;
  }

  static int negamax(long position, int depth) {
    if (depth == 0) {
      return worth(position);
    }
    int best = Integer.MIN_VALUE;
    for (int i = 0; i < MOVES; i++) {
      best = Math.max(best, -negamax(move(position, i), depth - 1));
    }
    return best;
  }

  @Override
  @SuppressWarnings("InfiniteRecursion") // the call is a spawn: the job decides where depth is 0
  public void evaluate(long position, int depth, int alpha, int beta) throws PositionValue {
    if (depth == 0) {
      throw new PositionValue(worth(position));
    }
    int best = -1000;
    // The first move alone gives the others their bound.
    try {
      evaluate(move(position, 0), depth - 1, -beta, -alpha);
    } catch (PositionValue child) {
      best = -child.value;
      return;
    }
    sync();
    int lower = Math.max(alpha, best);
    if (best < beta) {
      for (int i = 1; i < MOVES; i++) {
        try {
          evaluate(move(position, i), depth - 1, -beta, -lower);
        } catch (PositionValue child) {
          if (-child.value > best) {
            best = -child.value;
            if (best >= beta) {
              abort();
            }
          }
          return;
        }
      }
      sync();
    }
    throw new PositionValue(best);
  }

  int start(int depth) {
    int result = 0;
    try {
      evaluate(12345, depth, -1000, 1000);
    } catch (PositionValue found) {
      result = found.value;
      return 0;
    }
    sync();
    return result;
  }

  public static void main(String[] args) {
    int depth = CheckedResult.size(args, 5, 1, 12);
    int result = new GameTree().start(depth);
    CheckedResult.print("value of the game: " + result, result == negamax(12345, depth));
  }
}
