package org.troupe.cli.descriptor;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DescriptorFile;
import org.troupe.cli.command.FailureReport;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.deployment.Doctor;
import org.troupe.deployment.Doctor.Finding;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code doctor}: checks the prerequisites of a deployment. */
@Command(
    name = "doctor",
    description = {
      "Checks every machine of a descriptor; starts no node.",
      "%nChecks whether it can be reached, and its Java, batch system, disk space and "
          + "clock. The exit code is 3 if a check fails."
    })
public final class DoctorCommand extends CliCommand {

  @Mixin private DescriptorFile descriptor;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Override
  public Integer call() {
    PrintWriter out = out();
    List<Finding> findings = Doctor.examine(descriptor.read());
    if (format.isJson()) {
      out.println(Doctor.toJson(findings));
    } else {
      print(findings, out);
    }
    return findings.stream().anyMatch(each -> each.grade() == Finding.Grade.BAD)
        ? FailureReport.DEPLOYMENT
        : ExitCode.OK;
  }

  private void print(List<Finding> findings, PrintWriter out) {
    List<Finding> worstFirst =
        findings.size() == limit.shown(findings).size()
            ? findings
            : findings.stream().sorted(Comparator.comparing(Finding::grade).reversed()).toList();
    for (Finding each : limit.shown(worstFirst)) {
      out.printf(
          "%-8s %s: %s%s%n",
          switch (each.grade()) {
            case WELL -> "ok";
            case WARNING -> "warning";
            case BAD -> "BAD";
          },
          each.where(),
          each.what(),
          each.remedy().isEmpty() ? "" : "; " + each.remedy());
    }
    limit.printRest(findings, "findings", out);
  }
}
