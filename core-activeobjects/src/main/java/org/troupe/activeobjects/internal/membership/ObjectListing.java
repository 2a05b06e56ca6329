package org.troupe.activeobjects.internal.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObjectReport.ClassTotal;
import org.troupe.activeobjects.hosting.ObjectReport.Name;
import org.troupe.activeobjects.hosting.ObjectReport.ObjectLine;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.RequestInService;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The report of a node on its active objects. */
final class ObjectListing {

  /*
   * Design: bounds of a question
   *
   * A node may have a million objects. Their bodies are visited once, which takes no lock of a body and runs no user code;
   * of each only its class, the length of its queue and the request in service are read. Only the objects that the answer
   * describes need more. The visit ends after MOST_NANOS; the objects that are left are counted as such. The answer
   * has at most MOST_CLASSES totals, MOST_NAMES names and as many objects as were asked for.
   */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int LOOK_AT_CLOCK_AFTER = 256;
  private static final int MOST_CLASSES = 100;
  private static final int MOST_NAMES = 100;

  /** The less interesting first. */
  private static final Comparator<Candidate> BY_INTEREST =
      Comparator.comparingInt(Candidate::queued)
          .thenComparing(each -> each.serving() != null)
          .thenComparing(each -> each.body().numberIfKnown(), Comparator.reverseOrder());

  private static final Comparator<ClassTotal> BY_NUMBER =
      Comparator.comparingLong(ClassTotal::objects).reversed().thenComparing(ClassTotal::type);

  private final LocalNode node;
  private final ObjectQuery query;
  private final long began = System.nanoTime();
  private final Map<Class<?>, Sum> sums = new HashMap<>();
  private final Sum total = new Sum();
  private final PriorityQueue<Candidate> longest = new PriorityQueue<>(BY_INTEREST);
  private long uncounted;

  /** The objects of a class. */
  private static final class Sum {
    private long objects;
    private long queued;
    private long serving;

    void add(int itsQueued, @Nullable RequestInService itsService) {
      objects++;
      queued += itsQueued;
      serving += itsService == null ? 0 : 1;
    }

    ClassTotal of(String type) {
      return new ClassTotal(type, objects, queued, serving);
    }
  }

  /** An object that may be described. */
  private record Candidate(Body body, int queued, @Nullable RequestInService serving) {}

  private ObjectListing(LocalNode node, ObjectQuery query) {
    this.node = node;
    this.query = query;
  }

  static ObjectReport of(LocalNode node, ObjectQuery query) {
    var listing = new ObjectListing(node, query);
    listing.visit(node.objects().bodies());
    node.objects().exports().cleared().values().forEach(listing::visitCleared);
    return listing.report();
  }

  private void visit(Collection<Body> bodies) {
    var visited = 0;
    for (var each : bodies) {
      if (visited % LOOK_AT_CLOCK_AFTER == 0 && System.nanoTime() - began > MOST_NANOS) {
        uncounted = (long) bodies.size() - visited;
        return;
      }
      visited++;
      if (!each.hasLeft()
          && !each.hasEnded()
          && !each.type().isMiddleware()
          && query.asksFor(each.type().type())) {
        visit(each);
      }
    }
  }

  private void visit(Body body) {
    var queued = body.queued();
    var serving = body.inService();
    total.add(queued, serving);
    sums.computeIfAbsent(body.type().type(), type -> new Sum()).add(queued, serving);
    var candidate = new Candidate(body, queued, serving);
    if (longest.size() < query.most()) {
      longest.add(candidate);
    } else if (query.most() > 0 && BY_INTEREST.compare(candidate, longest.element()) > 0) {
      longest.remove();
      longest.add(candidate);
    }
  }

  /** Counts an idle object that exists as an image at the moment, while it is on trial. */
  private void visitCleared(ActiveType<?> type) {
    if (query.asksFor(type.type())) {
      total.add(0, null);
      sums.computeIfAbsent(type.type(), each -> new Sum()).add(0, null);
    }
  }

  private ObjectReport report() {
    Map<String, List<String>> names = new HashMap<>(); // of the objects to describe
    for (var each : longest) {
      names.put(text(identity(each.body())), new ArrayList<>(0));
    }
    List<Name> others = new ArrayList<>();
    node.objects()
        .names()
        .forEach(
            (name, target) -> {
              var identity = text(identity(target));
              var known = names.get(identity);
              if (known != null) {
                known.add(name);
              } else if (others.size() < MOST_NAMES && !isHere(target)) {
                others.add(new Name(name, identity));
              }
            });
    var now = System.nanoTime();
    return new ObjectReport(
        total.of(""),
        sums.entrySet().stream()
            .map(each -> each.getValue().of(each.getKey().getName()))
            .sorted(BY_NUMBER)
            .limit(MOST_CLASSES)
            .toList(),
        longest.stream()
            .sorted(BY_INTEREST.reversed())
            .map(each -> line(each, names, now))
            .toList(),
        node.moved().forwarders(),
        others,
        uncounted);
  }

  private ObjectLine line(Candidate object, Map<String, List<String>> names, long now) {
    return line(node, object, names.getOrDefault(text(identity(object.body())), List.of()), now);
  }

  /** Describes one object. */
  static ObjectLine line(LocalNode node, Body body) {
    var identity = text(identity(body));
    List<String> names = new ArrayList<>();
    node.objects()
        .names()
        .forEach(
            (name, target) -> {
              if (names.size() < MOST_NAMES && text(identity(target)).equals(identity)) {
                names.add(name);
              }
            });
    return line(
        node, new Candidate(body, body.queued(), body.inService()), names, System.nanoTime());
  }

  private static ObjectLine line(LocalNode node, Candidate object, List<String> names, long now) {
    var body = object.body();
    var identity = identity(body);
    var serving = object.serving();
    var kept = node.objects().host().keeper().report(body);
    return new ObjectLine(
        text(identity),
        body.type().type().getName(),
        names,
        node.moved().epoch(identity) - body.restartsElsewhere(),
        object.queued(),
        kept != null && !kept.replay().isEmpty()
            ? kept.replay()
            : serving == null ? ownLoop(body) : text(serving),
        serving == null || serving.sinceNanos() == 0 ? -1 : (now - serving.sinceNanos()) / 1e9,
        body.restartCount() + body.restartsElsewhere(),
        kept == null ? "" : kept.key(),
        kept == null ? 0 : kept.logBytes(),
        kept != null && kept.isAsleep(),
        options(body, kept != null));
  }

  private static String text(RequestInService serving) {
    return serving.method() + (serving.more() == 0 ? "" : " and " + serving.more() + " more");
  }

  /** Describes an object that serves no request, but may compute in its service loop. */
  private static String ownLoop(Body body) {
    return body.isInOwnLoop() ? body.type().name() + ".serve(..) itself" : "";
  }

  private static String options(Body body, boolean isKept) {
    var options = new StringJoiner(", ");
    if (body.queueBound() > 0) {
      options.add("bound " + body.queueBound() + (body.statedBound() < 0 ? ", refusing" : ""));
    }
    switch (body.restartPolicy().scope()) {
      case NEVER -> {}
      case HERE -> options.add("restarted");
      case ELSEWHERE -> options.add("restarted elsewhere");
    }
    if (body.leavesAlong()) {
      options.add("leaving along");
    }
    if (isKept) {
      options.add("kept");
    }
    return options.toString();
  }

  private static ObjectIdentity identity(Body body) {
    return identity(new Reference.Target.Here(body));
  }

  private static ObjectIdentity identity(Reference.Target target) {
    return new ObjectIdentity(target.birth(), "", target.number());
  }

  private static boolean isHere(Reference.Target target) {
    return target instanceof Reference.Target.Here(Body body) && !body.hasLeft();
  }

  private static String text(ObjectIdentity identity) {
    return identity.birth().name() + "/" + identity.number();
  }
}
