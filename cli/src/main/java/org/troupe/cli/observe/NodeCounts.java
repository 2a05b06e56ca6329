package org.troupe.cli.observe;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.cli.command.CliCommand;
import org.troupe.deployment.model.NodeStatus;

/**
 * How many nodes of a deployment are up, in the words of the page. The program itself is no node.
 */
final class NodeCounts {

  private static final String JOINED = "joined";
  private static final String SILENT = "silent";
  private static final String ENDED = "ended";
  private static final String RELEASED = "released";

  private NodeCounts() {}

  /**
   * Returns the state of a node, which is {@code silent} if it has joined and does not answer, and
   * {@code released} if it has ended for that reason.
   */
  static String state(String state, String detail, boolean isSilent) {
    if (state.equals(ENDED) && detail.equals(NodeStatus.RELEASED)) {
      return RELEASED;
    }
    return isSilent && state.equals(JOINED) ? SILENT : state;
  }

  /**
   * Returns how many nodes are in each state, such as {@code 3 of 4 nodes up, 1 ended}. One that
   * was released is not missing.
   */
  static String text(List<String> states) {
    var wanted = states.size() - Collections.frequency(states, RELEASED);
    var others =
        Stream.of("starting", SILENT, ENDED, RELEASED)
            .filter(states::contains)
            .map(state -> ", " + Collections.frequency(states, state) + " " + state)
            .collect(joining());
    return Collections.frequency(states, JOINED)
        + " of "
        + CliCommand.count(wanted, "node")
        + " up"
        + others;
  }
}
