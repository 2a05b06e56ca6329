package org.troupe.deployment.kubernetes;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.process.JobProcess;
import org.troupe.deployment.process.Machine;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.testing.LogRecords;

/** The life of a Job, with the recorded answers of a cluster. */
@Timeout(60)
class KubernetesJobTest {

  private static final long SECONDS = 30;

  private Path temporary;
  private ScriptedKubectl cluster;
  private RunJournal run;

  @BeforeEach
  void makeCluster() throws IOException {
    // A poll may still write there after the test, so it is deleted with the build.
    temporary = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "pods");
    cluster = new ScriptedKubectl(temporary.resolve("cluster"));
    run = RunJournal.create(temporary.resolve("records"));
    run.begin(List.of(KubernetesElements.of(1, true)), "");
  }

  @AfterEach
  void awaitEndsOfCommands() throws InterruptedException {
    cluster.awaitEnds();
  }

  private KubernetesJob job(KubernetesJvms element) {
    return new KubernetesJob(
        element,
        "troupe-deleted",
        new KubernetesJob.Site() {
          @Override
          public RunJournal run() {
            return run;
          }

          @Override
          public Machine machine() {
            return cluster;
          }

          @Override
          public List<String> command() {
            return List.of("java", "Shared");
          }

          @Override
          public List<String> command(Machine pod) throws IOException {
            pod.putAll(
                List.of(
                    new Machine.Upload(
                        Path.of("x"),
                        Optional.of("classes".getBytes(StandardCharsets.UTF_8)),
                        "lib/" + pod.name().replaceAll("\\W", "") + ".jar")));
            var home = pod.start(List.of("pwd"), Map.of(), Optional.empty()).process();
            return List.of("java", text(home.getInputStream()).strip() + "/it's here");
          }

          @Override
          public List<byte[]> withRoutes(List<byte[]> settings) {
            return settings;
          }
        });
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static KubernetesJob told(KubernetesJob job, int count) throws IOException {
    for (var rank = 0; rank < count; rank++) {
      job.node(rank).getOutputStream().write("top secret".getBytes(StandardCharsets.UTF_8));
      job.node(rank).getOutputStream().flush();
    }
    return job;
  }

  private KubernetesJob submitted(boolean hasSharedFiles) throws IOException {
    return told(job(KubernetesElements.of(2, hasSharedFiles)), 2);
  }

  private static void awaitProgress(KubernetesJob job, String part) throws Exception {
    while (!job.progress(0).contains(part)) {
      assertThat(job.node(0).waitFor(100, TimeUnit.MILLISECONDS))
          .as("it ended; " + job.node(0).explanation() + ", not: " + part)
          .isFalse();
    }
  }

  private static void awaitEnd(JobProcess node) throws InterruptedException {
    assertThat(node.waitFor(SECONDS, TimeUnit.SECONDS)).as(node.progress().orElse("")).isTrue();
  }

  private void assertNothingIsLeft(KubernetesJob job) throws Exception {
    job.finished().get(SECONDS, TimeUnit.SECONDS);
    assertThat(cluster.has("job")).isFalse();
    assertThat(cluster.has("secret")).isFalse();
    assertThat(recorded().pods()).isEmpty();
    run.end();
    assertThat(temporary.resolve("records")).isEmptyDirectory();
  }

  private RunRecord recorded() throws IOException {
    return RunRecord.read(temporary.resolve("records").resolve(run.id())).orElseThrow();
  }

  @Test
  void waitsRunsAndEnds() throws Exception {
    cluster.answer("states", "unschedulable");
    var job = submitted(false);
    awaitProgress(job, "Insufficient memory");
    assertThat(job.progress(0))
        .matches("queued for \\d+ s, pod 'troupe-unsched-0-7trtb' of Kubernetes: Pending .*");
    assertThat(cluster.has("resumed")).isTrue();
    assertThat(recorded().pods())
        .extracting(RunRecord.Pods::name)
        .containsExactly("troupe-deleted");

    assertThat(job.status().state()).isEqualTo("queued");
    assertThat(job.status().reason()).startsWith("2 of 2 pods wait: Pending (");
    assertThat(job.begun()).isZero();

    cluster.answer("states", "running");
    cluster.say(
        "log",
        """
        [pod/troupe-deleted-0-5bh9k/node] 2026-11-27T09:12:16.000000002Z second
        [pod/troupe-deleted-1-9gmrb/node] 2026-11-27T09:12:17.000000001Z of the other
        [pod/troupe-deleted-0-5bh9k/node] 2026-11-27T09:12:16.000000001Z first
        """);
    job.checkEnd();
    awaitProgress(job, "Running on localhost");
    var archive = "home/lib/podtroupedeleted05bh9k.jar";
    while (!cluster.has(archive) || !cluster.has("home/start")) { // which any of the pods may make
      assertThat(job.node(0).waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
    }
    assertThat(job.status().state()).isEqualTo("running");
    assertThat(job.begun()).isEqualTo(2);
    cluster.say("states", exited(ScriptedKubectl.recorded("running")));
    job.checkEnd();

    awaitEnd(job.node(0));
    assertThat(job.node(0).exitValue()).isZero();
    assertThat(job.node(0).explanation()).isEmpty();
    assertThat(text(job.node(0).getInputStream())).isEqualTo("second\nfirst\n");
    awaitEnd(job.node(1));
    assertThat(text(job.node(1).getInputStream())).isEqualTo("of the other\n");
    assertNothingIsLeft(job);
    assertThat(cluster.read(archive)).isEqualTo("classes");
    assertThat(cluster.read("home/start"))
        .matches("exec java '.*/home/it'\\\\''s here' /troupe/settings/settings.gz [01]\n");
    assertThat(cluster.read("calls")).doesNotContain("top secret");
    assertThat(job.status().state()).isEqualTo("ended");
  }

  /** Lets the containers of running pods end well. */
  private static String exited(String running) {
    return running.replace(
        "\"running\": {", "\"terminated\": {\"exitCode\": 0, \"reason\": \"Completed\",");
  }

  @Test
  void kubectlMergesThePatchIntoTheJob() throws Exception {
    var patch = Files.writeString(temporary.resolve("pod.yaml"), "spec: {ttl: 7}\n");
    cluster.say("states", exited(ScriptedKubectl.recorded("running")));
    var job = told(job(KubernetesElements.patched(KubernetesElements.of(2, true), patch)), 2);

    awaitEnd(job.node(0));
    awaitEnd(job.node(1));

    assertNothingIsLeft(job);
    assertThat(cluster.read("merged")).isEqualTo("spec: {ttl: 7}\n");
    assertThat(cluster.read("mergedFile")).startsWith("-rw-------");
    assertThat(cluster.read("calls")).contains("--patch-file=").doesNotContain("ttl");
    assertThat(Path.of(cluster.read("calls").replaceFirst("(?s).*--patch-file=(\\S+).*", "$1")))
        .doesNotExist();
  }

  @Test
  void podsThatSeeTheProgramGetNoCopy() throws Exception {
    cluster.say("states", exited(ScriptedKubectl.recorded("running")));
    var job = submitted(true);

    awaitEnd(job.node(0));
    awaitEnd(job.node(1));

    assertNothingIsLeft(job);
    assertThat(cluster.read("calls")).doesNotContain("exec ");
  }

  @Test
  void aDeletedPodIsTheEndOfItsNode() throws Exception {
    cluster.answer("states", "running");
    var job = submitted(true);
    awaitProgress(job, "Running");
    cluster.answer("states", "deleted");
    job.checkEnd();

    awaitEnd(job.node(0));

    assertThat(job.node(0).exitValue()).isEqualTo(1);
    assertThat(job.node(0).explanation())
        .contains(
            "it ended in pod 'troupe-deleted-0-5bh9k' of Kubernetes: Deleted: its pod was deleted");
    assertThat(job.node(0).scheduler()).isEqualTo("Deleted: its pod was deleted");
    awaitEnd(job.node(1));
    assertNothingIsLeft(job);
  }

  @Test
  void isDeletedWhenItIsNotNeededBeforeItsPodsBegin() throws Exception {
    cluster.answer("states", "image");
    var job = submitted(false);
    awaitProgress(job, "ImagePullBackOff");

    job.node(0).getOutputStream().close();
    assertThat(job.node(0).isAlive()).isTrue();
    job.node(1).getOutputStream().close();

    awaitEnd(job.node(0));
    assertThat(job.node(0).explanation()).contains("the grid was closed before its pod began");
    assertNothingIsLeft(job);
  }

  @Test
  void aRefusalNamesTheReason() throws Exception {
    cluster.say("job.refusal", "Error from server (Forbidden): jobs.batch is forbidden: no\n");
    var job = submitted(false);

    awaitEnd(job.node(1));

    assertThat(job.node(1).explanation().orElseThrow())
        .isEqualTo(
            "grid.xml:7:5: 'pods' got no pods from Kubernetes: Error from server (Forbidden):"
                + " jobs.batch is forbidden: no; correct the element; 'doctor' checks what the"
                + " cluster permits, 'plan' shows the Job");
    assertThat(job.status().state()).isEqualTo("failed");
    assertThat(job.status().reason()).contains("jobs.batch is forbidden");
    assertNothingIsLeft(job);
  }

  @Test
  void aRefusedSecretLeavesNoJob() throws Exception {
    cluster.say("secret.refusal", "secrets is forbidden\n");
    var job = submitted(false);

    awaitEnd(job.node(0));

    assertThat(job.node(0).explanation().orElseThrow()).contains("secrets is forbidden");
    assertThat(job.status().state()).isEqualTo("failed");
    assertNothingIsLeft(job);
  }

  @Test
  void aPodThatCannotTakeTheProgramEndsItsNode() throws Exception {
    cluster.answer("states", "running");
    Files.delete(temporary.resolve("cluster/home"));
    var job = submitted(false);

    awaitEnd(job.node(0));

    assertThat(job.node(0).explanation().orElseThrow())
        .startsWith("grid.xml:7:5: the program cannot be copied to a pod of 'pods': pod 'troupe-")
        .contains("take an image with a shell and tar");
    awaitEnd(job.node(1));
    assertNothingIsLeft(job);
  }

  @Test
  void survivesAClusterThatDoesNotAnswerForAWhile(LogRecords log) throws Exception {
    cluster.answer("states", "running");
    var job = submitted(true);
    awaitProgress(job, "Running");

    cluster.say("get.refusal", "Unable to connect to the server: EOF");
    job.checkEnd();
    awaitProgress(job, "Unable to connect to the server");
    log.expect(WARNING, "Kubernetes does not answer");
    cluster.forget("get.refusal");
    cluster.say("states", exited(ScriptedKubectl.recorded("running")));
    job.checkEnd();

    awaitEnd(job.node(0));
    assertThat(job.node(0).exitValue()).isZero();
    awaitEnd(job.node(1));
    assertNothingIsLeft(job);
  }

  @Test
  void remainsRecordedIfItCannotBeDeleted(LogRecords log) throws Exception {
    cluster.say("states", exited(ScriptedKubectl.recorded("running")));
    cluster.say("delete.refusal", "Error from server (Forbidden): no");
    var job = submitted(true);

    job.finished().get(SECONDS, TimeUnit.SECONDS);

    log.expect(
        WARNING, "Job 'troupe-deleted' of Kubernetes may remain with its pods and its Secret");
    assertThat(recorded().pods()).hasSize(1);

    cluster.forget("delete.refusal");
    var left =
        new RecordedPods(
            new Kubectl(cluster, Optional.empty(), Optional.empty()), "troupe-deleted");
    assertThat(left.look())
        .contains(new RecordedPods.Remains("job/troupe-deleted", "there"))
        .contains(new RecordedPods.Remains("pod/troupe-deleted-0-5bh9k", "Running"));
    left.delete();
    assertThat(left.look()).isEmpty();
  }

  @Test
  void remainsRecordedIfTheAnswerToItsCreationIsLost(LogRecords log) throws Exception {
    cluster.say("job.refusal", "error: unexpected EOF");
    cluster.say("delete.refusal", "Unable to connect to the server");
    var job = submitted(true);

    job.finished().get(SECONDS, TimeUnit.SECONDS);

    log.expect(
        WARNING, "Job 'troupe-deleted' of Kubernetes may remain with its pods and its Secret");
    assertThat(recorded().pods()).hasSize(1);
  }

  @Test
  void isNotRecordedIfTheClusterWasNeverReached() throws Exception {
    cluster.say("job.refusal", "Unable to connect to the server");
    cluster.say("delete.refusal", "Unable to connect to the server");

    assertNothingIsLeft(submitted(true));
  }

  @Test
  void deletesThePodOfANodeThatWasKilledBefore() throws Exception {
    cluster.answer("states", "quota");
    var job = submitted(true);
    awaitProgress(job, "no pod yet");
    job.node(0).destroyForcibly();
    awaitEnd(job.node(0));

    cluster.answer("states", "running");
    while (!cluster.read("calls").contains("delete pod/troupe-deleted-0-")) {
      job.checkEnd();
      assertThat(job.node(1).waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
    }

    job.node(1).destroyForcibly();
    assertNothingIsLeft(job);
  }
}
