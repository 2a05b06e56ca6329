package ibis.ipl.internal.port;

/** The management counters of an instance, to which all its ports contribute. */
public abstract class InstanceCounters extends ManagedCounters {

  static final String OUTGOING_MESSAGES = "outgoingMessageCount";
  static final String INCOMING_MESSAGES = "incomingMessageCount";
  static final String BYTES_WRITTEN = "bytesWritten";
  static final String BYTES_SENT = "bytesSent";
  static final String BYTES_RECEIVED = "bytesReceived";
  static final String BYTES_READ = "bytesRead";

  /** Creates the counters, all 0. */
  protected InstanceCounters() {
    super(
        false,
        OUTGOING_MESSAGES,
        INCOMING_MESSAGES,
        BYTES_WRITTEN,
        BYTES_SENT,
        BYTES_RECEIVED,
        BYTES_READ);
  }
}
