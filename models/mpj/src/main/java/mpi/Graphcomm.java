package mpi;

import java.util.Objects;
import org.troupe.mpj.comm.Communicator;
import org.troupe.mpj.comm.GraphTopology;

/** Ranks arranged as a graph. */
public class Graphcomm extends Intracomm {

  Graphcomm(Communicator core) {
    super(core);
  }

  private GraphTopology graph() {
    return (GraphTopology) Objects.requireNonNull(core().topology(), "made with one");
  }

  /** Returns the arrangement. */
  public GraphParms Get() throws MPIException {
    return new GraphParms(graph().index(), graph().edges());
  }

  /** Returns the neighbours of a rank. */
  public int[] Neighbours(int rank) throws MPIException {
    return graph().neighbours(rank);
  }

  /** Returns the rank that the caller would have in a graph, or {@code UNDEFINED}. */
  public int Map(int[] index, int[] edges) throws MPIException {
    return GraphTopology.map(core().rank(), index, edges);
  }
}
