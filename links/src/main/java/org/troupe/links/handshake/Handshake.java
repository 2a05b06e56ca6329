package org.troupe.links.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Secret;
import org.troupe.links.VersionMismatchException;
import org.troupe.links.WrongSecretException;

/** The handshake of two ports: mutual proof of the secret, and agreement on a wire version. */
public final class Handshake {

  /*
   * Messages
   *
   * Four messages of fixed size between caller C and port P. Their format is the same in every
   * version, so that any two releases can report their versions to each other; the versions govern
   * the bytes that follow.
   *
   *   C -> P  hello      magic 8, lowest and highest version of C 2 + 2, nonce of C 32
   *   P -> C  challenge  nonce of P 32
   *   C -> P  proof      name of the service 64, HMAC("caller", port, hello, challenge, service) 32
   *   P -> C  verdict    status 1, lowest and highest version of P 2 + 2,
   *                      HMAC("server", port, hello, challenge, proof, status, versions) 32
   *
   * Security
   *
   * The caller proves first: a stranger gets 32 random bytes and, for a wrong proof, the status
   * "refused". The nonces of both sides bind a proof to one connection, so replays fail, and the
   * two roles prevent reflection. Both sides sign the port that C wants and P is, by its identity
   * if C knows it, else by its number. Without that, a stranger holding the port number of a JVM
   * that has ended could forward a whole handshake to another port and sit in the middle, and C
   * could mistake for P another port of the deployment that P's address leads to from C's host.
   *
   * "Refused" carries no proof; forging it achieves no more than closing the connection. Every
   * other status is believed only with the proof. Streams are read unbuffered and exactly: the byte
   * after the verdict belongs to the service.
   */

  public static final int SERVICE_BYTES = 64;

  private static final byte[] MAGIC = "TROUPE\r\n".getBytes(US_ASCII);
  private static final byte[] CALLER = "caller".getBytes(US_ASCII);
  private static final byte[] SERVER = "server".getBytes(US_ASCII);

  private static final int VERSIONS_BYTES = 4;
  private static final int NONCE_BYTES = 32;
  private static final int MAC_BYTES = 32;
  private static final int VERDICT_BYTES = 1 + VERSIONS_BYTES;

  private static final byte REFUSED = 0;
  private static final byte ACCEPTED = 1;
  private static final byte NO_COMMON_VERSION = 2;
  private static final byte NO_SUCH_SERVICE = 3;

  private final Secret secret;
  private final WireVersions ours;

  public Handshake(Secret secret, WireVersions ours) {
    this.secret = secret;
    this.ours = ours;
  }

  /**
   * The result of a handshake.
   *
   * @param session a value unique to the connection and authenticated for both sides: the proof of
   *     the server
   */
  public record Agreement(String service, int version, byte[] session) {}

  /**
   * Performs the caller's side; blocks until the peer has answered.
   *
   * @param peer the dialled peer, for messages
   * @param port the name of the intended port, by {@link #name}
   */
  public Agreement call(Socket socket, String peer, byte[] port, String service)
      throws IOException {
    byte[] hello = hello();
    socket.getOutputStream().write(hello);
    byte[] challenge = readFromServer(socket, NONCE_BYTES, peer);

    byte[] name = Arrays.copyOf(service.getBytes(US_ASCII), SERVICE_BYTES);
    byte[] proof = concat(name, secret.sign(CALLER, port, hello, challenge, name));
    socket.getOutputStream().write(proof);

    byte[] verdict = readFromServer(socket, VERDICT_BYTES, peer);
    byte[] mac = readFromServer(socket, MAC_BYTES, peer);
    if (verdict[0] == REFUSED) {
      throw new WrongSecretException(
          peer
              + " refused our proof: it belongs to another deployment, or is another port of this"
              + " one than the intended port; check the address, and that both sides have the same"
              + " secret");
    }
    byte[] expected = secret.sign(SERVER, port, hello, challenge, proof, verdict);
    if (!MessageDigest.isEqual(expected, mac)) {
      throw new WrongSecretException(
          peer
              + " could not prove that it knows our secret: another program has this port now, or"
              + " it belongs to another deployment; check the address");
    }
    return agree(verdict, mac, peer, service);
  }

  private Agreement agree(byte[] verdict, byte[] mac, String peer, String service)
      throws IOException {
    WireVersions theirs = versions(verdict, 1);
    OptionalInt common = ours.highestCommon(theirs);
    if (common.isEmpty() || verdict[0] == NO_COMMON_VERSION) {
      throw new VersionMismatchException(
          peer
              + " speaks "
              + theirs
              + " of Troupe's wire format, this JVM "
              + ours
              + "; use releases of Troupe that have a version in common");
    }
    if (verdict[0] != ACCEPTED) {
      throw new NoSuchServiceException(
          peer
              + " has no service '"
              + service
              + "'; it was not started there, or not yet, or its name is misspelt");
    }
    return new Agreement(service, common.getAsInt(), mac);
  }

  /**
   * Performs the port's side; blocks until the peer has answered.
   *
   * @param names the names by which callers may address the port
   * @throws RefusedException if the peer did not prove the secret
   * @throws IOException if the peer proved it, but no connection was established
   */
  public Agreement serve(Socket socket, List<byte[]> names, Predicate<String> isServed)
      throws IOException {
    byte[] hello = readHello(socket);
    byte[] challenge = Secret.randomBytes(NONCE_BYTES);
    writeToCaller(socket, challenge);

    byte[] proof = readFromCaller(socket, SERVICE_BYTES + MAC_BYTES);
    byte[] name = Arrays.copyOf(proof, SERVICE_BYTES);
    byte[] mac = Arrays.copyOfRange(proof, SERVICE_BYTES, proof.length);
    byte @Nullable [] intended = null;
    for (byte[] each : names) {
      if (MessageDigest.isEqual(secret.sign(CALLER, each, hello, challenge, name), mac)) {
        intended = each;
      }
    }
    if (intended == null) {
      writeToCaller(socket, new byte[VERDICT_BYTES + MAC_BYTES]);
      throw new RefusedException(RefusalCause.WRONG_SECRET);
    }

    String service = new String(name, US_ASCII).replace("\0", "");
    WireVersions theirs = versions(hello, MAGIC.length);
    OptionalInt common = ours.highestCommon(theirs);
    byte status =
        common.isEmpty() ? NO_COMMON_VERSION : isServed.test(service) ? ACCEPTED : NO_SUCH_SERVICE;
    byte[] verdict = concat(new byte[] {status}, bytes(ours));
    byte[] ourProof = secret.sign(SERVER, intended, hello, challenge, proof, verdict);
    socket.getOutputStream().write(concat(verdict, ourProof));
    if (status != ACCEPTED) {
      throw new IOException(
          status == NO_COMMON_VERSION
              ? "the peer speaks " + theirs + ", this JVM " + ours
              : "the peer asked for '" + service + "', which is not served here");
    }
    return new Agreement(service, common.getAsInt(), ourProof);
  }

  private byte[] hello() {
    return concat(MAGIC, bytes(ours), Secret.randomBytes(NONCE_BYTES));
  }

  /**
   * Reads the hello, the magic first: a peer with another protocol may send fewer bytes than a
   * hello and then wait.
   */
  private static byte[] readHello(Socket socket) throws IOException {
    byte[] magic = readFromCaller(socket, MAGIC.length);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new RefusedException(RefusalCause.NOT_TROUPE);
    }
    return concat(magic, readFromCaller(socket, VERSIONS_BYTES + NONCE_BYTES));
  }

  /** Reads from an unauthenticated peer; any failure refuses the peer. */
  private static byte[] readFromCaller(Socket socket, int count) throws IOException {
    byte[] bytes;
    try {
      bytes = socket.getInputStream().readNBytes(count);
    } catch (IOException _) {
      throw new RefusedException(RefusalCause.LEFT);
    }
    if (bytes.length < count) {
      throw new RefusedException(RefusalCause.LEFT);
    }
    return bytes;
  }

  private static void writeToCaller(Socket socket, byte[] bytes) throws IOException {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException _) {
      throw new RefusedException(RefusalCause.LEFT);
    }
  }

  private static byte[] readFromServer(Socket socket, int count, String peer) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException(
          peer
              + " closed the connection during the handshake: it is closing, or has too many pending"
              + " handshakes, or is no port of Troupe; try again, or check the address");
    }
    return bytes;
  }

  /** Returns the name of a port in proofs: the identity in its address, or else its number. */
  public static byte[] name(Address address) {
    return address.identity().isEmpty()
        ? name(address.port())
        : HexFormat.of().parseHex(address.identity());
  }

  /** Returns the name in proofs of a port without a known identity. */
  public static byte[] name(int number) {
    return ByteBuffer.allocate(Short.BYTES).putShort((short) number).array();
  }

  private static byte[] bytes(WireVersions versions) {
    return ByteBuffer.allocate(VERSIONS_BYTES)
        .putShort((short) versions.lowest())
        .putShort((short) versions.highest())
        .array();
  }

  private static WireVersions versions(byte[] message, int offset) {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    return new WireVersions(
        Short.toUnsignedInt(bytes.getShort(offset)),
        Short.toUnsignedInt(bytes.getShort(offset + Short.BYTES)));
  }

  private static byte[] concat(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }
}
