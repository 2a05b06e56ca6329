package org.troupe.cli.descriptor;

import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DescriptorFile;
import org.troupe.descriptors.Descriptor;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code validate}: checks a descriptor. */
@Command(
    name = "validate",
    description = "Checks a deployment descriptor and reports all problems.")
public final class ValidateCommand extends CliCommand {

  @Mixin private DescriptorFile descriptor;

  @Override
  public Integer call() {
    Descriptor read = descriptor.read();
    out()
        .println(
            descriptor.file()
                + " is valid: "
                + count(read.virtualNodes().size(), "virtual node")
                + " on "
                + count(read.infrastructure().size(), "infrastructure"));
    return ExitCode.OK;
  }
}
