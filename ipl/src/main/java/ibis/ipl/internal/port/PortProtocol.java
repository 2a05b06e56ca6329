package ibis.ipl.internal.port;

import ibis.ipl.PortType;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.message.SerializationKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.troupe.links.Link;

/** The protocol of two instances for connections, before and beside the messages. */
final class PortProtocol {

  /*
   * Format. A record is a length in four bytes, little-endian, followed by data in the format of
   * java.io.DataOutput.
   *
   * Links. A link of service CONNECTIONS alternates requests and replies until a reply accepts; from
   * then on it carries the messages of that connection. A link of service CONTROL alternates requests
   * and replies for as long as both instances live; it bypasses unread messages.
   */

  static final String CONNECTIONS = "ibis-connections";
  static final String CONTROL = "ibis-control";

  /** Two identifiers, with tags. */
  private static final int LONGEST = 3 * InstanceIdentifier.MOST_TAG_BYTES;

  private PortProtocol() {}

  /** How a request to connect ended. */
  enum Answer {
    ACCEPTED,
    /** The port is absent or disabled; the sender repeats the request. */
    NOT_NOW,
    OTHER_TYPE,
    TAKEN,
    REFUSED,
    /** The address belongs to another instance now. */
    NOT_ME
  }

  /**
   * A send port's request for a connection.
   *
   * @param connection the number that the sender's instance gave to the connection
   */
  record Request(
      InstanceIdentifier target,
      String port,
      SendPortName sender,
      PortType type,
      SerializationKind serialization,
      long connection) {

    void write(Link link) throws IOException {
      var bytes = new ByteArrayOutputStream();
      var out = new DataOutputStream(bytes);
      target.writeTo(out);
      out.writeUTF(port);
      out.writeUTF(sender.name());
      InstanceIdentifier.of(sender.ibisIdentifier()).writeTo(out);
      type.writeTo(out);
      out.writeUTF(serialization.name());
      out.writeLong(connection);
      send(link, bytes);
    }

    static Request read(Link link) throws IOException {
      DataInputStream in = receive(link);
      InstanceIdentifier target = InstanceIdentifier.readFrom(in);
      String port = in.readUTF();
      String sender = in.readUTF();
      return new Request(
          target,
          port,
          new SendPortName(sender, InstanceIdentifier.readFrom(in)),
          new PortType(in),
          constant(SerializationKind.class, in.readUTF()),
          in.readLong());
    }
  }

  /**
   * A receive port's reply to a connection request.
   *
   * @param text details for the program's user
   * @param connection the number that the receiver's instance gave to the connection
   */
  record Reply(Answer answer, String text, long connection) {

    static final Reply NOT_NOW = new Reply(Answer.NOT_NOW);

    /** Creates a reply that needs no details. */
    Reply(Answer answer) {
      this(answer, "", 0);
    }

    void write(Link link) throws IOException {
      var bytes = new ByteArrayOutputStream();
      var out = new DataOutputStream(bytes);
      out.writeUTF(answer.name());
      out.writeUTF(text);
      out.writeLong(connection);
      send(link, bytes);
    }

    static Reply read(Link link) throws IOException {
      DataInputStream in = receive(link);
      return new Reply(constant(Answer.class, in.readUTF()), in.readUTF(), in.readLong());
    }
  }

  /** The kinds of control requests. */
  enum Matter {
    /** To a receiver's instance: the sender disconnects; remove it from the table. */
    DISCONNECT,
    /** To a sender's instance: send a nudge that wakes the connection's reader. */
    NUDGE,
    /**
     * To a sender's instance: the receiver has abandoned the connection for the reason in the text.
     */
    BROKEN
  }

  /**
   * A control request.
   *
   * @param text the reason for the program's user; may be empty
   */
  record Control(Matter matter, long connection, String text) {

    private static final int LONGEST_TEXT = 8_000;

    Control {
      text = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    Control(Matter matter, long connection) {
      this(matter, connection, "");
    }

    void write(Link link) throws IOException {
      var bytes = new ByteArrayOutputStream();
      var out = new DataOutputStream(bytes);
      out.writeUTF(matter.name());
      out.writeLong(connection);
      out.writeUTF(text);
      send(link, bytes);
    }

    static Control read(Link link) throws IOException {
      DataInputStream in = receive(link);
      return new Control(constant(Matter.class, in.readUTF()), in.readLong(), in.readUTF());
    }
  }

  private static void send(Link link, ByteArrayOutputStream bytes) throws IOException {
    ByteBuffer word = ByteBuffer.allocate(Integer.BYTES + bytes.size());
    word.order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.size()).put(bytes.toByteArray());
    link.write(word.flip());
  }

  private static DataInputStream receive(Link link) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    link.readFully(MemorySegment.ofBuffer(head));
    int length = head.getInt(0);
    if (length < 0 || length > LONGEST) {
      throw new IOException("malformed record of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    link.readFully(MemorySegment.ofArray(bytes));
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String name) throws IOException {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new IOException("malformed: no " + type.getSimpleName() + " is '" + name + "'", e);
    }
  }
}
