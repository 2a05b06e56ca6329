package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.deployment.node.NodeUpkeep;
import org.troupe.deployment.watch.EventLog;
import org.troupe.futures.FutureRuntime;

/** Does what other processes of the user ask for. Each action but that on the tier is an event. */
final class RunActions {

  private static final Duration PATIENCE = Duration.ofSeconds(20); // a request of a page has 30 s
  private static final int MOST_NAMED = 20; // nodes or problems in a sentence
  private static final int LONGEST_SECONDS = (int) Duration.ofDays(1).toSeconds(); // of a log level
  private static final int CANCELLED = 130; // as after Ctrl-C
  private static final String BY_REQUEST = "by a request of this user to the control socket";
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final ControlledGrid grid;
  private final GridMember host;
  private final NamedNodes nodes;
  private final ObservedTier tier;
  private final EventLog events;
  private final NodeWork work;

  RunActions(
      ControlledGrid grid, GridMember host, NamedNodes nodes, ObservedTier tier, EventLog events) {
    this.grid = grid;
    this.host = host;
    this.nodes = nodes;
    this.tier = tier;
    this.events = events;
    this.work = new NodeWork(host);
  }

  /** Does an action and writes its result, before the program ends if that is the action. */
  void act(RunAction action, Writer out) throws IOException {
    var result = result(action);
    out.write(ControlServer.OK + "\n" + ControlJson.MAPPER.writeValueAsString(result) + "\n");
    if (action instanceof RunAction.Cancel) {
      out.flush();
      System.exit(CANCELLED);
    }
  }

  private ActionResult result(RunAction action) {
    return switch (action) {
      case RunAction.Cancel() -> {
        events.add("cancel", host.self().name(), BY_REQUEST);
        yield ActionResult.of("the program was asked to end, and its nodes with it");
      }
      case RunAction.Observe(var name, var seconds) -> observe(name, Duration.ofSeconds(seconds));
      case RunAction.Press(var panel, var button) -> press(panel, button);
      case RunAction.Release(var node) -> release(nodes.member(node));
      case RunAction.Request(var virtualNode, var more) -> request(virtualNode, more);
      case RunAction.CollectGarbage(var node) ->
          ask("collect", nodes.member(node), NodeUpkeep::collectGarbage);
      case RunAction.SetLogLevel(var node, var logger, var level, var seconds) ->
          setLogLevel(node, logger, level, seconds);
      case RunAction.DumpHeap(var name) -> dumpHeap(nodes.member(name));
    };
  }

  private ActionResult observe(String name, Duration within) {
    var change =
        tier.set(RefusedRequestException.unlessWrong(() -> ObservationTier.named(name)), within);
    var seconds = within.toSeconds();
    var until = within.isZero() ? "" : " for " + seconds + " s";
    var end =
        within.isZero()
            ? "when that has ended, the tier will be"
            : "if that ends within %d s, the tier will then be".formatted(seconds);
    return new ActionResult(
        change.isInForce()
            ? "the program and its nodes observe '%s'%s".formatted(name, until)
            : "a trace is being recorded, for which the tier is 'trace'; %s '%s'"
                .formatted(end, name),
        change.silent(),
        false);
  }

  private ActionResult press(String panel, String button) {
    grid.panels().press(panel, button);
    events.add("press", "", "'%s' of the panel '%s', %s".formatted(button, panel, BY_REQUEST));
    return ActionResult.of("'" + button + "' was pressed");
  }

  private ActionResult release(Node node) {
    var name = node.name();
    if (node.equals(host.self())) {
      throw new RefusedRequestException(
          "'%s' is the program itself; cancel the run to end it".formatted(name));
    }
    events.add("release", name, BY_REQUEST);
    host.nodes("")
        .release(node)
        .whenComplete(
            (_, failure) -> {
              if (failure != null) {
                LOG.log(Level.WARNING, "node ''{0}'' was not released: {1}", name, failure);
              }
            });
    return ActionResult.of("node '" + name + "' is being released");
  }

  private ActionResult request(String virtualNode, int more) {
    if (more < 1 || more > RunAction.Request.MOST_NODES) {
      throw new RefusedRequestException(RunAction.Request.refusal(more));
    }
    if (grid.isEnding()) {
      throw ending(null);
    }
    var outcome = RefusedRequestException.unlessWrong(() -> started(virtualNode, more));
    var started = outcome.started();
    var problems = listed(outcome.problems(), "; ");
    if (started.isEmpty()) {
      throw RefusedRequestException.ofRun(
          problems.isEmpty()
              ? "no node was started: no element of the descriptor can have more"
              : "no node was started: " + problems,
          null);
    }
    var of = virtualNode.isEmpty() ? "" : " of '" + virtualNode + "'";
    if (problems.isEmpty()) {
      var what = (more == 1 ? "1 more node" : more + " more nodes") + of;
      events.add("request", "", what + ", " + BY_REQUEST);
      var hasBatchJobs = grid.jobs().stream().anyMatch(each -> !each.system().equals("local"));
      return ActionResult.of(
          what
              + " will join when started"
              + (hasBatchJobs ? "; the dashboard shows the state of a batch job under Jobs" : ""));
    }
    var what =
        "only %d of %d more nodes%s will join when started: %s; others were not started: %s"
            .formatted(
                started.size(),
                started.size() + outcome.problems().size(),
                of,
                listed(started, ", "),
                problems);
    events.add("request", "", what + ", " + BY_REQUEST);
    return ActionResult.partial(what);
  }

  /** Requests nodes of a grid that may begin to end meanwhile. */
  private StartedNodes started(String virtualNode, int more) {
    try {
      return grid.request(virtualNode, more);
    } catch (IllegalStateException e) {
      if (grid.isEnding()) {
        throw ending(e);
      }
      throw e;
    }
  }

  private static RefusedRequestException ending(@Nullable Throwable cause) {
    return RefusedRequestException.ofRun("the run is ending, and gets no more nodes", cause);
  }

  private static String listed(List<String> all, String separator) {
    var rest = all.size() - MOST_NAMED;
    return all.stream().limit(MOST_NAMED).collect(Collectors.joining(separator))
        + (rest > 0 ? " and %d more".formatted(rest) : "");
  }

  private ActionResult setLogLevel(String node, String logger, String level, int seconds) {
    if (seconds < 1 || seconds > LONGEST_SECONDS) {
      throw new RefusedRequestException(
          "a log level cannot last %d s; give 1 to %d".formatted(seconds, LONGEST_SECONDS));
    }
    var chosen = node.isEmpty() ? nodes.members("") : List.of(nodes.member(node));
    return ask("log-level", node, chosen, its -> its.setLogLevel(logger, level, seconds));
  }

  private ActionResult dumpHeap(Node node) {
    var run = grid.run();
    var silence = FutureRuntime.nanos(grid.silence());
    return ask("heap-dump", node, its -> its.dumpHeap(run, node.name(), node.host(), silence));
  }

  private ActionResult ask(String event, Node node, Ref.Asked<NodeUpkeep, String> what) {
    return ask(event, node.name(), List.of(node), what);
  }

  /** Lets nodes do some work, and waits for some time; an event tells how it has ended. */
  private ActionResult ask(
      String event, String name, List<Node> chosen, Ref.Asked<NodeUpkeep, String> what) {
    var answers = work.ask(chosen, what);
    var end =
        answers.all().thenRun(() -> events.add(event, name, text(answers) + ", " + BY_REQUEST));
    end.copy().completeOnTimeout(null, PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    var result = answers.result();
    return result.silent().isEmpty() ? result : result.and("an event will say how it has ended");
  }

  private static String text(NodeWork.Answers answers) {
    try {
      return answers.result().done();
    } catch (RefusedRequestException e) {
      return "refused: " + e.getMessage();
    }
  }
}
