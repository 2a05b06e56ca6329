package ibis.ipl;

import java.io.DataInput;
import java.io.IOException;

/**
 * The capabilities of a port. Send and receive port connect only if their types are equal.
 * Immutable.
 *
 * <p>Exactly one of the four cardinalities, which read senders-to-receivers, and at least one
 * serialization belong to each type.
 */
public final class PortType extends CapabilitySet {

  /** A send port has at most one receiver, a receive port at most one sender. */
  public static final String CONNECTION_ONE_TO_ONE = "connection.onetoone";

  /** A send port may have many receivers, a receive port has at most one sender. */
  public static final String CONNECTION_ONE_TO_MANY = "connection.onetomany";

  /** A send port has at most one receiver, a receive port may have many senders. */
  public static final String CONNECTION_MANY_TO_ONE = "connection.manytoone";

  /** Both sides may have many connections. */
  public static final String CONNECTION_MANY_TO_MANY = "connection.manytomany";

  /** An upcall receives new and lost connections. */
  public static final String CONNECTION_UPCALLS = "connection.upcalls";

  /** Downcalls return new and lost connections. */
  public static final String CONNECTION_DOWNCALLS = "connection.downcalls";

  /** Connecting may have a time limit. */
  public static final String CONNECTION_TIMEOUT = "connection.timeout";

  /** A hint that connections should be cheap; accepted without effect. */
  public static final String CONNECTION_LIGHT = "connection.light";

  /** Connections with minimal cost and no guarantees. */
  public static final String CONNECTION_ULTRALIGHT = "connection.ultralight";

  /** A hint that bytes should take a direct route; accepted without effect. */
  public static final String CONNECTION_DIRECT = "connection.direct";

  /** Receiving may block until a message arrives. */
  public static final String RECEIVE_EXPLICIT = "receive.explicit";

  /** Receiving may block with a time limit. */
  public static final String RECEIVE_TIMEOUT = "receive.timeout";

  /** A port can be polled for a message. */
  public static final String RECEIVE_POLL = "receive.poll";

  /** Messages are passed to an upcall as they arrive. */
  public static final String RECEIVE_AUTO_UPCALLS = "receive.autoupcalls";

  /** Messages are passed to an upcall; polling is allowed and unnecessary. */
  public static final String RECEIVE_POLL_UPCALLS = "receive.pollupcalls";

  /** The messages of a send port arrive in the order in which they were sent. */
  public static final String COMMUNICATION_FIFO = "communication.fifo";

  /** Messages are numbered. */
  public static final String COMMUNICATION_NUMBERED = "communication.numbered";

  /** Messages arrive, or the connection is lost. */
  public static final String COMMUNICATION_RELIABLE = "communication.reliable";

  /** Messages may be lost; offered by no implementation. */
  public static final String COMMUNICATION_UNRELIABLE = "communication.unreliable";

  /** Messages arrive if nothing breaks, without the cost of a guarantee. */
  public static final String COMMUNICATION_RELIABLE_UNSAFE = "communication.reliable.unsafe";

  /** Messages hold bytes, byte arrays and byte buffers. */
  public static final String SERIALIZATION_BYTE = "serialization.byte";

  /** Messages hold primitives, their arrays, strings and byte buffers. */
  public static final String SERIALIZATION_DATA = "serialization.data";

  /** Messages hold all types; a property chooses the form of objects. */
  public static final String SERIALIZATION_OBJECT = "serialization.object";

  /** Messages hold all types; objects in Troupe's own form. */
  public static final String SERIALIZATION_OBJECT_IBIS = "serialization.object.ibis";

  /** Messages hold all types; objects by Java serialization. */
  public static final String SERIALIZATION_OBJECT_SUN = "serialization.object.sun";

  public PortType(String... capabilities) {
    super(capabilities);
  }

  /** Reads the output of {@link #writeTo}. */
  public PortType(DataInput in) throws IOException {
    super(in);
  }
}
