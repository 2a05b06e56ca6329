package org.troupe.deployment.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.deployment.ssh.UserKeys;
import org.troupe.deployment.tree.Branch.Question;
import org.troupe.deployment.tree.Branch.Question.Sign;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.SourcePosition;

/** Requests that the launcher signs for a branch, and requests that it refuses. */
class SigningServiceTest {

  private static final String ALGORITHM = "ssh-ed25519";

  @TempDir private Path folder;
  private final SigningService signing = new SigningService(new UserKeys());
  private final KeyPair key = SshServerForTests.key(ALGORITHM);
  private Path knownHosts;
  private SshHost host;

  SigningServiceTest() throws Exception {}

  @BeforeEach
  void prepare() throws Exception {
    SshServerForTests.write(key, folder.resolve("identity"));
    knownHosts = Files.createFile(folder.resolve("known_hosts"));
    host = host(HostKeys.STRICT);
  }

  private SshHost host(HostKeys hostKeys) throws Exception {
    var login =
        new Login(
            "h1",
            "h1",
            OptionalInt.empty(),
            Optional.of("ada"),
            Optional.of(folder.resolve("identity")),
            hostKeys,
            List.of(),
            new SourcePosition("grid.xml", 1, 1));
    var config = folder.resolve("config");
    Files.writeString(
        config,
        """
        Host *
          IdentitiesOnly yes
          UserKnownHostsFile %s
          GlobalKnownHostsFile none
        """
            .formatted(knownHosts));
    return SshHost.of(login, SshConfig.read(config));
  }

  /** Returns the data that a login signs (RFC 4252, section 7). */
  private static byte[] request(String user, String service, String algorithm, KeyPair key) {
    var data = new ByteArrayBuffer();
    data.putBytes(new byte[] {1, 2, 3});
    data.putByte((byte) 50);
    data.putString(user);
    data.putString(service);
    data.putString("publickey");
    data.putBoolean(true);
    data.putString(algorithm);
    data.putBytes(RemoteKeys.encoded(key.getPublic()));
    return data.getCompactData();
  }

  private Branch.Answer answer(byte[] data) {
    return signing.answer(
        host, new Sign(1, 0, RemoteKeys.encoded(key.getPublic()), ALGORITHM, data));
  }

  @Test
  void signsTheRequestOfALogin() throws Exception {
    var data = request("ada", "ssh-connection", ALGORITHM, key);

    var answer = answer(data);

    assertThat(answer.refusal()).isEmpty();
    var verifier = BuiltinSignatures.ed25519.create();
    verifier.initVerifier(null, key.getPublic());
    verifier.update(null, data);
    assertThat(verifier.verify(null, answer.signature())).isTrue();
  }

  @Test
  void signsNothingElse() throws Exception {
    var good = request("ada", "ssh-connection", ALGORITHM, key);
    var longer = java.util.Arrays.copyOf(good, good.length + 1);
    var shorter = java.util.Arrays.copyOf(good, good.length - 1);
    var other = SshServerForTests.key(ALGORITHM);

    assertThat(
            List.of(
                "a letter".getBytes(StandardCharsets.UTF_8),
                new byte[0],
                longer,
                shorter,
                request("bob", "ssh-connection", ALGORITHM, key),
                request("ada", "ssh-userauth", ALGORITHM, key),
                request("ada", "ssh-connection", "rsa-sha2-512", key),
                request("ada", "ssh-connection", ALGORITHM, other)))
        .allSatisfy(
            data ->
                assertThat(answer(data).refusal())
                    .isEqualTo(
                        "h1: the data to sign are no login request as 'ada'; nothing else is signed for other nodes"));
  }

  @Test
  void keysOfNewHostsAreAcceptedWhereTheUserSaysSoButNotNotedDown() throws Exception {
    var check = new Question.Check(1, 0, RemoteKeys.encoded(key.getPublic()));

    assertThat(signing.answer(host, check).refusal()).contains("is not known");
    assertThat(signing.answer(host(HostKeys.ACCEPT_NEW), check).refusal()).isEmpty();
    assertThat(knownHosts).isEmptyFile();
  }

  @Test
  void signsByNoKeyThatIsNotForTheHost() throws Exception {
    var other = SshServerForTests.key(ALGORITHM);
    var data = request("ada", "ssh-connection", ALGORITHM, other);

    var answer =
        signing.answer(
            host, new Sign(1, 0, RemoteKeys.encoded(other.getPublic()), ALGORITHM, data));

    assertThat(answer.refusal())
        .isEqualTo("h1: a signature was requested by a key that is not for this host");
  }
}
