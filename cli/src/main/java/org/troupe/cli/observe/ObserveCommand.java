package org.troupe.cli.observe;

import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.OtherMachine;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code observe}: changes what a running deployment records of requests. */
@Command(
    name = "observe",
    description = {
      "Changes what a running deployment records of requests.",
      "%nThe program and its nodes record of them:",
      "  off     nothing",
      "  counts  how many, per class and method",
      "  times   also how long a sample of them waits and takes",
      "  trace   also the last 65,536 requests of a node, one by one"
    })
public final class ObserveCommand extends CliCommand {

  private static final List<String> TIERS = List.of("off", "counts", "times", "trace");
  private static final Duration TRACE = Duration.ofMinutes(1); // the most costly one ends by itself
  private static final Duration LONGEST = Duration.ofDays(365);

  @Mixin private OtherMachine machine;

  @Mixin private DeploymentSelection deployments;

  @Parameters(paramLabel = "TIER", description = "off, counts, times or trace.")
  private String tier = "";

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "For how long, such as PT30S (default: for good; trace: PT1M).")
  private String within = "";

  @Override
  public Integer call() throws IOException {
    if (!TIERS.contains(tier)) {
      throw wrong(
          "there is no tier of observation '%s'; choose from %s"
              .formatted(tier, String.join(", ", TIERS)));
    }
    var duration = duration();
    try {
      var action = new RunAction.Observe(tier, Math.toIntExact(duration.toSeconds()));
      var result = deployments.one().act(action);
      out().println(result.done());
      var silent = result.silent();
      if (silent.isEmpty()) {
        return ExitCode.OK;
      }
      err()
          .println(
              "no answer within 2 s from "
                  + String.join(", ", silent)
                  + "; they may be lost, or busy");
      return ExitCode.SOFTWARE;
    } catch (RefusedRequestException e) {
      throw deployments.wrong(e);
    }
  }

  private Duration duration() {
    if (within.isEmpty()) {
      return tier.equals("trace") ? TRACE : Duration.ZERO;
    }
    try {
      var duration = Duration.parse(within);
      if (duration.toSeconds() > 0 && duration.compareTo(LONGEST) < 0) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // reported below
    }
    throw wrong("--for " + within + " is no duration of seconds or more; write one such as PT30S");
  }
}
