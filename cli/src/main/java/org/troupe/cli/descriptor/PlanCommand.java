package org.troupe.cli.descriptor;

import java.io.PrintWriter;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DescriptorFile;
import org.troupe.cli.command.FailureReport;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.deployment.Plan;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Variable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code plan}: shows the nodes that a deployment would start. */
@Command(
    name = "plan",
    description = {
      "Prints the JVMs that a deployment would start.",
      "%nIt says where and how, and starts nothing."
    })
public final class PlanCommand extends CliCommand {

  @Mixin private DescriptorFile descriptor;

  @Mixin private ListLimit limit;

  @Override
  public Integer call() {
    Descriptor read = descriptor.read();
    PrintWriter out = out();
    for (Variable variable : read.variables()) {
      out.println(variable.name() + " = '" + variable.value() + "' (" + variable.origin() + ")");
    }
    Plan plan = Plan.of(read);
    List<String> lines = plan.toString().lines().toList();
    limit.shown(lines).forEach(out::println);
    limit.printRest(lines, "lines", out);
    limit.shown(plan.problems()).forEach(err()::println);
    limit.printRest(plan.problems(), "problems", err());
    return plan.problems().isEmpty() ? ExitCode.OK : FailureReport.DEPLOYMENT;
  }
}
