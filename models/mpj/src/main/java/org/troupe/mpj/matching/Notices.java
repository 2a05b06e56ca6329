package org.troupe.mpj.matching;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What ranks tell each other beside messages; kept until there is a taker. Thread-safe. */
final class Notices {

  private record Notice(int from, String[] words) {}

  // Guarded by this
  private final List<Notice> early = new ArrayList<>();
  private MessageEngine.@Nullable NoticeTaker taker;

  void onNotice(MessageEngine.NoticeTaker taking) {
    List<Notice> came;
    synchronized (this) {
      taker = taking;
      came = List.copyOf(early);
      early.clear();
    }
    came.forEach(each -> taking.received(each.from(), each.words()));
  }

  void received(int from, String[] words) {
    MessageEngine.NoticeTaker taking;
    synchronized (this) {
      taking = taker;
      if (taking == null) {
        early.add(new Notice(from, words));
        return;
      }
    }
    taking.received(from, words);
  }
}
