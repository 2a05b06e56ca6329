package org.troupe.deployment.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.batch.BatchException;
import org.troupe.deployment.batch.JobEnd;
import org.troupe.deployment.batch.JobReport;
import org.troupe.deployment.batch.JobState;

/** What a cluster says of pods, in states and ends of nodes. */
class PodStatesTest {

  @TempDir private Path folder;
  private ScriptedKubectl cluster;

  @BeforeEach
  void makeCluster() throws IOException {
    cluster = new ScriptedKubectl(folder.resolve("cluster"));
  }

  private PodStates states(String job) {
    return new PodStates(
        new Kubectl(cluster, Optional.empty(), Optional.empty()), job, changed -> {});
  }

  /** Returns the reports of the first nodes of a Job, in the order of their ranks. */
  private List<JobReport> reports(PodStates states, int count, String recorded) throws Exception {
    cluster.answer("states", recorded);
    var ids = IntStream.range(0, count).mapToObj(Integer::toString).toList();
    var reports = states.report(ids);
    return ids.stream().map(reports::get).toList();
  }

  private JobReport report(String recorded) throws Exception {
    return reports(states("troupe-x"), 1, recorded).getFirst();
  }

  private JobEnd end(String recorded) throws Exception {
    var states = states("troupe-x");
    reports(states, 1, recorded);
    return states.end("0");
  }

  @Test
  void explainWhyNoMachineTakesAPod() throws Exception {
    var report = report("unschedulable");

    assertThat(report.state()).isEqualTo(JobState.QUEUED);
    assertThat(report.text())
        .startsWith(
            "Pending (Unschedulable: 0/1 nodes are available: 1 Insufficient memory. no new claims")
        .contains("; it starts when a machine has room; if none ever will, correct cpus, memory");
  }

  @Test
  void explainWhyAnImageIsNotThere() throws Exception {
    var report = report("image");

    assertThat(report.isWaiting()).isTrue();
    assertThat(report.text())
        .startsWith(
            "Pending (ImagePullBackOff: Back-off pulling image \"registry.local/missing:1\"")
        .contains("; correct image, or name the secret of its registry as imagePullSecrets")
        .endsWith(") on localhost");
  }

  @Test
  void findTheReasonForMissingPodsInEvents() throws Exception {
    cluster.answer("events", "quotaEvents");

    var report = reports(states("troupe-quota"), 1, "quota").getFirst();

    assertThat(report.isWaiting()).isTrue();
    assertThat(report.text())
        .startsWith("Pending (FailedCreate: Error creating: pods \"troupe-quota-0-vblmn\" is")
        .contains("exceeded quota: troupe, requested: pods=1")
        .contains("; ask for less, or see the quota and policies of the namespace");
  }

  @Test
  void askForEventsOfTheJobAndItsPodsOnly() throws Exception {
    cluster.answer("events", "quotaEvents");
    reports(states("troupe-quota"), 500, "quota");
    reports(states("troupe-deleted"), 2, "deleted");

    assertThat(cluster.read("calls").lines().filter(call -> call.startsWith("get events ")))
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(9)
        .allMatch(call -> call.matches(".*[=,]involvedObject\\.name=troupe-.*"));
  }

  @Test
  void doNotTakeAnEventOfAnotherObjectForTheReason() throws Exception {
    cluster.answer("events", "quotaEvents");

    var report = reports(states("troupe-other"), 1, "quota").getFirst();

    assertThat(report.text()).doesNotContain("quota");
  }

  @Test
  void tellTheExitCodesOfPodsOfOneJob() throws Exception {
    var states = states("troupe-exits");

    assertThat(reports(states, 3, "creating")).allMatch(JobReport::isWaiting);
    assertThat(reports(states, 3, "exited"))
        .extracting(JobReport::state)
        .containsExactly(JobState.DONE, JobState.RUNNING, JobState.RUNNING);
    assertThat(states.end("0").exitCode()).isEqualTo(OptionalInt.of(0));
    assertThatThrownBy(() -> states.end("1")).isInstanceOf(BatchException.NotEnded.class);

    reports(states, 3, "exits");

    assertThat(states.end("1")).isEqualTo(JobEnd.exited("1", 1, ""));
    assertThat(states.end("2")).isEqualTo(JobEnd.exited("2", 2, ""));
  }

  @Test
  void nameTheReasonOfAnEnd() throws Exception {
    assertThat(end("outOfMemory"))
        .isEqualTo(
            JobEnd.signalled(
                "0", "9", "OOMKilled; it used more memory than its limit; raise memory"));
    assertThat(end("noProgram").text())
        .startsWith("StartError: failed to create containerd task:")
        .contains("exec: \"/usr/bin/java\": stat /usr/bin/java: no such file or directory")
        .endsWith("; the image has no such program; correct image or javaHome");
  }

  @Test
  void rememberWhyAPodIsEndedUntilItIsGone() throws Exception {
    var states = states("troupe-deadline");

    assertThat(reports(states, 1, "deadline").getFirst().text())
        .startsWith("Terminating (DeadlineExceeded: Job was active longer than specified deadline");
    reports(states, 1, "overdue");

    assertThat(states.end("0").exitCode()).isEmpty();
    assertThat(states.end("0").text())
        .isEqualTo(
            "DeadlineExceeded: Job was active longer than specified deadline; its Job reached its"
                + " time limit; raise wallTime");
  }

  @Test
  void reportAPodThatWasDeleted() throws Exception {
    var states = states("troupe-deleted");

    assertThat(reports(states, 2, "running"))
        .extracting(JobReport::text)
        .containsOnly("Running on localhost");
    assertThat(reports(states, 2, "leaving"))
        .extracting(JobReport::text)
        .containsExactly("Terminating on localhost", "Running on localhost");
    assertThat(reports(states, 2, "deleted")).allMatch(JobReport::hasEnded);
    assertThat(states.end("0").text()).isEqualTo("Deleted: its pod was deleted");
  }

  @Test
  void findTheReasonForADeletedPodInEvents() throws Exception {
    var states = states("troupe-deleted");
    reports(states, 1, "running");
    cluster.say(
        "events",
        """
        {"items":[{"kind":"Event","reason":"Preempted","message":"Preempted by pod 1-2 on node a",
          "involvedObject":{"kind":"Pod","name":"troupe-deleted-0-5bh9k"}}]}
        """);

    reports(states, 1, "deleted");

    assertThat(states.end("0").text()).isEqualTo("Preempted: Preempted by pod 1-2 on node a");
  }

  @Test
  void reportTheEndOfAllPodsOfAJobThatIsGone() throws Exception {
    var states = states("troupe-deleted");
    cluster.say("states", "{\"items\":[]}");

    assertThat(states.report(List.of("0"))).isEmpty();
    assertThat(states.end("0").text()).isEqualTo("Deleted: its Job was deleted");
  }

  @Test
  void doNotTakeAClusterThatDoesNotAnswerForAnEnd() throws Exception {
    cluster.say("get.refusal", "The connection to the server 10.0.0.1:6443 was refused");

    assertThatThrownBy(() -> states("troupe-x").report(List.of("0")))
        .isInstanceOf(BatchException.Away.class)
        .hasMessage("The connection to the server 10.0.0.1:6443 was refused");

    cluster.forget("get.refusal");
    cluster.say("states", "Warning: not JSON");
    assertThatThrownBy(() -> states("troupe-x").report(List.of("0")))
        .isInstanceOf(BatchException.Away.class)
        .hasMessageStartingWith("kubectl's answer is no JSON: ");
  }
}
