package org.troupe.deployment;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.descriptors.SourcePosition;

/**
 * A node that is to be started. Immutable.
 *
 * @param name unique in the grid: the id of the infrastructure element and a number
 * @param virtualNodes those that are mapped to its element
 * @param host where it runs
 * @param command one argument each; it has no secrets
 * @param environment set on top of the inherited
 * @param workingDirectory empty for the one of the program that deploys
 * @param place the infrastructure element that asks for it
 */
public record PlannedNode(
    String name,
    List<String> virtualNodes,
    String host,
    List<String> command,
    Map<String, String> environment,
    Optional<Path> workingDirectory,
    SourcePosition place) {

  /** Copies the collections. */
  public PlannedNode {
    virtualNodes = List.copyOf(virtualNodes);
    command = List.copyOf(command);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
  }

  /** Returns the name of the infrastructure element; its nodes are numbered. */
  String element() {
    return name.substring(0, name.lastIndexOf('-'));
  }
}
