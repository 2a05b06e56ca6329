package org.troupe.activeobjects.internal.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.hosting.NodeActivity.GroupPlace;
import org.troupe.activeobjects.hosting.NodeActivity.WaitKind;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.RequestInService;
import org.troupe.activeobjects.internal.deadlock.WaitEdge;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.observe.ProgramFrames;

/** Describes what objects wait for. */
final class WaitLines {

  private WaitLines() {}

  /**
   * Returns the line of an object that waits, or did so a moment ago.
   *
   * @param serving what it serves; {@code null} if it serves nothing
   * @param group the group in which it waits; {@code null} if it waits in none
   * @param waitingMicros for how long it waits, at most; negative if that is not known
   * @param leastMicros for how long it waits, at least
   */
  static WaitLine of(
      Body body,
      @Nullable RequestInService serving,
      @Nullable GroupStanding group,
      long waitingMicros,
      long leastMicros) {
    var wait = group == null ? null : group.openWait();
    var thread = wait != null ? wait.thread() : serving == null ? null : serving.waiter();
    var edge = wait != null ? edge(wait) : edge(body, serving);
    return new WaitLine(
        body.identityText(),
        body.type().type().getName(),
        serving == null ? "" : serving.method(),
        edge.kind(),
        edge.awaited(),
        edge.object(),
        edge.node(),
        edge.method(),
        waitingMicros,
        leastMicros,
        thread == null ? "" : line(thread),
        group == null || wait == null ? GroupPlace.NONE : place(group, wait));
  }

  /** Returns the lines of all waits of an object, those for members of groups first. */
  static List<WaitLine> all(
      Body body, @Nullable RequestInService serving, List<GroupStanding> groups, long now) {
    List<WaitLine> all = new ArrayList<>();
    for (var each : groups) {
      var wait = each.openWait();
      if (wait != null && wait.isOf(serving != null)) {
        var waited = micros(now - wait.sinceNanos());
        all.add(of(body, serving, each, waited, waited));
      }
    }
    var awaited = body.waitingFor;
    if (awaited != null && awaited.isAwaited()
        || serving != null && serving.crowdedLink() != null) {
      var since = serving == null ? 0 : serving.waitBeganNanos();
      all.add(of(body, serving, null, since == 0 ? -1 : micros(now - since), 0));
    }
    return all;
  }

  private static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }

  private static WaitEdge edge(Body body, @Nullable RequestInService serving) {
    var awaited = body.waitingFor;
    if (awaited != null) {
      return WaitEdge.of(awaited);
    }
    var link = serving == null ? null : serving.crowdedLink();
    return link == null
        ? new WaitEdge(WaitKind.FUTURE, "", "", "", "") // it waits no longer
        : new WaitEdge(
            WaitKind.CREDIT,
            "space on the link to node '" + link.name() + "'",
            "",
            link.name(),
            "");
  }

  private static WaitEdge edge(GroupStanding.OpenWait wait) {
    var kind =
        switch (wait.kind()) {
          case BARRIER -> WaitKind.BARRIER;
          case COLLECTIVE -> WaitKind.COLLECTIVE;
          case RECEIVE -> WaitKind.RECEIVE;
        };
    var first = wait.first();
    return new WaitEdge(
        kind, wait.operation(), identity(first), first == null ? "" : first.node().name(), "");
  }

  private static String identity(@Nullable Ref<?> ref) {
    return ref instanceof Reference<?> reference ? WaitEdge.identity(reference.target()) : "";
  }

  private static GroupPlace place(GroupStanding group, GroupStanding.OpenWait wait) {
    return new GroupPlace(
        group.group(),
        group.rank(),
        group.size(),
        wait.missing().stream().limit(GroupPlace.MOST_MISSING).toList());
  }

  private static String line(Thread thread) {
    return ProgramFrames.first(Stream.of(thread.getStackTrace())).orElse("");
  }
}
