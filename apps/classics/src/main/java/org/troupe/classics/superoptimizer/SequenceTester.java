package org.troupe.classics.superoptimizer;

import java.util.List;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;

/** Tries the sequences that it is given. */
class SequenceTester {

  private final SequenceSearch search;

  public SequenceTester(TargetFunction function) {
    search = new SequenceSearch(function);
  }

  /**
   * Tries all sequences of a length that begin as one of these does.
   *
   * @param heads nobody holds them once the call is over, though it waits in a queue before: what
   *     waits there are bytes
   */
  void test(@Acyclic @Reused MachineInstruction[][] heads, int length) {
    for (var head : heads) {
      search.below(head, length);
    }
  }

  /** Returns what was found since the last time. */
  List<String> takeFound() {
    return search.takeFound();
  }
}
