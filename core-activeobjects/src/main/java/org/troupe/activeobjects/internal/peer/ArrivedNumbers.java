package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallNumberRanges;

/**
 * The numbers of the calls of one origin that have arrived at one object without a log, and those
 * of them that were served. Guarded by the {@link NumberedRequests}, whose design note explains
 * gaps and reports.
 */
final class ArrivedNumbers {

  private static final int MOST_BEHIND = 1_000; // numbers behind an unserved call
  private static final int MOST_RANGES = 1_000;
  private static final int MOST_CALLS_AFTER_GAP = 10_000;

  private long highest;
  private long arrivals; // of calls with a number above all before
  private final TreeSet<Long> unserved = new TreeSet<>(); // in the queue

  /** Served calls behind an unserved or missing one that are yet to be reported. */
  private final CallNumberRanges behind = new CallNumberRanges(MOST_RANGES);

  /** Ranges of lower numbers of which calls have not arrived, by their first numbers. */
  private final TreeMap<Long, Gap> missing = new TreeMap<>();

  /**
   * A range of numbers of which calls have not arrived.
   *
   * @param to the last number
   * @param arrivals how many calls had arrived before the gap was noticed
   */
  private record Gap(long to, long arrivals) {}

  /** A range of numbers. */
  record Range(long first, long last) {}

  /**
   * Records the arrival of a call that is to be queued if it is new.
   *
   * @return whether it is; else the origin does not know that it was taken
   */
  boolean arrives(CallName name) {
    var isNew = isNew(name);
    if (isNew) {
      unserved.add(name.number());
    } else {
      needsReport(name.number());
    }
    return isNew;
  }

  /** Records the arrival of a call that is refused rather than queued. */
  void isRefused(CallName name) {
    isNew(name); // else it has come again, and is refused again
    needsReport(name.number());
  }

  /** Records that a call is not queued any more; returns whether it was. */
  boolean isServed(long number) {
    var wasQueued = unserved.remove(number);
    if (wasQueued) {
      needsReport(number);
    }
    return wasQueued;
  }

  boolean isUnserved(long number) {
    return unserved.contains(number);
  }

  private void needsReport(long number) {
    if (number > taken() && !unserved.contains(number)) {
      behind.add(number);
    }
  }

  private boolean isNew(CallName name) {
    var number = name.number();
    if (number <= highest) {
      return takesMissing(name);
    }
    if (highest > 0 && name.after() > highest) {
      missing.put(highest + 1, new Gap(name.after(), arrivals));
    }
    highest = number;
    arrivals++;
    giveUpGaps();
    return true;
  }

  /** Forgets the gaps behind which many calls have arrived. */
  private void giveUpGaps() {
    for (var gap = missing.firstEntry();
        gap != null && arrivals - gap.getValue().arrivals() > MOST_CALLS_AFTER_GAP;
        gap = missing.firstEntry()) {
      missing.pollFirstEntry();
    }
  }

  /** Returns the number up to which all calls have arrived and were served. */
  long taken() {
    var first = missing.isEmpty() ? highest + 1 : missing.firstKey();
    return (unserved.isEmpty() ? first : Math.min(first, unserved.first())) - 1;
  }

  /** Returns the ranges that are to be reported now behind the calls up to a number. */
  List<Range> takeBehind(long taken) {
    behind.removeUpTo(taken);
    List<Range> all = new ArrayList<>();
    if (highest - taken < MOST_BEHIND) {
      return all;
    }
    var pairs = behind.ranges();
    behind.clear();
    for (var i = 0; i + 1 < pairs.length; i += 2) {
      var before = all.isEmpty() ? null : all.getLast();
      if (before != null && !awaits(before.last() + 1, pairs[i] - 1)) { // skipped, or reported
        all.set(all.size() - 1, new Range(before.first(), pairs[i + 1]));
      } else {
        all.add(new Range(pairs[i], pairs[i + 1]));
      }
    }
    return all;
  }

  /** Returns whether a call in a range is unserved or missing. */
  private boolean awaits(long first, long last) {
    var next = unserved.ceiling(first);
    var gap = missing.floorEntry(last);
    return next != null && next <= last || gap != null && gap.getValue().to() >= first;
  }

  /** Returns the highest number that has arrived. */
  long highest() {
    return highest;
  }

  /**
   * Takes over the numbers of an object that is about to arrive, with those that are outstanding.
   */
  void adopt(long itsHighest, long[] outstanding) {
    highest = itsHighest;
    for (var i = 0; i + 1 < outstanding.length; i += 2) {
      missing.put(outstanding[i], new Gap(outstanding[i + 1], 0));
    }
    addBehindMissing();
  }

  private void addBehindMissing() {
    var last = 0L;
    for (var gap : missing.entrySet()) {
      if (last > 0 && last + 1 < gap.getKey()) {
        behind.addRange(last + 1, gap.getKey() - 1);
      }
      last = gap.getValue().to();
    }
    if (last > 0 && last < highest) {
      behind.addRange(last + 1, highest);
    }
  }

  /** Returns whether a call is in a gap, of which it leaves the numbers before and behind it. */
  private boolean takesMissing(CallName name) {
    var range = missing.floorEntry(name.number());
    if (range == null || range.getValue().to() < name.number()) {
      return false;
    }
    var gap = range.getValue();
    missing.remove(range.getKey());
    if (range.getKey() <= name.after()) {
      missing.put(range.getKey(), new Gap(name.after(), gap.arrivals()));
    }
    if (name.number() < gap.to()) {
      missing.put(name.number() + 1, gap);
    }
    return true;
  }

  /**
   * Returns the numbers that another node, to which the object goes, is yet to get, as pairs of the
   * first and the last of a range.
   */
  long[] outstanding() {
    return LongStream.concat(
            unserved.stream().flatMapToLong(each -> LongStream.of(each, each)),
            missing.entrySet().stream()
                .flatMapToLong(each -> LongStream.of(each.getKey(), each.getValue().to())))
        .toArray();
  }
}
