package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The forwarders of one object on a node, by the epochs that they follow. Not thread-safe. */
final class Forwarders<M> {

  /*
   * Design: routes at rest
   *
   * A node can forget a stay of an object only when its JVM has cleared the body of that stay, so hundreds may be known of
   * an object that often comes and goes. Nothing is on the way by most of their routes. Such a route is at rest: it
   * learns of a move when it is looked at, so that a move takes no time for each of them.
   */

  private final NavigableMap<Integer, Forwarder<M>> all = new TreeMap<>();
  private final Set<Integer> active = new HashSet<>(); // all whose routes are not at rest
  private final BiConsumer<Route<M>, Place> relocation;
  private Place news; // the last place of the object that the routes are to learn

  /**
   * The remains of the object on a former host.
   *
   * @param object queues the messages that arrive
   */
  record Forwarder<M>(Embodiment<M> object, Route<M> route) {}

  /**
   * Creates the forwarders of a node on which the object has never been.
   *
   * @param relocation tells a route where the object is
   */
  Forwarders(Place place, BiConsumer<Route<M>, Place> relocation) {
    this.news = place;
    this.relocation = relocation;
  }

  void add(int epoch, Embodiment<M> object, Route<M> route) {
    all.put(epoch, new Forwarder<>(object, route));
    active.add(epoch);
  }

  void removeAll(Collection<Integer> epochs) {
    all.keySet().removeAll(epochs);
    active.removeAll(epochs);
  }

  @Nullable Forwarder<M> get(int epoch) {
    var known = all.get(epoch);
    if (known != null) {
      learn(epoch, known.route());
    }
    return known;
  }

  /** Returns the first epoch from one on; {@code null} if there is none. */
  @Nullable Integer from(int epoch) {
    return all.ceilingKey(epoch);
  }

  /** Returns the last epoch, or 0. */
  int last() {
    return all.isEmpty() ? 0 : all.lastKey();
  }

  /** Passes on the epochs before one. */
  void forEachBefore(int epoch, IntConsumer action) {
    List.copyOf(all.headMap(epoch, false).keySet()).forEach(action::accept);
  }

  /** Returns the routes of all. */
  List<Route<M>> routes() {
    List<Route<M>> routes = new ArrayList<>(all.size());
    all.forEach(
        (epoch, each) -> {
          learn(epoch, each.route());
          routes.add(each.route());
        });
    return routes;
  }

  private void learn(int epoch, Route<M> route) {
    if (route.place().isBefore(news)) {
      relocation.accept(route, news);
    }
    active.add(epoch); // as it may be used
  }

  /** Returns the routes that may hold messages, or wait for a mark. */
  Stream<Route<M>> activeRoutes() {
    return active.stream().map(this::route);
  }

  private Route<M> route(int epoch) {
    return Objects.requireNonNull(all.get(epoch), "an active forwarder").route();
  }

  /** Lets the routes learn where the object is. */
  void relocated(Place next) {
    if (news.isBefore(next)) {
      news = next;
    }
    activeRoutes().forEach(each -> relocation.accept(each, next));
    active.removeIf(each -> route(each).isAtRest());
  }
}
