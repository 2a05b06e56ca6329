package org.troupe.links.connect;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.links.IoFailures;
import org.troupe.links.Secret;

/** Connects callers to ports that they cannot reach directly, but that can connect to this port. */
public final class Relay {

  /*
   * Protocol
   *
   * Three services, for peers that have proved the secret:
   *
   *   ATTEND  a port N registers with its identity 8, gets HERE 1, and keeps the connection open; it
   *           sends ALIVE 1 from time to time and gets it back
   *   DIAL    a caller C sends the identity 8 of the port it wants. The relay creates a token and
   *           sends CALL 1, token 32 to N ...
   *   RETURN  ... which dials the relay and returns the token 32. The relay sends HERE 1 to both and
   *           forwards the bytes of each to the other. If N is not registered or does not return, the
   *           relay sends ABSENT 1 to C and disconnects.
   *
   * Security
   *
   * C and N run a handshake of their own and continue as they would without the relay, which
   * therefore learns only who talks to whom. Messages here are not encrypted, as they are worthless
   * without the secret. A token is valid for one connection and a short time.
   */

  public static final String ATTEND = "relay/attend";
  public static final String DIAL = "relay/dial";
  public static final String RETURN = "relay/return";

  public static final int TOKEN_BYTES = 32;
  static final byte ABSENT = 0;
  static final byte HERE = 1;
  static final byte CALL = 2;
  static final byte ALIVE = 3;

  /** Time for a port that has lost its connection to register again before it counts as absent. */
  private static final Duration REREGISTRATION_TIME = Duration.ofSeconds(3);

  private static final Duration RETURN_TIMEOUT = Duration.ofSeconds(10);
  private static final int MOST_PENDING_CALLS = 1024;
  private static final String NOT_REGISTERED =
      "it has no connection to the relay: its JVM has ended, or cannot reach the relay any more";
  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final Set<Closeable> open;
  private final Map<String, Registration> registrations = new HashMap<>(); // guarded by this
  private final Map<String, CompletableFuture<Socket>> pendingCalls = new ConcurrentHashMap<>();

  public Relay(Set<Closeable> open) {
    this.open = open;
  }

  /** A registered port and the connection over which it is called. */
  private static final class Registration implements Closeable {

    private final String identity;
    private final Socket socket;

    Registration(String identity, Socket socket) {
      this.identity = identity;
      this.socket = socket;
    }

    synchronized void send(byte... bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    @Override
    public void close() {
      IoFailures.closeQuietly(socket);
    }
  }

  private static String text(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Reads a message of fixed size. */
  public static byte[] read(Socket socket, int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the connection ended too early");
    }
    return bytes;
  }

  /** Registers a port; serves ATTEND. */
  public void register(byte[] identity, Socket socket) throws IOException {
    var registration = new Registration(text(identity), socket);
    open.add(registration);
    Registration former;
    synchronized (registration) { // the confirmation precedes the first call
      former = put(registration);
      registration.send(HERE);
    }
    if (former != null) {
      former.close();
    }
    Thread.ofVirtual().name("troupe-relay").start(() -> listen(registration));
  }

  private synchronized Registration put(Registration registration) {
    notifyAll();
    return registrations.put(registration.identity, registration);
  }

  private void listen(Registration registration) {
    try (registration) {
      InputStream in = registration.socket.getInputStream();
      while (in.read() >= 0) {
        registration.send(ALIVE);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a port disconnected from the relay: {0}", e.getMessage());
    } finally {
      open.remove(registration);
      synchronized (this) {
        registrations.remove(registration.identity, registration);
      }
    }
  }

  /** Connects a caller to the port that it requests; serves DIAL. */
  public void connect(byte[] identity, Socket caller) throws IOException {
    Socket callee;
    try {
      callee = call(identity);
    } catch (ConnectException e) {
      caller.getOutputStream().write(ABSENT);
      throw e;
    }
    try {
      caller.getOutputStream().write(HERE);
    } catch (IOException e) {
      IoFailures.closeQuietly(callee);
      throw e;
    }
    StreamSplice.start(caller.getChannel(), callee.getChannel(), open);
  }

  /** Accepts the connection of a port that was called; serves RETURN. */
  public void acceptReturn(byte[] token, Socket socket) throws IOException {
    var call = pendingCalls.remove(text(token));
    if (call == null || !call.complete(socket)) {
      throw new IOException("the port was not called, or returned too late");
    }
  }

  /** Calls a port and returns the connection that it opens to this one; blocks until then. */
  Socket call(byte[] identity) throws IOException {
    Registration registration = registration(text(identity));
    byte[] token = Secret.randomBytes(TOKEN_BYTES);
    if (pendingCalls.size() >= MOST_PENDING_CALLS) {
      throw new ConnectException("the relay has too many pending calls; try again");
    }
    var returning = new CompletableFuture<Socket>();
    pendingCalls.put(text(token), returning);
    try {
      registration.send(ByteBuffer.allocate(1 + TOKEN_BYTES).put(CALL).put(token).array());
      Socket returned = returning.get(RETURN_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
      returned.getOutputStream().write(HERE);
      return returned;
    } catch (IOException | TimeoutException | ExecutionException e) {
      cancel(returning);
      throw IoFailures.caused(
          new ConnectException(
              "it was called over the relay and did not connect; its JVM hangs, has ended, or cannot"
                  + " reach the relay any more"),
          e);
    } catch (InterruptedException e) {
      cancel(returning);
      throw interrupted(e);
    } finally {
      pendingCalls.remove(text(token));
    }
  }

  private static void cancel(CompletableFuture<Socket> returning) {
    if (!returning.cancel(false)) { // it returned at the same moment
      IoFailures.closeQuietly(returning.resultNow());
    }
  }

  private synchronized Registration registration(String identity) throws IOException {
    long end = System.nanoTime() + REREGISTRATION_TIME.toNanos();
    Registration registration = registrations.get(identity);
    while (registration == null) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new ConnectException(NOT_REGISTERED);
      }
      try {
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      registration = registrations.get(identity);
    }
    return registration;
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return IoFailures.caused(new InterruptedIOException("interrupted while calling a port"), e);
  }

  /** Sends an identity or token to a relay on another port and waits for the confirmation. */
  static Socket request(Socket relay, byte[] identity) throws IOException {
    relay.getOutputStream().write(identity);
    if (read(relay, 1)[0] != HERE) {
      throw new IOException(
          NOT_REGISTERED); // not a ConnectException, as the relay itself was reached
    }
    return relay;
  }
}
