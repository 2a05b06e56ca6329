package org.troupe.em3d;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The failures that a run is tested with. */
enum Disaster {
  NODE_KILLED {
    @Override
    void strike(DoomedRun run, Random random) throws Exception {
      var nodes = run.nodes();
      if (!nodes.isEmpty()) {
        kill(nodes.get(random.nextInt(nodes.size())).pid());
      }
    }
  },
  LAUNCHER_KILLED {
    @Override
    void strike(DoomedRun run, Random random) {
      run.process().destroyForcibly();
    }

    @Override
    int exitCode() {
      return 137;
    }
  },
  LAUNCHER_TERMINATED {
    @Override
    void strike(DoomedRun run, Random random) {
      run.process().destroy();
    }

    @Override
    int exitCode() {
      return 143;
    }
  },
  LINK_CUT {
    @Override
    void strike(DoomedRun run, Random random) throws Exception {
      var site = any(random, "alpha", "gamma", "delta");
      testgrid("cut", site, any(random, "launcher", "launcher", "beta"));
      run.pass(random.nextInt(20_000));
      testgrid("heal");
    }
  },
  MACHINE_LOST {
    @Override
    void strike(DoomedRun run, Random random) throws Exception {
      testgrid("kill", any(random, "alpha-1", "alpha-2", "gamma-1", "beta-1", "delta-1"));
    }
  },
  FRONT_END_LOST {
    @Override
    void strike(DoomedRun run, Random random) throws Exception {
      testgrid("kill", any(random, "alpha-fe", "gamma-fe", "delta-gw"));
    }
  };

  /** Those that need no test grid. */
  static final List<Disaster> LOCAL = List.of(NODE_KILLED, LAUNCHER_KILLED, LAUNCHER_TERMINATED);

  abstract void strike(DoomedRun run, Random random) throws Exception;

  /** Returns the exit code of the program after this failure. */
  int exitCode() {
    return 0;
  }

  private static String any(Random random, String... some) {
    return some[random.nextInt(some.length)];
  }

  private static void kill(long pid) throws Exception {
    signal("KILL", pid);
  }

  /** Sends a signal by its name; a process may have ended just before. */
  static void signal(String name, long pid) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Undoes what was done to the test grid. */
  static void repair() throws Exception {
    testgrid("heal");
  }

  private static void testgrid(String... arguments) throws Exception {
    output(Stream.concat(Stream.of(System.getenv("TESTGRID")), Stream.of(arguments)).toList());
  }

  /** Returns what a command prints; it may fail. */
  static String on(String host, String command) throws Exception {
    var builder =
        new ProcessBuilder("ssh", "-F", System.getenv("TESTGRID_SSH_CONFIG"), host, command);
    var process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void output(List<String> command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(command + ": " + said).isZero();
  }
}
