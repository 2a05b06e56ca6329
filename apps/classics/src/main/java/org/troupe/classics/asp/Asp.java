package org.troupe.classics.asp;

import java.util.Arrays;
import java.util.List;
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
 * The shortest paths between all vertices of a graph: each member has some rows of the table of
 * distances, and for each vertex in turn whoever has its row broadcasts it.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), where the broadcast, which RMI lacks, had to be made of single calls. Its
 * graph had 1,280 vertices.
 */
@Command(name = "asp", description = "Finds all shortest paths of a graph, by rows (Manta).")
public final class Asp extends Kernel<int[][]> {

  @Option(names = "--vertices", paramLabel = "N", description = "how many the graph has")
  private Integer vertices;

  public static void main(String[] arguments) {
    main(new Asp(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    vertices = or(vertices, 96, 1280, 4096);
    if (vertices < nodes) {
      wrong.add(
          "--vertices %d: each of %d nodes needs one; give at least %d, or fewer nodes"
              .formatted(vertices, nodes, nodes));
    }
  }

  @Override
  protected String problem() {
    return "%,d vertices".formatted(vertices);
  }

  @Override
  protected Version<int[][]> sequential() {
    return new Version<>() {
      private Table table;

      @Override
      public void prepare() {
        table = new Table(vertices, 0, vertices);
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
  protected Version<int[][]> parallel(Crew crew) {
    return new Version<>() {
      private final Group<Rows> rows = Group.of(Groups.on(crew.nodes()).spmd(Rows.class, vertices));

      @Override
      public void prepare() {
        rows.tell(Rows::prepare).join();
      }

      @Override
      public void run() {
        rows.tell(Rows::findPaths).join();
      }

      @Override
      public int[][] result() {
        return rows.ask(Rows::distances).stream().flatMap(Arrays::stream).toArray(int[][]::new);
      }
    };
  }

  @Override
  protected List<Check> check(int[][] expected, int[][] found) {
    return List.of(Check.equal("the distances", checksum(expected), checksum(found)));
  }

  @Override
  protected String checksum(int[][] found) {
    var sum = new Checksum();
    Arrays.stream(found).forEach(sum::add);
    return sum.toString();
  }
}
