package org.troupe.classics.lu;

import java.util.Arrays;
import java.util.List;
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
 * LU factorisation: the blocks of the matrix are distributed cyclically over the members, which
 * flush each finished block to the members that need it.
 *
 * <p>From the SPLASH suite (S. C. Woo et al., The SPLASH-2 programs, ISCA 1995), and one of the
 * programs that measured JavaParty's compiler (R. Veldema and M. Philippsen, Compiler optimized
 * remote method invocation, IEEE Cluster 2003).
 */
@Command(name = "lu", description = "Factors a matrix by blocks (JavaParty).")
public final class Lu extends KernelProgram<double[][][][]> {

  @Option(names = "--rows", paramLabel = "N", description = "the rows and columns of the matrix")
  private Integer rows;

  @Option(names = "--block", paramLabel = "N", description = "the rows and columns of a block")
  private Integer block;

  private int members;

  public static void main(String[] arguments) {
    main(new Lu(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    rows = orPreset(rows, 96, 1024, 2048);
    block = orPreset(block, 16, 16, 32);
    members = nodes;
    requirePositive("--block", block, wrong);
    requireAtMost("--rows", rows, LARGEST_SQUARE, "one array holds all elements", wrong);
    if (block > 0 && (rows < block || rows % block != 0)) {
      wrong.add(
          "--rows %d cannot be cut into blocks of %d rows; give a multiple of that, such as %d"
              .formatted(rows, block, Math.max(1, rows / block) * block));
    }
  }

  /**
   * Counts the blocks of both versions, and a copy of each in one array, which is built in a buffer
   * of up to twice its size.
   */
  @Override
  protected double launcherBytes() {
    return 6.0 * Double.BYTES * rows * rows;
  }

  @Override
  protected String problem() {
    return text("%d x %d numbers in blocks of %d x %d", rows, rows, block, block);
  }

  @Override
  protected ProgramVersion<double[][][][]> sequential() {
    return new ProgramVersion<>() {
      private final BlockLayout layout = BlockLayout.over(1, rows, block);

      @SuppressWarnings("NullAway.Init") // prepare() sets it
      private double[][][][] blocks;

      @Override
      public void prepare() {
        blocks = layout.blocks(0);
      }

      @Override
      public void run() {
        for (var k = 0; k < blocks.length; k++) {
          BlockKernels.factor(blocks[k][k]);
          for (var i = k + 1; i < blocks.length; i++) {
            BlockKernels.divideByUpper(blocks[i][k], blocks[k][k]);
            BlockKernels.divideByLower(blocks[k][i], blocks[k][k]);
          }
          for (var i = k + 1; i < blocks.length; i++) {
            for (var j = k + 1; j < blocks.length; j++) {
              BlockKernels.subtract(blocks[i][j], blocks[i][k], blocks[k][j]);
            }
          }
        }
      }

      @Override
      public double[][][][] result() {
        return blocks;
      }
    };
  }

  @Override
  protected ProgramVersion<double[][][][]> parallel(ProgramNodes nodes) {
    var layout = BlockLayout.over(members, rows, block);
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(LuMember.class, layout)),
        LuMember::prepare,
        LuMember::factor,
        LuMember::blocks,
        parts -> layout.gathered(parts.toList()));
  }

  @Override
  protected List<ResultCheck> check(double[][][][] expected, double[][][][] found) {
    return List.of(
        ResultCheck.equal("the factors, block by block", joined(expected), joined(found)),
        ResultCheck.atMost(
            "the residual, in units of rounding",
            LuResidual.LIMIT,
            LuResidual.of(BlockLayout.over(1, rows, block), found)));
  }

  @Override
  protected String checksum(double[][][][] found) {
    return new NumberChecksum().add(joined(found)).toString();
  }

  private static double[] joined(double[][][][] blocks) {
    return Arrays.stream(blocks)
        .flatMap(Arrays::stream)
        .flatMap(Arrays::stream)
        .flatMapToDouble(Arrays::stream)
        .toArray();
  }
}
