package org.troupe.deployment.ssh;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logins for which the built-in client does not suffice: its messages say so. */
@Timeout(60)
class MinaLoginTest {

  @TempDir private Path folder;
  private SshServerForTests server;

  @BeforeEach
  void start() throws Exception {
    server = new SshServerForTests(folder);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void logIn() throws IOException {
    try (var machines = new MinaMachines(server.config(""), new UserKeys())) {
      machines.of(server.login()).start(List.of("true"), Map.of(), Optional.empty());
    }
  }

  @Test
  void saysThatOnlyTheProgramAsksForACode() {
    server.demandCode("123456");

    assertThatThrownBy(this::logIn)
        .hasMessageContaining("accepts the key, but demands a code or password after it")
        .hasMessageContaining("(keyboard-interactive), for which only OpenSSH's ssh program asks");
  }

  @Test
  void saysThatOnlyTheProgramShowsACertificate() throws Exception {
    Files.delete(server.identity);
    SshServerForTests.write(SshServerForTests.key("ssh-ed25519"), server.identity);
    var certificate = Files.createFile(Path.of(server.identity + "-cert.pub"));

    assertThatThrownBy(this::logIn)
        .hasMessageContaining("rejected every key (tried: " + server.identity + ")")
        .hasMessageContaining("only OpenSSH's ssh program shows the certificate '" + certificate);
  }

  @Test
  void saysThatOnlyTheProgramChecksCertificatesOfHosts() throws Exception {
    Files.writeString(server.knownHosts, "@cert-authority " + server.knownHost());

    assertThatThrownBy(this::logIn)
        .hasMessageContaining("is not known: ecdsa-sha2-nistp256 SHA256:")
        .hasMessageContaining("its certificate authority is, by " + server.knownHosts + ":1")
        .hasMessageContaining("only OpenSSH's ssh program checks certificates: install it");
  }
}
