package org.troupe.deployment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.deployment.Plan.Step;
import org.troupe.deployment.launch.Launcher;

/** Plans the nodes that a running grid requests. Thread-safe. */
final class NodeSupply {

  private final Map<Launcher, List<String>> virtualNodes = new LinkedHashMap<>();
  private final Map<Launcher, Integer> planned = new LinkedHashMap<>(); // nodes; under this
  private int turn; // under this

  NodeSupply(Plan plan) {
    for (var step : plan.steps()) {
      virtualNodes.put(step.launcher(), step.node().virtualNodes());
      planned.merge(step.launcher(), 1, Integer::sum);
    }
  }

  /**
   * Plans more nodes, dealt out to the elements of the virtual node in turns.
   *
   * @param virtualNode its name; empty for any
   */
  synchronized List<Step> more(String virtualNode, int count) {
    var elements =
        virtualNodes.entrySet().stream()
            .filter(each -> virtualNode.isEmpty() || each.getValue().contains(virtualNode))
            .map(Map.Entry::getKey)
            .toList();
    if (elements.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing is mapped to virtual node '" + virtualNode + "', so it gets no more nodes");
    }
    var shares = new LinkedHashMap<Launcher, Integer>();
    for (var left = count; left > 0; left--) {
      shares.merge(elements.get(turn++ % elements.size()), 1, Integer::sum);
    }
    var steps = new ArrayList<Step>();
    shares.forEach(
        (launcher, share) -> {
          var nodes = launcher.more(planned.getOrDefault(launcher, 0), share);
          planned.merge(launcher, nodes.size(), Integer::sum);
          nodes.forEach(node -> steps.add(new Step(node, launcher)));
        });
    return steps;
  }
}
