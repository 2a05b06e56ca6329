package org.troupe.cli.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.cli.Main;
import org.troupe.cli.command.LoginOptions;
import org.troupe.deployment.site.SiteFacts;
import org.troupe.deployment.site.SiteFolder;

/** The verb {@code site}: its errors, and the sites that it lists and shows. */
class SiteCommandTest {

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  private int site(String... arguments) {
    var all = new ArrayList<>(List.of("site"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--sites", folder.toString()));
    return run(all.toArray(String[]::new));
  }

  private void addAlpha() throws Exception {
    new SiteFolder(folder)
        .write(
            "alpha",
            LoginOptions.of("HOST", "me@alpha-fe:2222", Optional.empty(), false),
            new SiteFacts(
                "alpha-fe",
                "2026-11-27T09:00:00Z",
                "Linux x86_64",
                SiteFacts.Scheduler.SLURM,
                List.of(new SiteFacts.Queue("main", true, 86400, 2, 4)),
                List.of("physics"),
                List.of(),
                true,
                List.of(new SiteFacts.Refusal("--mem", "not here")),
                List.of(),
                List.of("java/25"),
                List.of("67 /home/me"),
                List.of(),
                List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "site | the word after 'site' is missing; choose from 'add', 'list', 'show'",
        "site ad a b | there is no verb 'ad'; did you mean 'add'?",
        "site add alpha | HOST is missing",
        "site add 1x fe | '1x' cannot name a site; use letters, digits, '_' and '-'",
        "site add a b@c@d | 'b@c@d' is no machine; write HOST, USER@HOST or USER@HOST:PORT",
        "site add a fe:99999 | 'fe:99999' is no machine",
        "site add a -oProxyCommand=x | HOST is missing",
      })
  void mistakesAreNamed(String line, String message) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void aHostThatDoesNotExistIsCorrectedInTheArgument() {
    assertThat(site("add", "a", "no-such.invalid")).isEqualTo(3);
    assertThat(err.toString())
        .contains("there is no host 'no-such.invalid'; correct its name in HOST, or set HostName");
  }

  @Test
  void anEmptyFolderIsSaid() {
    assertThat(site("list")).isZero();
    assertThat(out.toString()).contains("has no sites; 'troupe site add NAME HOST' asks");
    assertThat(site("show", "alpha")).isEqualTo(2);
    assertThat(err.toString())
        .contains("there is no site 'alpha' in")
        .contains("'troupe site add'");
  }

  @Test
  void sitesAreListedAndShown() throws Exception {
    addAlpha();

    assertThat(site("list")).isZero();
    assertThat(out.toString())
        .contains("SITE", "BATCH SYSTEM")
        .containsPattern("alpha +alpha-fe +Slurm +main +2026-11-27T09:00:00Z");
    out.getBuffer().setLength(0);
    assertThat(site("show", "alpha")).isZero();
    assertThat(out.toString())
        .contains(
            "Slurm at alpha-fe (Linux x86_64), asked at 2026-11-27T09:00:00Z",
            "queue main (the usual one): up to 24:00:00, 2 machines of 4 processors",
            "accounts: physics",
            "it refuses --mem, which the descriptor skips: not here",
            "no Java was found, so nodes bring their own",
            "modules with Java: java/25",
            "it cannot connect to this machine: its nodes are relayed over the ssh connection");
    assertThat(site("list", "-o", "json")).isZero();
    assertThat(out.toString()).contains("\"parallelEnvironments\" : [ ]");
    assertThat(site("show", "beta")).isEqualTo(2);
    assertThat(err.toString()).contains("there are alpha");
  }

  @Test
  void theDescriptorOfASiteIsValid() throws Exception {
    addAlpha();

    assertThat(run("validate", folder.resolve("alpha.xml").toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(run("plan", folder.resolve("alpha.xml").toString(), "-D", "alpha-nodes=2")).isZero();
    assertThat(out.toString()).contains("--nodes=2", "--account=physics", "--partition=main");
    assertThat(out.toString()).doesNotContain("--mem");
  }
}
