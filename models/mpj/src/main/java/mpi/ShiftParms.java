package mpi;

/** The ranks before and behind the caller in one direction. */
public class ShiftParms {

  public int rank_source;
  public int rank_dest;

  ShiftParms(int rank_source, int rank_dest) {
    this.rank_source = rank_source;
    this.rank_dest = rank_dest;
  }
}
