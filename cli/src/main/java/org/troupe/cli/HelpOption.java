package org.troupe.cli;

import picocli.CommandLine.Option;

/** The option that every verb has, except where all options are a program's. */
final class HelpOption {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Prints this help.")
  private boolean help;
}
