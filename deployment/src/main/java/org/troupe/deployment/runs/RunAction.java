package org.troupe.deployment.runs;

import java.util.List;

/**
 * A change of a run that another process of its user asks for. Immutable. The constructors take
 * what users have given; {@link RunActions} refuses what cannot be done.
 */
public sealed interface RunAction {

  /** Ends the program, as Ctrl-C would. */
  record Cancel() implements RunAction {}

  /**
   * Changes what the program and the nodes record of requests.
   *
   * @param seconds for how long; 0 for good
   */
  record Observe(String tier, int seconds) implements RunAction {}

  /** Ends a node in order. */
  record Release(String node) implements RunAction {}

  /** Does what a button of a panel of the program says. */
  record Press(String panel, String button) implements RunAction {}

  /**
   * Starts more nodes.
   *
   * @param virtualNode the virtual node that they are to be of; empty for any
   */
  record Request(String virtualNode, int nodes) implements RunAction {

    /** How many nodes one request asks for at most. */
    public static final int MOST_NODES = 1_000;

    /** Returns why a request for a number of nodes is refused that is too small or too large. */
    public static String refusal(int nodes) {
      return "%d is no number of nodes to request; ask for 1 to %d".formatted(nodes, MOST_NODES);
    }
  }

  /** Collects the garbage of a node. */
  record CollectGarbage(String node) implements RunAction {}

  /**
   * Changes from which level on a logger logs.
   *
   * @param node the name of a node; empty for all that are there and the program
   * @param logger its name; empty for the root of all
   * @param level the name of a {@link System.Logger.Level}
   */
  record SetLogLevel(String node, String logger, String level, int seconds) implements RunAction {}

  /** Writes the heap of a node to a file on its host. */
  record DumpHeap(String node) implements RunAction {}

  /** Returns the words of the request to the control socket. */
  default List<String> words() {
    return switch (this) {
      case Cancel() -> List.of("cancel");
      case Observe(var tier, var seconds) -> List.of("observe", tier, Integer.toString(seconds));
      case Release(var node) -> List.of("release", node);
      case Press(var panel, var button) -> List.of("press", panel, button);
      case Request(var virtualNode, var nodes) ->
          List.of("request", virtualNode, Integer.toString(nodes));
      case CollectGarbage(var node) -> List.of("collect", node);
      case SetLogLevel(var node, var logger, var level, var seconds) ->
          List.of("log-level", node, logger, level, Integer.toString(seconds));
      case DumpHeap(var node) -> List.of("heap-dump", node);
    };
  }

  /**
   * Returns the action of a request to the control socket.
   *
   * @throws RefusedRequestException if it asks for none
   */
  static RunAction of(RequestWords its) {
    return switch (its.verb()) {
      case "cancel" -> new Cancel();
      case "observe" -> new Observe(its.word(1), its.number(2));
      case "release" -> new Release(its.word(1));
      case "press" -> new Press(its.word(1), its.word(2));
      case "request" -> new Request(its.word(1), its.number(2));
      case "collect" -> new CollectGarbage(its.word(1));
      case "log-level" -> new SetLogLevel(its.word(1), its.word(2), its.word(3), its.number(4));
      case "heap-dump" -> new DumpHeap(its.word(1));
      default -> throw new RefusedRequestException(unknown(its.verb()));
    };
  }

  /** Returns whether a verb asks for an action; others are questions, which change nothing. */
  static boolean isVerb(String verb) {
    return switch (verb) {
      case "cancel",
          "observe",
          "release",
          "press",
          "request",
          "collect",
          "log-level",
          "heap-dump" ->
          true;
      default -> false;
    };
  }

  /** Returns the refusal of a verb that this version does not know, as all versions write it. */
  static String unknown(String verb) {
    return "'" + verb + "' is unknown here";
  }
}
