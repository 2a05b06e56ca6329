package org.troupe.deployment.batch;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;

/** The commands of Slurm. */
final class SlurmDialect implements Dialect {

  /*
   * Polls use squeue, since scontrol would report all jobs of all users. The end of a job is read by scontrol, which
   * alone knows it where there is no accounting. Slurm forgets a job MinJobAge after its end, 300 s by default.
   */
  private static final Pattern ID = Pattern.compile("(\\d+)(?:;\\S*)?");
  private static final Pattern FIELD = Pattern.compile("(\\S+?)=(\\S*)");
  private static final Set<String> NO_REASON = Set.of("None", "(null)", "");

  @Override
  public String name() {
    return "Slurm";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("sbatch", "--parsable"));
    command.add("--job-name=" + job.name());
    command.add("--chdir=" + job.folder());
    command.add("--output=" + job.output());
    command.add("--error=" + job.errorOutput());
    command.addAll(job.options());
    command.addAll(job.command());
    return command;
  }

  @Override
  public Optional<String> submitted(Answer answer) {
    return Dialect.lastId(answer, ID);
  }

  @Override
  public List<String> ask(Collection<String> jobIds) {
    return List.of(
        "squeue",
        "--noheader",
        "--states=all",
        "--jobs=" + String.join(",", jobIds),
        "--format=%i|%T|%r|%N");
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    if (answer.exitCode() != 0) { // a forgotten job is an error if it is the only one asked for
      return answer.errorOutput().contains("Invalid job id")
          ? Optional.of(Map.of())
          : Optional.empty();
    }
    return Optional.of(
        answer
            .output()
            .lines()
            .map(line -> line.strip().split("\\|", -1))
            .filter(fields -> fields.length == 4)
            .collect(
                toMap(fields -> fields[0], fields -> report(fields[1], fields[2], fields[3]))));
  }

  private static JobReport report(String state, String reason, String nodes) {
    var why =
        NO_REASON.contains(reason) ? "" : " (" + reason.replaceAll("^\\((.*)\\)$", "$1") + ")";
    var where = nodes.isEmpty() ? "" : " on " + nodes;
    return new JobReport(state(state, reason), state + why + where);
  }

  private static JobState state(String state, String reason) {
    return switch (state) {
      case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED" ->
          switch (reason) {
            case "JobHeldUser" -> JobState.HELD_BY_USER;
            case "JobHeldAdmin" -> JobState.HELD_BY_SYSTEM;
            default -> JobState.QUEUED;
          };
      case "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD" -> JobState.HELD_BY_SYSTEM;
      case "RUNNING", "SIGNALING", "RESIZING", "STAGE_OUT" -> JobState.RUNNING;
      case "SUSPENDED", "STOPPED" -> JobState.SUSPENDED_BY_SYSTEM;
      case "COMPLETED" -> JobState.DONE;
      case "BOOT_FAIL",
          "CANCELLED",
          "DEADLINE",
          "FAILED",
          "NODE_FAIL",
          "OUT_OF_MEMORY",
          "PREEMPTED",
          "REVOKED",
          "TIMEOUT" ->
          JobState.FAILED;
      default -> JobState.UNDETERMINED; // COMPLETING, and states of later versions
    };
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(
        List.of("scontrol", "show", "job", "--oneliner", jobId),
        List.of("sacct", "--noheader", "--parsable2", "-X", "-j", jobId, "-o", "State,ExitCode"));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    if (answer.exitCode() != 0) {
      return Optional.empty();
    }
    return answer.output().contains("JobState=")
        ? ofScontrol(jobId, fields(answer.output()))
        : ofSacct(jobId, answer.output().strip().split("\\|"));
  }

  private static Map<String, String> fields(String text) {
    return FIELD
        .matcher(text)
        .results()
        .collect(toMap(each -> each.group(1), each -> each.group(2), (first, second) -> first));
  }

  private static Optional<JobEnd> ofScontrol(String jobId, Map<String, String> job) {
    var state = job.getOrDefault("JobState", "");
    var reason = job.getOrDefault("Reason", "");
    if (!new JobReport(state(state, reason), "").hasEnded()) {
      return Optional.empty();
    }
    return Optional.of(
        end(
            jobId,
            state,
            NO_REASON.contains(reason) || state.startsWith("TIMEOUT") ? "" : reason,
            job.getOrDefault("TimeLimit", ""),
            job.getOrDefault("ExitCode", "")));
  }

  /** The state may be {@code CANCELLED by 1000}. */
  private static Optional<JobEnd> ofSacct(String jobId, String[] fields) {
    if (fields.length != 2 || !new JobReport(state(fields[0].split(" ")[0], ""), "").hasEnded()) {
      return Optional.empty();
    }
    return Optional.of(end(jobId, fields[0], "", "", fields[1]));
  }

  /**
   * @param exitCode as {@code code:signal}
   */
  private static JobEnd end(
      String jobId, String state, String reason, String timeLimit, String exitCode) {
    var codes = exitCode.split(":");
    var isKnown = codes.length == 2 && exitCode.matches("\\d+:\\d+");
    var signal = isKnown ? Integer.parseInt(codes[1]) : 0;
    var code = isKnown ? Integer.parseInt(codes[0]) : 0;
    var text = state + (reason.isEmpty() ? "" : " (" + reason + ")");
    text +=
        switch (state.split(" ")[0]) {
          case "TIMEOUT" ->
              ": it reached its time limit" + (timeLimit.isEmpty() ? "" : " of " + timeLimit);
          case "OUT_OF_MEMORY" -> ": it used more memory than it had asked for";
          case "NODE_FAIL" -> ": a machine of the job failed";
          case "CANCELLED" -> ": the job was cancelled";
          case "PREEMPTED" -> ": a job of higher priority took its machines";
          default -> "";
        };
    if (signal > 0) {
      return JobEnd.signalled(jobId, codes[1], text);
    }
    if (code == 0 && state(state.split(" ")[0], "") == JobState.FAILED) {
      return JobEnd.aborted(jobId, text);
    }
    return isKnown ? JobEnd.exited(jobId, code, text) : JobEnd.unknown(jobId, text);
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("scancel", jobId);
  }

  @Override
  public boolean isAway(Answer answer) {
    return answer.message().contains("Unable to contact slurm controller")
        || answer.message().contains("Socket timed out")
        || answer.message().contains("Zero Bytes were transmitted")
        || answer.message().contains("slurmctld is in standby");
  }
}
