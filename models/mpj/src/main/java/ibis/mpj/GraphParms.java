package ibis.mpj;

/** The arrangement of a graph. */
public class GraphParms {

  public int[] index;
  public int[] edges;

  GraphParms(int[] index, int[] edges) {
    this.index = index;
    this.edges = edges;
  }
}
