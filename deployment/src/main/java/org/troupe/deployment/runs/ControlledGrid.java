package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.troupe.deployment.model.Distance;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.NodeStatus;

/** The report of the control socket on the grid of this program; {@code Grid} provides it. */
public interface ControlledGrid {

  /** Returns the id of the grid's record. */
  String run();

  /** Returns the names of the transport's drivers in use. */
  SortedSet<String> drivers();

  /** Returns the state of each node, in the order of the descriptor. */
  List<NodeStatus> status();

  /** Returns the state of the jobs of all elements. */
  List<JobStatus> jobs();

  /** Returns the options of the JVMs of each element, by its id. */
  Map<String, List<String>> jvmOptions();

  /** Returns the distances between clusters that have been measured. */
  List<Distance> knownDistances();

  /** Returns how long a node may be silent. */
  Duration silence();

  /** Returns the settings of the deployment. */
  GridSettings settings();

  /**
   * Begins to start more nodes.
   *
   * @param virtualNode the virtual node that they are to be of; empty for any
   * @throws IllegalArgumentException if nothing is mapped to it
   */
  StartedNodes request(String virtualNode, int more);

  /** Returns the panels that the program shows. */
  ProgramPanels panels();

  /** Returns whether the grid is being closed. */
  boolean isEnding();

  /** Runs an action when the grid begins to be closed, by the thread that closes it. */
  void onEnding(Runnable action);
}
