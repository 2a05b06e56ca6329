package ibis.ipl.internal.port;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a port, which also update those of its instance. */
final class PortCounters {

  private static final String MESSAGES = "Messages";
  private static final String MESSAGE_BYTES = "MessageBytes";
  private static final String BYTES = "Bytes";
  private static final String CONNECTIONS = "Connections";
  private static final String LOST_CONNECTIONS = "LostConnections";
  private static final String CLOSED_CONNECTIONS = "ClosedConnections";

  private final ManagedCounters port;
  private final LongAdder allMessages;
  private final LongAdder allMessageBytes;
  private final LongAdder allBytes;

  private PortCounters(
      ManagedCounters port, LongAdder messages, LongAdder messageBytes, LongAdder bytes) {
    this.port = port;
    this.allMessages = messages;
    this.allMessageBytes = messageBytes;
    this.allBytes = bytes;
  }

  /** Returns the keys of a port's counters. */
  static String[] keys() {
    return new String[] {
      MESSAGES, MESSAGE_BYTES, BYTES, CONNECTIONS, LOST_CONNECTIONS, CLOSED_CONNECTIONS
    };
  }

  static PortCounters out(ManagedCounters port, ManagedCounters instance) {
    return new PortCounters(
        port,
        instance.counter(InstanceCounters.OUTGOING_MESSAGES),
        instance.counter(InstanceCounters.BYTES_WRITTEN),
        instance.counter(InstanceCounters.BYTES_SENT));
  }

  static PortCounters in(ManagedCounters port, ManagedCounters instance) {
    return new PortCounters(
        port,
        instance.counter(InstanceCounters.INCOMING_MESSAGES),
        instance.counter(InstanceCounters.BYTES_READ),
        instance.counter(InstanceCounters.BYTES_RECEIVED));
  }

  /**
   * Counts a message.
   *
   * @param messageBytes the bytes that the program wrote or read
   * @param bytes the bytes transferred over all connections
   */
  void message(long messageBytes, long bytes) {
    port.counter(MESSAGES).increment();
    port.counter(MESSAGE_BYTES).add(messageBytes);
    port.counter(BYTES).add(bytes);
    allMessages.increment();
    allMessageBytes.add(messageBytes);
    allBytes.add(bytes);
  }

  void connected() {
    port.counter(CONNECTIONS).increment();
  }

  void lost() {
    port.counter(LOST_CONNECTIONS).increment();
  }

  void closed() {
    port.counter(CLOSED_CONNECTIONS).increment();
  }
}
