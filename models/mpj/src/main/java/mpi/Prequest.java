package mpi;

import org.troupe.mpj.comm.MessageRequest;

/** An operation that can be begun again and again. */
public class Prequest extends Request {

  Prequest(MessageRequest core) {
    super(core);
  }

  /** Begins the operation. */
  public void Start() throws MPIException {
    core().start();
  }

  /** Begins several operations. */
  public static void Startall(Prequest[] array_of_requests) throws MPIException {
    for (Prequest each : array_of_requests) {
      each.Start();
    }
  }
}
