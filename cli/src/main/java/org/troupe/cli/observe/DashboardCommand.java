package org.troupe.cli.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.PageCommand;
import org.troupe.cli.command.RunArgument;
import org.troupe.cli.command.RunSelection;
import org.troupe.dashboard.BrowserWindow;
import org.troupe.dashboard.Dashboard;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.pages.PageOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dashboard}: serves the page that shows runs, until it is ended. */
@Command(
    name = "dashboard",
    description = {
      "Serves a page that shows your runs on this machine.",
      "%nThe page begins with RUN, which may be the id of an ended run or the file of a report, too. "
          + "Prints its address, and serves it until Ctrl-C. The address has secrets: "
          + "anyone who has it can see your runs, and end them.%n",
      "The page is served by a process of its own, which asks the programs; it "
          + "cannot slow them down."
    })
public final class DashboardCommand extends CliCommand implements PageCommand {

  private static final String OPEN = "--open";

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument first;

  @Option(names = OPEN, description = "Opens the page in a browser.")
  private boolean isOpened;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port of loopback (default: any free one).")
  private int port;

  @Option(names = "--read-only", description = "The page only shows runs; it cannot change them.")
  private boolean isReadOnly;

  @Option(
      names = "--prefix",
      paramLabel = "PATH",
      description = "The path below which a proxy offers the page, such as /user/me.")
  private String prefix = "";

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "A name by which browsers address this machine, such as that of a proxy.")
  private Set<String> hosts = Set.of();

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description =
          "Serves metrics for Prometheus at /metrics; the file gets the token that reading them needs.")
  private @Nullable Path tokenFile;

  @Override
  public Integer call() throws IOException {
    try (var dashboard = open()) {
      show(address(dashboard));
      new CountDownLatch(1).await(); // until the process is ended
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK;
  }

  @Override
  public List<String> withoutOpening(List<String> arguments) {
    return arguments.stream().filter(each -> !each.equals(OPEN)).toList();
  }

  @Override
  public void show(String address) {
    out().println(address);
    out().flush();
    if (isOpened) {
      openBrowser(address);
    }
  }

  private Dashboard open() throws IOException {
    try {
      var options =
          PageOptions.standard()
              .withPort(port)
              .withPrefix(prefix)
              .withHosts(hosts)
              .withReadOnly(isReadOnly);
      List<Path> files = isFile() ? List.of(file()) : List.of();
      return tokenFile == null
          ? Dashboard.open(options, files)
          : Dashboard.openWithMetrics(options, files, tokenFile);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  private String address(Dashboard dashboard) throws IOException {
    var run = first.id();
    if (run.isEmpty()) {
      return dashboard.address();
    }
    if (isFile()) {
      return dashboard.addressOfRecording();
    }
    try {
      return dashboard.address(RunSelection.one(run, "as the argument").identity().run());
    } catch (RefusedRequestException e) {
      throw wrong(e.getMessage() + "; " + KeptReports.sentence(), e);
    }
  }

  /** Returns whether the argument is a file, or the id of an ended run that has a report. */
  private boolean isFile() {
    var run = first.id();
    return !run.isEmpty()
        && (run.endsWith(".html") || run.endsWith(".ndjson") || Files.exists(file()));
  }

  private Path file() {
    var named = Path.of(first.id());
    var kept = EndedRuns.report(first.id());
    return Files.exists(named) || !Files.exists(kept) ? named : kept;
  }

  private void openBrowser(String address) {
    try {
      BrowserWindow.open(address);
    } catch (IOException e) {
      err().println("no browser could be opened (" + e.getMessage() + "); open the address in one");
    }
  }
}
