package org.troupe.activeobjects.internal.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeActivity.GroupPlace;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectDetail.RequestLine;
import org.troupe.activeobjects.internal.body.Body;

/** Finds an active object of a node by its identity, and describes what it does. */
final class ObjectSearch {

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int LOOK_AT_CLOCK_AFTER = 1_024;

  private ObjectSearch() {}

  /**
   * Describes an object.
   *
   * @param birth the name of the node on which it was created
   * @param number its number there
   * @return empty if the object is not on this node
   */
  static Optional<ObjectDetail> of(LocalNode node, String birth, long number) {
    return Optional.ofNullable(find(node, birth, number)).map(body -> detail(node, body));
  }

  private static @Nullable Body find(LocalNode node, String birth, long number) {
    if (birth.equals(node.id().name())) {
      var body = node.objects().body(number);
      if (body != null && isShown(body) && body.origin() == null) {
        return body;
      }
    }
    var began = System.nanoTime();
    var visited = 0;
    for (var each : node.objects().bodies()) {
      if (++visited % LOOK_AT_CLOCK_AFTER == 0 && System.nanoTime() - began > MOST_NANOS) {
        return null;
      }
      if (isShown(each) && isThat(each, birth, number)) {
        return each;
      }
    }
    return null;
  }

  private static boolean isShown(Body body) {
    return !body.type().isMiddleware() && !body.hasLeft() && !body.hasEnded();
  }

  /** Gives no number to an object that has none. */
  private static boolean isThat(Body body, String birth, long number) {
    var origin = body.origin();
    return origin == null
        ? body.numberIfKnown() == number && body.node().name().equals(birth)
        : origin.number() == number && origin.birth().name().equals(birth);
  }

  private static ObjectDetail detail(LocalNode node, Body body) {
    List<RequestLine> serving = new ArrayList<>();
    for (var each : body.allInService(ObjectDetail.MOST_SERVED)) {
      var nanos = each.sinceNanos() == 0 ? -1 : System.nanoTime() - each.sinceNanos();
      serving.add(new RequestLine(each.method(), each.caller(body), nanos < 0 ? -1 : nanos / 1e9));
    }
    List<RequestLine> queue = new ArrayList<>();
    body.forEachQueued(
        ObjectDetail.MOST_QUEUED,
        each -> queue.add(new RequestLine(each.method.toString(), each.callerName(body), -1)));
    var standings = body.standings();
    var groups =
        standings.stream()
            .limit(ObjectDetail.MOST_GROUPS)
            .map(each -> new GroupPlace(each.group(), each.rank(), each.size(), List.of()))
            .toList();
    var wait = WaitLines.all(body, body.inService(), standings, System.nanoTime());
    return new ObjectDetail(
        ObjectListing.line(node, body),
        serving,
        queue,
        wait.isEmpty() ? null : wait.getFirst(),
        groups,
        body.parallelism(),
        body.threads(),
        holders(node, body));
  }

  private static @Nullable List<String> holders(LocalNode node, Body body) {
    var holders = node.objects().exports().holders(body);
    return holders == null
        ? null
        : holders.stream()
            .map(node.peers()::known)
            .filter(Objects::nonNull)
            .map(each -> each.id().name())
            .sorted()
            .limit(ObjectDetail.MOST_HOLDERS)
            .toList();
  }
}
