package org.troupe.cli.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.FailureReport;
import org.troupe.cli.command.LoginOptions;
import org.troupe.deployment.site.SiteFacts;
import org.troupe.deployment.site.SiteSurvey;
import org.troupe.descriptors.Login;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code site add}: asks a front end, and writes a descriptor of its site. */
@Command(
    name = "add",
    description = {
      "Asks a front end what it has, and writes a descriptor.",
      "%nThe descriptor of its site has its batch system, queues with limits, "
          + "accounts, and the options that its dry run refuses.%n",
      "Logs in once, and submits no job. Asking again updates the descriptor and "
          + "keeps your edits."
    })
final class SiteAddCommand extends CliCommand {

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The name of the site, and of the virtual node of its nodes.")
  private String name;

  @Parameters(
      index = "1",
      paramLabel = "HOST",
      description =
          "Its front end: HOST, USER@HOST or USER@HOST:PORT, with your ssh configuration.")
  private String host;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = "A private key; default: those of the ssh configuration and the agent.")
  private @Nullable Path identity;

  @Option(
      names = "--accept-new-host-key",
      description = "Accepts the key of a host that is not known yet.")
  private boolean acceptsNewHosts;

  @Mixin private SiteOptions sites;

  @Override
  public Integer call() {
    if (!name.matches("[A-Za-z_][A-Za-z0-9_-]*")) {
      throw wrong(
          "'"
              + name
              + "' cannot name a site; use letters, digits, '_' and '-', and start with a letter");
    }
    Login login;
    try {
      login = LoginOptions.of("HOST", host, Optional.ofNullable(identity), acceptsNewHosts);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
    try {
      add(login);
      return ExitCode.OK;
    } catch (IOException e) {
      err().println("troupe site add: " + e.getMessage());
      return FailureReport.DEPLOYMENT;
    }
  }

  private void add(Login login) throws IOException {
    var facts = SiteSurvey.ask(login);
    var written = sites.folder().write(name, login, facts);
    sites
        .folder()
        .site(name)
        .ifPresent(site -> site.lines().forEach(line -> out().println("  " + line)));
    written.notes().forEach(note -> out().println("  " + note));
    out()
        .printf(
            "%s '%s'; next: troupe doctor %s, then troupe deploy %s%s%n",
            written.isNew() ? "wrote" : "updated",
            written.file(),
            written.file(),
            written.file(),
            example(facts));
  }

  private String example(SiteFacts facts) {
    return facts.scheduler() == SiteFacts.Scheduler.NONE ? "" : " -D " + name + "-nodes=2";
  }
}
