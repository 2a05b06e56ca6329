package org.troupe.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Divides a whole into one part for each member, by rank: as an argument of {@code create} or of
 * {@link Group#scatter}. Immutable, except for the whole, which is not copied.
 *
 * @param <P> the type of a part
 */
public final class Scatter<P> {

  /** Gives the parts. */
  private interface Parts<P> {
    P part(int rank, int size);
  }

  private final Parts<P> parts;

  private Scatter(Parts<P> parts) {
    this.parts = parts;
  }

  P part(int rank, int size) {
    return parts.part(rank, size);
  }

  /** Returns the arguments of one member, with its part in place of each scatter. */
  static Object[] partsOf(Object[] arguments, int rank, int size) {
    var own = arguments.clone();
    for (var i = 0; i < own.length; i++) {
      if (own[i] instanceof Scatter<?> scatter) {
        own[i] = scatter.part(rank, size);
      }
    }
    return own;
  }

  /** Gives each member one of these parts; there must be one for each. */
  public static <P> Scatter<P> of(List<P> parts) {
    return new Scatter<>(
        (rank, size) -> {
          if (parts.size() != size) {
            throw new IllegalArgumentException(
                "a scatter of "
                    + parts.size()
                    + " parts was given to "
                    + size
                    + " members; give one part for each, or divide a whole with Scatter.cyclic or blocks");
          }
          return parts.get(rank);
        });
  }

  /** Gives each member the part that a function returns for its rank. */
  public static <P> Scatter<P> byRank(IntFunction<? extends P> partOfRank) {
    return new Scatter<>((rank, size) -> partOfRank.apply(rank));
  }

  /** Divides an array into blocks of neighbouring elements, like {@link Slice#block}. */
  public static Scatter<double[]> blocks(double[] whole) {
    return blocks(whole.length, (from, to) -> Arrays.copyOfRange(whole, from, to));
  }

  /** Divides an array into blocks of neighbouring elements, like {@link Slice#block}. */
  public static Scatter<float[]> blocks(float[] whole) {
    return blocks(whole.length, (from, to) -> Arrays.copyOfRange(whole, from, to));
  }

  /** Divides an array into blocks of neighbouring elements, like {@link Slice#block}. */
  public static Scatter<int[]> blocks(int[] whole) {
    return blocks(whole.length, (from, to) -> Arrays.copyOfRange(whole, from, to));
  }

  /** Divides an array into blocks of neighbouring elements, like {@link Slice#block}. */
  public static Scatter<long[]> blocks(long[] whole) {
    return blocks(whole.length, (from, to) -> Arrays.copyOfRange(whole, from, to));
  }

  /** Divides an array into blocks of neighbouring elements, like {@link Slice#block}. */
  public static Scatter<byte[]> blocks(byte[] whole) {
    return blocks(whole.length, (from, to) -> Arrays.copyOfRange(whole, from, to));
  }

  private interface Range<P> {
    P copy(int from, int to);
  }

  private static <P> Scatter<P> blocks(int length, Range<P> range) {
    return new Scatter<>(
        (rank, size) ->
            range.copy(Slice.start(rank, size, length), Slice.start(rank + 1, size, length)));
  }

  /**
   * Distributes elements cyclically: of n members, rank r gets the elements r, r + n, r + 2n ...
   */
  public static <P> Scatter<List<P>> cyclic(List<P> whole) {
    return new Scatter<>(
        (rank, size) -> {
          var part = new ArrayList<P>(whole.size() / size + 1);
          for (var i = rank; i < whole.size(); i += size) {
            part.add(whole.get(i));
          }
          return part;
        });
  }

  /** Gives each element to the rank that is its key modulo the number of members. */
  public static <P> Scatter<List<P>> byKey(List<P> whole, ToIntFunction<? super P> key) {
    return new Scatter<>(
        (rank, size) ->
            new ArrayList<>(
                whole.stream()
                    .filter(each -> Math.floorMod(key.applyAsInt(each), size) == rank)
                    .toList()));
  }
}
