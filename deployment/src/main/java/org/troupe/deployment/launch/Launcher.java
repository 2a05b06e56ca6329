package org.troupe.deployment.launch;

import java.io.IOException;
import java.util.List;
import org.troupe.activeobjects.Node;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.SshJvms;

/** Starts the JVMs of one infrastructure element. */
public interface Launcher {

  /** Returns the launcher of this kind of element. */
  static Launcher of(Infrastructure element, List<String> virtualNodes, MachineRegistry machines) {
    return switch (element) {
      case LocalJvms local -> new LocalLauncher(local, virtualNodes, machines.run());
      case SshJvms ssh -> new SshLauncher(ssh, virtualNodes, machines);
      case BatchJvms batch -> new BatchLauncher(batch, virtualNodes, machines);
      case KubernetesJvms pods -> new KubernetesLauncher(pods, virtualNodes, machines);
    };
  }

  /** Returns the problems that are visible before anything is started. */
  List<String> problems();

  /** Returns the nodes that the element asks for. */
  List<PlannedNode> nodes();

  /**
   * Returns more nodes than the element asks for, which can then be started.
   *
   * @param planned the number of nodes planned so far, those that have ended included
   * @param count the number of nodes wanted; the result may have more, to fill whole machines of a
   *     batch job
   */
  List<PlannedNode> more(int planned, int count);

  /** Describes to users the steps that are done once for all its nodes; empty if there are none. */
  default String preparation() {
    return "";
  }

  /** Returns the state of the jobs of the element; empty if there is nothing to say. */
  default List<JobStatus> jobs() {
    return List.of();
  }

  /** Called when one of its nodes has joined; may be called by several threads at the same time. */
  default void joined(Node node) {
    // Most launchers have nothing more to do.
  }

  /** Starts one of the nodes, which then waits for its settings on its standard input. */
  StartedProcess start(PlannedNode node) throws IOException;
}
