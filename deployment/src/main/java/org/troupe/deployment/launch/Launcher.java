package org.troupe.deployment.launch;

import java.io.IOException;
import java.util.List;
import org.troupe.activeobjects.Node;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Infrastructure;
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
    };
  }

  /** Returns what can be known to be wrong before anything is started; starts nothing. */
  List<String> problems();

  /** Returns the nodes that the element asks for. */
  List<PlannedNode> nodes();

  /**
   * Returns more nodes than the element asks for, which can then be started.
   *
   * @param planned how many there are already, those that have ended too
   * @param count how many are wanted; there may be more, where they come in bundles
   */
  List<PlannedNode> more(int planned, int count);

  /**
   * Returns what is done once for all its nodes, for users who want to see it; empty if nothing.
   */
  default String preparation() {
    return "";
  }

  /** One of its nodes has joined; may hear of several at once. */
  default void joined(Node node) {
    // Most have done their part.
  }

  /** Starts one of the nodes; it then waits for its settings on its standard input. */
  StartedProcess start(PlannedNode node) throws IOException;
}
