package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SshJvms;
import org.troupe.descriptors.read.DescriptorReader;

/** The descriptors of sites: written from answers, and updated without losing edits. */
class SiteFolderTest {

  @TempDir private Path folder;

  private static Login login(String host) {
    return new Login(
        host,
        host,
        OptionalInt.of(2222),
        Optional.of("me"),
        Optional.of(Path.of("/keys/a&b")),
        Login.HostKeys.ACCEPT_NEW,
        List.of(),
        new SourcePosition("test", 0, 0));
  }

  private static SiteFacts facts(RecordedCommands commands) throws IOException {
    return SiteSurvey.ask("fe", commands, 1, List.of(), Instant.EPOCH);
  }

  private SiteFolder.Written write(RecordedCommands commands) throws IOException {
    return new SiteFolder(folder).write("a-site", login("fe"), facts(commands));
  }

  private static Descriptor read(Path file) {
    return DescriptorReader.read(file, Map.of(), Map.of());
  }

  private BatchJvms job() {
    return (BatchJvms) read(folder.resolve("a-site.xml")).infrastructure().getFirst();
  }

  private void edit(String what, String by) throws IOException {
    var file = folder.resolve("a-site.xml");
    var text = Files.readString(file);
    assertThat(text).contains(what);
    Files.writeString(file, text.replace(what, by));
  }

  @ParameterizedTest
  @ValueSource(strings = {"alpha.txt", "beta.txt", "gamma.txt", "eta.txt", "theta.txt", "iota.txt"})
  void aNewDescriptorIsValidAndWithoutWarnings(String resource) throws IOException {
    var written = write(RecordedCommands.of(resource));

    assertThat(written.isNew()).isTrue();
    var descriptor = read(written.file());
    assertThat(descriptor.warnings()).isEmpty();
    assertThat(descriptor.infrastructureOf("a-site")).hasSize(1);
    assertThat(job().via().orElseThrow())
        .satisfies(
            login -> {
              assertThat(login.host()).isEqualTo("fe");
              assertThat(login.user()).contains("me");
              assertThat(login.port()).hasValue(2222);
              assertThat(login.identity()).contains(Path.of("/keys/a&b"));
              assertThat(login.hostKeys()).isEqualTo(Login.HostKeys.ACCEPT_NEW);
            });
    assertThat(job().wallTime()).contains(Duration.ofHours(1));
  }

  @Test
  void jobsOfHtcondorGetEnoughMemoryForAJvm() throws IOException {
    write(
        RecordedCommands.of("alpha.txt")
            .with("script", 0, "system Linux x86_64\nhas condor_submit\n", "")
            .with(
                "condor_status -constraint SlotType =!= \"Dynamic\" -af Machine TotalSlotCpus",
                0,
                "delta-gw 4\n",
                ""));

    assertThat(job().memoryBytesPerJvm()).hasValue(2L << 30);
    assertThat(job().cpusPerJvm()).hasValue(1);
  }

  @Test
  void twoSitesCanBeIncludedTogether() throws IOException {
    var sites = new SiteFolder(folder);
    sites.write("alpha", login("alpha-fe"), facts(RecordedCommands.of("alpha.txt")));
    sites.write("gamma", login("gamma-fe"), facts(RecordedCommands.of("gamma.txt")));
    var both =
        Files.writeString(
            folder.resolve("both"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <include file="alpha.xml"/>
              <include file="gamma.xml"/>
              <virtualNodes><virtualNode name="workers"/></virtualNodes>
              <mapping>
                <map virtualNode="workers" to="alpha-job"/>
                <map virtualNode="workers" to="gamma-job"/>
              </mapping>
            </troupe>
            """);

    assertThat(read(both).infrastructureOf("workers")).hasSize(2);
    assertThat(sites.sites()).extracting(SiteFolder.Site::name).containsExactly("alpha", "gamma");
  }

  @Test
  void aMachineWithoutABatchSystemStartsJvmsItself() throws IOException {
    var written =
        write(RecordedCommands.of("alpha.txt").with("script", 0, "system Linux x86_64\n", ""));

    assertThat(read(written.file()).infrastructure().getFirst()).isInstanceOf(SshJvms.class);
  }

  @Test
  void askingAgainKeepsEditsAndFollowsTheSite() throws IOException {
    write(RecordedCommands.of("alpha.txt"));
    edit("a-site-nodes\" default=\"1\"", "a-site-nodes\" default=\"7\"");
    edit("    </slurm>", "      <option>--exclusive</option>\n    </slurm>");
    var grown =
        RecordedCommands.of("alpha.txt")
            .with(
                "sbatch --test-only --job-name=troupe-site --nodes=1 --partition=main --no-requeue --wrap true",
                1,
                "",
                "no");

    var written = write(grown);

    assertThat(written.isNew()).isFalse();
    assertThat(written.notes()).isEmpty();
    assertThat(job().nodes()).isEqualTo(7);
    assertThat(job().options()).containsExactly("--exclusive");
    assertThat(job().skip()).containsExactly("--no-requeue", "--mem");
  }

  @Test
  void anEditedLineStaysAndTheProposalIsReported() throws IOException {
    write(RecordedCommands.of("alpha.txt"));
    edit("skip=\"--mem\"", "skip=\"--time\"");

    var written =
        write(
            RecordedCommands.of("alpha.txt")
                .with(
                    "sbatch --test-only --job-name=troupe-site --nodes=1 --partition=main --mem=256M --wrap true",
                    0,
                    "",
                    ""));

    assertThat(job().skip()).containsExactly("--time");
    assertThat(written.notes())
        .containsExactly("kept your lines 'skip=\"--time\"'; the site would now have nothing");
  }

  @Test
  void askingTwiceChangesNothing() throws IOException {
    write(RecordedCommands.of("gamma.txt"));
    var text = Files.readString(folder.resolve("a-site.xml"));

    assertThat(write(RecordedCommands.of("gamma.txt")).notes()).isEmpty();

    assertThat(folder.resolve("a-site.xml")).hasContent(text);
  }

  @Test
  void aFileThatTheUserHasWrittenIsNotTouched() throws IOException {
    var own = Files.writeString(folder.resolve("a-site.xml"), "<troupe/>");

    var written = write(RecordedCommands.of("alpha.txt"));

    assertThat(own).hasContent("<troupe/>");
    assertThat(written.file()).isEqualTo(folder.resolve("a-site.new.xml"));
    assertThat(written.notes().getFirst()).contains("was not written by 'site add'");
    assertThat(read(written.file()).infrastructure()).hasSize(1);
  }

  @Test
  void nothingIsOverwrittenBesideAFileOfTheUser() throws IOException {
    Files.writeString(folder.resolve("a-site.xml"), "<troupe/>");
    var edited = Files.writeString(folder.resolve("a-site.new.xml"), "<!-- mine -->");

    var first = write(RecordedCommands.of("alpha.txt"));
    var again = write(RecordedCommands.of("alpha.txt"));
    var other = write(RecordedCommands.of("gamma.txt"));

    assertThat(edited).hasContent("<!-- mine -->");
    assertThat(first.file()).isEqualTo(folder.resolve("a-site.new-2.xml"));
    assertThat(again.file()).isEqualTo(first.file());
    assertThat(other.file()).isEqualTo(folder.resolve("a-site.new-3.xml"));
  }

  @Test
  void anUpdateThatDoesNotFitTheEditsIsWrittenBesideThem() throws IOException {
    write(RecordedCommands.of("alpha.txt"));
    edit("id=\"a-site-job\"", "id=\"mine\"");
    edit("to=\"a-site-job\"", "to=\"mine\"");
    edit("    <slurm\n", "    <slurm memory=\"1\"\n");
    var text = Files.readString(folder.resolve("a-site.xml"));

    var written = write(RecordedCommands.of("gamma.txt"));

    assertThat(folder.resolve("a-site.xml")).hasContent(text);
    assertThat(written.file()).isEqualTo(folder.resolve("a-site.new.xml"));
    assertThat(written.notes().getFirst()).contains("the update does not fit your edits");
  }

  @Test
  void aDamagedRecordIsNamed() throws IOException {
    write(RecordedCommands.of("alpha.txt"));
    Files.writeString(folder.resolve("a-site.json"), "{\"facts\":");

    assertThatThrownBy(() -> new SiteFolder(folder).sites())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a-site.json' cannot be read; remove it");
  }

  @Test
  void hostileNamesOfQueuesStayText() throws IOException {
    var commands =
        RecordedCommands.of("beta.txt")
            .with("qstat -Q -f", 0, "Queue: a--><x/>\n  enabled = yes\n  started = yes\n", "");

    write(commands);

    assertThat(job().queue()).contains("a--><x/>");
  }

  @Test
  void aNameWithTwoHyphensGivesAValidDescriptor() throws IOException {
    var written =
        new SiteFolder(folder)
            .write("my--site-", login("fe"), facts(RecordedCommands.of("alpha.txt")));

    assertThat(read(written.file()).infrastructureOf("my--site-")).hasSize(1);
  }

  @Test
  void aDescriptorOfAnotherEncodingIsNamed() throws IOException {
    write(RecordedCommands.of("alpha.txt"));
    var file = folder.resolve("a-site.xml");
    var text = Files.readString(file).replace("The site", "Der Rechner f\u00fcr");
    Files.writeString(file, text, StandardCharsets.ISO_8859_1);

    assertThatThrownBy(() -> write(RecordedCommands.of("alpha.txt")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a-site.xml' is not in UTF-8")
        .hasMessageContaining("save it in UTF-8");
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).isEqualTo(text);
  }
}
