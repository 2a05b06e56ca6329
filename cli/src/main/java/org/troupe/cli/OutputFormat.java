package org.troupe.cli;

import picocli.CommandLine.Option;

/** The option for the output format of a verb. */
final class OutputFormat {

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

  boolean isJson() {
    return kind == Kind.json;
  }
}
