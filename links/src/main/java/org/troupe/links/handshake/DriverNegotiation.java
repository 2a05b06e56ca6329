package org.troupe.links.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.links.Driver;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Secret;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.host.LinuxSystemCalls;

/**
 * The negotiation of the driver of a connection, between ports that have authenticated each other.
 */
public final class DriverNegotiation {

  /*
   * After the handshake, caller C, port P:
   *
   *   C -> P  offer   kind of connection 1, C's drivers in order of preference 4, its host 32, its
   *                   network stack 32, its trusted network 32, HMAC("offer", session, fields) 32
   *   P -> C  answer  driver or refusal 1, length of details 2, details,
   *                   HMAC("answer", session, round, fields) 32
   *   C -> P  report  whether the driver works 1; if not, P answers again with its next choice
   *
   * The session is the proof that ended the handshake, so each message is valid for one connection.
   * The signatures prevent a downgrade: a man in the middle could otherwise remove TLS from the offer.
   * C describes its host by keyed hashes, which permit only comparison.
   */

  /** The kinds of connection to a service. */
  public enum Kind {
    SOCKET,
    LINK
  }

  private static final byte[] OFFER = "offer".getBytes(US_ASCII);
  private static final byte[] ANSWER = "answer".getBytes(US_ASCII);
  private static final byte[] HOST = "host".getBytes(US_ASCII);
  private static final byte[] STACK = "stack".getBytes(US_ASCII);
  private static final byte[] TRUSTED = "trusted".getBytes(US_ASCII);

  private static final int MAC_BYTES = 32;
  private static final int HASH_BYTES = 32;
  private static final int HASHES_AT = 1 + 4;
  private static final int OFFER_BYTES = HASHES_AT + 3 * HASH_BYTES;
  private static final int ANSWER_HEAD_BYTES = 3;
  private static final int MOST_DETAILS = 1024;

  private static final byte NONE_IN_COMMON = 0;
  private static final byte WRONG_KIND = -1;

  private final Secret secret;

  public DriverNegotiation(Secret secret) {
    this.secret = secret;
  }

  /**
   * The driver that the port has chosen.
   *
   * @param details the data that the caller needs to use the driver
   */
  public record Answer(Driver driver, byte[] details) {}

  /**
   * The host of a side.
   *
   * @param trusted the name of the network that it trusts; empty for none
   */
  public record NetworkLocation(HostIdentity host, String trusted) {}

  /**
   * A caller's offer.
   *
   * @param sameHost whether both sides can share files and memory
   * @param sameStack whether both sides use one network stack, so that connections to addresses of
   *     their machine do not leave it
   * @param sameTrusted whether both sides are in one network that both trust
   */
  public record Offer(
      Kind kind, List<Driver> drivers, boolean sameHost, boolean sameStack, boolean sameTrusted) {}

  /** Sends the caller's offer. */
  public void offer(
      Socket socket, byte[] session, Kind kind, List<Driver> drivers, NetworkLocation location)
      throws IOException {
    var offer = ByteBuffer.allocate(OFFER_BYTES + MAC_BYTES);
    offer.put((byte) kind.ordinal());
    for (int i = 0; i < Driver.values().length; i++) {
      offer.put(i < drivers.size() ? code(drivers.get(i)) : 0);
    }
    hashes(location).forEach(offer::put);
    offer.put(secret.sign(OFFER, session, Arrays.copyOf(offer.array(), OFFER_BYTES)));
    socket.getOutputStream().write(offer.array());
  }

  private List<byte[]> hashes(NetworkLocation location) {
    return List.of(
        hash(HOST, location.host.text()),
        hash(STACK, location.host.stack()),
        hash(TRUSTED, location.trusted));
  }

  /** Returns the keyed hash of a text; for an empty one a random value, which equals no other. */
  private byte[] hash(byte[] kind, String text) {
    return text.isEmpty()
        ? Secret.randomBytes(HASH_BYTES)
        : secret.sign(kind, text.getBytes(UTF_8));
  }

  /**
   * Reads a caller's offer.
   *
   * @throws IOException if it is not authentic
   */
  public Offer readOffer(Socket socket, byte[] session, NetworkLocation location)
      throws IOException {
    byte[] offer = read(socket, OFFER_BYTES + MAC_BYTES);
    byte[] body = Arrays.copyOf(offer, OFFER_BYTES);
    byte[] mac = Arrays.copyOfRange(offer, OFFER_BYTES, offer.length);
    if (!MessageDigest.isEqual(secret.sign(OFFER, session, body), mac)) {
      throw forged();
    }
    var drivers = new ArrayList<Driver>();
    for (int i = 1; i <= Driver.values().length; i++) {
      if (body[i] > 0
          && body[i] <= Driver.values().length) { // other codes are those of later versions
        drivers.add(Driver.values()[body[i] - 1]);
      }
    }
    List<byte[]> ours = hashes(location);
    var same = new boolean[ours.size()];
    for (int i = 0; i < same.length; i++) {
      int at = HASHES_AT + i * HASH_BYTES;
      same[i] = MessageDigest.isEqual(ours.get(i), Arrays.copyOfRange(body, at, at + HASH_BYTES));
    }
    return new Offer(body[0] == 0 ? Kind.SOCKET : Kind.LINK, drivers, same[0], same[1], same[2]);
  }

  /** Sends the port's choice. */
  public void answer(Socket socket, byte[] session, int round, Answer answer) throws IOException {
    answer(socket, session, round, code(answer.driver), answer.details);
  }

  /** Reports that no driver is left. */
  public void refuse(Socket socket, byte[] session, int round) throws IOException {
    answer(socket, session, round, NONE_IN_COMMON, new byte[0]);
  }

  /** Reports that the service has the other kind of connection. */
  public void refuseKind(Socket socket, byte[] session) throws IOException {
    answer(socket, session, 0, WRONG_KIND, new byte[0]);
  }

  private void answer(Socket socket, byte[] session, int round, byte code, byte[] details)
      throws IOException {
    int length = ANSWER_HEAD_BYTES + details.length;
    var answer = ByteBuffer.allocate(length + MAC_BYTES);
    answer.put(code).putShort((short) details.length).put(details);
    answer.put(
        secret.sign(
            ANSWER, session, new byte[] {(byte) round}, Arrays.copyOf(answer.array(), length)));
    socket.getOutputStream().write(answer.array());
  }

  /**
   * Reads the port's choice.
   *
   * @throws NoSuchServiceException if the service has the other kind of connection
   * @throws IOException if there is no driver in common, or none worked
   */
  public Answer readAnswer(
      Socket socket, byte[] session, int round, String peer, String service, List<Driver> ours)
      throws IOException {
    byte[] head = read(socket, ANSWER_HEAD_BYTES);
    int length = Short.toUnsignedInt(ByteBuffer.wrap(head).getShort(1));
    if (length > MOST_DETAILS) {
      throw forged();
    }
    byte[] details = read(socket, length);
    byte[] mac = read(socket, MAC_BYTES);
    byte[] body = ByteBuffer.allocate(head.length + length).put(head).put(details).array();
    byte[] expected = secret.sign(ANSWER, session, new byte[] {(byte) round}, body);
    if (!MessageDigest.isEqual(expected, mac)) {
      throw forged();
    }
    byte code = head[0];
    if (code == WRONG_KIND) {
      throw new NoSuchServiceException(
          "service '"
              + service
              + "' of "
              + peer
              + " has links where a socket was requested, or the reverse; use connect for the services"
              + " of serve, and connectSocket for those of serveSockets");
    }
    if (code < 1 || code > Driver.values().length || !ours.contains(Driver.values()[code - 1])) {
      throw new IOException(
          peer
              + " and this JVM have no driver in common that works between them: this JVM offers "
              + ours
              + "; set the system property '"
              + DriverPreferences.PROPERTY
              + "' on both to lists that have one in common, such as 'tcp'; 'shm' works only on Linux,"
              + " between JVMs that were both started with "
              + LinuxSystemCalls.NATIVE_ACCESS);
    }
    return new Answer(Driver.values()[code - 1], details);
  }

  /** Sends the caller's report about the chosen driver. */
  public static void report(Socket socket, boolean worked) throws IOException {
    socket.getOutputStream().write(worked ? 1 : 0);
  }

  /** Returns whether the driver works for the caller. */
  public static boolean readReport(Socket socket) throws IOException {
    return read(socket, 1)[0] == 1;
  }

  private static byte code(Driver driver) {
    return (byte) (driver.ordinal() + 1);
  }

  private static byte[] read(Socket socket, int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the peer closed the connection before both had chosen a driver");
    }
    return bytes;
  }

  private static IOException forged() {
    return new IOException(
        "a message of the driver negotiation is not authentic: the connection is intercepted, or"
            + " the peer is broken");
  }
}
