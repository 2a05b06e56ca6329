package org.troupe.cli;

import org.troupe.descriptors.DescriptorSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code schema}: for editors that check and complete XML. */
@Command(name = "schema", description = "Prints the XML schema of deployment descriptors.")
final class SchemaCommand extends CliCommand {

  @Override
  public Integer call() {
    out().println(DescriptorSchema.xsd().stripTrailing());
    return ExitCode.OK;
  }
}
