package ibis.ipl;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code connect} to several receive ports has failed for at least one of them.
 *
 * <p>The other ports remain connected. Not to be changed by two threads at once.
 */
public class ConnectionsFailedException extends IbisIOException {

  private static final long serialVersionUID = 1L;

  private final ArrayList<ConnectionFailedException> failures = new ArrayList<>();
  private ReceivePortIdentifier[] obtained = {};

  /** Creates an exception without a message. */
  public ConnectionsFailedException() {}

  public ConnectionsFailedException(String message) {
    super(message);
  }

  /** Adds the failure of one target. */
  public void add(ConnectionFailedException failure) {
    failures.add(failure);
  }

  /** Sets which targets are connected; the array is copied. */
  public void setObtainedConnections(ReceivePortIdentifier[] connected) {
    obtained = connected.clone();
  }

  /** Returns a copy of the list of those that are connected. */
  public ReceivePortIdentifier[] getObtainedConnections() {
    return obtained.clone();
  }

  /** Returns a copy of the list of failures, in the order in which they were added. */
  public ConnectionFailedException[] getFailures() {
    return failures.toArray(ConnectionFailedException[]::new);
  }

  /** Returns the message and, a line each, the failures. */
  @Override
  public String toString() {
    var text = new StringBuilder(super.toString());
    for (ConnectionFailedException failure : failures) {
      text.append(System.lineSeparator()).append("  - ").append(failure);
    }
    return text.toString();
  }

  @Override
  public void printStackTrace() {
    printStackTrace(System.err);
  }

  /** Prints this trace and that of each failure. */
  @Override
  public void printStackTrace(PrintStream out) {
    super.printStackTrace(out);
    for (ConnectionFailedException failure : List.copyOf(failures)) {
      failure.printStackTrace(out);
    }
  }

  /** Prints this trace and that of each failure. */
  @Override
  public void printStackTrace(PrintWriter out) {
    super.printStackTrace(out);
    for (ConnectionFailedException failure : List.copyOf(failures)) {
      failure.printStackTrace(out);
    }
  }
}
