package org.troupe.cli;

import org.troupe.descriptors.DescriptorSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code schema}: for editors that check and complete XML. */
@Command(name = "schema", description = "Prints the XML schema of deployment descriptors.")
final class SchemaCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Override
  public void run() {
    spec.commandLine().getOut().println(DescriptorSchema.xsd().stripTrailing());
  }
}
