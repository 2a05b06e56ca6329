package org.troupe.em3d.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.DescriptorException;
import org.troupe.em3d.mesh.MeshException;
import org.troupe.em3d.state.CheckpointException;

/** Collects the errors of all options, to be reported together before anything is started. */
final class OptionErrors {

  private final List<String> messages = new ArrayList<>();

  void add(String what) {
    messages.add(what);
  }

  /** Evaluates a supplier; records its exception and returns {@code null} instead of throwing. */
  <T> @Nullable T attempt(Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException
        | MeshException
        | CheckpointException
        | DescriptorException e) {
      add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Runs an action; records its exception instead of throwing. */
  void check(Runnable what) {
    attempt(
        () -> {
          what.run();
          return true;
        });
  }

  /**
   * Adds a reference to the help to the last error; for errors of options, as the help does not
   * describe problems or meshes.
   */
  void nameHelp() {
    if (!messages.isEmpty()) {
      messages.add(messages.removeLast() + "; see --help");
    }
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** Returns one error per line. */
  @Override
  public String toString() {
    return String.join(System.lineSeparator(), messages);
  }
}
