package org.troupe.links.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.troupe.links.IoFailures;
import org.troupe.links.Secret;
import org.troupe.links.connect.PendingHandshakes;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.host.SocketFolder;

/** The Unix domain socket of a port, for peers that have authenticated over TCP. */
public final class UnixListener implements Closeable {

  /*
   * A peer that has proved the secret over TCP receives a token and presents it here. The listener
   * confirms it with one byte and keeps the connection until the peer has reported the success over
   * TCP. A peer without a token receives no byte.
   */

  private static final int TOKEN_BYTES = 32;
  private static final int BACKLOG = 1024;
  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final SocketFolder folder;
  private final ServerSocketChannel listener;
  private final ExecutorService threads;
  private final PendingHandshakes pending;
  private final Map<Token, Expected> expected = new ConcurrentHashMap<>();

  private record Token(ByteBuffer bytes) {}

  private UnixListener(SocketFolder folder, ExecutorService threads, HandshakeLimits limits)
      throws IOException {
    this.folder = folder;
    this.threads = threads;
    pending = new PendingHandshakes(limits);
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(folder.socket()), BACKLOG);
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  /** Opens a listener in a new folder and starts the accepting thread. */
  public static UnixListener open(
      Thread.Builder acceptor, ExecutorService threads, HandshakeLimits limits) throws IOException {
    var folder = SocketFolder.create();
    try {
      var unixListener = new UnixListener(folder, threads, limits);
      acceptor.start(unixListener::acceptAll);
      return unixListener;
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /** The expected connection of one peer. */
  public final class Expected implements Closeable {

    private final byte[] token = Secret.randomBytes(TOKEN_BYTES);
    private final Token key = new Token(ByteBuffer.wrap(token));
    private @Nullable SocketChannel channel; // guarded by this
    private boolean closed; // guarded by this

    private Expected() {
      expected.put(key, this);
    }

    /** Returns the data by which the peer connects. */
    public byte[] details() {
      byte[] path = folder.socket().toString().getBytes(UTF_8);
      return ByteBuffer.allocate(TOKEN_BYTES + path.length).put(token).put(path).array();
    }

    /**
     * Returns the connection that the peer has reported.
     *
     * @throws IOException if the peer has not connected
     */
    public synchronized SocketChannel take() throws IOException {
      if (channel == null) {
        throw new IOException("the peer did not connect to the Unix domain socket");
      }
      SocketChannel taken = channel;
      channel = null;
      return taken;
    }

    private synchronized void accept(SocketChannel newcomer) throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      newcomer.write(ByteBuffer.allocate(1)); // does not block, as it is the first byte
      channel = newcomer;
    }

    @Override
    public synchronized void close() {
      closed = true;
      expected.remove(key);
      IoFailures.closeQuietly(channel);
    }
  }

  /** Expects the connection of one peer. */
  public Expected expect() {
    return new Expected();
  }

  private void acceptAll() {
    while (listener.isOpen()) {
      SocketChannel channel = null;
      PendingHandshakes.Peer peer = null;
      try {
        channel = listener.accept();
        SocketChannel newcomer = channel;
        PendingHandshakes.Peer newPeer = pending.admit(newcomer);
        peer = newPeer;
        threads.execute(() -> authenticate(newcomer, newPeer));
      } catch (ClosedChannelException | RejectedExecutionException | InterruptedException _) {
        drop(channel, peer);
        close(); // the port is closed
      } catch (IOException | OutOfMemoryError e) {
        drop(channel, peer);
        LOG.log(
            Level.WARNING,
            "'" + folder.socket() + "' no longer accepts connections; TCP is used instead",
            e);
        close();
      }
    }
  }

  private static void drop(@Nullable SocketChannel channel, PendingHandshakes.@Nullable Peer peer) {
    IoFailures.closeQuietly(channel);
    if (peer != null) {
      boolean _ = peer.finish();
    }
  }

  private void authenticate(SocketChannel channel, PendingHandshakes.Peer peer) {
    boolean taken = false;
    try {
      var token = ByteBuffer.allocate(TOKEN_BYTES);
      while (token.hasRemaining() && channel.read(token) >= 0) {}
      Expected entry = token.hasRemaining() ? null : expected.remove(new Token(token.flip()));
      if (peer.finish() && entry != null) {
        entry.accept(channel);
        taken = true;
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a peer disconnected from '" + folder.socket() + "' too early", e);
    } finally {
      boolean _ = peer.finish();
      if (!taken) {
        IoFailures.closeQuietly(channel);
      }
    }
  }

  /**
   * Connects a channel to the listener of a port on this host; closing the channel cancels the
   * attempt.
   */
  public static void connect(SocketChannel channel, byte[] details) throws IOException {
    if (details.length <= TOKEN_BYTES) {
      throw new IOException("the peer describes its Unix domain socket in an unknown format");
    }
    String path = new String(details, TOKEN_BYTES, details.length - TOKEN_BYTES, UTF_8);
    channel.connect(UnixDomainSocketAddress.of(Path.of(path)));
    var token = ByteBuffer.wrap(Arrays.copyOf(details, TOKEN_BYTES));
    while (token.hasRemaining()) {
      channel.write(token);
    }
    if (channel.read(ByteBuffer.allocate(1)) < 0) {
      throw new IOException("'" + path + "' rejected the token of this connection");
    }
  }

  @Override
  public void close() {
    IoFailures.closeQuietly(listener);
    expected.values().forEach(Expected::close);
    folder.close();
  }
}
