package org.troupe.em3d.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.troupe.descriptors.DescriptorException;
import org.troupe.em3d.mesh.MeshException;
import org.troupe.em3d.state.CheckpointException;

/** What is wrong with what the user wants, to be told all at once before anything is started. */
final class OptionErrors {

  private final List<String> told = new ArrayList<>();

  void add(String what) {
    told.add(what);
  }

  /** Notes what is wrong instead of throwing it; there is {@code null} then. */
  <T> T attempt(Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException
        | MeshException
        | CheckpointException
        | DescriptorException e) {
      add(e.getMessage());
      return null;
    }
  }

  /** Names the help, for mistakes in options: it tells nothing of problems or meshes. */
  void nameHelp() {
    if (!told.isEmpty()) {
      told.add(told.removeLast() + "; see --help");
    }
  }

  boolean isEmpty() {
    return told.isEmpty();
  }

  /** One in a line. */
  @Override
  public String toString() {
    return String.join(System.lineSeparator(), told);
  }
}
