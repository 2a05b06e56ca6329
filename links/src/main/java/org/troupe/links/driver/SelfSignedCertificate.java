package org.troupe.links.driver;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A private key and a self-signed certificate of this process, which are never stored.
 *
 * @param key a key on the curve P-256
 */
record SelfSignedCertificate(PrivateKey key, X509Certificate x509) {

  /*
   * TLS needs certificates, and the JDK has no API to create them. Their contents do not matter here,
   * as both sides sign the certificates with the secret (see TlsContext). Therefore this class encodes
   * the minimum that X.509 permits (RFC 5280, section 4.1, in DER).
   */

  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8 = 0x0c;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int VERSION = 0xa0;

  /** Object identifier 1.2.840.10045.4.3.2, ecdsa-with-SHA256. */
  private static final byte[] ECDSA = {6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};

  /** Object identifier 2.5.4.3, the common name. */
  private static final byte[] COMMON_NAME = {6, 3, 0x55, 4, 3};

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  static SelfSignedCertificate create() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair keys = generator.generateKeyPair();

    byte[] algorithm = der(SEQUENCE, ECDSA);
    byte[] name =
        der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, "troupe".getBytes(US_ASCII)))));
    byte[] content =
        der(
            SEQUENCE,
            der(VERSION, der(INTEGER, new byte[] {2})), // encodes version 3
            der(INTEGER, new BigInteger(64, new SecureRandom()).toByteArray()),
            algorithm,
            name,
            validity(Instant.now()),
            name,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(content);
    byte[] signed =
        der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
    return new SelfSignedCertificate(
        keys.getPrivate(),
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(signed)));
  }

  /** Returns a validity that exceeds the life of any process and tolerates wrong clocks. */
  private static byte[] validity(Instant now) {
    return der(
        SEQUENCE,
        der(GENERALIZED_TIME, time(now.minus(Duration.ofDays(3650)))),
        der(GENERALIZED_TIME, time(now.plus(Duration.ofDays(36500)))));
  }

  private static byte[] time(Instant instant) {
    return TIME.format(instant).getBytes(US_ASCII);
  }

  /** Encodes a value of known length: tag, length, parts. */
  private static byte[] der(int tag, byte[]... parts) {
    var value = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      value.writeBytes(part);
    }
    var all = new ByteArrayOutputStream();
    all.write(tag);
    int length = value.size();
    if (length < 0x80) {
      all.write(length);
    } else {
      byte[] digits = BigInteger.valueOf(length).toByteArray();
      int from = digits[0] == 0 ? 1 : 0;
      all.write(0x80 | (digits.length - from));
      all.write(digits, from, digits.length - from);
    }
    all.writeBytes(value.toByteArray());
    return all.toByteArray();
  }
}
