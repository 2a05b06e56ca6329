package org.troupe.deployment.batch;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;

/** The commands of Flux, as of version 0.48, the first with {@code flux batch}. */
final class FluxDialect implements Dialect {

  /*
   * One question serves jobs that wait, run and have ended, since Flux keeps ended jobs until its administrator purges
   * them. Ids are numbers in base 58 behind an 'ƒ', which is an 'f' where the locale lacks that letter. Commands accept
   * both; ids are kept with the 'f'.
   */
  private static final Pattern ID = Pattern.compile("([ƒf][1-9A-HJ-NP-Za-km-z]+)");

  private static final String JOB_ID = "id.f58";
  private static final String STATE = "state";
  private static final String RESULT = "result";
  private static final String RETURN_CODE = "returncode";
  private static final String URGENCY = "urgency";
  private static final String NODES = "nodelist";
  private static final String DEPENDENCIES = "dependencies";
  private static final String REASON = "annotations.sched.reason_pending";
  private static final String EXCEPTION = "exception.type";
  private static final String NOTE = "exception.note"; // the only one that may have a bar in it

  private static final List<String> FIELDS =
      List.of(
          JOB_ID,
          STATE,
          RESULT,
          RETURN_CODE,
          URGENCY,
          NODES,
          DEPENDENCIES,
          REASON,
          EXCEPTION,
          NOTE);

  /** The return code of a job that was cancelled before it ran. */
  private static final int NEVER_RAN = -128;

  /** One job, with its fields by name. */
  private record Job(Map<String, String> fields) {

    static Job of(String[] values) {
      var fields = new HashMap<String, String>();
      for (var i = 0; i < values.length; i++) {
        fields.put(FIELDS.get(i), values[i]);
      }
      return new Job(fields);
    }

    String get(String field) {
      return fields.getOrDefault(field, "");
    }
  }

  @Override
  public String name() {
    return "Flux";
  }

  @Override
  public List<String> submit(JobTemplate job) {
    var command = new ArrayList<>(List.of("flux", "batch"));
    command.add("--job-name=" + job.name());
    command.add("--cwd=" + job.folder());
    command.add("--output=" + job.output());
    command.add("--error=" + job.errorOutput());
    command.addAll(job.options());
    command.addAll(job.command());
    return command;
  }

  @Override
  public Optional<String> submitted(Answer answer) {
    return Dialect.lastId(answer, ID).map(FluxDialect::ascii);
  }

  private static String ascii(String id) {
    return id.replace('ƒ', 'f');
  }

  @Override
  public List<String> ask(Collection<String> jobIds) {
    var command = new ArrayList<>(List.of("flux", "jobs", "-n"));
    command.add("--format={" + String.join("}|{", FIELDS) + "}");
    command.addAll(jobIds);
    return command;
  }

  @Override
  public Optional<Map<String, JobReport>> states(Answer answer, Collection<String> jobIds) {
    var jobs = jobs(answer);
    if (jobs.isEmpty() && !answer.errorOutput().contains("unknown")) {
      return Optional.empty();
    }
    var reports = new HashMap<String, JobReport>();
    jobs.forEach((id, job) -> reports.put(id, report(job)));
    return Optional.of(reports);
  }

  /** Returns the jobs by their ids. */
  private static Map<String, Job> jobs(Answer answer) {
    return answer
        .output()
        .lines()
        .map(line -> line.strip().split("\\|", FIELDS.size()))
        .filter(values -> values.length == FIELDS.size() && ID.matcher(values[0]).matches())
        .collect(toMap(values -> ascii(values[0]), Job::of));
  }

  private static JobReport report(Job job) {
    var state = job.get(STATE);
    return switch (state) {
      case "DEPEND", "PRIORITY", "SCHED" -> waiting(job);
      case "RUN", "CLEANUP" ->
          new JobReport(
              JobState.RUNNING, state + (job.get(NODES).isEmpty() ? "" : " on " + job.get(NODES)));
      case "INACTIVE" ->
          new JobReport(
              job.get(RESULT).equals("COMPLETED") ? JobState.DONE : JobState.FAILED, result(job));
      default -> new JobReport(JobState.UNDETERMINED, state);
    };
  }

  private static JobReport waiting(Job job) {
    var state = job.get(STATE);
    if (job.get(URGENCY).equals("0")) {
      return new JobReport(JobState.HELD_BY_USER, state + " (held, its urgency is 0)");
    }
    var why =
        switch (state) {
          case "DEPEND" -> "dependencies: " + job.get(DEPENDENCIES);
          case "PRIORITY" -> "its priority is not known yet";
          default -> job.get(REASON).isEmpty() ? "waits for resources" : job.get(REASON);
        };
    return new JobReport(JobState.QUEUED, state + " (" + why + ")");
  }

  private static String result(Job job) {
    var result = job.get(RESULT);
    var isUnclear = result.equals("FAILED") && !job.get(EXCEPTION).isEmpty();
    return result
        + (isUnclear ? " (" + job.get(EXCEPTION) + ")" : "")
        + (job.get(NOTE).isEmpty() ? "" : ": " + job.get(NOTE));
  }

  @Override
  public List<List<String>> askEnd(String jobId) {
    return List.of(ask(List.of(jobId)));
  }

  @Override
  public Optional<JobEnd> ended(String jobId, Answer answer) {
    return Optional.ofNullable(jobs(answer).get(jobId))
        .filter(job -> report(job).hasEnded())
        .map(job -> end(jobId, job));
  }

  private static JobEnd end(String jobId, Job job) {
    var returned = job.get(RETURN_CODE);
    if (!returned.matches("-?\\d{1,9}")) {
      return report(job).state() == JobState.FAILED
          ? JobEnd.aborted(jobId, result(job))
          : JobEnd.unknown(jobId, result(job));
    }
    var code = Integer.parseInt(returned);
    if (code == NEVER_RAN) {
      return JobEnd.aborted(jobId, result(job) + ", before it ran");
    }
    return code < 0
        ? JobEnd.signalled(jobId, Integer.toString(-code), result(job))
        : JobEnd.exited(jobId, code, result(job) + ", exit code " + code);
  }

  @Override
  public List<String> terminate(String jobId) {
    return List.of("flux", "cancel", jobId);
  }

  @Override
  public boolean isAway(Answer answer) {
    return List.of(
            "Unable to connect to Flux", "Connection refused", "Connection reset", "Broken pipe")
        .stream()
        .anyMatch(answer.message()::contains);
  }
}
