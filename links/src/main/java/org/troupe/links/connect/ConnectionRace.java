package org.troupe.links.connect;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.IoFailures;
import org.troupe.links.NoSuchServiceException;
import org.troupe.links.Route;
import org.troupe.links.VersionMismatchException;
import org.troupe.links.WrongSecretException;

/**
 * Opens one connection: tries several routes with staggered starts and takes the first that
 * succeeds.
 */
final class ConnectionRace<C extends Closeable> implements Closeable {

  /*
   * Staggered connection attempts (RFC 8305)
   *
   * Each route gets a head start over the next, and a failure starts the next one at once. Each
   * attempt has its own thread, so even a host name look-up is bounded in time. The first attempt
   * whose handshake succeeds claims the race, and only that one proceeds, so the peer's service
   * sees a single connection. A losing attempt in the middle of its handshake completes it before
   * it disconnects; otherwise the peer would log it as a stranger.
   *
   * State is guarded by this; attempts run on threads of the port.
   */

  private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /**
   * A relayed connection costs twice as much, so a direct route gets time to recover from a lost
   * packet.
   */
  private static final long HEAD_START_BEFORE_RELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  private static final Duration LOSERS_LAST = Duration.ofSeconds(10);
  private static final String REMEDY =
      "\nCheck that its JVM still runs, and the networks and firewalls between the two hosts.";

  private final PortDialler dialler;
  private final Address peer;
  private final String service;
  private final SocketFactory sockets;
  private final PortDialler.Sequel<C> sequel;

  // All under this
  private final Deque<Route> waiting;
  private final List<Try> tries = new ArrayList<>();
  private @Nullable Try winner;
  private @Nullable C made;
  private boolean over;
  private boolean delivered;

  ConnectionRace(
      PortDialler dialler,
      Address peer,
      List<Route> ways,
      String service,
      SocketFactory sockets,
      PortDialler.Sequel<C> sequel) {
    this.dialler = dialler;
    this.peer = peer;
    this.waiting = new ArrayDeque<>(ways);
    this.service = service;
    this.sockets = sockets;
    this.sequel = sequel;
  }

  /** Tries the routes until one has produced a connection; to be closed afterwards. */
  C run(Duration timeout) throws IOException, InterruptedException {
    C result = await(timeout);
    dialler.won(peer, Objects.requireNonNull(winner, "a result has a winner").way);
    return result;
  }

  private C await(Duration timeout) throws IOException, InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    long next = System.nanoTime();
    synchronized (this) {
      while (made == null) {
        if (over) {
          throw new SocketException("given up");
        }
        throwDecisiveFailure();
        long now = System.nanoTime();
        boolean none = tries.stream().allMatch(Try::hasFailed);
        if (winner == null && !waiting.isEmpty() && (none || now >= next)) {
          start(waiting.remove(), end - now);
          next = now + headStart();
        } else if (none) {
          dialler.lost(peer);
          throw noWay();
        } else if (now >= end) {
          throw late(timeout);
        } else {
          long until = winner != null || waiting.isEmpty() ? end : Math.min(end, next);
          wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - now)));
        }
      }
      over = true;
      delivered = true;
      C result = made;
      made = null;
      return result;
    }
  }

  private long headStart() {
    return waiting.peek() instanceof Route.Relayed
        ? HEAD_START_BEFORE_RELAY_NANOS
        : HEAD_START_NANOS;
  }

  private void start(Route way, long nanos) throws SocketException {
    var started = new Try(way, Duration.ofNanos(nanos));
    tries.add(started);
    try {
      dialler.execute(started);
    } catch (RejectedExecutionException e) {
      throw new SocketException("given up");
    }
  }

  static Socket connect(Route.Dialled way, SocketFactory sockets, PortDialler.Held held)
      throws IOException {
    Socket socket = held.hold(sockets.create());
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(way.host(), way.number()));
    rejectSelf(socket);
    return socket;
  }

  /** On loopback, the system may pick the very port we dial as our own end, if nobody has it. */
  private static void rejectSelf(Socket socket) throws ConnectException {
    if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
      throw new ConnectException("nobody listens there");
    }
  }

  /** One way being tried. */
  private final class Try implements Runnable, PortDialler.Held {

    private final Route way;
    private final Duration timeout;
    private @Nullable Closeable held; // under the race
    private @Nullable Throwable failure; // under the race

    Try(Route way, Duration timeout) {
      this.way = way;
      this.timeout = timeout;
    }

    @Override
    public void run() {
      C connection = null;
      try {
        var reached = dialler.reach(way, peer, service, sockets, this, timeout);
        if (claim()) {
          connection = sequel.make(reached);
        } else {
          giveUp();
        }
      } catch (Throwable e) {
        failed(e);
      }
      if (connection != null && !finish(connection)) {
        IoFailures.closeQuietly(connection);
      }
    }

    private boolean claim() {
      synchronized (ConnectionRace.this) {
        boolean first = !over && winner == null;
        if (first) {
          winner = this;
        }
        return first;
      }
    }

    private boolean finish(C connection) {
      synchronized (ConnectionRace.this) {
        if (over) {
          return false;
        }
        made = connection;
        ConnectionRace.this.notifyAll();
        return true;
      }
    }

    private void failed(Throwable e) {
      synchronized (ConnectionRace.this) {
        failure = e;
        ConnectionRace.this.notifyAll();
      }
      giveUp();
    }

    boolean hasFailed() {
      return failure != null;
    }

    boolean isConnected() {
      return held instanceof Socket socket && socket.isConnected();
    }

    String text() {
      String name = dialler.describe(way);
      String what =
          switch (failure) {
            case null -> "no answer";
            case UnknownHostException _ -> "no such host is known";
            case Throwable e -> String.valueOf(e.getMessage());
          };
      return what.startsWith(name) ? what : name + ": " + what;
    }

    @Override
    public <P extends Closeable> P hold(P part) throws SocketException {
      synchronized (ConnectionRace.this) {
        if (!over) {
          held = part;
          return part;
        }
      }
      IoFailures.closeQuietly(part);
      throw new SocketException("given up");
    }

    private void giveUp() {
      Closeable part;
      synchronized (ConnectionRace.this) {
        part = held;
      }
      IoFailures.closeQuietly(part);
    }

    /** Lets a try that has come as far as its handshake end it, but not for ever. */
    private void giveUpPolitely() {
      if (isConnected()) {
        new CompletableFuture<Void>()
            .completeOnTimeout(null, LOSERS_LAST.toNanos(), TimeUnit.NANOSECONDS)
            .thenRun(this::giveUp);
      } else {
        giveUp();
      }
    }
  }

  /** Ends the race, but not what it has led to. */
  @Override
  public void close() {
    C untaken;
    List<Try> losers;
    synchronized (this) {
      over = true;
      untaken = made;
      made = null;
      losers = new ArrayList<>(tries);
      losers.removeIf(each -> each.hasFailed() || each == winner && delivered);
      notifyAll();
    }
    IoFailures.closeQuietly(untaken);
    losers.forEach(delivered ? Try::giveUpPolitely : Try::giveUp);
  }

  // How it failed; all under this

  /** What a port says that has proved itself is true whichever way it is asked. */
  private void throwDecisiveFailure() throws IOException {
    for (Try each : tries) {
      switch (each.failure) {
        case null -> {}
        case VersionMismatchException e -> throw atThisLine(e);
        case NoSuchServiceException e -> throw atThisLine(e);
        case IOException e when each != winner -> {}
        case Throwable e -> throw atThisLine(named(e, each));
      }
    }
  }

  private IOException noWay() {
    if (isOnlyWay()) {
      Try only = tries.getFirst();
      return atThisLine(named(Objects.requireNonNull(only.failure, "no try is left"), only));
    }
    String message = "cannot connect to " + peer.name() + " by any way:" + list() + REMEDY;
    boolean strangers =
        !tries.isEmpty()
            && tries.stream().allMatch(each -> each.failure instanceof WrongSecretException);
    return strangers ? new WrongSecretException(message) : new ConnectException(message);
  }

  private IOException late(Duration timeout) {
    String within = " within " + timeout.toMillis() + " ms";
    if (!isOnlyWay()) {
      return new SocketTimeoutException(
          peer.name() + " was reached by no way" + within + ":" + list() + REMEDY);
    }
    return new SocketTimeoutException(
        tries.getFirst().isConnected()
            ? peer.name()
                + " did not finish the handshake"
                + within
                + "; its JVM hangs, or is no JVM of ours"
            : peer.name()
                + " did not accept a connection"
                + within
                + "; check address, network and firewall");
  }

  private boolean isOnlyWay() {
    return tries.size() == 1 && peer.ways().size() == 1;
  }

  /** Says of each way what became of it, one in a line. */
  private String list() {
    var tried = tries.stream().map(Try::text);
    var untried =
        peer.ways().stream()
            .filter(way -> tries.stream().noneMatch(each -> each.way.equals(way)))
            .map(
                way ->
                    dialler.describe(way)
                        + ": "
                        + (waiting.contains(way) ? "not yet tried" : dialler.why(way)));
    return Stream.concat(tried, untried)
        .map(line -> "\n  - " + line.replace("\n", "\n    "))
        .collect(Collectors.joining());
  }

  /** Adds to what the system says who was meant, and what it may mean. */
  private Throwable named(Throwable e, Try by) {
    String name = by.way instanceof Route.Dialled dialled ? dialled.toString() : "the relay";
    return switch (e) {
      case UnknownHostException _ ->
          IoFailures.caused(
              new UnknownHostException(
                  "no host is known as '" + ((Route.Dialled) by.way).host() + "'"),
              e);
      case ConnectException _ ->
          IoFailures.caused(
              new ConnectException(
                  "cannot connect to "
                      + name
                      + ": "
                      + e.getMessage()
                      + "; its JVM has ended or not yet started, or the address is wrong"),
              e);
      case SocketException _ ->
          IoFailures.caused(
              new SocketException(
                  "the connection to " + name + " broke during the handshake: " + e.getMessage()),
              e);
      default -> e;
    };
  }

  /** Adds the frames of the connecting thread to what another thread has thrown for it. */
  private static IOException atThisLine(Throwable thrown) {
    StackTraceElement[] here = new Throwable().getStackTrace();
    thrown.setStackTrace(
        Stream.of(thrown.getStackTrace(), here)
            .flatMap(Stream::of)
            .toArray(StackTraceElement[]::new));
    return switch (thrown) {
      case IOException e -> e;
      case Error e -> throw e;
      default -> throw new AssertionError("dialling threw what it cannot throw", thrown);
    };
  }
}
