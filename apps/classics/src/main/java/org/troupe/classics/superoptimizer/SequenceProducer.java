package org.troupe.classics.superoptimizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.groups.Group;

/** Generates sequences of instructions and sends them to testers. */
class SequenceProducer {

  private final Group<SequenceTester> testers;
  private final int tails;
  private final int batch;
  private MachineInstruction[][]
      heads = {}; // reused for each batch, since calls copy their arguments
  private int filled;
  private int next; // tester to call

  /**
   * Creates a producer.
   *
   * @param testers a group of testers with bounded queues: a call waits while the queue is full
   * @param tails the number of instructions that the testers append themselves
   * @param batch the number of sequences per call
   */
  public SequenceProducer(SequenceTester testers, int tails, int batch) {
    this.testers = Group.of(testers);
    this.tails = tails;
    this.batch = batch;
  }

  /**
   * Returns the shortest correct sequences, sorted; none if all of them are longer than the limit.
   */
  List<String> search(int longest) {
    for (var length = 1; length <= longest; length++) {
      produce(Math.max(0, length - tails), length);
      // testers serve requests in order, so they answer after they have tried all sequences
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
      heads[filled][i].set(sequence.get(i));
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
