package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.launch.Launcher;
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
}
