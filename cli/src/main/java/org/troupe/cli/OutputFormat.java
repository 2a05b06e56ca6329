package org.troupe.cli;

import picocli.CommandLine.Option;

/** How a verb prints what it found. */
final class OutputFormat {

  /** For people, or for programs. */
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
