package org.troupe.classics.radix;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.classics.Check;
import org.troupe.classics.Checksum;
import org.troupe.classics.Crew;
import org.troupe.classics.Kernel;
import org.troupe.classics.Version;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Sorts whole numbers digit by digit: members merge the counts of their keys by a tree, which tells
 * who owns which, and send each key to its owner.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), which sorted 3,000,000 keys.
 */
@Command(name = "radix", description = "Sorts by digits; each key goes to its owner (Manta).")
public final class Radix extends Kernel<int[]> {

  private static final int MOST_KEYS = 1 << 30;

  @Option(names = "--keys", paramLabel = "N", description = "how many are sorted")
  private Integer keys;

  public static void main(String[] arguments) {
    main(new Radix(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    keys = or(keys, 20_000, 3_000_000, 50_000_000);
    requirePositive("--keys", keys, wrong);
    requireAtMost("--keys", keys, MOST_KEYS, "one array has all", wrong);
  }

  /**
   * The keys, their buckets, what sorts these, and the keys of all, which are joined in twice their
   * room.
   */
  @Override
  protected double bytesHere() {
    return 6.0 * Integer.BYTES * keys;
  }

  @Override
  protected String problem() {
    return words("%,d keys", keys);
  }

  @Override
  protected Version<int[]> sequential() {
    return new Version<>() {
      private final int[] bucketed = new int[keys];
      private int[] all;

      @Override
      public void prepare() {
        all = Keys.random(0, keys);
      }

      @Override
      public void run() {
        Keys.copyToBuckets(all, Keys.count(all), bucketed);
        Keys.sort(List.of(new Keys.Run(bucketed, 0, keys)), all);
      }

      @Override
      public int[] result() {
        return all;
      }
    };
  }

  @Override
  protected Version<int[]> parallel(Crew crew) {
    return Version.by(
        Group.of(Groups.on(crew.nodes()).spmd(Sorter.class, keys)),
        Sorter::prepare,
        Sorter::sort,
        Sorter::keys,
        parts -> parts.flatMapToInt(Arrays::stream).toArray());
  }

  @Override
  protected List<Check> check(int[] expected, int[] found) {
    var descents = IntStream.range(1, found.length).filter(i -> found[i - 1] > found[i]).count();
    return List.of(
        Check.equal("the sorted keys", expected, found),
        Check.equal("keys that are lower than the one before", 0L, descents));
  }

  @Override
  protected String checksum(int[] found) {
    return new Checksum().add(found).toString();
  }
}
