package org.troupe.deployment.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.kubernetes.ClusterCheck.Fact;

/** What is checked of a cluster before a run. */
class ClusterCheckTest {

  @TempDir private Path folder;
  private ScriptedKubectl cluster;

  @BeforeEach
  void makeCluster() throws IOException {
    cluster = new ScriptedKubectl(folder.resolve("cluster"));
  }

  private List<Fact> facts(boolean hasSharedFiles) {
    return ClusterCheck.of(
        new Kubectl(cluster, Optional.empty(), Optional.empty()),
        KubernetesElements.of(1, hasSharedFiles));
  }

  @Test
  void aClusterThatPermitsAllIsWell() {
    assertThat(facts(false))
        .containsExactly(
            new Fact("answers, version v1.34.4", ""),
            new Fact("permits what a Job of nodes needs", ""));
  }

  @Test
  void missingRightsAreNamed() throws IOException {
    cluster.say("forbidden", "create secrets\ncreate pods/exec\n");

    assertThat(facts(false).getLast().what())
        .isEqualTo("does not permit: create secrets, create pods/exec");
    assertThat(facts(true).getLast().what()).isEqualTo("does not permit: create secrets");
    assertThat(facts(true).getLast().remedy()).startsWith("ask its administrator for a role");
  }

  @Test
  void anOldClusterIsNamed() throws IOException {
    cluster.say("version", "{\"serverVersion\":{\"minor\":\"28+\",\"gitVersion\":\"v1.28.9-x\"}}");

    assertThat(facts(true).getFirst())
        .isEqualTo(
            new Fact(
                "is of version v1.28.9-x, without retries per index by default",
                "use a cluster of version 1.29 or newer"));
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamed() throws IOException {
    cluster.forget("version");

    assertThat(facts(true)).hasSize(1);
    assertThat(facts(true).getFirst().what()).startsWith("cannot be asked: ");
    assertThat(facts(true).getFirst().remedy()).contains("kubectl cluster-info");
  }

  @Test
  void theReasonOfNoAnswerIsOneLineWithoutTheVersionOfTheClient() throws IOException {
    cluster.say("clientVersion", "{\n  \"clientVersion\": {\n    \"major\": \"1\"\n  }\n}\n");
    cluster.say(
        "version.refusal",
        """
        E1127 09:12:26.123456   12345 memcache.go:265] "Unhandled Error" err="couldn't get current server API group list"
        E1127 09:12:26.123789   12345 memcache.go:265] "Unhandled Error" err="couldn't get current server API group list"
        The connection to the server localhost:8080 was refused - did you specify the right host or port?
        """);

    assertThat(facts(true))
        .containsExactly(
            new Fact(
                "cannot be asked: The connection to the server localhost:8080 was refused - did you"
                    + " specify the right host or port?",
                "correct what 'kubectl cluster-info' shows, or name another context of its"
                    + " configuration as context"));
  }
}
