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

/** Connects peers to ports that cannot be dialled, but that can dial this one. */
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
  private static final Duration GONE_FOR = Duration.ofSeconds(3);

  private static final Duration TO_RETURN = Duration.ofSeconds(10);
  private static final int MOST_EXPECTED = 1024;
  private static final String NOT_HERE =
      "it has no connection to the relay: its JVM has ended, or cannot reach the relay any more";
  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final Set<Closeable> open;
  private final Map<String, Attendant> attendants = new HashMap<>(); // under this
  private final Map<String, CompletableFuture<Socket>> expected = new ConcurrentHashMap<>();

  public Relay(Set<Closeable> open) {
    this.open = open;
  }

  /** A registered port and the connection over which it is called. */
  private static final class Attendant implements Closeable {

    private final String identity;
    private final Socket socket;

    Attendant(String identity, Socket socket) {
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

  public static byte[] read(Socket socket, int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the connection ended too early");
    }
    return bytes;
  }

  /** Takes a port that will attend. */
  public void attend(byte[] identity, Socket socket) throws IOException {
    var attendant = new Attendant(text(identity), socket);
    open.add(attendant);
    Attendant older;
    synchronized (attendant) { // it hears that it is here before it is called
      older = put(attendant);
      attendant.send(HERE);
    }
    if (older != null) {
      older.close();
    }
    Thread.ofVirtual().name("troupe-relay").start(() -> listen(attendant));
  }

  private synchronized Attendant put(Attendant attendant) {
    notifyAll();
    return attendants.put(attendant.identity, attendant);
  }

  private void listen(Attendant attendant) {
    try (attendant) {
      InputStream in = attendant.socket.getInputStream();
      while (in.read() >= 0) {
        attendant.send(ALIVE);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a port left the relay: {0}", e.getMessage());
    } finally {
      open.remove(attendant);
      synchronized (this) {
        attendants.remove(attendant.identity, attendant);
      }
    }
  }

  /** Connects a caller with the port that it wants. */
  public void dial(byte[] identity, Socket caller) throws IOException {
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

  /** Takes a port that has been called. */
  public void returned(byte[] token, Socket socket) throws IOException {
    var awaited = expected.remove(text(token));
    if (awaited == null || !awaited.complete(socket)) {
      throw new IOException("it was not called, or came too late");
    }
  }

  /** Has a port connect to this one, and returns the connection; waits for it. */
  Socket call(byte[] identity) throws IOException {
    Attendant attendant = attendant(text(identity));
    byte[] token = Secret.randomBytes(TOKEN_BYTES);
    if (expected.size() >= MOST_EXPECTED) {
      throw new ConnectException("the relay waits for too many others; try again");
    }
    var coming = new CompletableFuture<Socket>();
    expected.put(text(token), coming);
    try {
      attendant.send(ByteBuffer.allocate(1 + TOKEN_BYTES).put(CALL).put(token).array());
      Socket come = coming.get(TO_RETURN.toNanos(), TimeUnit.NANOSECONDS);
      come.getOutputStream().write(HERE);
      return come;
    } catch (IOException | TimeoutException | ExecutionException e) {
      giveUp(coming);
      throw IoFailures.caused(
          new ConnectException(
              "it was called over the relay and did not come; its JVM hangs, has ended, or cannot"
                  + " reach the relay any more"),
          e);
    } catch (InterruptedException e) {
      giveUp(coming);
      throw interrupted(e);
    } finally {
      expected.remove(text(token));
    }
  }

  private static void giveUp(CompletableFuture<Socket> coming) {
    if (!coming.cancel(false)) { // it came at the same moment
      IoFailures.closeQuietly(coming.resultNow());
    }
  }

  private synchronized Attendant attendant(String identity) throws IOException {
    long end = System.nanoTime() + GONE_FOR.toNanos();
    Attendant attendant = attendants.get(identity);
    while (attendant == null) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new ConnectException(NOT_HERE);
      }
      try {
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      attendant = attendants.get(identity);
    }
    return attendant;
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return IoFailures.caused(new InterruptedIOException("interrupted while calling a port"), e);
  }

  /** Takes the caller's part, towards another port that is a relay. */
  static Socket ask(Socket relay, byte[] identity) throws IOException {
    relay.getOutputStream().write(identity);
    if (read(relay, 1)[0] != HERE) {
      throw new IOException(NOT_HERE); // the relay itself was reached
    }
    return relay;
  }
}
