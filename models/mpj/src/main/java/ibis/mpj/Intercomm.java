package ibis.mpj;

import org.troupe.mpj.comm.Communicator;

/** Ranks of two groups; messages go to ranks of the other group. */
public class Intercomm extends Comm {

  Intercomm(Communicator core) {
    super(core);
  }

  /** Returns the number of ranks in the other group. */
  public int remoteSize() throws MPJException {
    return core().remoteGroup().size();
  }

  /** Returns the other group. */
  public Group remoteGroup() throws MPJException {
    return new Group(core().remoteGroup());
  }

  /** Returns the communicator of both groups, the high one behind; collective. */
  public Intracomm merge(boolean high) throws MPJException {
    return new Intracomm(core().merge(high));
  }
}
