package org.troupe.deployment.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.process.Machine.Upload;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.KubernetesJvms.Mount;
import org.troupe.descriptors.KubernetesJvms.Source;
import tools.jackson.databind.JsonNode;

/** The objects that an element becomes in a cluster. */
class JobManifestTest {

  private static KubernetesJvms named(String id) {
    var element = KubernetesElements.of(1, true);
    return new KubernetesJvms(
        id,
        element.via(),
        3,
        element.image(),
        Optional.of("production"),
        Optional.of("physics"),
        Map.of("disktype", "ssd"),
        OptionalInt.of(4),
        OptionalLong.of(1L << 30),
        Optional.of(Duration.ofMinutes(90)),
        List.of(
            new Mount("/opt/jdk", new Source.Host("/usr/lib/jvm/25"), true),
            new Mount("/data", new Source.Claim("meshes"), false)),
        element.patch(),
        element.jvm(),
        Cluster.undescribed(id, KubernetesElements.PLACE),
        Optional.of("runs/today"),
        KubernetesElements.PLACE);
  }

  private static JsonNode json(String text) {
    return JobManifest.JSON.readTree(text);
  }

  @Test
  void anIndexedJobWithoutRetriesHoldsAllSettings() {
    var spec = json(JobManifest.job(named("pods"), "it", List.of("java", "Main"))).path("spec");
    var pod = spec.path("template").path("spec");
    var container = pod.path("containers").path(0);

    assertThat(spec.path("completionMode").asString()).isEqualTo("Indexed");
    assertThat(spec.path("completions").asInt()).isEqualTo(3);
    assertThat(spec.path("backoffLimitPerIndex").asInt()).isZero();
    assertThat(spec.path("suspend").asBoolean()).isTrue();
    assertThat(spec.path("activeDeadlineSeconds").asInt()).isEqualTo(5400);
    assertThat(pod.path("nodeSelector").toString()).isEqualTo("{\"disktype\":\"ssd\"}");
    assertThat(container.path("resources").toString())
        .isEqualTo(
            "{\"requests\":{\"cpu\":\"4\",\"memory\":\"1073741824\"},"
                + "\"limits\":{\"cpu\":\"4\",\"memory\":\"1073741824\"}}");
    assertThat(container.path("workingDir").asString()).isEqualTo("/troupe/home/runs/today");
    assertThat(container.path("volumeMounts").toString())
        .contains("{\"name\":\"mount-0\",\"mountPath\":\"/opt/jdk\",\"readOnly\":true}");
    assertThat(pod.path("volumes").toString())
        .contains("{\"name\":\"mount-0\",\"hostPath\":{\"path\":\"/usr/lib/jvm/25\"}}")
        .contains("{\"name\":\"mount-1\",\"persistentVolumeClaim\":{\"claimName\":\"meshes\"}}");
  }

  @Test
  void kubernetesReplacesNoVariablesButTheIndex() {
    var manifest = json(JobManifest.job(named("pods"), "it", List.of("java", "-Da=$(HOME) $1")));
    var container = manifest.path("spec").path("template").path("spec").path("containers").path(0);

    assertThat(container.path("command").toString())
        .isEqualTo(
            "[\"java\",\"-Da=$$(HOME) $$1\",\"/troupe/settings/settings.gz\","
                + "\"$(JOB_COMPLETION_INDEX)\"]");
    assertThat(container.path("env").toString()).contains("it's $$(HOME)");
  }

  @Test
  void namesAreValidShortAndDifferent() {
    var names =
        List.of("pods", "Pods", "my.pods", "my_pods", "-_-", "a".repeat(60)).stream()
            .map(id -> JobManifest.name("0123abcd-4567", named(id), 10_000))
            .toList();

    assertThat(names).doesNotHaveDuplicates();
    assertThat(names)
        .allMatch(name -> name.matches("[a-z]([-a-z0-9]*[a-z0-9])?"))
        .allMatch(name -> name.length() <= 63 - "-9999".length());
    assertThat(names.getFirst()).isEqualTo("troupe-0123abcd-4567-pods--10000");
  }

  @Test
  void theSecretBelongsToTheJob() throws Exception {
    var settings = "secret".repeat(100_000).getBytes(StandardCharsets.UTF_8);

    var secret =
        json(
            new String(
                JobManifest.secret("it", "{\"metadata\":{\"uid\":\"u-1\"}}", settings),
                StandardCharsets.UTF_8));

    var owner = secret.path("metadata").path("ownerReferences").path(0);
    assertThat(owner.path("uid").asString()).isEqualTo("u-1");
    var packed = Base64.getDecoder().decode(secret.path("data").path("settings.gz").asString());
    assertThat(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes())
        .isEqualTo(settings);
  }

  @Test
  void anyTarReadsTheProgram(@TempDir Path folder) throws Exception {
    var long1 = ".cache/troupe/" + "0".repeat(64) + "/a-library-with-a-long-name-1.2.3.jar";
    var file = Files.writeString(folder.resolve("plain"), "b".repeat(513));
    var archive = new ByteArrayOutputStream();

    TarFormat.write(
        List.of(
            new Upload(file, Optional.of("content".getBytes(StandardCharsets.UTF_8)), long1),
            new Upload(file, Optional.empty(), "b/b.jar")),
        archive);

    Files.write(folder.resolve("it.tar"), archive.toByteArray());
    var tar = new ProcessBuilder("tar", "-xf", "it.tar").directory(folder.toFile()).start();
    assertThat(new String(tar.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
    assertThat(tar.waitFor()).isZero();
    assertThat(folder.resolve(long1)).hasContent("content");
    assertThat(folder.resolve("b/b.jar")).hasContent("b".repeat(513));
  }

  @Test
  void furtherJobsOfAnElementHaveNamesOfNoOtherElement() {
    assertThat(JobManifest.name("0123abcd-4567", named("pods"), 3))
        .isNotEqualTo(JobManifest.name("0123abcd-4567", named("pods-3"), 0));
  }
}
