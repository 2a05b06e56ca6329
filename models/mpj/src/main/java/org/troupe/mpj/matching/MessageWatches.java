package org.troupe.mpj.matching;

import java.util.ArrayList;
import java.util.List;

/** The waits that the arrival of an unexpected message ends. Guarded by its engine. */
final class MessageWatches {

  private record Watch(MatchKey wanted, RankWait waiting) {

    boolean isFor(MatchKey message) {
      return message.general(wanted.form()).equals(wanted);
    }
  }

  private final List<Watch> watches = new ArrayList<>();

  void add(MatchKey wanted, RankWait waiting) {
    watches.add(new Watch(wanted, waiting));
  }

  void remove(RankWait waiting) {
    watches.removeIf(each -> each.waiting == waiting);
  }

  /** Returns the waits that a message ends. */
  List<RankWait> of(MatchKey message) {
    if (watches.isEmpty()) {
      return List.of();
    }
    List<RankWait> ended = new ArrayList<>();
    for (var each : watches) {
      if (each.isFor(message)) {
        ended.add(each.waiting);
      }
    }
    return ended;
  }
}
