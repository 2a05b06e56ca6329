package org.troupe.cli.launch;

import picocli.CommandLine.Command;

/** {@code bench}: runs the benchmarks. */
@Command(
    name = "bench",
    description = "Runs the benchmarks; 'troupe bench --help' lists them.",
    customSynopsis =
        "troupe bench [NAME...] [--quick] [--long] [--record FILE] [--csv FILE] [--png FOLDER]")
public final class BenchCommand extends ProgramCommand {

  BenchCommand() {
    super("org.troupe.benchmarks.Main", "benchmarks");
  }
}
