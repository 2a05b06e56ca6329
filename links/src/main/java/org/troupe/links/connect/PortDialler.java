package org.troupe.links.connect;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.IoFailures;
import org.troupe.links.Route;
import org.troupe.links.handshake.Handshake;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.host.NetworkInterfaces;

/** Connects to other ports over the route whose handshake succeeds first. */
public final class PortDialler {

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final Handshake handshake;
  private final @Nullable Relay relay; // null if this port is no relay
  private final @Nullable Address relayAddress; // null if no relay is known
  private final ExecutorService threads;
  private final Set<Closeable> open;
  private final Map<String, Route> chosen = new ConcurrentHashMap<>(); // by peer

  public PortDialler(
      Handshake handshake,
      @Nullable Relay relay,
      @Nullable Address relayAddress,
      ExecutorService threads,
      Set<Closeable> open) {
    this.handshake = handshake;
    this.relay = relay;
    this.relayAddress = relayAddress;
    this.threads = threads;
    this.open = open;
  }

  /**
   * A connection to the intended port; both sides have proved the secret.
   *
   * @param peer the route, for messages
   * @param session a value unique to the connection
   * @param isDirect whether the connection passes through neither a tunnel nor a relay
   */
  public record AuthenticatedSocket(Socket socket, String peer, byte[] session, boolean isDirect) {}

  /** Creates the caller's connection from an authenticated socket. */
  public interface Continuation<C> {
    C proceed(AuthenticatedSocket socket) throws IOException;
  }

  /**
   * Connects to a service; blocks until the continuation has ended, but no longer than the timeout.
   *
   * @throws InterruptedIOException if the thread was interrupted; it still is
   */
  public <C extends Closeable> C dial(
      Address peer,
      String service,
      Duration timeout,
      SocketFactory sockets,
      Continuation<C> continuation)
      throws IOException {
    var race = race(peer, service, sockets, continuation);
    open.add(race);
    try {
      return race.run(timeout);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connecting to " + peer.name());
    } finally {
      open.remove(race);
      race.close();
    }
  }

  private <C extends Closeable> ConnectionRace<C> race(
      Address peer, String service, SocketFactory sockets, Continuation<C> continuation) {
    return new ConnectionRace<>(this, peer, routes(peer), service, sockets, continuation);
  }

  void execute(Runnable work) {
    threads.execute(work);
  }

  // Selection of routes

  /** Returns the routes that may lead from here to a peer, the best first. */
  private List<Route> routes(Address peer) {
    List<Route> routes = new ArrayList<>(peer.routes());
    routes.removeIf(route -> !mayLead(route, peer));
    if (routes.size() > 1) {
      Map<Route, Integer> ranks =
          new HashMap<>(); // each rank is determined once, as that takes system calls
      routes.forEach(route -> ranks.put(route, rank(route, peer)));
      routes.sort(Comparator.comparing(ranks::get));
    }
    return routes;
  }

  private boolean mayLead(Route route, Address peer) {
    return switch (route) {
      case Route.Direct direct -> {
        InetAddress literal = literal(direct);
        yield literal == null
            || peer.hostMark().isEmpty()
            || peer.hostMark().equals(HostIdentity.here().mark())
            || !NetworkInterfaces.isHere(literal); // otherwise the address is one of this host
      }
      case Route.Tunnel _ -> true;
      case Route.Relayed _ -> relay != null || relayAddress != null;
    };
  }

  private int rank(Route route, Address peer) {
    if (route.equals(chosen.get(key(peer)))) {
      return 0;
    }
    return switch (route) {
      case Route.Direct direct -> {
        InetAddress literal = literal(direct);
        yield literal == null
            ? 3
            : literal.isLoopbackAddress() ? 1 : NetworkInterfaces.isNear(literal) ? 2 : 3;
      }
      case Route.Tunnel _ -> 4;
      case Route.Relayed _ -> 5;
    };
  }

  private static @Nullable InetAddress literal(Route.Direct direct) {
    try {
      return InetAddress.ofLiteral(direct.host());
    } catch (IllegalArgumentException _) {
      return null; // a name
    }
  }

  /** Returns whether the latest connection to a peer used the relay. */
  public boolean isRelayed(Address peer) {
    return chosen.get(key(peer)) instanceof Route.Relayed;
  }

  private static String key(Address peer) {
    return peer.identity().isEmpty() ? peer.toString() : peer.identity();
  }

  /** Returns whether a route is logged at level INFO: a tunnel, or a relayed one at the relay. */
  private boolean isIndirect(Route route) {
    return route instanceof Route.Tunnel || route instanceof Route.Relayed && relay != null;
  }

  void connected(Address peer, Route route) {
    if (peer.routes().size() > 1 && !route.equals(chosen.put(key(peer), route))) {
      LOG.log(
          isIndirect(route) ? Level.INFO : Level.DEBUG,
          "{0} is reached over {1}",
          peer.name(),
          describe(route));
    }
  }

  void unreachable(Address peer) {
    chosen.remove(key(peer));
  }

  /** Returns why a route was excluded. */
  String exclusionReason(Route route) {
    return route instanceof Route.Relayed
        ? "this JVM knows no relay"
        : "not tried, as it is reachable only on the peer's own host";
  }

  String describe(Route route) {
    return switch (route) {
      case Route.Direct direct -> direct.toString();
      case Route.Tunnel tunnel ->
          "the tunnel at " + tunnel.toString().substring(Route.TUNNEL.length());
      case Route.Relayed _ ->
          relay != null
              ? "this relay"
              : relayAddress != null ? "the relay " + relayAddress.name() : "the relay";
    };
  }

  // Attempts

  /**
   * Connects over one route and performs the handshake.
   *
   * @param scope closes the socket if the attempt is cancelled
   */
  AuthenticatedSocket connect(
      Route route,
      Address peer,
      String service,
      SocketFactory sockets,
      CancelScope scope,
      Duration timeout)
      throws IOException, InterruptedException {
    Socket socket =
        switch (route) {
          case Route.Dialled dialled -> ConnectionRace.connect(dialled, sockets, scope);
          case Route.Relayed _ -> relayed(peer, sockets, scope, timeout);
        };
    String name = describe(route);
    byte[] session = handshake.call(socket, name, Handshake.name(peer), service).session();
    return new AuthenticatedSocket(socket, name, session, route instanceof Route.Direct);
  }

  private Socket relayed(Address peer, SocketFactory sockets, CancelScope scope, Duration timeout)
      throws IOException, InterruptedException {
    byte[] identity = Handshake.name(peer);
    if (relay != null) {
      return scope.add(sockets.adopt(relay.call(identity)));
    }
    var race =
        race(
            Objects.requireNonNull(relayAddress, "mayLead has checked it"),
            Relay.DIAL,
            sockets,
            connected -> Relay.request(connected.socket(), identity));
    scope.add(race);
    try {
      return scope.add(race.run(timeout));
    } catch (IOException e) { // a failure of the relay is none of the peer
      throw IoFailures.caused(new ConnectException(e.getMessage()), e);
    } finally {
      race.close();
    }
  }

  /** Closes the resource of an attempt when the attempt is cancelled. */
  interface CancelScope {
    /** Replaces the resource; closes it and throws if the attempt is cancelled already. */
    <C extends Closeable> C add(C resource) throws SocketException;
  }
}
