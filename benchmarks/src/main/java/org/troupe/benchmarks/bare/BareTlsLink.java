package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** A link with TLS 1.3 of the JDK's engine over a channel. */
final class BareTlsLink implements BareLink {

  private static final String PASSWORD = "of a benchmark";
  private static final String SEPARATOR = " ";
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final BareChannelLink channel;
  private final SSLEngine engine;
  private final ByteBuffer outgoing;
  private final ByteBuffer incoming;
  private final ByteBuffer plain;
  private final BufferedArrays arrays = new BufferedArrays();

  private BareTlsLink(BareChannelLink channel, Path keys, boolean client) throws IOException {
    this.channel = channel;
    engine = engine(keys, client);
    var session = engine.getSession();
    outgoing = ByteBuffer.allocateDirect(session.getPacketBufferSize());
    incoming = ByteBuffer.allocateDirect(session.getPacketBufferSize()).flip();
    plain = ByteBuffer.allocateDirect(session.getApplicationBufferSize()).flip();
    engine.beginHandshake();
    handshake();
  }

  static BareListener listen() throws IOException {
    var folder = Files.createTempDirectory("troupe-bench");
    var keys = folder.resolve("keys");
    createKeys(keys);
    return new Listener(BareChannelLink.listen(), folder, keys);
  }

  static BareLink connect(String address) throws IOException {
    var parts = address.split(SEPARATOR, 2);
    return new BareTlsLink(BareChannelLink.connect(parts[0]), Path.of(parts[1]), true);
  }

  /**
   * Creates a key and its certificate with the JDK's tool; the other process trusts the same file.
   */
  private static void createKeys(Path file) throws IOException {
    var tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var command =
        List.of(
            tool,
            "-genkeypair",
            "-alias",
            "bench",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=bench",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes());
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("keytool could not create a key: " + output);
    }
  }

  private static SSLEngine engine(Path keys, boolean client) throws IOException {
    try {
      var store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
      var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(store, PASSWORD.toCharArray());
      var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      var context = SSLContext.getInstance("TLSv1.3");
      context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
      var engine = context.createSSLEngine();
      engine.setUseClientMode(client);
      return engine;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS is not available: " + e.getMessage(), e);
    }
  }

  private void handshake() throws IOException {
    for (; ; ) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> wrap(NOTHING);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          unwrap(plain.clear());
          plain.flip();
        }
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      wrap(from);
    }
  }

  private void wrap(ByteBuffer from) throws IOException {
    outgoing.clear();
    check(engine.wrap(from, outgoing).getStatus());
    channel.write(outgoing.flip());
  }

  @Override
  public void readFully(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (plain.hasRemaining()) {
        var part = Math.min(plain.remaining(), into.remaining());
        into.put(into.position(), plain, plain.position(), part);
        into.position(into.position() + part);
        plain.position(plain.position() + part);
      } else if (into.remaining() >= plain.capacity()) {
        unwrap(into);
      } else {
        unwrap(plain.clear());
        plain.flip();
      }
    }
  }

  /** Reads a record; a record of the handshake gives no bytes. */
  private void unwrap(ByteBuffer into) throws IOException {
    for (; ; ) {
      var result = engine.unwrap(incoming, into);
      if (result.getStatus() != Status.BUFFER_UNDERFLOW) {
        check(result.getStatus());
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
          engine.getDelegatedTask().run();
        }
        return;
      }
      incoming.compact();
      channel.readSome(incoming);
      incoming.flip();
    }
  }

  private static void check(Status status) throws SSLException {
    if (status != Status.OK) {
      throw new SSLException("the TLS engine returned " + status);
    }
  }

  @Override
  public void write(MemorySegment array) throws IOException {
    arrays.write(array, this);
  }

  @Override
  public void readFully(MemorySegment array) throws IOException {
    arrays.readFully(array, this);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private record Listener(BareListener channels, Path folder, Path keys) implements BareListener {

    @Override
    public String address() {
      return channels.address() + SEPARATOR + keys;
    }

    @Override
    public BareLink accept() throws IOException {
      return new BareTlsLink((BareChannelLink) channels.accept(), keys, false);
    }

    @Override
    public void close() throws IOException {
      channels.close();
      Files.deleteIfExists(keys);
      Files.deleteIfExists(folder);
    }
  }
}
