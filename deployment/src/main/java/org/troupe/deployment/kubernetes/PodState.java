package org.troupe.deployment.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.deployment.batch.JobEnd;
import org.troupe.deployment.batch.JobReport;
import org.troupe.deployment.batch.JobState;
import tools.jackson.databind.JsonNode;

/**
 * The state of the pod of one node, in the words of the cluster.
 *
 * @param name of the pod; empty if there is none
 * @param hasStarted whether its container has begun to run, and so has a log
 * @param isRunning whether its container runs
 * @param needsEvents whether only an event may say why it waits, or why it was deleted
 * @param disruption why the cluster ends it; empty if it does not
 * @param end how it ended, if it has
 */
record PodState(
    int rank,
    String name,
    boolean hasStarted,
    boolean isRunning,
    boolean needsEvents,
    String disruption,
    JobReport report,
    Optional<JobEnd> end) {

  /** What users can do about a reason of Kubernetes. */
  private static final Map<String, String> REMEDIES =
      Map.ofEntries(
          Map.entry(
              "Unschedulable",
              "it starts when a machine has room; if none ever will, correct cpus, memory or"
                  + " nodeSelector, or add tolerations by a patch"),
          Map.entry("ErrImagePull", Remedies.IMAGE),
          Map.entry("ImagePullBackOff", Remedies.IMAGE),
          Map.entry("ErrImageNeverPull", Remedies.IMAGE),
          Map.entry("InvalidImageName", Remedies.IMAGE),
          Map.entry("CreateContainerConfigError", Remedies.CONTAINER),
          Map.entry("CreateContainerError", Remedies.CONTAINER),
          Map.entry("FailedMount", "correct the mounts, or see the state of their claims"),
          Map.entry("FailedAttachVolume", "correct the mounts, or see the state of their claims"),
          Map.entry("FailedCreate", "ask for less, or see the quota and policies of the namespace"),
          Map.entry("StartError", "the image has no such program; correct image or javaHome"),
          Map.entry("OOMKilled", "it used more memory than its limit; raise memory"),
          Map.entry(
              "Evicted", "ask for the memory and disk that it uses, so that it is not chosen"),
          Map.entry("DeadlineExceeded", "its Job reached its time limit; raise wallTime"));

  private static final class Remedies {
    static final String IMAGE =
        "correct image, or name the secret of its registry as imagePullSecrets in a patch";
    static final String CONTAINER = "correct the mounts or the patch";
  }

  private static final String DELETED = "Deleted: its pod was deleted";

  private static final List<String> FAILURES = List.of("Failed", "FailureTarget");

  /** The reasons of a container's end that its exit code tells as well. */
  private static final List<String> USUAL = List.of("", "Completed", "Error");

  /** Returns the rank of a pod; -1 if it has none. */
  static int rank(JsonNode pod) {
    var metadata = pod.path("metadata");
    var name = "batch.kubernetes.io/job-completion-index";
    var text = metadata.path("annotations").path(name).asString("");
    var index = text.isEmpty() ? metadata.path("labels").path(name).asString("") : text;
    return index.matches("\\d{1,5}") ? Integer.parseInt(index) : -1;
  }

  /**
   * Returns the state of a pod.
   *
   * @param job of the pod
   */
  static PodState of(int rank, JsonNode pod, JsonNode job) {
    var status = pod.path("status");
    var container = container(status);
    var terminated = container.path("state").path("terminated");
    var isRunning = container.path("state").has("running");
    var phase = status.path("phase").asString("Unknown");
    var isLeaving = pod.path("metadata").has("deletionTimestamp");
    // The phase follows a second later, for a failure perhaps with a reason.
    var hasEnded =
        phase.equals("Failed")
            || phase.equals("Succeeded")
            || terminated.path("exitCode").asInt(1) == 0;
    var waiting = waiting(status, container);
    var disruption = disruption(status, job);
    var why = disruption.isEmpty() ? waiting : disruption;
    var machine = pod.path("spec").path("nodeName").asString("");
    var text =
        (isLeaving && !hasEnded ? "Terminating" : phase)
            + (why.isEmpty() ? "" : " (" + why + ")")
            + (machine.isEmpty() ? "" : " on " + machine);
    var state =
        switch (phase) {
          case "Pending" -> JobState.QUEUED;
          case "Running" -> JobState.RUNNING;
          case "Succeeded" -> JobState.DONE;
          case "Failed" -> JobState.FAILED;
          default -> JobState.UNDETERMINED; // the machine does not answer
        };
    return new PodState(
        rank,
        pod.path("metadata").path("name").asString(""),
        isRunning || !terminated.isMissingNode(),
        isRunning && !isLeaving,
        state == JobState.QUEUED && why.isEmpty(),
        disruption,
        new JobReport(hasEnded ? state(terminated) : state, text),
        hasEnded ? Optional.of(end(rank, pod, terminated, disruption)) : Optional.empty());
  }

  private static JobState state(JsonNode terminated) {
    return terminated.path("exitCode").asInt(1) == 0 ? JobState.DONE : JobState.FAILED;
  }

  /** Returns the state of a node whose pod is not there, or no longer. */
  static PodState absent(int rank, Optional<PodState> before, JsonNode job) {
    var known = before.filter(state -> !state.name.isEmpty());
    var disruption = disruption(job.path("status").path("none"), job);
    if (disruption.isEmpty()) {
      disruption = known.map(PodState::disruption).orElse("");
    }
    if (contains(job.path("status").path("completedIndexes").asString(""), rank)) {
      return gone(rank, known, JobState.DONE, JobEnd.exited(Integer.toString(rank), 0, ""));
    }
    var isFailed = contains(job.path("status").path("failedIndexes").asString(""), rank);
    if (known.isEmpty() && !isFailed && disruption.isEmpty()) {
      return new PodState(
          rank,
          "",
          false,
          false,
          true,
          "",
          new JobReport(JobState.QUEUED, "Pending (no pod yet)"),
          Optional.empty());
    }
    var reason = disruption.isEmpty() ? DELETED : disruption;
    return gone(rank, known, JobState.FAILED, JobEnd.unknown(Integer.toString(rank), reason));
  }

  private static PodState gone(int rank, Optional<PodState> before, JobState state, JobEnd end) {
    return new PodState(
        rank,
        before.map(PodState::name).orElse(""),
        false,
        false,
        before.isPresent() && end.text().equals(DELETED),
        "",
        new JobReport(state, end.text()),
        Optional.of(end));
  }

  /** Returns whether a list such as {@code 0,2-5} has a number. */
  private static boolean contains(String list, int number) {
    return Stream.of(list.split(","))
        .map(range -> range.split("-"))
        .filter(range -> range[0].matches("\\d{1,9}"))
        .anyMatch(
            range ->
                Integer.parseInt(range[0]) <= number
                    && number <= Integer.parseInt(range[range.length - 1]));
  }

  /** Returns a copy with the reason of an event. */
  PodState explained(String reason, String message) {
    var text = withRemedy(reason, message);
    return new PodState(
        rank,
        name,
        hasStarted,
        isRunning,
        needsEvents,
        disruption,
        new JobReport(
            report.state(),
            end.isPresent()
                ? text
                : name.isEmpty() ? "Pending (" + text + ")" : report.text() + " (" + text + ")"),
        end.map(each -> JobEnd.unknown(each.jobId(), text)));
  }

  private static JsonNode container(JsonNode status) {
    return status
        .path("containerStatuses")
        .valueStream()
        .filter(each -> each.path("name").asString("").equals(JobManifest.CONTAINER))
        .findFirst()
        .orElseGet(() -> status.path("none"));
  }

  /** Returns what a pod that does not run waits for; empty if it does not say. */
  private static String waiting(JsonNode status, JsonNode container) {
    var waiting = container.path("state").path("waiting");
    var reason = waiting.path("reason").asString("");
    if (!List.of("", "ContainerCreating", "PodInitializing").contains(reason)) {
      return withRemedy(reason, waiting.path("message").asString(""));
    }
    return conditions(status)
        .filter(each -> each.path("type").asString("").equals("PodScheduled"))
        .filter(each -> each.path("status").asString("").equals("False"))
        .map(
            each -> withRemedy(each.path("reason").asString(""), each.path("message").asString("")))
        .findFirst()
        .orElse("");
  }

  /** Describes an end as far as its exit code does not. */
  private static JobEnd end(int rank, JsonNode pod, JsonNode terminated, String disruption) {
    var id = Integer.toString(rank);
    var text = disruption.isEmpty() ? reason(pod, terminated) : disruption;
    return terminated.has("exitCode")
        ? JobEnd.exited(id, terminated.path("exitCode").asInt(1), text)
        : JobEnd.unknown(id, text.isEmpty() ? "Failed: the cluster does not say why" : text);
  }

  private static String reason(JsonNode pod, JsonNode terminated) {
    var reason = terminated.path("reason").asString("");
    if (!USUAL.contains(reason)) {
      return withRemedy(reason, terminated.path("message").asString(""));
    }
    return pod.path("metadata").has("deletionTimestamp") ? DELETED : "";
  }

  /** Returns why the cluster ends a pod, or its whole Job; empty if it does not. */
  private static String disruption(JsonNode status, JsonNode job) {
    return Stream.of(
            conditions(job.path("status"))
                .filter(each -> FAILURES.contains(each.path("type").asString("")))
                .filter(each -> each.path("reason").asString("").equals("DeadlineExceeded")),
            Stream.of(status).filter(each -> !each.path("reason").asString("").isEmpty()),
            conditions(status)
                .filter(each -> each.path("type").asString("").equals("DisruptionTarget")))
        .flatMap(each -> each)
        .filter(each -> each.path("status").asString("True").equals("True"))
        .map(
            each -> withRemedy(each.path("reason").asString(""), each.path("message").asString("")))
        .findFirst()
        .orElse("");
  }

  private static Stream<JsonNode> conditions(JsonNode status) {
    return status.path("conditions").valueStream();
  }

  /** Returns a reason of Kubernetes with its message and a remedy. */
  private static String withRemedy(String reason, String message) {
    var text =
        Stream.of(reason, message.strip().replaceAll("\\s*\\n\\s*", "; "))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(": "));
    var remedy = REMEDIES.getOrDefault(reason, "");
    return remedy.isEmpty() ? text : text + "; " + remedy;
  }
}
