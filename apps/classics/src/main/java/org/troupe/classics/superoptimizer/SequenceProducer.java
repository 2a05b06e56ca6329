package org.troupe.classics.superoptimizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.groups.Group;

/** Thinks up sequences, and has them tried. */
class SequenceProducer {

  private final Group<SequenceTester> testers;
  private final int tails;
  private final int batch;
  private MachineInstruction[][]
      heads; // used again for each batch, as calls copy what they are given
  private int filled;
  private int next; // tester

  /**
   * Creates one.
   *
   * @param testers a group of them, whose queues are bounded: so a call waits until there is room
   * @param tails how many instructions at the end the testers think up themselves
   * @param batch how many sequences go in one call
   */
  public SequenceProducer(SequenceTester testers, int tails, int batch) {
    this.testers = Group.of(testers);
    this.tails = tails;
    this.batch = batch;
  }

  /** Returns the shortest sequences that are right, sorted; none if there are none so short. */
  List<String> search(int longest) {
    for (var length = 1; length <= longest; length++) {
      produce(Math.max(0, length - tails), length);
      // testers take requests in turn, so they answer when they have tried all
      var found =
          testers.ask(SequenceTester::takeFound).stream().flatMap(List::stream).sorted().toList();
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private void produce(int head, int length) {
    heads = new MachineInstruction[batch][head];
    for (var each : heads) {
      Arrays.setAll(each, _ -> new MachineInstruction());
    }
    filled = 0;
    produce(new ArrayList<>(), head, length);
    if (filled > 0) {
      send(Arrays.copyOf(heads, filled), length);
    }
  }

  private void produce(List<MachineInstruction> beginning, int head, int length) {
    if (beginning.size() == head) {
      add(beginning, length);
      return;
    }
    for (var i = 0; i < MachineInstruction.count(); i++) {
      beginning.add(MachineInstruction.number(i));
      produce(beginning, head, length);
      beginning.removeLast();
    }
  }

  private void add(List<MachineInstruction> sequence, int length) {
    for (var i = 0; i < sequence.size(); i++) {
      heads[filled][i].become(sequence.get(i));
    }
    if (++filled == batch) {
      send(heads, length);
      filled = 0;
    }
  }

  private void send(MachineInstruction[][] some, int length) {
    testers.get(next).test(some, length);
    next = (next + 1) % testers.size();
  }
}
