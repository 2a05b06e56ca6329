package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.FramedLink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/** The protocol of instances and their server. */
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
   *   RESTARTED  empty: this server is not the one named and has no state of the pool
   *   REFUSED    reason
   *
   * The instance replies to RESTARTED over the same link with
   *
   *   REJOIN   the fields of JOIN, then its identifier and its PoolHistory
   *
   * and receives an answer as to JOIN. Then a ServerSession begins: numbered requests, replies and
   * events.
   *
   * Queries about pools begin with ASK_POOLS, or with ASK_MEMBERS and the name of a pool. The answer is
   * POOL_SIZES, or MEMBERS and one MEMBER_NAME for each, or REFUSED from a server that does not know the
   * query.
   *
   * The service MEMBER of an instance sends one message, MEMBER_NAME with its identifier.
   */

  static final String REGISTRY = "ibis-registry";
  static final String MEMBER = "ibis-member";
  static final String GOSSIP = "ibis-gossip";

  static final int JOIN = 1;
  static final int RESUME = 2;

  /** Asks for introductions in a gossip pool: the identifier. */
  static final int BOOTSTRAP = 6;

  /** Answers with introductions: a number of identifiers. */
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

  // To the instance: kind, arguments.
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

  /** Answers a liveness check, or lists a member: an identifier. */
  static final int MEMBER_NAME = 50;

  private RegistryProtocol() {}

  /** Writes the arguments of a message. */
  interface Body {
    void writeTo(DataOutput out) throws IOException;
  }

  /**
   * Creates a message.
   *
   * @throws IOException if a string is too long
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

  /** Creates a message whose strings are known to be short enough. */
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
