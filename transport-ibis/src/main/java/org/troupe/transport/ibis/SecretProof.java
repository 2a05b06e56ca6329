package org.troupe.transport.ibis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proves knowledge of a secret by an HMAC over two challenges, without disclosing the secret. */
final class SecretProof {

  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  SecretProof(String secret) {
    this.key = new SecretKeySpec(HexFormat.of().parseHex(secret), ALGORITHM);
  }

  /** Returns a new random challenge. */
  static byte[] challenge() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /**
   * Returns the proof for a pair of challenges.
   *
   * @param role the role of the answering side; a proof for one role is invalid for another, which
   *     prevents reflection
   */
  byte[] answer(String role, byte[] theirs, byte[] own) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(role.getBytes(US_ASCII));
      mac.update(theirs);
      return mac.doFinal(own);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every platform has " + ALGORITHM, e);
    }
  }

  static boolean isSame(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }
}
