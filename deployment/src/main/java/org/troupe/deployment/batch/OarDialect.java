package org.troupe.deployment.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;
import org.troupe.deployment.process.ShellLine;

/** The commands of OAR 2.5. */
final class OarDialect implements Dialect {

  /*
   * OAR keeps all jobs in a database, so one question serves jobs that wait, run and have ended. An exit code is that of
   * waitpid: the code in the higher byte, and the signal below it.
   */
  private static final Pattern ID = Pattern.compile("(?m)^OAR_JOB_ID=(\\d+)$");
  private static final Pattern EVENT = Pattern.compile("(?m)^\\S+ \\S+> (\\w+):(.*)$");
  private static final Pattern DELETER = Pattern.compile("^User (\\S+) ");
  private static final Pattern AGAIN = Pattern.compile("=> (\\d+)\\)");
  private static final Pattern STATUS = Pattern.compile("(\\d{1,9}) \\(.*");
  private static final String NO_PREDICTION = "no prediction";
  private static final int CODE = 8;
  private static final int SIGNAL = 127;

  @Override
  public String name() {
    return "OAR";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("oarsub", "-n", job.name()));
    command.addAll(List.of("-d", job.folder()));
    command.addAll(List.of("-O", job.output()));
    command.addAll(List.of("-E", job.errorOutput()));
    command.addAll(job.options());
    command.add("/bin/sh " + ShellLine.of(job.command()));
    return command;
  }

  @Override
  public Optional<String> submitted(Answer answer) {
    // Of a job that is stored, even if the server was not told of it.
    var id = ID.matcher(answer.output());
    return id.find() ? Optional.of(id.group(1)) : Optional.empty();
  }

  @Override
  public List<String> ask(Collection<String> jobIds) {
    var command = new ArrayList<>(List.of("oarstat", "-f"));
    jobIds.forEach(id -> command.addAll(List.of("-j", id)));
    return command;
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    if (answer.exitCode() != 0) {
      return Optional.empty();
    }
    var reports = new HashMap<String, JobReport>();
    jobs(answer).forEach((id, job) -> reports.put(id, report(job)));
    return Optional.of(reports);
  }

  private static Map<String, Map<String, String>> jobs(Answer answer) {
    return JobAttributes.read(answer.output(), "Job_Id:");
  }

  private static JobReport report(Map<String, String> job) {
    var word = job.getOrDefault("state", "");
    var state = state(word, job);
    var hosts = job.getOrDefault("assigned_hostnames", "").replace('+', ',');
    var text =
        switch (state) {
          case QUEUED -> " (" + waiting(job) + ")";
          case RUNNING -> hosts.isEmpty() ? "" : " on " + hosts;
          default -> "";
        };
    return new JobReport(state, word + text);
  }

  private static String waiting(Map<String, String> job) {
    var start = job.getOrDefault("scheduledStart", NO_PREDICTION);
    return job.getOrDefault("message", "")
        + (start.equals(NO_PREDICTION) ? ", not scheduled yet" : ", scheduled for " + start);
  }

  private static JobState state(String word, Map<String, String> job) {
    return switch (word) {
      case "Waiting", "toLaunch", "toAckReservation", "Launching" -> JobState.QUEUED;
      case "Hold" -> JobState.HELD_BY_USER;
      case "Running", "Finishing" -> JobState.RUNNING;
      case "Suspended", "Resuming" -> JobState.SUSPENDED_BY_SYSTEM;
      case "Terminated" -> status(job).orElse(0) == 0 ? JobState.DONE : JobState.FAILED;
      case "Error" -> JobState.FAILED;
      default -> JobState.UNDETERMINED; // toError, and states of later versions
    };
  }

  private static Optional<Integer> status(Map<String, String> job) {
    var status = STATUS.matcher(job.getOrDefault("exit_code", ""));
    return status.matches() ? Optional.of(Integer.valueOf(status.group(1))) : Optional.empty();
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(ask(List.of(jobId)));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    var job = jobs(answer).get(jobId);
    if (job == null || !report(job).hasEnded()) {
      return Optional.empty();
    }
    var text = report(job).text() + cause(answer.output(), job);
    return Optional.of(
        status(job)
            .map(status -> end(jobId, status, text))
            .orElseGet(
                () ->
                    report(job).state() == JobState.FAILED
                        ? JobEnd.aborted(jobId, text)
                        : JobEnd.unknown(jobId, text)));
  }

  /** Returns why OAR ended a job; empty if the job has ended by itself. */
  private static String cause(String output, Map<String, String> job) {
    if (!job.getOrDefault("state", "").equals("Error")) {
      return "";
    }
    var events = new LinkedHashMap<String, String>();
    EVENT.matcher(output).results().forEach(event -> events.put(event.group(1), event.group(2)));
    if (events.containsKey("WALLTIME")) {
      return ": it reached its time limit of " + job.getOrDefault("walltime", "");
    }
    if (events.containsKey("FRAG_JOB_REQUEST")) {
      var user = DELETER.matcher(events.get("FRAG_JOB_REQUEST"));
      return ": the job was deleted" + (user.find() ? " by " + user.group(1) : "");
    }
    var again = AGAIN.matcher(events.getOrDefault("RESUBMIT_JOB_AUTOMATICALLY", ""));
    return (events.isEmpty() ? "" : ": " + events)
        + (again.find()
            ? "; OAR has submitted it again as job %1$s, which this run does not know; end that one with 'oardel %1$s'"
                .formatted(again.group(1))
            : "");
  }

  private static JobEnd end(String jobId, int status, String text) {
    var signal = status & SIGNAL;
    return signal == 0
        ? JobEnd.exited(jobId, status >> CODE, text + ", exit code " + (status >> CODE))
        : JobEnd.signalled(jobId, Integer.toString(signal), text);
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("oardel", jobId);
  }

  @Override
  public boolean isAway(Answer answer) {
    var message = answer.message().toLowerCase(Locale.ROOT);
    return submitted(answer).isEmpty()
        && List.of(
                "cannot connect to database", // after which the commands try again for minutes
                "cannot connect to executor",
                "could not connect to the socket")
            .stream()
            .anyMatch(message::contains);
  }
}
