package org.troupe.descriptors;

import java.util.List;
import java.util.Optional;

/**
 * JVMs on machines that are reached over ssh.
 *
 * @param hosts the machines, at least one
 * @param jvms the number of JVMs on each host, at least one
 * @param workingDirectory a folder on those machines, absolute or relative to the home directory;
 *     empty for the home directory
 */
public record SshJvms(
    String id,
    List<Login> hosts,
    int jvms,
    Jvm jvm,
    Cluster cluster,
    Optional<String> workingDirectory,
    SourcePosition place)
    implements Infrastructure {

  /** Copies the list. */
  public SshJvms {
    hosts = List.copyOf(hosts);
  }
}
