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
 * The shortest paths between all vertices of a graph: each member has some rows of the table of
 * distances, and for each vertex in turn whoever has its row broadcasts it.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), where the broadcast, which RMI lacks, had to be made of single calls. Its
 * graph had 1,280 vertices.
 */
@Command(name = "asp", description = "Finds all shortest paths of a graph, by rows (Manta).")
public final class Asp extends KernelProgram<int[][]> {

  @Option(names = "--vertices", paramLabel = "N", description = "how many the graph has")
  private Integer vertices;

  public static void main(String[] arguments) {
    main(new Asp(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    vertices = or(vertices, 96, 1280, 4096);
    requireAtMost("--vertices", vertices, LARGEST_SQUARE, "one array has all distances", wrong);
    if (vertices < nodes) {
      wrong.add(
          "--vertices %d: each of %d nodes needs one; give at least %d, or fewer nodes"
              .formatted(vertices, nodes, nodes));
    }
  }

  /** The table, the rows of all, and both once more in one array each. */
  @Override
  protected double bytesHere() {
    return 4.0 * Integer.BYTES * vertices * vertices;
  }

  @Override
  protected String problem() {
    return words("%,d vertices", vertices);
  }

  @Override
  protected ProgramVersion<int[][]> sequential() {
    return new ProgramVersion<>() {
      private DistanceTable table;

      @Override
      public void prepare() {
        table = new DistanceTable(vertices, 0, vertices);
      }

      @Override
      public void run() {
        for (var via = 0; via < vertices; via++) {
          table.goThrough(via, table.row(via));
        }
      }

      @Override
      public int[][] result() {
        return table.rows();
      }
    };
  }

  @Override
  protected ProgramVersion<int[][]> parallel(ProgramNodes crew) {
    return ProgramVersion.by(
        Group.of(Groups.on(crew.nodes()).spmd(DistanceRows.class, vertices)),
        DistanceRows::prepare,
        DistanceRows::findPaths,
        DistanceRows::distances,
        parts -> parts.flatMap(Arrays::stream).toArray(int[][]::new));
  }

  @Override
  protected List<ResultCheck> check(int[][] expected, int[][] found) {
    return List.of(ResultCheck.equal("the distances, row by row", inOne(expected), inOne(found)));
  }

  private static int[] inOne(int[][] rows) {
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
