package org.troupe.deployment.ssh;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.KeyPair;
import java.security.interfaces.EdECPrivateKey;
import java.util.HexFormat;
import java.util.Map;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.junit.jupiter.api.Test;

/** Keys and signatures against those of OpenSSH and of RFC 8032. */
class JdkEd25519Test {

  static {
    MinaSetup.apply();
  }

  private static KeyPair loaded(String file) throws Exception {
    var pairs =
        SecurityUtils.loadKeyPairIdentities(
            null,
            NamedResource.ofName("key"),
            new ByteArrayInputStream(file.getBytes(US_ASCII)),
            null);
    return pairs.iterator().next();
  }

  /** Made by ssh-keygen for this test. */
  private static final String OPENSSH_KEY =
      """
      -----BEGIN OPENSSH PRIVATE KEY-----
      b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
      QyNTUxOQAAACC25+eRHOPTAcawVKy/1suIKg8W0TN4sKbzuWwkK9kQ5wAAAIi0XhlztF4Z
      cwAAAAtzc2gtZWQyNTUxOQAAACC25+eRHOPTAcawVKy/1suIKg8W0TN4sKbzuWwkK9kQ5w
      AAAEBZZ8ds3rWnvmVi1HXzKXLf62vC9HrGm2/RiSJ7RuhQirbn55Ec49MBxrBUrL/Wy4gq
      DxbRM3iwpvO5bCQr2RDnAAAAAAECAwQF
      -----END OPENSSH PRIVATE KEY-----
      """;

  private static final String OPENSSH_PUBLIC_KEY =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILbn55Ec49MBxrBUrL/Wy4gqDxbRM3iwpvO5bCQr2RDn";

  @Test
  void readsAKeyOfOpenSshAndComputesItsPublicKey() throws Exception {
    var pair = loaded(OPENSSH_KEY);

    assertThat(pair.getPrivate()).isInstanceOf(EdECPrivateKey.class);
    assertThat(PublicKeyEntry.toString(pair.getPublic())).isEqualTo(OPENSSH_PUBLIC_KEY);
    assertThat(KeyUtils.getKeyType(pair)).isEqualTo("ssh-ed25519");
    assertThat(KeyUtils.recoverPublicKey(pair.getPrivate())).isEqualTo(pair.getPublic());
    var again =
        PublicKeyEntry.parsePublicKeyEntry(OPENSSH_PUBLIC_KEY)
            .resolvePublicKey(null, Map.of(), null);
    assertThat(KeyUtils.compareKeys(again, pair.getPublic())).isTrue();
  }

  /** The second test of RFC 8032, section 7.1. */
  @Test
  void signsAndVerifiesAsTheStandardSays() throws Exception {
    var hex = HexFormat.of();
    var key =
        SecurityUtils.generateEDDSAPrivateKey(
            "ssh-ed25519",
            hex.parseHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
    var publicKey =
        SecurityUtils.generateEDDSAPublicKey(
            "ssh-ed25519",
            hex.parseHex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
    var signature =
        hex.parseHex(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");

    assertThat(KeyUtils.recoverPublicKey(key)).isEqualTo(publicKey);
    var signer = BuiltinSignatures.ed25519.create();
    signer.initSigner(null, key);
    signer.update(null, new byte[] {0x72});
    assertThat(signer.sign(null)).isEqualTo(signature);

    var verifier = BuiltinSignatures.ed25519.create();
    verifier.initVerifier(null, publicKey);
    verifier.update(null, new byte[] {0x72});
    assertThat(verifier.verify(null, signature)).isTrue();
  }

  /** The weakness of the library that this replaced: S plus the order of the group was accepted. */
  @Test
  void refusesASignatureWhoseScalarIsNotReduced() throws Exception {
    var hex = HexFormat.of();
    var publicKey =
        SecurityUtils.generateEDDSAPublicKey(
            "ssh-ed25519",
            hex.parseHex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
    var malleable =
        hex.parseHex(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "f52db7415978abc61b2c2eb6aeebfca0387b2eaeb4302aeeb00d291612bb0c10");
    var verifier = BuiltinSignatures.ed25519.create();
    verifier.initVerifier(null, publicKey);
    verifier.update(null, new byte[] {0x72});

    boolean accepted;
    try {
      accepted = verifier.verify(null, malleable);
    } catch (java.security.SignatureException e) {
      accepted = false; // the JDK says so by an exception
    }
    assertThat(accepted).isFalse();
  }
}
