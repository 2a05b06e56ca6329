package org.troupe.deployment.model;

import java.util.List;
import org.troupe.descriptors.SourcePosition;

/**
 * A node that is to be started. Immutable.
 *
 * @param name unique in the grid: the id of the infrastructure element and a number
 * @param virtualNodes the virtual nodes that are mapped to its element
 * @param host the host on which it runs
 * @param shellCommand the command that starts it, as a user could type it here; it contains no
 *     secrets. Launchers execute the equivalent without a shell, with the paths that they find on
 *     the machine
 * @param place the position of its infrastructure element
 */
public record PlannedNode(
    String name,
    List<String> virtualNodes,
    String host,
    String shellCommand,
    SourcePosition place) {

  /** Copies the list. */
  public PlannedNode {
    virtualNodes = List.copyOf(virtualNodes);
  }

  /** Returns the id of the infrastructure element. */
  public String element() {
    return name.substring(0, name.lastIndexOf('-'));
  }
}
