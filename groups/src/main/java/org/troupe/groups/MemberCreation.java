package org.troupe.groups;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Options;
import org.troupe.stubs.ObjectConstruction;

/** Creates the members of a group, one on each node given. */
final class MemberCreation {

  private MemberCreation() {}

  /**
   * Creates the members in parallel and waits until their constructors have returned.
   *
   * @param arguments copies reach each constructor; of a {@link Scatter} its part
   * @param places the node of each member
   * @return their stubs, by rank
   * @throws GroupCallException if a constructor threw; the other objects have been terminated then
   */
  static <T> List<T> create(Class<T> type, Object[] arguments, List<Node> places, Options options) {
    ObjectConstruction.requireArguments(arguments);
    var size = places.size();
    var parts = // before the first object is created, as user code may throw here
        IntStream.range(0, size).mapToObj(rank -> Scatter.partsOf(arguments, rank, size)).toList();
    List<CompletableFuture<T>> created = new ArrayList<>(size);
    for (var rank = 0; rank < size; rank++) {
      var node = places.get(rank);
      created.add(ActiveObjects.on(node).with(options).createAsync(type, parts.get(rank)));
    }
    var stubs = new ArrayList<T>(size);
    var failures = new TreeMap<Integer, Throwable>();
    for (var rank = 0; rank < size; rank++) {
      try {
        stubs.add(created.get(rank).join());
      } catch (CompletionException e) {
        failures.put(rank, e.getCause());
      }
    }
    if (!failures.isEmpty()) {
      stubs.forEach(stub -> ActiveObjects.ref(stub).terminateNow());
      throw GroupCallException.of(
          "the constructor of " + type.getSimpleName(),
          size,
          failures,
          rank -> "node '" + places.get(rank).name() + "'");
    }
    return stubs;
  }
}
