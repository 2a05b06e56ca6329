package org.troupe.cli.site;

import static java.util.stream.Collectors.joining;

import org.troupe.cli.command.CliCommand;
import picocli.CommandLine.Command;

/** {@code site}: descriptors of sites, made by asking their front ends. */
@Command(
    name = "site",
    subcommands = {SiteAddCommand.class, SiteListCommand.class, SiteShowCommand.class},
    synopsisSubcommandLabel = "(add NAME HOST | list | show NAME)",
    description = {
      "Makes descriptors of sites by asking their front ends.",
      "%nShows what these have answered, too. A site's descriptor is a file "
          + "sites/NAME.xml, for 'doctor', 'deploy' and programs, or to be included by "
          + "others."
    })
public final class SiteCommand extends CliCommand {

  /** Reports that the word after {@code site} is missing. */
  @Override
  public Integer call() {
    throw wrong(
        "the word after 'site' is missing; choose from "
            + spec().subcommands().keySet().stream()
                .map(each -> "'" + each + "'")
                .collect(joining(", ")));
  }
}
