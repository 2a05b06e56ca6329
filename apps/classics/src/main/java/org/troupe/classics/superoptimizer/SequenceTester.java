package org.troupe.classics.superoptimizer;

import java.util.List;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;

/** Tries the sequences that it receives. */
class SequenceTester {

  private final SequenceSearch search;

  public SequenceTester(TargetFunction function) {
    search = new SequenceSearch(function);
  }

  /**
   * Tries all sequences of a length with one of the given prefixes.
   *
   * @param heads the prefixes; reused by the next call, which is safe although calls wait in a
   *     queue, because queued calls are encoded
   */
  void test(@Acyclic @Reused MachineInstruction[][] heads, int length) {
    for (var head : heads) {
      search.searchFrom(head, length);
    }
  }

  /** Returns the sequences found since the last call. */
  List<String> takeFound() {
    return search.takeFound();
  }
}
