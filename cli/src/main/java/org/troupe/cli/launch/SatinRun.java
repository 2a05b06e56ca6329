package org.troupe.cli.launch;

import ibis.satin.impl.Satin;
import ibis.satin.weave.ClassPathWeaver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.program.JavaProgram;
import org.troupe.cli.program.ProgramException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.descriptors.Descriptor;

/** Runs a Satin program, whose classes the start script has woven, in this JVM and on nodes. */
public final class SatinRun {

  /** The folder of the woven classes, which the start script has made for this run. */
  private static final String WOVEN = "troupe.woven";

  private SatinRun() {}

  /**
   * Runs a program.
   *
   * @param descriptor that of the nodes; {@code null} if there are none
   */
  static void run(JavaProgram program, List<String> arguments, @Nullable Descriptor descriptor)
      throws ProgramException {
    if (descriptor == null) {
      program.run(arguments);
      return;
    }
    program.announce();
    GridOptions options = GridOptions.standard().withJvmOptions(Satin.nodeOptions());
    try (Grid deployed = Grid.deploy(descriptor, options)) {
      Satin.useNodes(deployed.nodes());
      program.run(arguments);
    }
  }

  /**
   * Deletes the woven classes when this JVM ends, if the start script has made some, also if the
   * command line turns out to be wrong.
   */
  public static void deleteWovenAtTheEnd() {
    String woven = System.getProperty(WOVEN);
    if (woven != null) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(Path.of(woven))));
    }
  }

  private static void delete(Path woven) {
    try {
      ClassPathWeaver.delete(woven);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
