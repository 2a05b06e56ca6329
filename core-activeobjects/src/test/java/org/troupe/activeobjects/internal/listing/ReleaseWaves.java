package org.troupe.activeobjects.internal.listing;

import static org.troupe.activeobjects.internal.listing.GuestGrid.BIRTH;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.listing.GuestExplorer.WithoutRule;

/**
 * The waves in which the birthplace asks all nodes whether they still need the object, and releases
 * it if none does.
 */
final class ReleaseWaves {

  private static final long NOT_NOW = -1;

  private final GuestGrid grid;

  // The wave that lasts
  private DepartedObject.@Nullable Question question;
  private final Set<Integer> unanswered = new HashSet<>();
  private boolean isRefused;
  private boolean hasAskedItself;
  private long version;
  private int wave;

  ReleaseWaves(GuestGrid grid) {
    this.grid = grid;
  }

  boolean isAsking() {
    return question != null;
  }

  /** Ends the wave that lasts, as a node has died. */
  void died(int node) {
    unanswered.remove(node);
    isRefused = true;
    endWave();
  }

  void ask() {
    var birthplace = grid.nodes.get(BIRTH);
    if (grid.without != WithoutRule.BODIES_AT_BIRTH && birthplace.isReferredTo()) {
      return;
    }
    question = grid.departed.question();
    isRefused = false;
    hasAskedItself = false;
    version = 0;
    wave++;
    unanswered.clear();
    for (var each : grid.nodes) {
      if (each.index != BIRTH && !birthplace.isDead(each.id)) {
        unanswered.add(each.index);
      }
    }
    var its = wave;
    for (var each : List.copyOf(unanswered)) {
      grid.post(BIRTH, each, () -> answer(grid.nodes.get(each), its));
    }
    if (grid.without == WithoutRule.MARKS_OF_BIRTHPLACE_LAST) {
      unanswered.add(BIRTH);
      answer(birthplace, its);
    }
  }

  private void answer(GuestNode node, int its) {
    var known = node.index == BIRTH ? 0 : node.hold.version();
    var passages = new ArrayList<GuestBody>();
    if (grid.without != WithoutRule.MARKS_BEHIND_QUEUES) {
      node.bodies.stream().filter(each -> each.hasLeft && each.isAlive()).forEach(passages::add);
    }
    if (passages.isEmpty()) {
      flush(node, its, known);
    }
    for (var each : List.copyOf(passages)) {
      each.queue.add(
          () -> {
            passages.remove(each);
            if (passages.isEmpty()) {
              flush(node, its, known);
            }
          });
    }
  }

  private void flush(GuestNode node, int its, long known) {
    var hasMarks = node.knowsMoves && grid.without != WithoutRule.MARKS;
    if (hasMarks && grid.without == WithoutRule.IDLE_ROUTES) {
      node.where.probe();
    } else if (hasMarks && !node.where.flush()) {
      answered(node, its, NOT_NOW);
      return;
    }
    Runnable flushed =
        () -> {
          var isFlushed = grid.without == WithoutRule.IDLE_ROUTES || node.where.isFlushed();
          var version =
              grid.without == WithoutRule.VERSION_BEFORE_MARKS ? node.hold.version() : known;
          answered(node, its, !hasMarks || isFlushed ? version : NOT_NOW);
        };
    if (hasMarks) {
      node.whenFlushed(flushed);
    } else {
      flushed.run();
    }
  }

  private void answered(GuestNode node, int its, long answer) {
    if (node.index == BIRTH) {
      taken(node, its, answer);
      return;
    }
    if (grid.without != WithoutRule.REPORT_BEFORE_ANSWER) {
      grid.tell(node);
    }
    grid.post(node.index, BIRTH, () -> taken(node, its, answer));
  }

  private void taken(GuestNode node, int its, long answer) {
    if (its != wave || !unanswered.remove(node.index)) {
      return;
    }
    isRefused |= answer == NOT_NOW;
    if (question != null && question.host() == node.index) {
      version = answer;
    }
    endWave();
  }

  private void endWave() {
    var asked = question;
    if (asked == null || !unanswered.isEmpty()) {
      return;
    }
    if (isRefused) {
      question = null;
      return;
    }
    var isLast =
        grid.without == WithoutRule.MARKS_OF_BIRTHPLACE
            || grid.without == WithoutRule.MARKS_OF_BIRTHPLACE_LAST;
    if (!isLast && !hasAskedItself) {
      hasAskedItself = true;
      unanswered.add(BIRTH);
      answer(grid.nodes.get(BIRTH), wave);
      return;
    }
    hasAskedItself = false;
    question = null;
    release(asked);
  }

  private void release(DepartedObject.Question asked) {
    var host = (int) asked.host();
    if (host != BIRTH && version <= 0) {
      return;
    }
    if (grid.departed.release(asked)) {
      var released = version;
      grid.post(
          BIRTH,
          host,
          () -> {
            if (grid.nodes.get(host).copies.areAll(asked.copies())) {
              grid.nodes.get(host).hold.release(released);
            }
          });
    }
  }
}
