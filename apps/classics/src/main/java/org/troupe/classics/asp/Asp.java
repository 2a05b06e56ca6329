package org.troupe.classics.asp;

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
 * All-pairs shortest paths of a graph: each member has some rows of the distance table, and for
 * each vertex in turn the owner of its row broadcasts the row.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), which had to compose the broadcast from single calls, since RMI has none.
 * Its graph had 1,280 vertices.
 */
@Command(name = "asp", description = "Finds all shortest paths of a graph, by rows (Manta).")
public final class Asp extends KernelProgram<int[][]> {

  @Option(names = "--vertices", paramLabel = "N", description = "the number of vertices")
  private Integer vertices;

  public static void main(String[] arguments) {
    main(new Asp(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    vertices = orPreset(vertices, 96, 1280, 4096);
    requireAtMost("--vertices", vertices, LARGEST_SQUARE, "one array holds all distances", wrong);
    if (vertices < nodes) {
      wrong.add(
          "--vertices %d: each of %d nodes needs one; give at least %d, or fewer nodes"
              .formatted(vertices, nodes, nodes));
    }
  }

  /** Counts the distance table, the rows of all members, and a copy of both in one array each. */
  @Override
  protected double launcherBytes() {
    return 4.0 * Integer.BYTES * vertices * vertices;
  }

  @Override
  protected String problem() {
    return text("%,d vertices", vertices);
  }

  @Override
  protected ProgramVersion<int[][]> sequential() {
    return new ProgramVersion<>() {
      @SuppressWarnings("NullAway.Init") // prepare() sets it
      private DistanceTable table;

      @Override
      public void prepare() {
        table = new DistanceTable(vertices, 0, vertices);
      }

      @Override
      public void run() {
        for (var via = 0; via < vertices; via++) {
          table.relaxVia(via, table.row(via));
        }
      }

      @Override
      public int[][] result() {
        return table.rows();
      }
    };
  }

  @Override
  protected ProgramVersion<int[][]> parallel(ProgramNodes nodes) {
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(DistanceRows.class, vertices)),
        DistanceRows::prepare,
        DistanceRows::findPaths,
        DistanceRows::distances,
        parts -> parts.flatMap(Arrays::stream).toArray(int[][]::new));
  }

  @Override
  protected List<ResultCheck> check(int[][] expected, int[][] found) {
    return List.of(ResultCheck.equal("the distances, row by row", joined(expected), joined(found)));
  }

  private static int[] joined(int[][] rows) {
    var all = new int[rows.length * rows.length];
    for (var i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, all, i * rows.length, rows.length);
    }
    return all;
  }

  @Override
  protected String checksum(int[][] found) {
    var sum = new NumberChecksum();
    Arrays.stream(found).forEach(sum::add);
    return sum.toString();
  }
}
