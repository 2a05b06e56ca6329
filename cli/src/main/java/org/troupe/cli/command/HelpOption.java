package org.troupe.cli.command;

import picocli.CommandLine.Option;

/** The option of every verb, except those that pass all options to a program. */
public final class HelpOption {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Prints this help.")
  private boolean help;
}
