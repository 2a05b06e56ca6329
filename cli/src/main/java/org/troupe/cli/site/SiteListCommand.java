package org.troupe.cli.site;

import java.io.IOException;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.site.SiteFacts;
import org.troupe.deployment.site.SiteFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code site list}: the sites that have been added. */
@Command(name = "list", description = "Lists the sites that have been added.")
final class SiteListCommand extends CliCommand {

  @Mixin private SiteOptions sites;

  @Mixin private OutputFormat format;

  @Override
  public Integer call() throws IOException {
    var all = sites.folder().sites();
    if (format.isJson()) {
      out().println(SiteFolder.toJson(all));
    } else if (all.isEmpty()) {
      out()
          .printf(
              "'%s' has no sites; 'troupe site add NAME HOST' asks a front end%n", sites.path());
    } else {
      var table =
          new TextTable("SITE", "FRONT END", "BATCH SYSTEM", "QUEUE", "ASKED", "DESCRIPTOR");
      for (var site : all) {
        table.row(
            site.name(),
            site.facts().host(),
            site.facts().scheduler().title(),
            queue(site.facts()),
            site.facts().asked(),
            sites.folder().descriptor(site.name()));
      }
      out().println(table);
    }
    return ExitCode.OK;
  }

  private static String queue(SiteFacts facts) {
    return facts.queues().stream()
        .findFirst()
        .map(SiteFacts.Queue::name)
        .filter(name -> !name.isEmpty())
        .orElse("-");
  }
}
