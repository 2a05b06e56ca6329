package org.troupe.classics.radix;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.classics.KernelProgram;
import org.troupe.classics.NumberChecksum;
import org.troupe.classics.ProgramNodes;
import org.troupe.classics.ProgramVersion;
import org.troupe.classics.ResultCheck;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Radix sort of integers: members merge the counts of their keys along a tree, assign key ranges to
 * owners by these counts, and send each key to its owner.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), which sorted 3,000,000 keys.
 */
@Command(
    name = "radix",
    description = "Sorts integers by their digits, with each key sent to its owner (Manta).")
public final class Radix extends KernelProgram<int[]> {

  private static final int MOST_KEYS = 1 << 30;

  @Option(names = "--keys", paramLabel = "N", description = "the number of keys")
  private Integer keys;

  public static void main(String[] arguments) {
    main(new Radix(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    keys = orPreset(keys, 20_000, 3_000_000, 50_000_000);
    requirePositive("--keys", keys, wrong);
    requireAtMost("--keys", keys, MOST_KEYS, "one array holds all keys", wrong);
  }

  /**
   * Counts the keys, their buckets, the buffer that sorts these, and the keys of all members, which
   * are joined in a buffer of up to twice their size.
   */
  @Override
  protected double launcherBytes() {
    return 6.0 * Integer.BYTES * keys;
  }

  @Override
  protected String problem() {
    return text("%,d keys", keys);
  }

  @Override
  protected ProgramVersion<int[]> sequential() {
    return new ProgramVersion<>() {
      private final int[] bucketed = new int[keys];
      private int[] all = {};

      @Override
      public void prepare() {
        all = RadixKeys.random(0, keys);
      }

      @Override
      public void run() {
        RadixKeys.copyToBuckets(all, RadixKeys.count(all), bucketed);
        RadixKeys.sort(List.of(new RadixKeys.Run(bucketed, 0, keys)), all);
      }

      @Override
      public int[] result() {
        return all;
      }
    };
  }

  @Override
  protected ProgramVersion<int[]> parallel(ProgramNodes nodes) {
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(KeySorter.class, keys)),
        KeySorter::prepare,
        KeySorter::sort,
        KeySorter::keys,
        parts -> parts.flatMapToInt(Arrays::stream).toArray());
  }

  @Override
  protected List<ResultCheck> check(int[] expected, int[] found) {
    var descents = IntStream.range(1, found.length).filter(i -> found[i - 1] > found[i]).count();
    return List.of(
        ResultCheck.equal("the sorted keys", expected, found),
        ResultCheck.equal("keys that are lower than the one before", 0L, descents));
  }

  @Override
  protected String checksum(int[] found) {
    return new NumberChecksum().add(found).toString();
  }
}
