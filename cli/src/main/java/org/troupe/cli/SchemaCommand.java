package org.troupe.cli;

import org.troupe.descriptors.DescriptorSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code schema}: prints the schema, for editors. */
@Command(name = "schema", description = "Prints the XML schema of deployment descriptors.")
final class SchemaCommand extends CliCommand {

  @Override
  public Integer call() {
    out().println(DescriptorSchema.xsd().stripTrailing());
    return ExitCode.OK;
  }
}
