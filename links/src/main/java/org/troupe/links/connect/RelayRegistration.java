package org.troupe.links.connect;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.IoFailures;

/**
 * A port's connection to the relay, over which it is called; re-established whenever it is lost.
 */
public final class RelayRegistration implements Runnable, Closeable {

  private static final Duration DIAL_TIMEOUT = Duration.ofSeconds(10);

  /** The number of first attempts, as many ports may register at once. */
  private static final int MOST_ATTEMPTS = 3;

  /** The silence after which the relay is probed, and after which the probe has failed. */
  private static final int SILENCE_MILLIS = 10_000;

  private static final long FIRST_RETRY_MILLIS = 50;
  private static final long LAST_RETRY_MILLIS = 2_000;

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final PortDialler dialler;
  private final Address relay;
  private final byte[] identity;
  private final SocketFactory plain;
  private final SocketFactory channels;
  private final Consumer<Socket> acceptor;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Socket connection; // null until begin has connected

  /**
   * Creates a registration that is not connected yet.
   *
   * @param identity the port's identity
   * @param plain creates the socket of the registration
   * @param channels creates the sockets of calls
   * @param acceptor receives the connection of a caller, like an accepted one
   */
  public RelayRegistration(
      PortDialler dialler,
      Address relay,
      byte[] identity,
      SocketFactory plain,
      SocketFactory channels,
      Consumer<Socket> acceptor) {
    this.dialler = dialler;
    this.relay = relay;
    this.identity = identity;
    this.plain = plain;
    this.channels = channels;
    this.acceptor = acceptor;
  }

  /**
   * Connects for the first time; blocks until the port can be called.
   *
   * @throws IOException if the relay cannot be reached, or the port there is no relay
   */
  public void begin() throws IOException {
    for (int left = MOST_ATTEMPTS; ; left--) {
      try {
        connect();
        return;
      } catch (SocketTimeoutException e) {
        if (left == 1 || isClosed()) {
          throw e;
        }
      }
    }
  }

  private void connect() throws IOException {
    Socket socket =
        dialler.dial(
            relay,
            Relay.ATTEND,
            DIAL_TIMEOUT,
            plain,
            dialled -> Relay.request(dialled.socket(), identity));
    connection = socket;
    if (isClosed()) {
      IoFailures.closeQuietly(socket);
    }
  }

  @Override
  public void run() {
    while (!isClosed()) {
      try (Socket socket = Objects.requireNonNull(connection, "begin has connected it")) {
        listen(socket);
      } catch (IOException e) {
        if (!isClosed()) {
          LOG.log(Level.DEBUG, "the connection to the relay {0} is lost: {1}", relay.name(), e);
        }
      }
      reconnect();
    }
  }

  private void listen(Socket socket) throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    for (boolean probed = false; ; ) {
      try {
        switch (Relay.read(socket, 1)[0]) {
          case Relay.CALL -> returnCall(Relay.read(socket, Relay.TOKEN_BYTES));
          case Relay.ALIVE -> {}
          default -> throw new IOException("the relay sent an unknown message");
        }
        probed = false;
      } catch (SocketTimeoutException e) {
        if (probed) {
          throw new EOFException("the relay does not respond");
        }
        socket.getOutputStream().write(Relay.ALIVE);
        probed = true;
      }
    }
  }

  private void returnCall(byte[] token) {
    try {
      dialler.execute(
          () -> {
            try {
              acceptor.accept(
                  dialler.dial(
                      relay,
                      Relay.RETURN,
                      DIAL_TIMEOUT,
                      channels,
                      dialled -> Relay.request(dialled.socket(), token)));
            } catch (IOException e) {
              LOG.log(
                  Level.DEBUG, "called over the relay, but could not connect: {0}", e.getMessage());
            }
          });
    } catch (RejectedExecutionException _) {
      close(); // the port is being closed
    }
  }

  private void reconnect() {
    boolean hasLogged = false;
    for (long pause = FIRST_RETRY_MILLIS; !isClosed(); pause *= 2) {
      try {
        connect();
        if (hasLogged) {
          LOG.log(Level.INFO, "the relay {0} is there again", relay.name());
        }
        return;
      } catch (IOException e) {
        if (!hasLogged && !isClosed() && pause >= LAST_RETRY_MILLIS) {
          hasLogged = true;
          LOG.log(
              Level.WARNING,
              "the relay {0} is lost, so peers that need it cannot connect; retrying: {1}",
              relay.name(),
              e.getMessage());
        }
      }
      try {
        boolean _ = closed.await(Math.min(pause, LAST_RETRY_MILLIS), TimeUnit.MILLISECONDS);
      } catch (InterruptedException _) {
        close(); // only the program that owns the JVM interrupts this thread
      }
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public void close() {
    closed.countDown();
    IoFailures.closeQuietly(connection);
  }
}
