package org.troupe.deployment.runs;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.node.NodeUpkeep;

/** The work that the JVMs of nodes do for a user. Thread-safe. */
final class NodeWork {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final Map<NodeId, CompletableFuture<NodeUpkeep>> made = new ConcurrentHashMap<>();

  NodeWork(GridMember host) {
    host.nodes("").onLeave((node, _) -> made.remove(node.id()));
  }

  /** The answers of nodes, as far as they have come. */
  static final class Answers {
    private final Map<String, CompletableFuture<String>> byNode = new LinkedHashMap<>();
    private final Set<String> logged = ConcurrentHashMap.newKeySet(); // nodes with a fault

    /** Returns a future that completes when all have answered or failed. */
    CompletableFuture<Void> all() {
      return CompletableFuture.allOf(byNode.values().toArray(CompletableFuture[]::new))
          .exceptionally(_ -> null);
    }

    /**
     * Returns the answers until now.
     *
     * @throws RefusedRequestException if no node has done it, and none may do it yet
     */
    ActionResult result() {
      Set<String> done = new LinkedHashSet<>();
      Set<String> refused = new LinkedHashSet<>();
      List<String> silent = new ArrayList<>();
      var isWrong = true; // the request
      for (var each : byNode.entrySet()) {
        var answer = each.getValue();
        switch (answer.state()) {
          case SUCCESS -> done.add(answer.resultNow());
          case FAILED -> {
            refused.add(why(each.getKey(), answer.exceptionNow()));
            isWrong &= answer.exceptionNow() instanceof IllegalArgumentException;
          }
          case CANCELLED -> {
            refused.add(
                "node '%s' was not asked: the request was cancelled".formatted(each.getKey()));
            isWrong = false;
          }
          case RUNNING -> silent.add(each.getKey());
        }
      }
      if (done.isEmpty() && silent.isEmpty()) {
        var why = String.join("; ", refused);
        throw isWrong ? new RefusedRequestException(why) : RefusedRequestException.ofRun(why, null);
      }
      return new ActionResult(
          Stream.concat(done.stream(), refused.stream()).collect(Collectors.joining("; ")),
          silent,
          !refused.isEmpty());
    }

    /**
     * Returns why a node has not done its work: in its own words if it refuses, or its call has
     * ended in another way that Troupe explains; else the node has an internal fault.
     */
    private String why(String node, Throwable failure) {
      var message = failure.getMessage();
      if (failure instanceof OutOfMemoryError) {
        return "the heap of node '%s' is full: %s".formatted(node, failure);
      }
      if (message != null && isExplained(failure)) {
        return message;
      }
      if (logged.add(node)) {
        LOG.log(
            Level.WARNING,
            "an internal fault of Troupe on node '" + node + "'; please report it with this trace",
            failure);
      }
      return "an internal fault of Troupe on node '%s': %s; the log of the program has the stack trace, with which this is to be reported"
          .formatted(node, failure);
    }

    private static boolean isExplained(Throwable failure) {
      return failure instanceof IllegalArgumentException
          || failure instanceof CallException && !(failure instanceof RemoteFailure);
    }
  }

  /** Asks nodes for some work. */
  Answers ask(List<Node> nodes, Ref.Asked<NodeUpkeep, String> work) {
    var answers = new Answers();
    nodes.forEach(node -> answers.byNode.put(node.name(), ask(node, work)));
    return answers;
  }

  private CompletableFuture<String> ask(Node node, Ref.Asked<NodeUpkeep, String> work) {
    return made.compute(
            node.id(),
            (_, known) ->
                known == null || known.isCompletedExceptionally()
                    ? ActiveObjects.on(node).createAsync(NodeUpkeep.class)
                    : known)
        .thenCompose(upkeep -> ActiveObjects.ref(upkeep).ask(work));
  }
}
