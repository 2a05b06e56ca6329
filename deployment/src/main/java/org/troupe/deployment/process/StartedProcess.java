package org.troupe.deployment.process;

import java.io.IOException;
import java.util.Optional;
import org.troupe.deployment.node.NodeSettings;

/**
 * A process that has been started on some machine. The defaults are those of a process on this
 * machine, whose end and exit code are known at once.
 */
public interface StartedProcess {

  /** Returns the process. */
  Process process();

  /** Returns a process of this machine. */
  static StartedProcess local(Process process) {
    return () -> process;
  }

  /**
   * Sends the node its settings; the input stays open.
   *
   * @throws IOException if the process has ended
   */
  default void send(NodeSettings settings) throws IOException {
    settings.write(process().getOutputStream());
  }

  /** Returns whether the process runs on another machine, or may. */
  default boolean isRemote() {
    return false;
  }

  /** Returns the reason for the end of the process, if its exit code does not state it. */
  default Optional<String> explanation() {
    return Optional.empty();
  }

  /** Returns how a batch system describes the end; empty if there is none, or no description. */
  default String scheduler() {
    return "";
  }

  /** Returns whether the process ignores the end of its input, once it runs. */
  default boolean hasNoInput() {
    return false;
  }

  /** Returns whether another node relays the process, and so should end after it. */
  default boolean isStartedByNode() {
    return false;
  }

  /** Returns whether the process ended, or never ran, only because the relaying node was lost. */
  default boolean isOrphan() {
    return false;
  }

  /** Looks soon whether the process has ended, since its node does not answer. */
  default void checkEnd() {}

  /** Returns what the start waits for, if the process does not run yet. */
  default Optional<String> progress() {
    return Optional.empty();
  }
}
