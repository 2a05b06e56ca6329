package org.troupe.deployment;

import java.util.Optional;

/** A process on another machine, which can end for reasons that an exit code does not tell. */
abstract class RemoteProcess extends Process {

  /** Says why it ended, if there is more to say than its exit code. */
  abstract Optional<String> explanation();

  /** Says how far it is, and what it waits for, if it is not running yet. */
  Optional<String> progress() {
    return Optional.empty();
  }
}
