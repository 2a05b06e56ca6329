package org.troupe.deployment.runs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.deployment.runs.GridObjects.ClassTotal;
import org.troupe.deployment.runs.GridObjects.NodeTotal;
import org.troupe.deployment.runs.GridObjects.ObjectLine;
import org.troupe.deployment.runs.GridObjects.Total;
import org.troupe.deployment.watch.NaturalOrder;

/** Combines the reports of the nodes of a grid on their objects. */
final class ObjectCollector {

  private static final Comparator<Total> BY_QUEUES =
      Comparator.comparingLong(Total::queued).thenComparingLong(Total::objects).reversed();

  private static final Comparator<ObjectLine> BY_QUEUE =
      Comparator.comparingInt(ObjectLine::queued)
          .thenComparing(each -> !each.serving().isEmpty())
          .reversed()
          .thenComparing(ObjectLine::object, NaturalOrder.OF_NAMES);

  private final List<NodeTotal> nodes = new ArrayList<>();
  private final Map<String, Total> classes = new HashMap<>();
  private final List<ObjectLine> objects = new ArrayList<>();
  private final Map<String, List<String>> names = new HashMap<>(); // of objects on other nodes

  /** Records a node that has not answered. */
  void addSilent(String node) {
    nodes.add(new NodeTotal(node, false, Total.NONE, 0, 0));
  }

  /** Adds the report of a node. */
  void add(String node, ObjectReport report) {
    nodes.add(
        new NodeTotal(node, true, total(report.total()), report.forwarders(), report.uncounted()));
    report.classes().forEach(each -> classes.merge(each.type(), total(each), Total::plus));
    report.names().forEach(each -> namesOf(each.identity()).add(each.name()));
    for (var each : report.objects()) {
      objects.add(
          new ObjectLine(
              each.identity(),
              each.type(),
              node,
              each.names(),
              each.moves(),
              each.queued(),
              each.serving(),
              each.servingSeconds(),
              each.restarts(),
              each.key(),
              each.logBytes(),
              each.isAsleep(),
              each.options()));
    }
  }

  private List<String> namesOf(String identity) {
    return names.computeIfAbsent(identity, none -> new ArrayList<>(1));
  }

  private static Total total(ObjectReport.ClassTotal its) {
    return new Total(its.objects(), its.queued(), its.serving());
  }

  /**
   * Returns the objects of the grid.
   *
   * @param most how many of them to describe
   */
  GridObjects collected(String id, String program, int most) {
    return new GridObjects(
        id,
        program,
        nodes.stream().map(NodeTotal::total).reduce(Total.NONE, Total::plus),
        nodes.stream()
            .sorted(
                Comparator.comparing(NodeTotal::total, BY_QUEUES)
                    .thenComparing(NodeTotal::node, NaturalOrder.OF_NAMES))
            .toList(),
        classes.entrySet().stream()
            .map(each -> new ClassTotal(each.getKey(), each.getValue()))
            .sorted(
                Comparator.comparing(ClassTotal::total, BY_QUEUES).thenComparing(ClassTotal::type))
            .toList(),
        objects.stream().sorted(BY_QUEUE).limit(most).map(this::named).toList());
  }

  private ObjectLine named(ObjectLine object) {
    var further = names.get(object.object());
    if (further == null) {
      return object;
    }
    var all = new ArrayList<>(object.names());
    all.addAll(further);
    return new ObjectLine(
        object.object(),
        object.type(),
        object.node(),
        all,
        object.moves(),
        object.queued(),
        object.serving(),
        object.servingSeconds(),
        object.restarts(),
        object.key(),
        object.logBytes(),
        object.isAsleep(),
        object.options());
  }
}
