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

  private static final Duration LOSER_TIMEOUT = Duration.ofSeconds(10);
  private static final String REMEDY =
      "\nCheck that its JVM still runs, and the networks and firewalls between the two hosts.";

  private final PortDialler dialler;
  private final Address peer;
  private final String service;
  private final SocketFactory sockets;
  private final PortDialler.Continuation<C> continuation;

  // guarded by this:
  private final Deque<Route> untried;
  private final List<Attempt> attempts = new ArrayList<>();
  private @Nullable Attempt winner;
  private @Nullable C established;
  private boolean over;
  private boolean delivered;

  ConnectionRace(
      PortDialler dialler,
      Address peer,
      List<Route> routes,
      String service,
      SocketFactory sockets,
      PortDialler.Continuation<C> continuation) {
    this.dialler = dialler;
    this.peer = peer;
    this.untried = new ArrayDeque<>(routes);
    this.service = service;
    this.sockets = sockets;
    this.continuation = continuation;
  }

  /** Tries the routes until one has led to a connection; {@link #close} must follow. */
  C run(Duration timeout) throws IOException, InterruptedException {
    C result = await(timeout);
    dialler.connected(peer, Objects.requireNonNull(winner, "a result has a winner").route);
    return result;
  }

  private C await(Duration timeout) throws IOException, InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    long next = System.nanoTime();
    synchronized (this) {
      while (established == null) {
        if (over) {
          throw new SocketException("the connection attempt was cancelled");
        }
        throwFinalFailure();
        long now = System.nanoTime();
        boolean none = attempts.stream().allMatch(Attempt::hasFailed);
        if (winner == null && !untried.isEmpty() && (none || now >= next)) {
          start(untried.remove(), end - now);
          next = now + headStart();
        } else if (none) {
          dialler.unreachable(peer);
          throw unreachable();
        } else if (now >= end) {
          throw timedOut(timeout);
        } else {
          long until = winner != null || untried.isEmpty() ? end : Math.min(end, next);
          wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - now)));
        }
      }
      over = true;
      delivered = true;
      C result = established;
      established = null;
      return result;
    }
  }

  private long headStart() {
    return untried.peek() instanceof Route.Relayed
        ? HEAD_START_BEFORE_RELAY_NANOS
        : HEAD_START_NANOS;
  }

  private void start(Route route, long nanos) throws SocketException {
    var started = new Attempt(route, Duration.ofNanos(nanos));
    attempts.add(started);
    try {
      dialler.execute(started);
    } catch (RejectedExecutionException e) {
      throw new SocketException("the connection attempt was cancelled");
    }
  }

  static Socket connect(Route.Dialled route, SocketFactory sockets, PortDialler.CancelScope scope)
      throws IOException {
    Socket socket = scope.add(sockets.create());
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(route.host(), route.number()));
    rejectSelf(socket);
    return socket;
  }

  /**
   * Fails if a socket is connected to itself: on loopback, the system may choose the dialled port
   * number for the local end if no process listens there.
   */
  private static void rejectSelf(Socket socket) throws ConnectException {
    if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
      throw new ConnectException("no process listens there");
    }
  }

  /** An attempt to connect over one route. */
  private final class Attempt implements Runnable, PortDialler.CancelScope {

    private final Route route;
    private final Duration timeout;
    private @Nullable Closeable resource; // guarded by the race
    private @Nullable Throwable failure; // guarded by the race

    Attempt(Route route, Duration timeout) {
      this.route = route;
      this.timeout = timeout;
    }

    @Override
    public void run() {
      C connection = null;
      try {
        var reached = dialler.connect(route, peer, service, sockets, this, timeout);
        if (claim()) {
          connection = continuation.proceed(reached);
        } else {
          cancel();
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
        established = connection;
        ConnectionRace.this.notifyAll();
        return true;
      }
    }

    private void failed(Throwable e) {
      synchronized (ConnectionRace.this) {
        failure = e;
        ConnectionRace.this.notifyAll();
      }
      cancel();
    }

    boolean hasFailed() {
      return failure != null;
    }

    boolean isConnected() {
      return resource instanceof Socket socket && socket.isConnected();
    }

    String text() {
      String name = dialler.describe(route);
      String what =
          switch (failure) {
            case null -> "no answer";
            case UnknownHostException _ -> "the host name cannot be resolved";
            case Throwable e -> String.valueOf(e.getMessage());
          };
      return what.startsWith(name) ? what : name + ": " + what;
    }

    @Override
    public <P extends Closeable> P add(P added) throws SocketException {
      synchronized (ConnectionRace.this) {
        if (!over) {
          resource = added;
          return added;
        }
      }
      IoFailures.closeQuietly(added);
      throw new SocketException("the connection attempt was cancelled");
    }

    private void cancel() {
      Closeable opened;
      synchronized (ConnectionRace.this) {
        opened = resource;
      }
      IoFailures.closeQuietly(opened);
    }

    /** Cancels this attempt; one that has started its handshake gets some time to complete it. */
    private void cancelAfterHandshake() {
      if (isConnected()) {
        new CompletableFuture<Void>()
            .completeOnTimeout(null, LOSER_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
            .thenRun(this::cancel);
      } else {
        cancel();
      }
    }
  }

  /** Cancels the remaining attempts; the returned connection stays open. */
  @Override
  public void close() {
    C untaken;
    List<Attempt> losers;
    synchronized (this) {
      over = true;
      untaken = established;
      established = null;
      losers = new ArrayList<>(attempts);
      losers.removeIf(each -> each.hasFailed() || each == winner && delivered);
      notifyAll();
    }
    IoFailures.closeQuietly(untaken);
    losers.forEach(delivered ? Attempt::cancelAfterHandshake : Attempt::cancel);
  }

  // Failures; the methods below are called under the lock.

  /**
   * Throws a failure that holds for all routes: a refusal by the peer itself, which has proved its
   * identity, or the failure of the winner.
   */
  private void throwFinalFailure() throws IOException {
    for (Attempt each : attempts) {
      switch (each.failure) {
        case null -> {}
        case VersionMismatchException e -> throw withCallerTrace(e);
        case NoSuchServiceException e -> throw withCallerTrace(e);
        case IOException e when each != winner -> {}
        case Throwable e -> throw withCallerTrace(named(e, each));
      }
    }
  }

  private IOException unreachable() {
    if (hasOneRoute()) {
      Attempt only = attempts.getFirst();
      return withCallerTrace(
          named(Objects.requireNonNull(only.failure, "each attempt has failed"), only));
    }
    String message = "cannot connect to " + peer.name() + " over any route:" + list() + REMEDY;
    boolean areStrangers =
        !attempts.isEmpty()
            && attempts.stream().allMatch(each -> each.failure instanceof WrongSecretException);
    return areStrangers ? new WrongSecretException(message) : new ConnectException(message);
  }

  private IOException timedOut(Duration timeout) {
    String within = " within " + timeout.toMillis() + " ms";
    if (!hasOneRoute()) {
      return new SocketTimeoutException(
          peer.name() + " was not reached over any route" + within + ":" + list() + REMEDY);
    }
    return new SocketTimeoutException(
        attempts.getFirst().isConnected()
            ? peer.name()
                + " did not finish the handshake"
                + within
                + "; its JVM hangs, or is no JVM of this deployment"
            : peer.name()
                + " did not accept a connection"
                + within
                + "; check address, network and firewall");
  }

  private boolean hasOneRoute() {
    return attempts.size() == 1 && peer.routes().size() == 1;
  }

  /** Describes the result of each route in one line. */
  private String list() {
    var tried = attempts.stream().map(Attempt::text);
    var notTried =
        peer.routes().stream()
            .filter(route -> attempts.stream().noneMatch(each -> each.route.equals(route)))
            .map(
                route ->
                    dialler.describe(route)
                        + ": "
                        + (untried.contains(route)
                            ? "not tried yet"
                            : dialler.exclusionReason(route)));
    return Stream.concat(tried, notTried)
        .map(line -> "\n  - " + line.replace("\n", "\n    "))
        .collect(Collectors.joining());
  }

  /** Adds the peer and the probable cause to an exception of the system. */
  private Throwable named(Throwable e, Attempt attempt) {
    String name = attempt.route instanceof Route.Dialled dialled ? dialled.toString() : "the relay";
    return switch (e) {
      case UnknownHostException _ ->
          IoFailures.caused(
              new UnknownHostException(
                  "there is no host '" + ((Route.Dialled) attempt.route).host() + "'"),
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

  /** Adds the stack trace of the calling thread to an exception of an attempt's thread. */
  private static IOException withCallerTrace(Throwable thrown) {
    StackTraceElement[] here = new Throwable().getStackTrace();
    thrown.setStackTrace(
        Stream.of(thrown.getStackTrace(), here)
            .flatMap(Stream::of)
            .toArray(StackTraceElement[]::new));
    return switch (thrown) {
      case IOException e -> e;
      case Error e -> throw e;
      default -> throw new AssertionError("unexpected exception of a connection attempt", thrown);
    };
  }
}
