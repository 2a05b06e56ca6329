package org.troupe.descriptors;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A machine that is reached over ssh. What is absent comes from the user's ssh configuration, where
 * there is one for the host. Immutable.
 *
 * @param id unique in the descriptor; for a host of a list, the host's own name
 * @param host a name of a machine, or of a section of the ssh configuration
 * @param identity a file with a private key; absolute
 * @param hostKeys what is done about the host's key
 * @param via all machines to go through, the nearest first; each has those before it as its own
 * @param place of the element
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

  /** What is done about a host's key that is not known. */
  public enum HostKeys {
    /** The host is refused. */
    STRICT,
    /** The key is noted as known; one that differs from the known is refused. */
    ACCEPT_NEW
  }
}
