package org.troupe.deployment.ssh;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.interfaces.EdECKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.sshd.common.config.keys.PrivateKeyEntryDecoder;
import org.apache.sshd.common.config.keys.PublicKeyEntryDecoder;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.security.AbstractSecurityProviderRegistrar;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSAUtils;
import org.apache.sshd.common.util.security.eddsa.generic.GenericEd25519PublicKeyDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericOpenSSHEd25519PrivateKeyEntryDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericSignatureEd25519;

/** Ed25519 keys for MINA, by the JDK's own implementation of them. */
final class JdkEd25519 implements EdDSASupport<EdECPublicKey, EdECPrivateKey> {

  /*
   * MINA 2 uses Ed25519 keys of Bouncy Castle (8 MB) or of net.i2p.crypto:eddsa, whose verification has a published
   * weakness (CVE-2020-36843); MINA 3 will use those of the JDK. This class does the latter through the interface by
   * which MINA 2 distinguishes the two libraries. MINA decides once, when its classes for keys are initialized, whether
   * there are Ed25519 keys; hence MinaSetup.
   */

  private static final String PROVIDER = "SunEC";

  private JdkEd25519() {}

  /** Lets MINA use these keys, in this JVM; has no effect if it does already. */
  static void register() {
    SecurityUtils.registerSecurityProvider(new Registrar());
  }

  /** Offers the keys to MINA, which finds all other algorithms as it does without this class. */
  private static final class Registrar extends AbstractSecurityProviderRegistrar {

    Registrar() {
      super("JdkEd25519");
    }

    @Override
    public String getProviderName() {
      return PROVIDER;
    }

    @Override
    public Provider getSecurityProvider() {
      return Objects.requireNonNull(Security.getProvider(PROVIDER), "a provider of each JDK");
    }

    @Override
    public boolean isNamedProviderUsed() {
      return false;
    }

    @Override
    public boolean isSupported() {
      return Security.getProvider(PROVIDER) != null;
    }

    @Override
    public Optional<EdDSASupport<?, ?>> getEdDSASupport() {
      return Optional.of(new JdkEd25519());
    }
  }

  @Override
  public PublicKeyEntryDecoder<EdECPublicKey, EdECPrivateKey> getEDDSAPublicKeyEntryDecoder() {
    return new GenericEd25519PublicKeyDecoder<>(EdECPublicKey.class, EdECPrivateKey.class, this);
  }

  @Override
  public PrivateKeyEntryDecoder<EdECPublicKey, EdECPrivateKey>
      getOpenSSHEDDSAPrivateKeyEntryDecoder() {
    return new GenericOpenSSHEd25519PrivateKeyEntryDecoder<>(
        EdECPublicKey.class, EdECPrivateKey.class, this);
  }

  @Override
  public Signature getEDDSASigner() {
    return new GenericSignatureEd25519(getKeyFactoryAlgorithm());
  }

  @Override
  public int getEDDSAKeySize(Key key) {
    return key instanceof EdECKey ? KEY_SIZE : -1;
  }

  @Override
  public Class<EdECPublicKey> getEDDSAPublicKeyType() {
    return EdECPublicKey.class;
  }

  @Override
  public Class<EdECPrivateKey> getEDDSAPrivateKeyType() {
    return EdECPrivateKey.class;
  }

  @Override
  public boolean compareEDDSAPPublicKeys(PublicKey one, PublicKey other) {
    return one instanceof EdECPublicKey && one.equals(other);
  }

  @Override
  public boolean compareEDDSAPrivateKeys(PrivateKey one, PrivateKey other) {
    return one instanceof EdECPrivateKey && one.equals(other);
  }

  /**
   * Computes the public key, which a private key of the JDK does not contain: a generator whose
   * only random bytes are the private key generates it together with its public key.
   */
  @Override
  public EdECPublicKey recoverEDDSAPublicKey(PrivateKey key) throws GeneralSecurityException {
    var seed = EdDSAUtils.getBytes(key);
    var generator = KeyPairGenerator.getInstance(getKeyFactoryAlgorithm());
    generator.initialize(NamedParameterSpec.ED25519, new GivenBytes(seed));
    var pair = generator.generateKeyPair();
    if (!Arrays.equals(seed, EdDSAUtils.getBytes(pair.getPrivate()))) {
      throw new InvalidKeyException("this JDK computes no public key of an Ed25519 key");
    }
    return (EdECPublicKey) pair.getPublic();
  }

  /** Gives bytes instead of random ones. */
  private static final class GivenBytes extends SecureRandom {

    private static final long serialVersionUID = 1;

    private final byte[] given;

    GivenBytes(byte[] given) {
      this.given = given;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(given, 0, bytes, 0, Math.min(given.length, bytes.length));
    }
  }

  @Override
  public EdECPublicKey generateEDDSAPublicKey(byte[] seed) throws GeneralSecurityException {
    return (EdECPublicKey) keys().generatePublic(EdDSAUtils.createPublicKeySpec(seed));
  }

  @Override
  public EdECPrivateKey generateEDDSAPrivateKey(byte[] seed) throws GeneralSecurityException {
    return (EdECPrivateKey) keys().generatePrivate(EdDSAUtils.createPrivateKeySpec(seed));
  }

  private KeyFactory keys() throws GeneralSecurityException {
    return KeyFactory.getInstance(getKeyFactoryAlgorithm());
  }

  @Override
  public <B extends Buffer> B putRawEDDSAPublicKey(B buffer, PublicKey key) {
    buffer.putBytes(bytes(key));
    return buffer;
  }

  private static byte[] bytes(PublicKey key) {
    try {
      return EdDSAUtils.getBytes(key);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public <B extends Buffer> B putEDDSAKeyPair(B buffer, PublicKey publicKey, PrivateKey key) {
    throw new UnsupportedOperationException("private keys are never sent");
  }

  @Override
  public KeySpec createPublicKeySpec(EdECPublicKey key) {
    return new X509EncodedKeySpec(key.getEncoded());
  }

  @Override
  public KeySpec createPrivateKeySpec(EdECPrivateKey key) {
    return new PKCS8EncodedKeySpec(key.getEncoded());
  }

  @Override
  public byte[] getPublicKeyData(EdECPublicKey key) {
    return bytes(key);
  }

  @Override
  public byte[] getPrivateKeyData(EdECPrivateKey key) throws IOException {
    try {
      return EdDSAUtils.getBytes(key);
    } catch (InvalidKeyException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public String getKeyFactoryAlgorithm() {
    return "Ed25519";
  }
}
