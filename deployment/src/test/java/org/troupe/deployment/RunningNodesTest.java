package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.launch.Launcher;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.descriptors.SourcePosition;

/** The processes of a grid, and its coordinator. */
@Timeout(60)
class RunningNodesTest {

  private final List<String> events = new CopyOnWriteArrayList<>();

  /** A launcher of processes that end when they are told to. */
  private final class WaitingProcesses implements Launcher {
    private final List<Process> started = new CopyOnWriteArrayList<>();

    @Override
    public List<String> problems() {
      return List.of();
    }

    @Override
    public List<PlannedNode> nodes() {
      return List.of();
    }

    @Override
    public List<PlannedNode> more(int planned, int count) {
      return List.of();
    }

    @Override
    public StartedProcess start(PlannedNode node) throws IOException {
      var process = new ProcessBuilder("cat").start();
      started.add(process);
      return StartedProcess.local(process);
    }
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void theCoordinatorLearnsOfTheEndOfTheGridBeforeTheFirstProcessEnds() {
    var launcher = new WaitingProcesses();
    var running = new RunningNodes(null, line -> {}, node -> null);
    var nodes = fake(Nodes.class, (proxy, method, arguments) -> null);
    running.admit(
        fake(
            GridMember.class,
            (proxy, method, arguments) -> {
              if (method.getName().equals("endSupervision")) {
                events.add("told while alive: " + launcher.started.getFirst().isAlive());
              }
              return method.getReturnType() == Nodes.class ? nodes : null;
            }));
    var node =
        new PlannedNode("a-1", List.of(), "localhost", "", new SourcePosition("grid.xml", 0, 0));
    assertThat(running.start(List.of(new Plan.Step(node, launcher)))).isEmpty();

    running.end();

    assertThat(events).containsExactly("told while alive: true");
    assertThat(launcher.started).noneMatch(Process::isAlive);
  }

  @Test
  void aNodeThatCouldNotBeReleasedEndsForItsOwnReason() throws Exception {
    var refused = CompletableFuture.<Void>failedFuture(new IllegalStateException("refused"));

    assertThat(endAfterRelease(refused)).isNotEqualTo(NodeStatus.RELEASED).contains("code 0");
    assertThat(endAfterRelease(CompletableFuture.completedFuture(null)))
        .isEqualTo(NodeStatus.RELEASED);
  }

  /** Returns how a node has ended that was to be released before. */
  private String endAfterRelease(CompletableFuture<Void> retired) throws Exception {
    var running = new RunningNodes(null, line -> {}, node -> null);
    var nodes = fake(Nodes.class, (proxy, method, arguments) -> null);
    running.admit(
        fake(
            GridMember.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "nodes" -> nodes;
                  case "retire" -> retired;
                  default -> null;
                }));
    var plan =
        new PlannedNode("a-1", List.of(), "localhost", "", new SourcePosition("grid.xml", 0, 0));
    assertThat(running.start(List.of(new Plan.Step(plan, new WaitingProcesses())))).isEmpty();
    var node = fake(Node.class, (proxy, method, arguments) -> "a-1"); // its name
    var release = running.release(node);
    assertThat(release.isCompletedExceptionally()).isEqualTo(retired.isCompletedExceptionally());

    var process = running.processes().getFirst();
    process.end();
    process.onEnd().get(30, TimeUnit.SECONDS);
    return process.end("; ");
  }
}
