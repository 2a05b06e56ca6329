package org.troupe.descriptors;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A machine that is reached over ssh. Absent values come from the user's ssh configuration.
 * Immutable.
 *
 * @param id unique in the descriptor; for a host of a list, the host's own name
 * @param host the name of a machine, or of a section of the ssh configuration
 * @param identity the file with the private key, an absolute path
 * @param hostKeys the policy for the host's key
 * @param via all gateways to the machine, the nearest first; each has the gateways before it as its
 *     own
 * @param place the position of the element
 */
public record Login(
    String id,
    String host,
    OptionalInt port,
    Optional<String> user,
    Optional<Path> identity,
    HostKeys hostKeys,
    List<Login> via,
    SourcePosition place) {

  /** Copies the list. */
  public Login {
    via = List.copyOf(via);
  }

  /** A policy for unknown host keys. */
  public enum HostKeys {
    /** The host is rejected. */
    STRICT,
    /** The key is added to the known ones; a key that differs from the known one is rejected. */
    ACCEPT_NEW
  }
}
