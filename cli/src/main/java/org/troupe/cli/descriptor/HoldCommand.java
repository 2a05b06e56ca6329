package org.troupe.cli.descriptor;

import java.io.IOException;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DescriptorFile;
import org.troupe.cli.command.FailureReport;
import org.troupe.deployment.runs.Hold;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code hold}: gets machines of batch systems for several runs. */
@Command(
    name = "hold",
    description = {
      "Holds the machines of a descriptor for several runs.",
      "%nSubmits its jobs: 'run --on ID' runs a program on their machines, and a "
          + "changed one again, without another wait in the queue.%n",
      "The machines are given back at the time limit of the descriptor (wallTime), "
          + "or by 'cancel --of ID'."
    })
public final class HoldCommand extends CliCommand {

  @Mixin private DescriptorFile descriptor;

  @Override
  public Integer call() {
    try {
      var hold = Hold.of(descriptor.read());
      hold.lines().forEach(out()::println);
      out()
          .printf(
              "held as %s; next: troupe run --on %s APP ..., and troupe cancel --of %s%n",
              hold.id(), hold.id(), hold.id());
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      err().println(e.getMessage());
      return ExitCode.USAGE;
    } catch (IOException e) {
      err().println("troupe hold: " + e.getMessage());
      return FailureReport.DEPLOYMENT;
    }
  }
}
