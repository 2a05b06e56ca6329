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

/** Connects to other ports, by whichever of their ways proves first that it leads there. */
public final class PortDialler {

  private static final System.Logger LOG = System.getLogger("org.troupe.links");

  private final Handshake handshake;
  private final @Nullable Relay relay; // null if this port is none
  private final @Nullable Address relayAddress; // null if it is not told of one
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
   * A connection to the port that was meant: both sides have proved the secret.
   *
   * @param peer the way that was taken, for messages
   * @param session what no other connection has
   * @param isDirect whether nobody but the system is between the two
   */
  public record Reached(Socket socket, String peer, byte[] session, boolean isDirect) {}

  /** Makes of a connection what it is for. */
  public interface Sequel<C> {
    C make(Reached reached) throws IOException;
  }

  /**
   * Connects to a service; blocks until the sequel is done, but no longer than the timeout.
   *
   * @throws InterruptedIOException if the thread was interrupted; it still is
   */
  public <C extends Closeable> C dial(
      Address peer, String service, Duration timeout, SocketFactory sockets, Sequel<C> sequel)
      throws IOException {
    var race = race(peer, service, sockets, sequel);
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
      Address peer, String service, SocketFactory sockets, Sequel<C> sequel) {
    return new ConnectionRace<>(this, peer, ways(peer), service, sockets, sequel);
  }

  void execute(Runnable work) {
    threads.execute(work);
  }

  // Which ways there are

  /** Returns the ways that may lead to a peer from here, the best first. */
  private List<Route> ways(Address peer) {
    List<Route> ways = new ArrayList<>(peer.ways());
    ways.removeIf(way -> !mayLead(way, peer));
    if (ways.size() > 1) {
      Map<Route, Integer> ranks = new HashMap<>(); // each is looked up once: the system is asked
      ways.forEach(way -> ranks.put(way, rank(way, peer)));
      ways.sort(Comparator.comparing(ranks::get));
    }
    return ways;
  }

  private boolean mayLead(Route way, Address peer) {
    return switch (way) {
      case Route.Direct direct -> {
        InetAddress literal = literal(direct);
        yield literal == null
            || peer.home().isEmpty()
            || peer.home().equals(HostIdentity.here().mark())
            || !NetworkInterfaces.isHere(literal); // else it leads to somebody else, here
      }
      case Route.Tunnel _ -> true;
      case Route.Relayed _ -> relay != null || relayAddress != null;
    };
  }

  private int rank(Route way, Address peer) {
    if (way.equals(chosen.get(key(peer)))) {
      return 0;
    }
    return switch (way) {
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

  /** Says whether the peer was reached over the relay when it was last reached. */
  public boolean isRelayed(Address peer) {
    return chosen.get(key(peer)) instanceof Route.Relayed;
  }

  private static String key(Address peer) {
    return peer.identity().isEmpty() ? peer.toString() : peer.identity();
  }

  /** One line for each that is hard to reach: at the relay, and at the end of a tunnel. */
  private boolean isNews(Route way) {
    return way instanceof Route.Tunnel || way instanceof Route.Relayed && relay != null;
  }

  void won(Address peer, Route way) {
    if (peer.ways().size() > 1 && !way.equals(chosen.put(key(peer), way))) {
      LOG.log(
          isNews(way) ? Level.INFO : Level.DEBUG,
          "{0} is reached by {1}",
          peer.name(),
          describe(way));
    }
  }

  void lost(Address peer) {
    chosen.remove(key(peer));
  }

  /** Says why a way was not tried. */
  String why(Route way) {
    return way instanceof Route.Relayed
        ? "this JVM was told of none"
        : "not tried, it leads nowhere but on the peer's own host";
  }

  String describe(Route way) {
    return switch (way) {
      case Route.Direct direct -> direct.toString();
      case Route.Tunnel tunnel ->
          "the tunnel at " + tunnel.toString().substring(Route.TUNNEL.length());
      case Route.Relayed _ ->
          relay != null
              ? "this relay"
              : relayAddress != null ? "the relay " + relayAddress.name() : "the relay";
    };
  }

  // How each is gone

  /**
   * Goes one way.
   *
   * @param held is told what to close if the way is given up
   */
  Reached reach(
      Route way, Address peer, String service, SocketFactory sockets, Held held, Duration timeout)
      throws IOException, InterruptedException {
    Socket socket =
        switch (way) {
          case Route.Dialled dialled -> ConnectionRace.connect(dialled, sockets, held);
          case Route.Relayed _ -> relayed(peer, sockets, held, timeout);
        };
    String name = describe(way);
    byte[] session = handshake.call(socket, name, Handshake.name(peer), service).session();
    return new Reached(socket, name, session, way instanceof Route.Direct);
  }

  private Socket relayed(Address peer, SocketFactory sockets, Held held, Duration timeout)
      throws IOException, InterruptedException {
    byte[] identity = Handshake.name(peer);
    if (relay != null) {
      return held.hold(sockets.adopt(relay.call(identity)));
    }
    var race =
        race(
            Objects.requireNonNull(relayAddress, "mayLead has asked"),
            Relay.DIAL,
            sockets,
            reached -> Relay.ask(reached.socket(), identity));
    held.hold(race);
    try {
      return held.hold(race.run(timeout));
    } catch (IOException e) { // which says nothing about the peer itself
      throw IoFailures.caused(new ConnectException(e.getMessage()), e);
    } finally {
      race.close();
    }
  }

  /** Keeps what is to be closed when somebody gives up. */
  interface Held {
    <C extends Closeable> C hold(C part) throws SocketException;
  }
}
