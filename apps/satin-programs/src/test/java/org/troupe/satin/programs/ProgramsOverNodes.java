package org.troupe.satin.programs;

import ibis.satin.impl.Satin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.descriptors.Descriptor;
import org.troupe.testing.Polling;
import org.troupe.testing.QuickJvm;

/**
 * Runs programs over JVMs of this machine: their number, the transport, perhaps {@link #KILL}, then
 * {@code CLASS,SIZE} for each program.
 */
final class ProgramsOverNodes {

  /** Lets one of the nodes die while it computes. */
  static final String KILL = "kill";

  /** Is printed when the node has died, and the program has computed its result all the same. */
  static final String LOST = "a node was lost";

  /** The processor time of a node that surely computes, beyond that of its start. */
  private static final Duration COMPUTING = Duration.ofMillis(100);

  private ProgramsOverNodes() {}

  @SuppressWarnings("SystemOut") // read by the test
  static void main(String[] arguments) throws Exception {
    var jvmOptions = new ArrayList<>(Satin.nodeOptions());
    jvmOptions.addAll(QuickJvm.OPTIONS);
    var options = GridOptions.standard().withTransport(arguments[1]).withJvmOptions(jvmOptions);
    var kill = arguments[2].equals(KILL);
    try (var grid = Grid.deploy(Descriptor.local(Integer.parseInt(arguments[0])), options)) {
      Satin.useNodes(grid.nodes().await(Nodes.all(), Duration.ofMinutes(1)));
      for (var program : List.of(arguments).subList(kill ? 3 : 2, arguments.length)) {
        if (kill) {
          runUntilANodeIsLost(program);
        } else {
          run(program);
        }
      }
    }
  }

  /** Repeats a program, and kills a node once it has computed; the program must not notice. */
  private static void runUntilANodeIsLost(String program) throws Exception {
    var victim = ProcessHandle.current().children().findFirst().orElseThrow();
    var killer = killWhenItComputes(victim);
    while (victim.isAlive()) {
      run(program);
    }
    killer.get();
    run(program);
    System.out.println(LOST);
  }

  private static Future<?> killWhenItComputes(ProcessHandle victim) {
    var enough = processorTime(victim).plus(COMPUTING);
    var killer =
        new FutureTask<>(
            () -> {
              Polling.until("a node computes", () -> processorTime(victim).compareTo(enough) >= 0);
              return victim.destroyForcibly();
            });
    Thread.startVirtualThread(killer);
    return killer;
  }

  private static Duration processorTime(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ofDays(1)); // it has ended
  }

  private static void run(String program) throws Exception {
    var words = program.split(",");
    Class.forName("org.troupe.satin.programs." + words[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(words, 1, words.length));
  }
}
