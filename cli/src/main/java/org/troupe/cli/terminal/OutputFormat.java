package org.troupe.cli.terminal;

import picocli.CommandLine.Option;

/** The option for the output format of a verb. */
public final class OutputFormat {

  /** A table for users, or JSON for programs. */
  enum Kind {
    table,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table (default), or json for programs.")
  private Kind kind;

  public boolean isJson() {
    return kind == Kind.json;
  }
}
