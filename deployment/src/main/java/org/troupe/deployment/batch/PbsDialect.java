package org.troupe.deployment.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;

/** The commands of PBS: the common subset of OpenPBS, Torque, and Slurm's PBS commands. */
final class PbsDialect implements Dialect {

  /*
   * Job ids are numbers, with or without the name of a server behind them; qstat may print another form than qsub, so
   * ids are compared by their numbers, of which those of arrays end in brackets. Only OpenPBS and Torque report exit
   * codes, under two names. qstat's exit codes 153 and 35 mean that it does not know one of the jobs; it reports the
   * others nevertheless.
   */
  private static final Pattern ID = Pattern.compile("(\\d+(?:\\[])?(?:\\.[\\w.-]+)?)");

  private static final int UNKNOWN_JOB = 153;
  private static final int FINISHED_JOB = 35;

  /** Added by Torque and PBS to the number of the signal that ended a job. */
  private static final int SIGNALLED = 256;

  /** Ends the comment of OpenPBS on a job that was deleted; older versions do not say by whom. */
  private static final Pattern DELETED = Pattern.compile("\\bterminated(?: by (\\S+))?$");

  /** The substate of OpenPBS for a job that was deleted. */
  private static final String DELETED_SUBSTATE = "91";

  /** The longest name that all versions accept. */
  private static final int NAME = 15;

  /** The usual pause of PBS between SIGTERM and SIGKILL, which a queue can change. */
  private static final Duration KILL_DELAY = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "PBS";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("qsub"));
    command.addAll(List.of("-N", job.name().substring(0, Math.min(NAME, job.name().length()))));
    command.addAll(List.of("-o", job.output()));
    command.addAll(List.of("-e", job.errorOutput()));
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
    var command = new ArrayList<>(List.of("qstat", "-f"));
    command.addAll(jobIds);
    return command;
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    var jobs = jobs(answer.output());
    if (jobs.isEmpty() && !isAboutJobs(answer)) {
      return Optional.empty();
    }
    var reports = new HashMap<String, JobReport>();
    for (var id : jobIds) {
      var job = jobs.get(number(id));
      if (job != null) {
        reports.put(id, report(job));
      }
    }
    return Optional.of(reports);
  }

  private static boolean isAboutJobs(Answer answer) {
    return answer.exitCode() == UNKNOWN_JOB
        || answer.exitCode() == FINISHED_JOB
        || answer.errorOutput().contains("Unknown Job")
        || answer.errorOutput().contains("Job has finished");
  }

  /** Returns the attributes of each job, by its number. */
  private static Map<String, Map<String, String>> jobs(String text) {
    var jobs = new HashMap<String, Map<String, String>>();
    JobAttributes.read(text, "Job Id:").forEach((id, job) -> jobs.put(number(id), job));
    return jobs;
  }

  private static String number(String jobId) {
    return jobId.split("\\.")[0];
  }

  private static JobReport report(Map<String, String> job) {
    var letter = job.getOrDefault("job_state", "");
    var why = why(job);
    var host = job.getOrDefault("exec_host", "");
    var state = state(letter, job);
    var text =
        switch (state) {
          case QUEUED -> "queued";
          case HELD_BY_USER, HELD_BY_SYSTEM -> "held";
          case RUNNING -> "running";
          case SUSPENDED_BY_SYSTEM -> "suspended";
          case DONE, FAILED -> "finished";
          default -> "in state " + letter;
        };
    return new JobReport(
        state,
        text
            + (host.isEmpty() || state != JobState.RUNNING ? "" : " on " + host)
            + (why.isEmpty() ? "" : " (" + why + ")"));
  }

  /** Returns why a job is in its state; OpenPBS has no comment on a job that waits by request. */
  private static String why(Map<String, String> job) {
    var letter = job.getOrDefault("job_state", "");
    if (letter.equals("W") && job.containsKey("Execution_Time")) {
      return "not before " + job.get("Execution_Time");
    }
    if (letter.equals("H") && job.containsKey("depend")) {
      return "depend: " + job.get("depend");
    }
    return job.getOrDefault("comment", "");
  }

  private static JobState state(String letter, Map<String, String> job) {
    return switch (letter) {
      case "Q", "T", "W", "M" -> JobState.QUEUED;
      case "H" ->
          job.getOrDefault("Hold_Types", "u").contains("u")
              ? JobState.HELD_BY_USER
              : JobState.HELD_BY_SYSTEM;
      case "R", "E", "B" -> JobState.RUNNING;
      case "S", "U" -> JobState.SUSPENDED_BY_SYSTEM;
      case "C", "F", "X" ->
          hasNeverRun(job) || !exitStatus(job).orElse("0").equals("0")
              ? JobState.FAILED
              : JobState.DONE;
      default -> JobState.UNDETERMINED;
    };
  }

  private static Optional<String> exitStatus(Map<String, String> job) {
    return Optional.ofNullable(job.getOrDefault("Exit_status", job.get("exit_status")));
  }

  /** Returns whether OpenPBS has deleted a job that waited. */
  private static boolean hasNeverRun(Map<String, String> job) {
    return "F".equals(job.get("job_state")) && !job.containsKey("stime");
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(List.of("qstat", "-x", "-f", jobId), List.of("qstat", "-f", jobId));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    var job = jobs(answer.output()).get(number(jobId));
    if (job == null || !report(job).hasEnded()) {
      return Optional.empty();
    }
    var comment = job.getOrDefault("comment", "");
    var deletion = deletion(job);
    var text = deletion.orElse("finished") + (comment.isEmpty() ? "" : " (" + comment + ")");
    var status = exitStatus(job).map(Integer::valueOf);
    if (status.isPresent() && (deletion.isEmpty() || status.get() > 0)) {
      return Optional.of(end(jobId, status.get(), text));
    }
    if (hasNeverRun(job)) {
      return Optional.of(JobEnd.aborted(jobId, text + ", before it ran"));
    }
    return Optional.of(
        deletion.isPresent()
            ? JobEnd.aborted(jobId, text)
            : JobEnd.unknown(jobId, text + "; this PBS gives no exit status"));
  }

  /** Returns by whom a job was deleted, in words; empty if it was not. */
  private static Optional<String> deletion(Map<String, String> job) {
    var comment = DELETED.matcher(job.getOrDefault("comment", ""));
    if (comment.find()) {
      return Optional.of("deleted" + (comment.group(1) == null ? "" : " by " + comment.group(1)));
    }
    return DELETED_SUBSTATE.equals(job.get("substate")) ? Optional.of("deleted") : Optional.empty();
  }

  /** Returns the end of a job; a negative exit code is PBS's own. */
  private static JobEnd end(String jobId, int status, String text) {
    if (status < 0) {
      return JobEnd.aborted(jobId, text + "; PBS ended it, status " + status);
    }
    return JobEnd.exited(
        jobId,
        status >= SIGNALLED ? status - SIGNALLED + JobEnd.SIGNALLED : status,
        text + ", exit status " + status);
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("qdel", jobId);
  }

  @Override
  public Duration killDelay() {
    return KILL_DELAY;
  }

  @Override
  public boolean isAway(Answer answer) {
    return List.of(
            "Connection refused",
            "cannot connect to server",
            "Unable to contact slurm controller",
            "Problem loading jobs",
            "Communication failure",
            "End of File")
        .stream()
        .anyMatch(answer.message()::contains);
  }
}
