package org.troupe.links;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the JVMs of one deployment share: 32 random bytes.
 *
 * <p>Pass a secret on the standard input of a launched process or in a file that only its owner can
 * read, never on a command line or in the environment, where other users or child processes see it.
 * No method except {@link #reveal} shows it. Immutable.
 */
public final class Secret {

  private static final int BYTES = 32;
  private static final int DIGITS = 2 * BYTES;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private final byte[] bytes;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a new random secret. */
  public static Secret random() {
    return new Secret(randomBytes(BYTES));
  }

  /**
   * Parses the text that {@link #reveal} returns.
   *
   * @param hex 64 hexadecimal digits
   * @throws IllegalArgumentException if the text is malformed; the message does not repeat it
   */
  public static Secret parse(String hex) {
    if (hex.length() != DIGITS || !hex.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "the secret is malformed ("
              + hex.length()
              + " characters, not shown here): it has to be "
              + DIGITS
              + " hexadecimal digits, as Secret.reveal() gives them");
    }
    return new Secret(HexFormat.of().parseHex(hex));
  }

  /**
   * Reads the secret from the next line of a stream; blocks until the line has arrived.
   *
   * <p>No byte after the end of the line is read.
   *
   * @throws IOException if the stream fails or ends before the line
   * @throws IllegalArgumentException if the line is no secret
   */
  public static Secret readLine(InputStream in) throws IOException {
    var line = new StringBuilder(DIGITS);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException(
            "the stream ended after "
                + line.length()
                + " characters, where a line with the secret was expected;"
                + " the program that starts this process has to write one");
      }
      if (line.length() > DIGITS) {
        break; // no secret is this long, and a malformed line may have no end
      }
      line.append((char) c);
    }
    return parse(line.toString().strip());
  }

  /**
   * Reads the secret from a file that only its owner may read or write. Where files have no
   * permissions of POSIX, those of the folder are not checked.
   *
   * @throws IOException if the file cannot be read, or others have access to it
   * @throws IllegalArgumentException if the file holds no secret
   */
  public static Secret read(Path file) throws IOException {
    if (OwnerOnly.isPossible()) {
      checkPermissions(file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] text =
          in.readNBytes(DIGITS + 2); // with the end of the line; a longer text is no secret
      return parse(new String(text, StandardCharsets.US_ASCII).strip());
    }
  }

  private static void checkPermissions(Path file) throws IOException {
    var permissions = Files.getPosixFilePermissions(file);
    Set<PosixFilePermission> others = EnumSet.copyOf(permissions);
    others.removeAll(OWNERS);
    if (!others.isEmpty()) {
      throw new IOException(
          "'"
              + file
              + "' gives others access to the secret ("
              + PosixFilePermissions.toString(permissions)
              + "); run 'chmod 600 "
              + file
              + "', and use a new secret if others may have read it");
    }
  }

  /**
   * Writes the secret to a new file that only its owner may read or write. Where files have no
   * POSIX permissions, those of its folder apply.
   *
   * @throws IOException if the file exists or cannot be written
   */
  public void write(Path file) throws IOException {
    // The file is created empty with its permissions, so that others can never open it.
    Files.createFile(file, OwnerOnly.file());
    try {
      Files.writeString(file, reveal() + "\n", StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      Files.deleteIfExists(file); // a partial file on a full disk would prevent the next attempt
      throw e;
    }
  }

  /** Returns the secret in clear text, as 64 hexadecimal digits; do not log it. */
  public String reveal() {
    return HexFormat.of().formatHex(bytes);
  }

  /** Signs the parts, in order, with HMAC-SHA256. */
  public byte[] sign(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has HmacSHA256", e);
    }
  }

  /** Returns the SHA-256 of public bytes. */
  public static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Returns cryptographically strong random bytes. */
  public static byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** Compares in constant time. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Secret that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns a text that does not depend on the secret. */
  @Override
  public String toString() {
    return "Secret[not shown]";
  }
}
