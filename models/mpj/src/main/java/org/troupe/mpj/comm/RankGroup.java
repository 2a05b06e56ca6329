package org.troupe.mpj.comm;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** An ordered set of ranks of the whole run. Immutable. */
public final class RankGroup {

  /** How two groups, or the groups of two communicators, compare. */
  public enum Likeness {
    /** Both groups have the same ranks in the same order. */
    IDENTICAL,
    /** Groups of two different communicators that are identical. */
    CONGRUENT,
    /** Both groups have the same ranks, in another order. */
    SIMILAR,
    /** Other ranks. */
    UNEQUAL
  }

  /** The group without ranks. */
  public static final RankGroup EMPTY = new RankGroup();

  private final int[] ranks;
  private final Map<Integer, Integer> places = new HashMap<>();

  /** Makes the group of these ranks of the whole run. */
  RankGroup(int... ranks) {
    this.ranks = ranks.clone();
    for (var i = 0; i < ranks.length; i++) {
      places.put(ranks[i], i);
    }
  }

  /** Returns the number of ranks. */
  public int size() {
    return ranks.length;
  }

  /** Returns the rank in the whole run of a rank of this group. */
  int at(int place) {
    return ranks[place];
  }

  /** Returns the rank in this group of a rank of the whole run; -1 if it is not in the group. */
  int placeOf(int rank) {
    var place = places.get(rank);
    return place == null ? -1 : place;
  }

  /** Returns the rank of the calling rank; {@link NamedConstants#UNDEFINED} if it is none. */
  public int rank() {
    var place = placeOf(World.current().engine().rank());
    return place < 0 ? NamedConstants.UNDEFINED : place;
  }

  int[] ranks() {
    return ranks.clone();
  }

  /** Returns the group, unless it is missing. */
  public static RankGroup given(@Nullable RankGroup group) {
    if (group == null) {
      throw MessagingError.of(ErrorClass.GROUP, "the group is null; take one from Comm.Group()");
    }
    return group;
  }

  /** Returns the ranks in another group of ranks of this group. */
  public int[] translate(int @Nullable [] places, RankGroup other) {
    var given = checked(places, false);
    return IntStream.of(given)
        .map(each -> other.placeOf(ranks[each]))
        .map(each -> each < 0 ? NamedConstants.UNDEFINED : each)
        .toArray();
  }

  /** Compares with another group. */
  public Likeness compare(RankGroup other) {
    return Arrays.equals(ranks, other.ranks)
        ? Likeness.IDENTICAL
        : places.keySet().equals(other.places.keySet()) ? Likeness.SIMILAR : Likeness.UNEQUAL;
  }

  /** Returns the ranks of this group, and behind them those of the other only. */
  public RankGroup union(RankGroup other) {
    return of(IntStream.concat(IntStream.of(ranks), IntStream.of(other.ranks)).distinct());
  }

  /** Returns the ranks of this group that are in the other, too. */
  public RankGroup intersection(RankGroup other) {
    return of(IntStream.of(ranks).filter(other.places::containsKey));
  }

  /** Returns the ranks of this group that are not in the other. */
  public RankGroup difference(RankGroup other) {
    return of(IntStream.of(ranks).filter(each -> !other.places.containsKey(each)));
  }

  private static RankGroup of(IntStream ranks) {
    return new RankGroup(ranks.toArray());
  }

  /** Returns the group of some of these ranks, in the order given. */
  public RankGroup including(int @Nullable [] places) {
    return of(IntStream.of(checked(places, true)).map(each -> ranks[each]));
  }

  /** Returns the group without some of its ranks. */
  public RankGroup excluding(int @Nullable [] places) {
    var out = IntStream.of(checked(places, true)).boxed().toList();
    Set<Integer> gone = new LinkedHashSet<>(out);
    return of(IntStream.range(0, size()).filter(each -> !gone.contains(each)).map(this::at));
  }

  /** Returns the places of ranges, each of a first, a last and a stride. */
  public static int[] places(int @Nullable [] @Nullable [] ranges) {
    if (ranges == null) {
      throw MessagingError.of(ErrorClass.ARG, "the ranges are null");
    }
    var all = IntStream.builder();
    for (var each : ranges) {
      if (each == null || each.length != 3 || each[2] == 0) {
        throw MessagingError.of(
            ErrorClass.ARG,
            "a range is "
                + Arrays.toString(each)
                + "; it must be a first rank, a last rank and a stride that is not 0");
      }
      for (long at = each[0]; each[2] > 0 ? at <= each[1] : at >= each[1]; at += each[2]) {
        all.add((int) at);
      }
    }
    return all.build().toArray();
  }

  private int[] checked(int @Nullable [] places, boolean isDistinct) {
    if (places == null) {
      throw MessagingError.of(ErrorClass.ARG, "the array of ranks is null");
    }
    Set<Integer> seen = new LinkedHashSet<>();
    for (var each : places) {
      if (each < 0 || each >= size()) {
        throw MessagingError.of(
            ErrorClass.RANK,
            "rank " + each + " is not in the group, which has the ranks 0 to " + (size() - 1));
      }
      if (isDistinct && !seen.add(each)) {
        throw MessagingError.of(ErrorClass.RANK, "rank " + each + " is named twice; name it once");
      }
    }
    return places;
  }

  @Override
  public String toString() {
    return Arrays.toString(ranks);
  }
}
