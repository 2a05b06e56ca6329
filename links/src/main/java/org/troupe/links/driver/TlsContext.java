package org.troupe.links.driver;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Secret;
import org.troupe.links.WrongSecretException;

/** TLS 1.3 between ports that share a secret, without a certificate authority or key store. */
final class TlsContext {

  /*
   * Each process has its own key and a self-signed certificate. TLS accepts any certificate and proves
   * only that the peer holds its key. The peer is authenticated by the first message inside TLS: each
   * side signs the session of the handshake and both certificates with the secret. A man in the middle
   * must present a certificate of its own to at least one side, and cannot sign it.
   */

  static final int PROOF_BYTES = 32;

  private static final byte[] CALLER = "tls caller".getBytes(US_ASCII);
  private static final byte[] SERVER = "tls server".getBytes(US_ASCII);

  private final Secret secret;
  private final X509Certificate ours;
  private final SSLContext context;

  TlsContext(Secret secret) throws IOException {
    this.secret = secret;
    try {
      SelfSignedCertificate certificate = SelfSignedCertificate.create();
      ours = certificate.x509();
      context = SSLContext.getInstance("TLSv1.3");
      context.init(
          new KeyManager[] {new OwnKey(certificate)},
          new TrustManager[] {new AnyCertificate()},
          null);
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM does not support TLS 1.3: " + e.getMessage(), e);
    }
  }

  SSLEngine engine(boolean caller) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(caller);
    engine.setNeedClientAuth(!caller);
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    return engine;
  }

  /** Creates a TLS socket over a connected socket, which is closed with it. */
  SSLSocket socket(Socket connected, boolean caller) throws IOException {
    var socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    connected,
                    connected.getInetAddress().getHostAddress(),
                    connected.getPort(),
                    true);
    socket.setUseClientMode(caller);
    socket.setNeedClientAuth(!caller);
    socket.setEnabledProtocols(new String[] {"TLSv1.3"});
    return socket;
  }

  /**
   * Returns the first message of a side inside TLS, which authenticates the TLS session.
   *
   * @param own whether the message is of this side; otherwise the one expected of the peer
   */
  byte[] proof(boolean caller, boolean own, byte[] session, SSLSession tls) throws IOException {
    try {
      byte[] mine = ours.getEncoded();
      byte[] theirs = tls.getPeerCertificates()[0].getEncoded();
      boolean byCaller = caller == own;
      return secret.sign(
          byCaller ? CALLER : SERVER, session, caller ? mine : theirs, caller ? theirs : mine);
    } catch (SSLPeerUnverifiedException | CertificateException e) {
      throw new SSLException("the peer has sent no certificate", e);
    }
  }

  /**
   * Checks the first message of the peer.
   *
   * @throws WrongSecretException if it is not authentic
   */
  void check(byte[] proof, boolean caller, byte[] session, SSLSession tls) throws IOException {
    if (!MessageDigest.isEqual(proof, proof(caller, false, session, tls))) {
      throw new WrongSecretException(
          "the other end of the TLS connection could not prove that it knows the secret: it"
              + " is intercepted");
    }
  }

  /** Provides the key of this process. */
  private static final class OwnKey extends X509ExtendedKeyManager {

    private static final String ALIAS = "own";
    private final SelfSignedCertificate certificate;

    OwnKey(SelfSignedCertificate certificate) {
      this.certificate = certificate;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return ALIAS;
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return type.equals("EC") ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal[] issuers, SSLEngine engine) {
      return type.equals("EC") ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {certificate.x509()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return certificate.key();
    }
  }

  /** Accepts every certificate, as the first message inside TLS authenticates it. */
  private static final class AnyCertificate extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
