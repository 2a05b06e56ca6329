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

/** A port's connection to the relay, over which it is called; made anew whenever it is lost. */
public final class RelayRegistration implements Runnable, Closeable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How often a relay is asked at first that does not answer: many ports may come at once. */
  private static final int MOST_ATTEMPTS = 3;

  /** How long the relay may say nothing before it is asked, and then before it is given up. */
  private static final int SILENCE_MILLIS = 10_000;

  private static final long SHORTEST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final PortDialler dialler;
  private final Address relay;
  private final byte[] identity;
  private final SocketFactory plain;
  private final SocketFactory channels;
  private final Consumer<Socket> welcome;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Socket connection; // null until it is made

  /**
   * Makes no connection yet.
   *
   * @param identity by which the port is called
   * @param channels for connections that are given to the port
   * @param welcome takes the connection of somebody who has called the port, as if it were accepted
   */
  public RelayRegistration(
      PortDialler dialler,
      Address relay,
      byte[] identity,
      SocketFactory plain,
      SocketFactory channels,
      Consumer<Socket> welcome) {
    this.dialler = dialler;
    this.relay = relay;
    this.identity = identity;
    this.plain = plain;
    this.channels = channels;
    this.welcome = welcome;
  }

  /**
   * Connects for the first time; waits until the port can be called.
   *
   * @throws IOException if the relay cannot be reached, or is none
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
    Socket made =
        dialler.dial(
            relay, Relay.ATTEND, PATIENCE, plain, reached -> Relay.ask(reached.socket(), identity));
    connection = made;
    if (isClosed()) {
      IoFailures.closeQuietly(made);
    }
  }

  @Override
  public void run() {
    while (!isClosed()) {
      try (Socket socket = Objects.requireNonNull(connection, "begin has made it")) {
        listen(socket);
      } catch (IOException e) {
        if (!isClosed()) {
          LOG.log(Level.DEBUG, "the connection to the relay {0} is lost: {1}", relay.name(), e);
        }
      }
      connectAgain();
    }
  }

  private void listen(Socket socket) throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    for (boolean asked = false; ; ) {
      try {
        switch (Relay.read(socket, 1)[0]) {
          case Relay.CALL -> comeBack(Relay.read(socket, Relay.TOKEN_BYTES));
          case Relay.ALIVE -> {}
          default -> throw new IOException("the relay said what no relay of ours says");
        }
        asked = false;
      } catch (SocketTimeoutException e) {
        if (asked) {
          throw new EOFException("it is silent");
        }
        socket.getOutputStream().write(Relay.ALIVE);
        asked = true;
      }
    }
  }

  private void comeBack(byte[] token) {
    try {
      dialler.execute(
          () -> {
            try {
              welcome.accept(
                  dialler.dial(
                      relay,
                      Relay.RETURN,
                      PATIENCE,
                      channels,
                      reached -> Relay.ask(reached.socket(), token)));
            } catch (IOException e) {
              LOG.log(
                  Level.DEBUG, "called over the relay, but could not come: {0}", e.getMessage());
            }
          });
    } catch (RejectedExecutionException _) {
      close(); // the port is being closed
    }
  }

  private void connectAgain() {
    boolean told = false;
    for (long pause = SHORTEST_PAUSE_MILLIS; !isClosed(); pause *= 2) {
      try {
        connect();
        if (told) {
          LOG.log(Level.INFO, "the relay {0} is there again", relay.name());
        }
        return;
      } catch (IOException e) {
        if (!told && !isClosed() && pause >= LONGEST_PAUSE_MILLIS) {
          told = true;
          LOG.log(
              Level.WARNING,
              "the relay {0} is lost, so peers that need it cannot come; trying on: {1}",
              relay.name(),
              e.getMessage());
        }
      }
      try {
        boolean _ = closed.await(Math.min(pause, LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS);
      } catch (InterruptedException _) {
        close(); // nobody but the JVM's owner can mean that
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
