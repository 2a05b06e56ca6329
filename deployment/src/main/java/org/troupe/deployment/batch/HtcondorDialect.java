package org.troupe.deployment.batch;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.troupe.deployment.process.CommandRunner.Answer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of HTCondor. */
final class HtcondorDialect implements Dialect {

  /*
   * HTCondor starts one job on one machine. So a job of Troupe is a cluster of HTCondor, which has a job for each
   * machine, and its id is the number of the cluster. The queue has the jobs that have not ended, and the history the
   * others. A job that HTCondor would start a second time is removed, as its nodes are known to be dead.
   *
   * HTCondor empties the output file of a job when it starts the job, and all jobs of a cluster have one file. So the
   * jobs open it themselves, to append.
   */
  private static final Pattern ID = Pattern.compile("(\\d+)\\.\\d+ - \\d+\\.\\d+");

  /** Begins a list of jobs; lines of start-up files may come before it. */
  private static final Pattern LIST = Pattern.compile("(?m)^\\[$");

  /** Runs a script of a job, which shares its output files with the other jobs of the cluster. */
  private static final String APPENDING = "exec >>\"$1\" 2>>\"$2\"; shift 2; exec /bin/sh \"$@\"";

  private static final JsonMapper JSON = new JsonMapper();

  private static final int IDLE = 1;
  private static final int RUNNING = 2;
  private static final int REMOVED = 3;
  private static final int HELD = 5;
  private static final int SUSPENDED = 7;

  /** The codes of holds that a user has asked for: of a job in the queue, and at its submission. */
  private static final List<Integer> HELD_BY_USER = List.of(1, 15);

  private static final String QUEUED =
      "ClusterId,ProcId,JobStatus,RemoteHost,LastRejMatchReason,HoldReason,HoldReasonCode";
  private static final String ENDED =
      "ClusterId,ProcId,JobStatus,TotalSubmitProcs,ExitBySignal,ExitCode,ExitSignal,RemoveReason,"
          + "LastHoldReason";

  /**
   * The order of the ends of a cluster's jobs: a signal counts most, then the highest exit code,
   * then a removal.
   */
  private static final Comparator<JobEnd> WORST =
      Comparator.comparing((JobEnd end) -> end.signal().isPresent())
          .thenComparing(end -> end.exitCode().orElse(0))
          .thenComparing(JobEnd::wasAborted);

  @Override
  public String name() {
    return "HTCondor";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("condor_submit", "-terse", "/dev/null"));
    command.add("executable=/bin/sh");
    command.add("transfer_executable=false");
    command.add("should_transfer_files=NO");
    command.add("notification=never");
    command.add("batch_name=" + job.name());
    command.add("initialdir=" + job.folder());
    command.add("output=/dev/null");
    command.add("error=/dev/null");
    var words = new ArrayList<>(List.of("-c", APPENDING, "sh", job.output(), job.errorOutput()));
    words.addAll(job.command());
    command.add(
        "arguments=\"%s $(ClusterId) $(ProcId)\""
            .formatted(words.stream().map(HtcondorDialect::quoted).collect(joining(" "))));
    command.addAll(job.options());
    command.addAll(List.of("-queue", "$(" + BatchOptions.MACHINES + ")"));
    return command;
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "''").replace("\"", "\"\"") + "'";
  }

  @Override
  public Optional<String> submitted(Answer answer) {
    return Dialect.lastId(answer, ID);
  }

  @Override
  public List<String> ask(Collection<String> jobIds) {
    var command = new ArrayList<>(List.of("condor_q"));
    command.addAll(jobIds);
    command.addAll(List.of("-json", "-attributes", QUEUED));
    return command;
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    return clusters(answer)
        .map(
            clusters -> {
              var reports = new HashMap<String, JobReport>();
              clusters.forEach((id, jobs) -> reports.put(id, report(jobs)));
              return reports;
            });
  }

  /** Returns the jobs of each cluster in an answer; empty if it is none. */
  private static Optional<Map<String, List<JsonNode>>> clusters(Answer answer) {
    if (answer.exitCode() != 0) {
      return Optional.empty();
    }
    var list = LIST.matcher(answer.output());
    if (!list.find()) {
      return Optional.of(Map.of());
    }
    try {
      var jobs = JSON.readTree(answer.output().substring(list.start()));
      return Optional.of(
          StreamSupport.stream(jobs.spliterator(), false)
              .collect(groupingBy(job -> job.path("ClusterId").asString(""))));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Predicate<JsonNode> in(int status) {
    return job -> job.path("JobStatus").asInt(0) == status;
  }

  private static JobReport report(List<JsonNode> jobs) {
    if (jobs.stream().anyMatch(in(SUSPENDED))) {
      return new JobReport(JobState.SUSPENDED_BY_SYSTEM, "suspended");
    }
    var idle = jobs.stream().filter(in(IDLE)).toList();
    var held = jobs.stream().filter(in(HELD)).toList();
    if (jobs.stream().anyMatch(in(RUNNING))) {
      return new JobReport(
          JobState.RUNNING,
          "running on "
              + values(jobs, "RemoteHost")
              + (idle.isEmpty() ? "" : ", %d idle%s".formatted(idle.size(), why(idle)))
              + (held.isEmpty()
                  ? ""
                  : ", %d held (%s)".formatted(held.size(), values(held, "HoldReason"))));
    }
    if (!held.isEmpty()) {
      var isWanted = HELD_BY_USER.contains(held.getFirst().path("HoldReasonCode").asInt(0));
      return new JobReport(
          isWanted ? JobState.HELD_BY_USER : JobState.HELD_BY_SYSTEM,
          "held (" + held.getFirst().path("HoldReason").asString("") + ")");
    }
    return idle.isEmpty()
        ? new JobReport(JobState.UNDETERMINED, "ending")
        : new JobReport(JobState.QUEUED, "idle" + why(idle));
  }

  private static String why(List<JsonNode> idle) {
    var reasons = values(idle, "LastRejMatchReason");
    return reasons.isEmpty() ? "" : " (" + reasons + ")";
  }

  private static String values(List<JsonNode> jobs, String attribute) {
    return jobs.stream()
        .map(job -> job.path(attribute).asString("").strip())
        .filter(value -> !value.isEmpty())
        .distinct()
        .collect(joining(", "));
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(List.of("condor_history", jobId, "-json", "-attributes", ENDED));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    var jobs = clusters(answer).orElse(Map.of()).getOrDefault(jobId, List.of());
    if (jobs.isEmpty() || jobs.size() < jobs.getFirst().path("TotalSubmitProcs").asInt(1)) {
      return Optional.empty();
    }
    return jobs.stream().map(job -> end(jobId, job)).max(WORST);
  }

  private static JobEnd end(String jobId, JsonNode job) {
    var wasRemoved = in(REMOVED).test(job);
    var text = wasRemoved ? removed(job) : "completed";
    if (job.path("ExitBySignal").asBoolean(false)) {
      return JobEnd.signalled(jobId, job.path("ExitSignal").asString(""), text);
    }
    var code = job.path("ExitCode").asInt(-1);
    if (wasRemoved && code <= 0) {
      return JobEnd.aborted(jobId, text);
    }
    return code < 0
        ? JobEnd.unknown(jobId, text)
        : JobEnd.exited(jobId, code, text + ", exit code " + code);
  }

  private static String removed(JsonNode job) {
    var reason = job.path("RemoveReason").asString("");
    var hold = job.path("LastHoldReason").asString("");
    return "removed "
        + (reason.contains(BatchOptions.BEGAN)
            ? "as it was evicted or held, or reached its time limit: "
            : "")
        + reason
        + (hold.isEmpty() ? "" : ", after it was held (" + hold + ")");
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("condor_rm", jobId);
  }

  @Override
  public boolean isAway(Answer answer) {
    return List.of("Can't find address", "Failed to connect", "Failed to fetch ads").stream()
        .anyMatch(answer.message()::contains);
  }
}
