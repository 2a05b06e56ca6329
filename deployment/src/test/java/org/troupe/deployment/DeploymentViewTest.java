package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.NodeStatus.State;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.descriptors.SourcePosition;

/** The display of a deployment, with made-up states. */
class DeploymentViewTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private List<NodeStatus> now = List.of();

  private DeploymentView view(int width) {
    return new DeploymentView(
        () -> now, new PrintStream(printed, true, StandardCharsets.UTF_8), width);
  }

  private static NodeStatus node(String name, State state, String detail) {
    var plan =
        new PlannedNode(name, List.of("v"), "host", "java", new SourcePosition("grid.xml", 7, 5));
    return new NodeStatus(plan, "host", OptionalLong.empty(), state, detail);
  }

  private List<String> shown() {
    var text = printed.toString(StandardCharsets.UTF_8).replaceAll("nodes?, \\d+ s", "nodes, T");
    printed.reset();
    return text.lines().toList();
  }

  @Test
  void elsewhereALineIsPrintedWhenItSaysSomethingNew() {
    var view = view(0);
    var here = node("here-1", State.JOINED, "");
    now =
        List.of(
            here,
            node("queue-1", State.STARTING, "queued for 3 s, job 7: PENDING (Priority)"),
            node("queue-2", State.STARTING, "queued for 3 s, job 7: PENDING (Priority)"));
    view.refresh();
    assertThat(shown())
        .containsExactly(
            "here   1 of 1 nodes, T",
            "queue  0 of 2 nodes, T: queued for 3 s, job 7: PENDING (Priority)");

    now =
        List.of(
            here,
            node("queue-1", State.STARTING, "queued for 4 s, job 7: PENDING (Priority)"),
            node("queue-2", State.STARTING, "queued for 4 s, job 7: PENDING (Priority)"));
    view.refresh();
    assertThat(shown()).isEmpty();

    now =
        List.of(
            here,
            node("queue-1", State.JOINED, ""),
            node("queue-2", State.ENDED, "killed\nits last words"));
    view.refresh();
    assertThat(shown()).containsExactly("queue  1 of 2 nodes, 1 ended, 0 s: killed");
  }

  @Test
  void reasonsCannotControlTheTerminal() {
    now = List.of(node("queue-1", State.STARTING, "queued: \u001b[2J\rnot\u009b5n"));

    view(0).refresh();

    assertThat(shown()).containsExactly("queue  0 of 1 nodes, T: queued: ?[2J?not?5n");
  }

  @Test
  void onATerminalTheLinesAreDrawnAgainAndNeverWrap() {
    var view = view(40);
    var nodes = new ArrayList<NodeStatus>();
    nodes.add(node("a-1", State.STARTING, "waits for " + "a very long reason ".repeat(9)));
    nodes.add(node("b-1", State.STARTING, ""));
    now = nodes;
    view.refresh();
    assertThat(shown())
        .allMatch(line -> line.endsWith("\u001b[K") && line.length() <= 40 + 2)
        .hasSize(2);

    now = List.of(node("a-1", State.JOINED, ""), node("b-1", State.JOINED, ""));
    view.close();

    assertThat(shown())
        .containsExactly("\u001b[2Aa  1 of 1 nodes, T\u001b[K", "b  1 of 1 nodes, T\u001b[K");
  }

  @Test
  void nothingIsShownOfADeploymentThatIsSoonComplete() {
    now = List.of(node("a-1", State.JOINED, ""));

    view(0).close();

    assertThat(shown()).isEmpty();
  }
}
