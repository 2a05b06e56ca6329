package org.troupe.cli.descriptor;

import org.troupe.cli.command.CliCommand;
import org.troupe.descriptors.DescriptorSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code schema}: prints the schema, for editors. */
@Command(name = "schema", description = "Prints the XML schema of deployment descriptors.")
public final class SchemaCommand extends CliCommand {

  @Override
  public Integer call() {
    out().println(DescriptorSchema.xsd().stripTrailing());
    return ExitCode.OK;
  }
}
