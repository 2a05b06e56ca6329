package org.troupe.cli.site;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.deployment.site.SiteFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code site show}: the answers of a site. */
@Command(name = "show", description = "Shows what a site has answered when it was added.")
final class SiteShowCommand extends CliCommand {

  @Parameters(paramLabel = "NAME", description = "The site.")
  private String name;

  @Mixin private SiteOptions sites;

  @Mixin private OutputFormat format;

  @Override
  public Integer call() throws IOException {
    var all = sites.folder().sites();
    var site = all.stream().filter(each -> each.name().equals(name)).findFirst();
    if (site.isEmpty()) {
      throw wrong(
          "there is no site '%s' in '%s'; %s"
              .formatted(
                  name,
                  sites.path(),
                  all.isEmpty()
                      ? "'troupe site add' makes one"
                      : "there are "
                          + all.stream()
                              .map(SiteFolder.Site::name)
                              .collect(Collectors.joining(", "))));
    }
    if (format.isJson()) {
      out().println(SiteFolder.toJson(List.of(site.get())));
    } else {
      site.get().lines().forEach(out()::println);
      out().println("descriptor: " + sites.folder().descriptor(name));
    }
    return ExitCode.OK;
  }
}
