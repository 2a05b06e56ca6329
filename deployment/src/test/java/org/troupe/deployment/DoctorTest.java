package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.Doctor.Finding;
import org.troupe.deployment.Doctor.Finding.Grade;
import org.troupe.deployment.ssh.SshServerForTests;

@Timeout(120)
class DoctorTest {

  private static final String CONFIG = "troupe.ssh.config";
  private static final String PROGRAM = "troupe.ssh.program";

  @TempDir private Path folder;
  private SshServerForTests server;

  @BeforeEach
  void start() throws Exception {
    server = new SshServerForTests(Files.createDirectory(folder.resolve("server")));
  }

  @AfterEach
  void end() throws IOException {
    System.clearProperty(CONFIG);
    System.clearProperty(PROGRAM);
    server.close();
  }

  private void configure(int port) throws IOException {
    var section = "Host near\n  HostName 127.0.0.1\n  Port " + port + "\n";
    System.setProperty(CONFIG, server.writeConfig(section).toString());
  }

  private List<Finding> examine(String infrastructure) throws IOException {
    return Doctor.examine(OneElement.descriptor(folder, "it", infrastructure));
  }

  private static List<String> bad(List<Finding> findings) {
    return findings.stream()
        .filter(each -> each.grade() == Grade.BAD)
        .map(each -> each.where() + ": " + each.what())
        .toList();
  }

  @Test
  void findsNothingWrongWithThisMachine() throws IOException {
    var findings = examine("<local id='it' jvms='2'/>");
    assertThat(findings).isNotEmpty();
    assertThat(bad(findings)).isEmpty();
  }

  @Test
  void tellsWhatPlansComplainOf() throws IOException {
    assertThat(bad(examine("<jvm id='j' javaHome='/nowhere'/><local id='it' jvm='j'/>")))
        .singleElement()
        .asString()
        .contains("there is no program '/nowhere/bin/java'");
  }

  @Test
  void looksAtAMachineOverSsh() throws IOException {
    configure(server.port());
    var findings = examine("<ssh id='it' hosts='near'/>");
    assertThat(bad(findings)).isEmpty();
    assertThat(findings)
        .filteredOn(each -> each.where().equals("near"))
        .extracting(Finding::what)
        .anyMatch(what -> what.startsWith("reached over ssh in "))
        .anyMatch(what -> what.startsWith("Java for 'it': "));
  }

  @Test
  void namesTheMachineThatCannotBeReached() throws IOException {
    int closed;
    try (var socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    configure(closed);
    assertThat(bad(examine("<ssh id='it' hosts='near'/>")))
        .singleElement()
        .asString()
        .startsWith("near: ")
        .contains("refused");
  }

  @Test
  void namesCommandsThatAFrontEndLacks() throws IOException {
    configure(server.port());
    var isThere = Files.isExecutable(Path.of("/usr/bin/sbatch"));
    var findings = examine("<login id='fe' host='near'/><slurm id='it' via='fe'/>");
    assertThat(bad(findings).stream().anyMatch(each -> each.contains("it does not have sbatch")))
        .isEqualTo(!isThere);
    if (!isThere) {
      assertThat(bad(findings)).as("nothing asks a scheduler that is not there").hasSize(1);
    }
  }

  @Test
  void warnsThatTheBuiltInClientKnowsPublicKeysOnly() throws IOException {
    configure(server.port());
    System.setProperty(PROGRAM, "none");
    assertThat(examine("<ssh id='it' hosts='near'/>"))
        .filteredOn(each -> each.grade() == Grade.WARNING)
        .extracting(Finding::what)
        .contains("no ssh program is used; the built-in client logs in by public keys only");
    assertThat(examine("<local id='it'/>")).allMatch(each -> each.grade() == Grade.WELL);
  }
}
