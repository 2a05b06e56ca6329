package org.troupe.cli;

import java.util.concurrent.Callable;
import org.troupe.descriptors.Descriptor;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code validate}: reads a descriptor and starts nothing. */
@Command(
    name = "validate",
    description = "Checks a deployment descriptor and reports all problems.")
final class ValidateCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Mixin private DescriptorFile descriptor;

  @Override
  public Integer call() {
    Descriptor read = descriptor.read();
    spec.commandLine()
        .getOut()
        .println(
            descriptor.file()
                + " is valid: "
                + count(read.virtualNodes().size(), "virtual node")
                + " on "
                + count(read.infrastructure().size(), "infrastructure"));
    return ExitCode.OK;
  }

  private static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
