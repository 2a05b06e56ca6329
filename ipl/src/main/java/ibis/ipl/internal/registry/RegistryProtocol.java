package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.FramedLink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/** What instances and their server say to each other. */
final class RegistryProtocol {

  /*
   * Over a new link of the service REGISTRY the instance begins with one message:
   *
   *   JOIN    pool, implementation, size of the closed world or -1, heartbeat in ms, location,
   *           address of its port, tag, credentials
   *   RESUME  server, pool, name, key, number of messages received
   *
   * and the server answers with one:
   *
   *   JOINED     server, identifier, key
   *   RESUMED    number of messages received
   *   RESTARTED  nothing: this is another server than the one named, which knows nothing
   *   REFUSED    why
   *
   * To RESTARTED the instance says over the same link
   *
   *   REJOIN   what JOIN has but for the pool, then its identifier and its PoolHistory
   *
   * and is answered as to JOIN.
   *
   * What follows is a Session: requests, each with a number, and replies and events.
   *
   * Whoever asks about pools says ASK_POOLS, or ASK_MEMBERS with the name of a pool, and is answered
   * with POOL_SIZES, or MEMBERS and a MEMBER_NAME for each; or with REFUSED by a server that does not
   * know the question.
   *
   * The service MEMBER is that of an instance: it says MEMBER_NAME with its identifier, and no more.
   */

  static final String REGISTRY = "ibis-registry";
  static final String MEMBER = "ibis-member";
  static final String GOSSIP = "ibis-gossip";

  static final int JOIN = 1;
  static final int RESUME = 2;

  /** Asks for introductions in a pool without a centre: our identifier. */
  static final int BOOTSTRAP = 6;

  /** Introduces: a number of identifiers. */
  static final int PEERS = 7;

  static final int JOINED = 3;
  static final int RESUMED = 4;
  static final int REFUSED = 5;

  /** Answers RESUME: the server was restarted. */
  static final int RESTARTED = 8;

  static final int REJOIN = 9;

  static final int ASK_POOLS = 51;
  static final int ASK_MEMBERS = 52;

  /** Answers ASK_POOLS: a number of pools, each with its name and number of members. */
  static final int POOL_SIZES = 53;

  /** Answers ASK_MEMBERS: their number. */
  static final int MEMBERS = 54;

  // Requests: kind, number, arguments.
  static final int ELECT = 10;
  static final int SEQUENCE = 11;
  static final int ADD_TOKENS = 12;
  static final int GET_TOKEN = 13;
  static final int SIGNAL = 14;
  static final int TERMINATE = 15;
  static final int MAYBE_DEAD = 16;
  static final int ASSUME_DEAD = 17;
  static final int LEAVE = 18;

  // To the instance.
  static final int REPLY = 30;
  static final int ERROR = 31;
  static final int EVENT_JOINED = 32;
  static final int EVENT_LEFT = 33;
  static final int EVENT_DIED = 34;
  static final int EVENT_ELECTED = 35;
  static final int EVENT_SIGNAL = 36;
  static final int EVENT_CLOSED = 37;
  static final int EVENT_TERMINATED = 38;
  static final int EXPELLED = 39;
  static final int SERVER_ENDS = 40;

  /** What an instance says to whoever looks whether it is alive: its identifier. */
  static final int MEMBER_NAME = 50;

  private RegistryProtocol() {}

  /** Writes what follows the kind of a message. */
  interface Body {
    void writeTo(DataOutput out) throws IOException;
  }

  /**
   * Makes a message.
   *
   * @throws IOException if a text in it is too long
   */
  static byte[] message(int kind, Body body) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeByte(kind);
    body.writeTo(out);
    byte[] message = bytes.toByteArray();
    FramedLink.check(message);
    return message;
  }

  /** Makes a message whose texts are known to be short enough. */
  static byte[] event(int kind, Body body) {
    try {
      return message(kind, body);
    } catch (IOException e) {
      throw new IllegalArgumentException("an event is too large: " + e.getMessage(), e);
    }
  }

  static DataInputStream read(byte[] message) {
    return new DataInputStream(new ByteArrayInputStream(message));
  }
}
