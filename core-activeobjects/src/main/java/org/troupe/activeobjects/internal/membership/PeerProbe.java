package org.troupe.activeobjects.internal.membership;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.service.NodeServiceClient;

/** Measures the round trips of small calls to other nodes, while reports are asked for. */
final class PeerProbe {

  /*
   * A report lets at most MOST_AT_ONCE nodes be measured, so that the reports of a node with a thousand peers cost little. The result
   * is in a later report. The shortest of the last round trips counts, since a longer one contains the time for which a call
   * waits behind data, or for a processor; so after a few, each costs more than it is likely to tell, and the pauses become longer.
   */
  private static final int MOST_AT_ONCE = 4;

  private static final int KEPT = 16;
  private static final int FIRST = 8; // with short pauses
  private static final long SHORT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LONG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Function<Peer, NodeServiceClient> service;
  private final Map<NodeId, Trips> trips = new ConcurrentHashMap<>();

  /** The last round trips to a node; its monitor guards them. */
  private static final class Trips {
    private final Deque<Long> last = new ArrayDeque<>();
    private long beganNanos = System.nanoTime() - SHORT_PAUSE_NANOS;

    synchronized boolean begins(long now) {
      if (now - beganNanos < (last.size() < FIRST ? SHORT_PAUSE_NANOS : LONG_PAUSE_NANOS)) {
        return false;
      }
      beganNanos = now;
      return true;
    }

    synchronized void ended(long now) {
      last.addLast(now - beganNanos);
      if (last.size() > KEPT) {
        last.removeFirst();
      }
    }

    synchronized long shortest() {
      return last.stream().mapToLong(Long::longValue).min().orElse(0);
    }
  }

  PeerProbe(Function<Peer, NodeServiceClient> service) {
    this.service = service;
  }

  /** Begins to measure some of the nodes. */
  void measure(List<Peer> peers) {
    trips.keySet().retainAll(peers.stream().map(Peer::id).collect(Collectors.toSet()));
    var now = System.nanoTime();
    peers.stream()
        .filter(each -> trips.computeIfAbsent(each.id(), _ -> new Trips()).begins(now))
        .limit(MOST_AT_ONCE) // the stream is lazy: the filter marks no more
        .forEach(this::measure);
  }

  private void measure(Peer peer) {
    var its = trips.get(peer.id());
    if (its != null) {
      service.apply(peer).onAcknowledged(() -> its.ended(System.nanoTime()));
    }
  }

  /** Returns the shortest of the last round trips; 0 if there is none. */
  long roundTripNanos(Peer peer) {
    var its = trips.get(peer.id());
    return its == null ? 0 : its.shortest();
  }
}
