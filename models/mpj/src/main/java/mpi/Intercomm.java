package mpi;

import org.troupe.mpj.comm.Communicator;

/** Ranks of two groups; messages go to ranks of the other group. */
public class Intercomm extends Comm {

  Intercomm(Communicator core) {
    super(core);
  }

  /** Returns the number of ranks in the other group. */
  public int Remote_size() throws MPIException {
    return core().remoteGroup().size();
  }

  /** Returns the other group. */
  public Group Remote_group() throws MPIException {
    return new Group(core().remoteGroup());
  }

  /** Returns the communicator of both groups, the high one behind; collective. */
  public Intracomm Merge(boolean high) throws MPIException {
    return new Intracomm(core().merge(high));
  }
}
