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

/** TLS 1.3 between ports that know one secret, without an authority, a store or a file. */
final class TlsContext {

  /*
   * Each process has a key of its own and a certificate signed by itself; TLS accepts any, and
   * shows that the other end holds the key of the certificate it sent. What makes it the right end
   * is what follows inside: each side signs, with the secret, the session of the handshake and both
   * certificates. Somebody on the way has to show one of his own to at least one side, and cannot
   * sign it.
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
          new KeyManager[] {new Own(certificate)}, new TrustManager[] {new Anybody()}, null);
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM cannot do TLS 1.3: " + e.getMessage(), e);
    }
  }

  SSLEngine engine(boolean caller) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(caller);
    engine.setNeedClientAuth(!caller);
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    return engine;
  }

  /** Puts TLS over a connected socket, and closes it with itself. */
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

  /** Returns what a side says first, inside: its proof that this TLS session is its own. */
  byte[] proof(boolean caller, boolean own, byte[] session, SSLSession tls) throws IOException {
    try {
      byte[] mine = ours.getEncoded();
      byte[] theirs = tls.getPeerCertificates()[0].getEncoded();
      boolean byCaller = caller == own;
      return secret.sign(
          byCaller ? CALLER : SERVER, session, caller ? mine : theirs, caller ? theirs : mine);
    } catch (SSLPeerUnverifiedException | CertificateException e) {
      throw new SSLException("the peer has shown no certificate", e);
    }
  }

  void check(byte[] proof, boolean caller, byte[] session, SSLSession tls) throws IOException {
    if (!MessageDigest.isEqual(proof, proof(caller, false, session, tls))) {
      throw new WrongSecretException(
          "the other end of the TLS connection could not prove that it knows our secret: somebody"
              + " sits between the two");
    }
  }

  /** The one key that this process has. */
  private static final class Own extends X509ExtendedKeyManager {

    private static final String ALIAS = "own";
    private final SelfSignedCertificate certificate;

    Own(SelfSignedCertificate certificate) {
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

  /** Trusts every certificate for now: the proof inside tells whose it is. */
  private static final class Anybody extends X509ExtendedTrustManager {

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
