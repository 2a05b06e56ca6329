package org.troupe.benchmarks.models;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.sides.ServerGrid;

/** Starts the sides of this package: JVMs that use all cores, with one worker on each node. */
final class ModelSides {

  private static final List<String> OPTIONS =
      List.of("-Xmx512m", "-XX:+UseSerialGC", property("troupe.tasks.workers", 1));

  private ModelSides() {}

  static ContenderProcess start(Class<?> main, Object... arguments) throws IOException {
    return start(main, List.of(property(ServerGrid.TRANSPORT, "ibis")), arguments);
  }

  /** Starts a side with further JVM options, which its nodes get, too. */
  static ContenderProcess start(Class<?> main, List<String> options, Object... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(OPTIONS);
    all.addAll(JvmCommand.TROUPE_OPTIONS);
    all.addAll(options);
    return ContenderProcess.start(main, CorePinning.NONE, all, arguments);
  }

  static String property(String name, Object value) {
    return "-D" + name + "=" + value;
  }
}
