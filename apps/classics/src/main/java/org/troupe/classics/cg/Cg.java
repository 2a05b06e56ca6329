package org.troupe.classics.cg;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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
 * The conjugate gradient kernel of the NAS parallel benchmarks, with the matrix distributed by rows
 * or by blocks.
 *
 * <p>MPJava was measured with both distributions (W. Pugh and J. Spacco, MPJava: high-performance
 * message passing in Java using java.nio, LCPC 2003).
 */
@Command(
    name = "cg",
    description = "Finds an eigenvalue by conjugate gradients, as in NAS CG (MPJava).")
public final class Cg extends KernelProgram<PowerMethod.Answer> {

  private static final double OFFICIAL_TOLERANCE = 1e-10;

  @Option(
      names = "--class",
      paramLabel = "S|W|A|B|C",
      description = "the problem (default: S if tiny, A, B if large)")
  private NasProblemClass problem;

  @Option(
      names = "--decomposition",
      paramLabel = "rows|blocks",
      description =
          "the distribution of the matrix; blocks need 1, 2, 4, 8, .. nodes (default:"
              + " ${DEFAULT-VALUE})")
  private MatrixDecomposition decomposition = MatrixDecomposition.rows;

  public static void main(String[] arguments) {
    main(new Cg(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    problem = orPreset(problem, NasProblemClass.S, NasProblemClass.A, NasProblemClass.B);
    if (decomposition == MatrixDecomposition.blocks && !MatrixBlock.isDivisibleAmong(nodes)) {
      wrong.add(
          "--decomposition blocks: %d nodes are not a power of two; use %d or %d, or rows"
              .formatted(nodes, Integer.highestOneBit(nodes), 2 * Integer.highestOneBit(nodes)));
    }
    if (nodes > problem.order) {
      wrong.add(
          text(
              "--class %s: its %,d rows are fewer than %,d nodes; use fewer nodes, or a larger class",
              problem, problem.order, nodes));
    }
  }

  /** Counts the matrix, its final copy, and the vectors that it is made of. */
  @Override
  protected double launcherBytes() {
    return problem.bytes();
  }

  @Override
  protected String problem() {
    return "class %s, by %s".formatted(problem, decomposition);
  }

  @Override
  protected ProgramVersion<PowerMethod.Answer> sequential() {
    return new ProgramVersion<>() {
      private @Nullable WholeMatrix matrix;

      @SuppressWarnings("NullAway.Init") // run() sets it
      private PowerMethod.Answer answer;

      @Override
      public void prepare() {
        if (matrix == null) {
          matrix =
              new WholeMatrix(
                  new MatrixGenerator(problem).matrix(0, problem.order, 0, problem.order));
        }
      }

      @Override
      public void run() {
        answer =
            new PowerMethod(Objects.requireNonNull(matrix, "prepare() has been called"))
                .run(problem);
      }

      @Override
      public PowerMethod.Answer result() {
        return answer;
      }
    };
  }

  @Override
  protected ProgramVersion<PowerMethod.Answer> parallel(ProgramNodes nodes) {
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(CgMember.class, problem, decomposition)),
        CgMember::prepare,
        CgMember::solve,
        CgMember::answer,
        answers -> answers.findFirst().orElseThrow());
  }

  @Override
  protected List<ResultCheck> check(PowerMethod.Answer expected, PowerMethod.Answer found) {
    return List.of(
        ResultCheck.near("zeta", problem.zeta, found.zeta(), OFFICIAL_TOLERANCE),
        ResultCheck.near(
            "zeta of the sequential version", problem.zeta, expected.zeta(), OFFICIAL_TOLERANCE),
        ResultCheck.atMost("the residual", 1e-10, found.residual()));
  }

  /** Omits the last digits of zeta, which depend on the number of nodes. */
  @Override
  protected String checksum(PowerMethod.Answer found) {
    return new NumberChecksum().add(Math.round(found.zeta() * 1e9)).toString();
  }
}
