package ibis.mpj;

import org.troupe.mpj.comm.MessageRequest;

/** An operation that can be begun again and again. */
public class Prequest extends Request {

  Prequest(MessageRequest core) {
    super(core);
  }

  /** Begins the operation. */
  public void start() throws MPJException {
    core().start();
  }

  /** Begins several operations. */
  public static void startAll(Prequest[] array_of_requests) throws MPJException {
    for (Prequest each : array_of_requests) {
      each.start();
    }
  }
}
