package org.troupe.classics.superoptimizer;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Searches for sequences of instructions that compute a function's value in a register. */
final class SequenceSearch {

  /*
   * Sequences are tried depth first, and the state of the first test after each prefix is kept, so a
   * sequence costs one instruction. The few sequences that pass are run on the other tests, and the
   * very few that pass those on all states. So the results are correct, not just probable as in [1].
   *
   * [1] H. Massalin, Superoptimizer: a look at the smallest program, ASPLOS 1987.
   */

  private static final int TESTS = 16;

  private final TargetFunction function;
  private final int[] tests =
      new SplittableRandom(1987).ints(TESTS, 0, MachineInstruction.STATES).toArray();
  private final List<String> found = new ArrayList<>();

  SequenceSearch(TargetFunction function) {
    this.function = function;
  }

  /** Tries all sequences of a length with a given prefix. */
  void searchFrom(MachineInstruction[] head, int length) {
    var sequence = new MachineInstruction[length];
    System.arraycopy(head, 0, sequence, 0, head.length);
    tryAll(sequence, head.length, run(sequence, head.length, tests[0]));
  }

  private void tryAll(MachineInstruction[] sequence, int depth, int state) {
    if (depth == sequence.length) {
      if (isRight(tests[0], state)) {
        tryOthers(sequence);
      }
      return;
    }
    for (var i = 0; i < MachineInstruction.count(); i++) {
      var next = MachineInstruction.number(i);
      sequence[depth] = next;
      tryAll(sequence, depth + 1, next.after(state));
    }
  }

  private void tryOthers(MachineInstruction[] sequence) {
    var registers = 0b11;
    for (var i = 0; i < TESTS && registers != 0; i++) {
      registers &= right(tests[i], run(sequence, sequence.length, tests[i]));
    }
    for (var state = 0; state < MachineInstruction.STATES && registers != 0; state++) {
      registers &= right(state, run(sequence, sequence.length, state));
    }
    for (var register = 0; register < 2; register++) {
      if ((registers >> register & 1) != 0) {
        found.add(text(sequence) + " -> d" + register);
      }
    }
  }

  private static int run(MachineInstruction[] sequence, int length, int state) {
    for (var i = 0; i < length; i++) {
      state = sequence[i].after(state);
    }
    return state;
  }

  private boolean isRight(int before, int after) {
    return right(before, after) != 0;
  }

  /** Returns which registers hold the value, one bit per register. */
  private int right(int before, int after) {
    var first = (byte) MachineInstruction.register(before, 0);
    var second = (byte) MachineInstruction.register(before, 1);
    var value = function.of(first, second) & 0xff;
    return (MachineInstruction.register(after, 0) == value ? 1 : 0)
        | (MachineInstruction.register(after, 1) == value ? 2 : 0);
  }

  static String text(MachineInstruction[] sequence) {
    var words = new ArrayList<String>();
    for (var each : sequence) {
      words.add(each.toString());
    }
    return String.join("; ", words);
  }

  /** Returns the sequences found since the last call. */
  List<String> takeFound() {
    var taken = List.copyOf(found);
    found.clear();
    return taken;
  }
}
